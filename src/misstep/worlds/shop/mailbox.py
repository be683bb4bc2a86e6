"""What a customer of the shop holds: a mailbox, in which the shop's e-mails and the confirmations of orders lie."""

from collections.abc import Mapping
from functools import cache

from misstep.worlds.services import Result, Service, service
from misstep.worlds.shop.desk import Desk
from misstep.worlds.shop.fields import several, shape
from misstep.worlds.shop.records import Order


def open_mailbox(desk: Desk, email: str) -> Result:
    own = {each["customer_id"] for each in desk.tables.customers.values() if each["email"] == email.lower()}
    orders = [order for order in desk.tables.orders.values() if order["customer_id"] in own]
    sent = [
        {"sent_on": mail["sent_on"], "subject": mail["subject"], "text": mail["text"]}
        for mail in desk.tables.mails.values()
        if mail["customer_id"] in own
    ]
    received = [*(_confirmation(order) for order in orders), *sent]
    return {"mails": sorted(received, key=lambda mail: mail["sent_on"], reverse=True)}


def _confirmation(order: Order) -> dict[str, str]:
    """The shop confirms every order; an agent sees the order itself."""
    titles = ", ".join(line["title"] for line in order["lines"])
    return {
        "sent_on": order["ordered_on"],
        "subject": f"Your order: {titles}",
        "text": f"Thank you for your order. Its number is {order['order_id']}. Total: {order['total']:.2f} EUR.",
    }


@cache
def mailbox() -> Mapping[str, Service]:
    found = service(
        open_mailbox,
        "reads",
        "Open the mailbox of an e-mail address and list the mails in it, newest first.",
        shape("email"),
        several("mails", "The mails.", shape("sent_on", "subject", "text")),
    )
    return {found.tool.name: found}
