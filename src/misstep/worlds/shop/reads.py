"""The tools that only look: one function each, from the desk and checked arguments to a result."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from misstep.core.tool import JSON
from misstep.worlds.services import Refusal
from misstep.worlds.shop.desk import Desk
from misstep.worlds.shop.records import Customer, Order, Session

Result = dict[str, JSON]


def find_customers(
    desk: Desk, name: str | None = None, email: str | None = None, phone: str | None = None, city: str | None = None
) -> Result:
    found = [
        shown_customer(customer)
        for customer in desk.tables.customers.values()
        if (name is None or _words(name) <= _words(customer["name"]))
        and (email is None or email.strip().lower() == customer["email"])
        and (phone is None or _digits(phone) == _digits(customer["phone"]))
        and (city is None or city.strip().lower() == customer["city"].lower())
    ]
    return {"customers": found}


def show_customer(desk: Desk, customer_id: str) -> Result:
    return shown_customer(desk.customer(customer_id))


def verify_identity(desk: Desk, customer_id: str, postcode: str) -> Result:
    customer = desk.customer(customer_id)
    if customer["status"] == "closed":
        raise Refusal(f"The account of customer {customer_id} is closed. Nothing more can be done with it.")
    if postcode != customer["postcode"]:
        raise Refusal(
            f"The postcode {postcode} is not the one of customer {customer_id}. Ask the customer for the postcode "
            "again, or check that this is the right customer."
        )
    session = Session(customer_id=customer_id, verified=True)
    desk.change(sessions={customer_id: session})
    return {**session}


def list_orders(desk: Desk, customer_id: str, status: str | None = None) -> Result:
    desk.customer(customer_id)
    found = _of(desk.tables.orders.values(), "customer_id", customer_id)
    return {"orders": [shown_order(order) for order in found if status is None or order["status"] == status]}


def show_order(desk: Desk, order_id: str) -> Result:
    return shown_order(desk.order(order_id))


def find_items(
    desk: Desk,
    title: str | None = None,
    colour: str | None = None,
    size: str | None = None,
    max_price: float | None = None,
) -> Result:
    found = [
        {**item}
        for item in desk.tables.items.values()
        if (title is None or _words(title) <= _words(item["title"]))
        and (colour is None or colour == item["colour"])
        and (size is None or size == item["size"])
        and (max_price is None or item["price"] <= max_price)
    ]
    return {"items": found}


def check_stock(desk: Desk, item_id: str) -> Result:
    return {**desk.tables.stock[desk.item(item_id)["item_id"]]}


def show_payment(desk: Desk, payment_id: str) -> Result:
    found = desk.tables.payments.get(payment_id)
    if found is None:
        raise Refusal(f"Payment {payment_id} does not exist. The order says which payment is its own.")
    return {**found}


def list_refunds(desk: Desk, order_id: str) -> Result:
    desk.order(order_id)
    return {"refunds": _copies(_of(desk.tables.refunds.values(), "order_id", order_id))}


def list_exchanges(desk: Desk, order_id: str) -> Result:
    desk.order(order_id)
    return {"exchanges": _copies(_of(desk.tables.exchanges.values(), "order_id", order_id))}


def list_addresses(desk: Desk, customer_id: str) -> Result:
    desk.verified(customer_id)
    return {"addresses": _copies(_of(desk.tables.addresses.values(), "customer_id", customer_id))}


def list_notes(desk: Desk, customer_id: str) -> Result:
    desk.customer(customer_id)
    return {"notes": _copies(_of(desk.tables.notes.values(), "customer_id", customer_id))}


def list_mails(desk: Desk, customer_id: str) -> Result:
    desk.customer(customer_id)
    return {"mails": _copies(_of(desk.tables.mails.values(), "customer_id", customer_id))}


def shown_customer(customer: Customer) -> Result:
    """Without the postcode: it is what a customer is verified by, so only the customer may say it."""
    return {name: value for name, value in customer.items() if name != "postcode"}


def shown_order(order: Order) -> Result:
    return {**order, "lines": [{**line} for line in order["lines"]]}


def _of(records: Iterable[Any], field: str, value: str) -> list[Any]:
    return [record for record in records if record[field] == value]


def _copies(records: Iterable[Mapping[str, JSON]]) -> list[Result]:
    return [{**record} for record in records]


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())


@lru_cache(maxsize=4096)
def _digits(text: str) -> str:
    return "".join(character for character in text if character.isdigit())
