"""The desk: the tables of one conversation, with the look-ups and the rules that several tools share."""

from collections.abc import Mapping
from datetime import date
from typing import Any, TypeVar

from msgspec import structs

from misstep.worlds.services import Refusal
from misstep.worlds.shop.making import TODAY
from misstep.worlds.shop.records import Address, Customer, Item, Order, Tables
from misstep.worlds.tables import changed

WINDOW_DAYS = 30

Row = TypeVar("Row")


class Desk:
    """Holds the tables as they are now. Records are replaced, never changed in place."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def change(self, **tables: Mapping[str, Any]) -> None:
        """Add or replace records, table by table."""
        self.tables = changed(self.tables, **tables)

    def remove_address(self, address_id: str) -> None:
        kept = {key: record for key, record in self.tables.addresses.items() if key != address_id}
        self.tables = structs.replace(self.tables, addresses=kept)

    def customer(self, customer_id: str) -> Customer:
        found = self.tables.customers.get(customer_id)
        if found is None:
            raise Refusal(f"Customer {customer_id} does not exist. Find the customer by name, e-mail or phone.")
        return found

    def order(self, order_id: str) -> Order:
        found = self.tables.orders.get(order_id)
        if found is None:
            raise Refusal(f"Order {order_id} does not exist. Ask for the order number again or list the orders.")
        return found

    def item(self, item_id: str) -> Item:
        found = self.tables.items.get(item_id)
        if found is None:
            raise Refusal(f"Item {item_id} does not exist. Find the item by its title.")
        return found

    def address(self, address_id: str, customer_id: str) -> Address:
        found = self.tables.addresses.get(address_id)
        if found is None or found["customer_id"] != customer_id:
            raise Refusal(f"Customer {customer_id} has no address {address_id}. List the customer's addresses.")
        return found

    def own_order(self, order_id: str, customer_id: str) -> Order:
        found = self.order(order_id)
        if found["customer_id"] != customer_id:
            raise Refusal(f"Order {order_id} belongs to another customer than {customer_id}. Check both ids.")
        return found

    def verified(self, customer_id: str) -> Customer:
        """The customer, whose identity has been verified in this conversation."""
        found = self.customer(customer_id)
        if customer_id not in self.tables.sessions:
            raise Refusal(f"The identity of customer {customer_id} is not verified. Verify it with their postcode.")
        return found


def require_status(order: Order, status: str, act: str) -> None:
    if order["status"] != status:
        raise Refusal(f"Order {order['order_id']} is {order['status']}; only a {status} order can be {act}.")


def require_window(order: Order, act: str) -> None:
    """An order can be refunded or exchanged for a while after its delivery."""
    delivered_on = order["delivered_on"] or TODAY.isoformat()
    if (TODAY - date.fromisoformat(delivered_on)).days > WINDOW_DAYS:
        raise Refusal(
            f"Order {order['order_id']} was delivered on {delivered_on}. An order can be {act} up to {WINDOW_DAYS} "
            "days after its delivery, so it is too late for this one."
        )


def next_id(table: Mapping[str, Row]) -> str:
    """The key after the highest one; a table that is asked for one always has records to begin with."""
    prefix, _, _ = next(iter(table)).partition("-")
    return f"{prefix}-{max(int(key.partition('-')[2]) for key in table) + 1}"
