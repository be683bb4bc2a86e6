"""The shop's properties, each described once, and the schemas that are put together from them."""

from typing import cast

from misstep.core.tool import JSON
from misstep.worlds.shop.catalogue import COLOURS, SIZES

Schema = dict[str, JSON]

PATTERNS = {
    "customer_id": "^C-[0-9]{4}$",
    "address_id": "^A-[0-9]{4}$",
    "product_id": "^P-[0-9]{3}$",
    "item_id": "^I-[0-9]{4}$",
    "new_item_id": "^I-[0-9]{4}$",
    "order_id": "^W-[0-9]{5}$",
    "payment_id": "^Y-[0-9]{5}$",
    "refund_id": "^R-[0-9]{4}$",
    "exchange_id": "^X-[0-9]{4}$",
    "note_id": "^N-[0-9]{4}$",
    "mail_id": "^M-[0-9]{4}$",
}

_DAY = {"type": "string", "format": "date"}
_MONEY = {"type": "number", "minimum": 0}


def _id(name: str, description: str) -> Schema:
    return {"type": "string", "pattern": PATTERNS[name], "description": description}


def _text(description: str, **more: JSON) -> Schema:
    return {"type": "string", "minLength": 1, **more, "description": description}


def _or_null(schema: Schema) -> Schema:
    """The same with null allowed: what a record has not got (yet)."""
    wider: Schema = {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        wider["enum"] = [*cast("list[JSON]", schema["enum"]), None]
    return wider


FIELDS: dict[str, Schema] = {
    "customer_id": _id("customer_id", "The customer's id."),
    "address_id": _id("address_id", "The id of an address in a customer's address book."),
    "product_id": _id("product_id", "The id of the product; its items differ in colour and size."),
    "item_id": _id("item_id", "The id of an item: one product in one colour and size."),
    "new_item_id": _id("new_item_id", "The id of the new item, which the customer wants in exchange."),
    "order_id": _id("order_id", "The order's id, also called the order number."),
    "payment_id": _id("payment_id", "The id of the payment that an order was paid with."),
    "refund_id": _id("refund_id", "The refund's id."),
    "exchange_id": _id("exchange_id", "The exchange's id."),
    "note_id": _id("note_id", "The note's id."),
    "mail_id": _id("mail_id", "The e-mail's id."),
    "name": _text("The customer's first and last name."),
    "email": _text("The customer's e-mail address.", format="email", pattern="^[^@ ]+@[^@ ]+[.][^@ ]+$"),
    "phone": _text("The customer's phone number."),
    "city": _text("The city."),
    "postcode": _text("The postcode.", pattern="^[0-9]{5}$"),
    "street": _text("The house number and street."),
    "label": _text("What the customer calls the address.", enum=["home", "work", "holiday", "other"]),
    "joined_on": {**_DAY, "description": "The day on which the customer joined."},
    "title": _text("What the product is called."),
    "colour": _text("The colour.", enum=list(COLOURS)),
    "size": _text("The size.", enum=list(SIZES)),
    "price": {**_MONEY, "description": "The price of one piece."},
    "max_price": {**_MONEY, "description": "The highest price that the customer wants to pay for one piece."},
    "quantity": {"type": "integer", "minimum": 1, "description": "How many pieces."},
    "in_stock": {"type": "integer", "minimum": 0, "description": "How many pieces are in stock."},
    "restock_on": {**_DAY, "description": "The day on which new stock arrives, where there is none left."},
    "currency": _text("The currency of the amounts.", enum=["EUR"]),
    "total": {**_MONEY, "description": "The total that was paid for the order."},
    "amount": {**_MONEY, "description": "The amount of money."},
    "method": _text("The method of payment.", enum=["card", "transfer", "wallet", "voucher"]),
    "reason": _text("The reason why the customer wants the money back.", enum=["damaged", "wrong", "unwanted"]),
    "ordered_on": {**_DAY, "description": "The day on which it was ordered."},
    "shipped_on": {**_DAY, "description": "The day on which it was shipped."},
    "delivered_on": {**_DAY, "description": "The day on which it was delivered."},
    "paid_on": {**_DAY, "description": "The day on which it was paid."},
    "refunded_on": {**_DAY, "description": "The day on which it was refunded."},
    "exchanged_on": {**_DAY, "description": "The day on which it was exchanged."},
    "written_on": {**_DAY, "description": "The day on which the note was written."},
    "sent_on": {**_DAY, "description": "The day on which the e-mail was sent."},
    "subject": _text("The subject of the e-mail.", maxLength=120),
    "text": _text("The text, word for word.", maxLength=2000),
    "verified": {"type": "boolean", "description": "Whether the identity is now verified."},
    "deleted": {"type": "boolean", "description": "Whether the address is now deleted."},
}

ORDER_STATUS = _text("How far the order is.", enum=["pending", "shipped", "delivered", "cancelled"])
CUSTOMER_STATUS = _text("Whether the account is in use.", enum=["active", "closed"])
PAYMENT_STATUS = _text("What became of the payment.", enum=["captured", "refunded", "voided"])


def shape(*names: str, optional: tuple[str, ...] = (), nullable: tuple[str, ...] = (), **own: Schema) -> Schema:
    """An object with these properties: described in FIELDS, or here as `own`."""
    properties: Schema = {}
    for name in (*names, *optional):
        schema = own.get(name) or FIELDS[name]
        properties[name] = _or_null(schema) if name in nullable else schema
    return {
        "type": "object",
        "properties": properties,
        "required": list(names),
        "additionalProperties": False,
    }


def several(plural: str, description: str, record: Schema) -> Schema:
    """An object that holds a list of records under their plural."""
    listed: Schema = {"type": "array", "items": record, "description": description}
    return {"type": "object", "properties": {plural: listed}, "required": [plural], "additionalProperties": False}


LINE = shape("item_id", "title", "colour", "size", "quantity", "price", nullable=("size",))
CUSTOMER = shape("customer_id", "name", "email", "phone", "city", "status", "joined_on", status=CUSTOMER_STATUS)
ADDRESS = shape("address_id", "customer_id", "label", "street", "city", "postcode")
ITEM = shape("item_id", "product_id", "title", "colour", "size", "price", "currency", nullable=("size",))
STOCK = shape("item_id", "in_stock", "restock_on", nullable=("restock_on",))
ORDER = shape(
    *("order_id", "customer_id", "status", "ordered_on", "shipped_on", "delivered_on", "address_id", "payment_id"),
    *("lines", "total", "currency"),
    nullable=("shipped_on", "delivered_on"),
    status=ORDER_STATUS,
    lines={"type": "array", "items": LINE, "description": "What was ordered, an item a line."},
)
PAYMENT = shape("payment_id", "order_id", "method", "amount", "currency", "status", "paid_on", status=PAYMENT_STATUS)
REFUND = shape("refund_id", "order_id", "payment_id", "amount", "currency", "reason", "refunded_on")
EXCHANGE = shape("exchange_id", "order_id", "item_id", "new_item_id", "exchanged_on")
NOTE = shape("note_id", "customer_id", "text", "written_on")
MAIL = shape("mail_id", "customer_id", "order_id", "subject", "text", "sent_on", nullable=("order_id",))
SESSION = shape("customer_id", "verified")
