"""The tools that change something or reach outside: one function each; every one wants a verified customer."""

from misstep.worlds.services import Refusal
from misstep.worlds.shop.desk import Desk, next_id, require_status, require_window
from misstep.worlds.shop.making import CURRENCY, TODAY
from misstep.worlds.shop.reads import Result, shown_customer, shown_order
from misstep.worlds.shop.records import Address, Exchange, Mail, Note, Refund


def add_note(desk: Desk, customer_id: str, text: str) -> Result:
    desk.verified(customer_id)
    note_id = next_id(desk.tables.notes)
    note = Note(note_id=note_id, customer_id=customer_id, text=text, written_on=TODAY.isoformat())
    desk.change(notes={note_id: note})
    return {**note}


def update_customer(desk: Desk, customer_id: str, email: str | None = None, phone: str | None = None) -> Result:
    customer = desk.verified(customer_id)
    changed = {**customer, "email": email or customer["email"], "phone": phone or customer["phone"]}
    desk.change(customers={customer_id: changed})
    return shown_customer(desk.customer(customer_id))


def add_address(desk: Desk, customer_id: str, street: str, city: str, postcode: str, label: str = "other") -> Result:
    desk.verified(customer_id)
    address_id = next_id(desk.tables.addresses)
    address = Address(
        address_id=address_id, customer_id=customer_id, label=label, street=street, city=city, postcode=postcode
    )
    desk.change(addresses={address_id: address})
    return {**address}


def delete_address(desk: Desk, customer_id: str, address_id: str) -> Result:
    desk.verified(customer_id)
    desk.address(address_id, customer_id)
    for order in desk.tables.orders.values():
        if order["address_id"] == address_id and order["status"] == "pending":
            raise Refusal(
                f"Address {address_id} is where the pending order {order['order_id']} goes. Redirect that order first."
            )
    desk.remove_address(address_id)
    return {"address_id": address_id, "deleted": True}


def redirect_order(desk: Desk, customer_id: str, order_id: str, address_id: str) -> Result:
    desk.verified(customer_id)
    order = desk.own_order(order_id, customer_id)
    desk.address(address_id, customer_id)
    require_status(order, "pending", "redirected")
    desk.change(orders={order_id: {**order, "address_id": address_id}})
    return shown_order(desk.order(order_id))


def cancel_order(desk: Desk, customer_id: str, order_id: str) -> Result:
    desk.verified(customer_id)
    order = desk.own_order(order_id, customer_id)
    require_status(order, "pending", "cancelled")
    payment = desk.tables.payments[order["payment_id"]]
    desk.change(
        orders={order_id: {**order, "status": "cancelled"}},
        payments={payment["payment_id"]: {**payment, "status": "voided"}},
    )
    return shown_order(desk.order(order_id))


def refund_order(desk: Desk, customer_id: str, order_id: str, payment_id: str, reason: str) -> Result:
    desk.verified(customer_id)
    order = desk.own_order(order_id, customer_id)
    if any(refund["order_id"] == order_id for refund in desk.tables.refunds.values()):
        raise Refusal(f"Order {order_id} has been refunded already. An order can be refunded once.")
    require_status(order, "delivered", "refunded")
    require_window(order, "refunded")
    if payment_id != order["payment_id"]:
        raise Refusal(
            f"Payment {payment_id} is not the payment of order {order_id}. A refund goes to the original payment "
            f"{order['payment_id']}."
        )
    payment = desk.tables.payments[payment_id]
    refund_id = next_id(desk.tables.refunds)
    refund = Refund(
        refund_id=refund_id,
        order_id=order_id,
        payment_id=payment_id,
        amount=payment["amount"],
        currency=CURRENCY,
        reason=reason,
        refunded_on=TODAY.isoformat(),
    )
    desk.change(refunds={refund_id: refund}, payments={payment_id: {**payment, "status": "refunded"}})
    return {**refund}


def exchange_item(desk: Desk, customer_id: str, order_id: str, item_id: str, new_item_id: str) -> Result:
    desk.verified(customer_id)
    order = desk.own_order(order_id, customer_id)
    if item_id not in [line["item_id"] for line in order["lines"]]:
        raise Refusal(f"Order {order_id} has no item {item_id}. Show the order to see its items.")
    if any(exchange["order_id"] == order_id for exchange in desk.tables.exchanges.values()):
        raise Refusal(f"Order {order_id} has been exchanged already. An order can be exchanged once.")
    require_status(order, "delivered", "exchanged")
    require_window(order, "exchanged")
    _require_alternative(desk, item_id, new_item_id)
    exchange_id = next_id(desk.tables.exchanges)
    exchange = Exchange(
        exchange_id=exchange_id,
        order_id=order_id,
        item_id=item_id,
        new_item_id=new_item_id,
        exchanged_on=TODAY.isoformat(),
    )
    stock = desk.tables.stock[new_item_id]
    desk.change(exchanges={exchange_id: exchange}, stock={new_item_id: {**stock, "in_stock": stock["in_stock"] - 1}})
    return {**exchange}


def _require_alternative(desk: Desk, item_id: str, new_item_id: str) -> None:
    old, new = desk.item(item_id), desk.item(new_item_id)
    if old is new or old["product_id"] != new["product_id"]:
        raise Refusal(
            f"Item {item_id} can only be exchanged for another colour or size of the same product, "
            f"{old['product_id']}; item {new_item_id} is none. Find the items of that title."
        )
    stock = desk.tables.stock[new_item_id]
    if not stock["in_stock"]:
        raise Refusal(f"Item {new_item_id} is not in stock before {stock['restock_on']}. Offer another colour or size.")


def close_account(desk: Desk, customer_id: str) -> Result:
    customer = desk.verified(customer_id)
    desk.change(customers={customer_id: {**customer, "status": "closed"}})
    return shown_customer(desk.customer(customer_id))


def send_receipt(desk: Desk, customer_id: str, order_id: str) -> Result:
    desk.verified(customer_id)
    order = desk.own_order(order_id, customer_id)
    return _sent(
        desk,
        customer_id,
        order_id,
        subject=f"Your order {order_id}",
        text=f"This is where your order {order_id} stands: it is {order['status']}. Total: {order['total']:.2f} EUR.",
    )


def send_mail(desk: Desk, customer_id: str, subject: str, text: str) -> Result:
    desk.verified(customer_id)
    return _sent(desk, customer_id, None, subject=subject, text=text)


def _sent(desk: Desk, customer_id: str, order_id: str | None, *, subject: str, text: str) -> Result:
    mail_id = next_id(desk.tables.mails)
    mail = Mail(
        mail_id=mail_id,
        customer_id=customer_id,
        order_id=order_id,
        subject=subject,
        text=text,
        sent_on=TODAY.isoformat(),
    )
    desk.change(mails={mail_id: mail})
    return {**mail}
