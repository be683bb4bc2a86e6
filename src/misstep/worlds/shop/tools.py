"""Every tool of the shop as an agent sees it, with the function that carries it out."""

from collections.abc import Mapping
from functools import cache

from misstep.core.tool import Tool
from misstep.worlds.services import Service, service
from misstep.worlds.shop import fields, reads, writes
from misstep.worlds.shop.fields import Schema, several, shape


def _some(*optional: str) -> Schema:
    """Any of these arguments, but one at least."""
    return {**shape(optional=optional), "minProperties": 1}


@cache
def offered() -> tuple[Tool, ...]:
    """The same list for everybody: who has read it need not read it again."""
    return tuple(service.tool for service in services().values())


@cache
def services() -> Mapping[str, Service]:
    return {service.tool.name: service for service in (*_looking(), *_listing(), *_changing(), *_ending(), *_sending())}


def _looking() -> tuple[Service, ...]:
    return (
        service(
            reads.find_customers,
            "reads",
            "Find customers by name, e-mail address, phone number or city. Several customers can have the same name.",
            _some("name", "email", "phone", "city"),
            several("customers", "The customers that fit.", fields.CUSTOMER),
        ),
        service(
            reads.show_customer,
            "reads",
            "Show a customer's account: name, e-mail address, phone number, city and status.",
            shape("customer_id"),
            fields.CUSTOMER,
        ),
        service(
            reads.verify_identity,
            "reads",
            "Verify a customer's identity by the postcode of the account, which the customer must tell.",
            shape("customer_id", "postcode"),
            fields.SESSION,
        ),
        service(
            reads.show_order,
            "reads",
            "Show an order: its status, its items, the total and the days on which it was ordered, shipped and "
            "delivered.",
            shape("order_id"),
            fields.ORDER,
        ),
        service(
            reads.find_items,
            "reads",
            "Find items that the shop sells, by title, colour, size or highest price.",
            _some("title", "colour", "size", "max_price"),
            several("items", "The items that fit.", fields.ITEM),
        ),
        service(
            reads.check_stock,
            "reads",
            "Check how many pieces of an item are available in stock.",
            shape("item_id"),
            fields.STOCK,
        ),
        service(
            reads.show_payment,
            "reads",
            "Show a payment: its method, amount and status.",
            shape("payment_id"),
            fields.PAYMENT,
        ),
    )


def _listing() -> tuple[Service, ...]:
    orders = shape("customer_id", optional=("status",), status=fields.ORDER_STATUS)
    return (
        service(
            reads.list_orders,
            "reads",
            "List a customer's orders, oldest first; all of them or those with one status.",
            orders,
            several("orders", "The customer's orders.", fields.ORDER),
        ),
        service(
            reads.list_refunds,
            "reads",
            "List the refunds that were made for an order.",
            shape("order_id"),
            several("refunds", "The order's refunds.", fields.REFUND),
        ),
        service(
            reads.list_exchanges,
            "reads",
            "List the exchanges that were made for an order.",
            shape("order_id"),
            several("exchanges", "The order's exchanges.", fields.EXCHANGE),
        ),
        service(
            reads.list_addresses,
            "reads",
            "List the addresses in a customer's address book. The customer's identity must be verified.",
            shape("customer_id"),
            several("addresses", "The customer's addresses.", fields.ADDRESS),
        ),
        service(
            reads.list_notes,
            "reads",
            "List the notes that the desk has written about a customer.",
            shape("customer_id"),
            several("notes", "The notes about the customer.", fields.NOTE),
        ),
        service(
            reads.list_mails,
            "reads",
            "List the e-mails that were sent to a customer.",
            shape("customer_id"),
            several("mails", "The e-mails to the customer.", fields.MAIL),
        ),
    )


def _changing() -> tuple[Service, ...]:
    return (
        service(
            writes.add_note,
            "writes",
            "Add a note about a customer, for the colleagues at the desk. Each call adds another note.",
            shape("customer_id", "text"),
            fields.NOTE,
        ),
        service(
            writes.update_customer,
            "writes",
            "Update a customer's e-mail address or phone number.",
            {**shape("customer_id", optional=("email", "phone")), "minProperties": 2},
            fields.CUSTOMER,
        ),
        service(
            writes.add_address,
            "writes",
            "Add an address to a customer's address book. Each call adds another address.",
            shape("customer_id", "street", "city", "postcode", optional=("label",)),
            fields.ADDRESS,
        ),
        service(
            writes.redirect_order,
            "writes",
            "Redirect a pending order to another address of the customer's address book.",
            shape("customer_id", "order_id", "address_id"),
            fields.ORDER,
        ),
        service(
            writes.refund_order,
            "writes",
            "Refund a delivered order: the whole amount goes back to the payment that it was paid with.",
            shape("customer_id", "order_id", "payment_id", "reason"),
            fields.REFUND,
        ),
        service(
            writes.exchange_item,
            "writes",
            "Exchange an item of a delivered order for another colour or size of the same product.",
            shape("customer_id", "order_id", "item_id", "new_item_id"),
            fields.EXCHANGE,
        ),
    )


def _ending() -> tuple[Service, ...]:
    return (
        service(
            writes.cancel_order,
            "destroys",
            "Cancel a pending order for good. The payment is voided.",
            shape("customer_id", "order_id"),
            fields.ORDER,
        ),
        service(
            writes.delete_address,
            "destroys",
            "Delete an address from a customer's address book for good.",
            shape("customer_id", "address_id"),
            shape("address_id", "deleted"),
        ),
        service(
            writes.close_account,
            "destroys",
            "Close a customer's account for good.",
            shape("customer_id"),
            fields.CUSTOMER,
        ),
    )


def _sending() -> tuple[Service, ...]:
    return (
        service(
            writes.send_receipt,
            "reaches-outside",
            "Send a customer an e-mail, a receipt, that says where an order stands. Each call sends another e-mail.",
            shape("customer_id", "order_id"),
            fields.MAIL,
        ),
        service(
            writes.send_mail,
            "reaches-outside",
            "Send a customer an e-mail with a subject and a text. Each call sends another e-mail.",
            shape("customer_id", "subject", "text"),
            fields.MAIL,
        ),
    )
