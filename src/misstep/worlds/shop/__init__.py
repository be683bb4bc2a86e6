"""An online shop's support desk: customers, orders, stock, money and mail, with rules that its tools enforce."""
