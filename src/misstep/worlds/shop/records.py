"""What the shop keeps: a typed record for each table, and the tables together as one frozen value."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from msgspec import Struct

from misstep.core.state import State
from misstep.worlds.tables import as_state, from_state

OrderStatus = Literal["pending", "shipped", "delivered", "cancelled"]
PaymentStatus = Literal["captured", "refunded", "voided"]
CustomerStatus = Literal["active", "closed"]


class Customer(TypedDict):
    customer_id: str
    name: str
    email: str
    phone: str
    city: str
    postcode: str
    status: CustomerStatus
    joined_on: str


class Address(TypedDict):
    address_id: str
    customer_id: str
    label: str
    street: str
    city: str
    postcode: str


class Item(TypedDict):
    item_id: str
    product_id: str
    title: str
    colour: str
    size: str | None
    price: float
    currency: str


class StockLevel(TypedDict):
    item_id: str
    in_stock: int
    restock_on: str | None


class Line(TypedDict):
    item_id: str
    title: str
    colour: str
    size: str | None
    quantity: int
    price: float


class Order(TypedDict):
    order_id: str
    customer_id: str
    status: OrderStatus
    ordered_on: str
    shipped_on: str | None
    delivered_on: str | None
    address_id: str
    payment_id: str
    lines: list[Line]
    total: float
    currency: str


class Payment(TypedDict):
    payment_id: str
    order_id: str
    method: str
    amount: float
    currency: str
    status: PaymentStatus
    paid_on: str


class Refund(TypedDict):
    refund_id: str
    order_id: str
    payment_id: str
    amount: float
    currency: str
    reason: str
    refunded_on: str


class Exchange(TypedDict):
    exchange_id: str
    order_id: str
    item_id: str
    new_item_id: str
    exchanged_on: str


class Note(TypedDict):
    note_id: str
    customer_id: str
    text: str
    written_on: str


class Mail(TypedDict):
    mail_id: str
    customer_id: str
    order_id: str | None
    subject: str
    text: str
    sent_on: str


class Session(TypedDict):
    customer_id: str
    verified: bool


class Tables(Struct, frozen=True):
    """Each table is replaced as a whole when it changes, so that a snapshot is nothing but a reference."""

    customers: Mapping[str, Customer]
    addresses: Mapping[str, Address]
    items: Mapping[str, Item]
    stock: Mapping[str, StockLevel]
    orders: Mapping[str, Order]
    payments: Mapping[str, Payment]
    refunds: Mapping[str, Refund]
    exchanges: Mapping[str, Exchange]
    notes: Mapping[str, Note]
    mails: Mapping[str, Mail]
    sessions: Mapping[str, Session]

    def as_state(self) -> State:
        return as_state(self)

    @classmethod
    def from_state(cls, state: State) -> "Tables":
        return from_state(cls, state, "shop")
