"""A seed → the shop's tables as they are before anybody has called a tool."""

from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from random import Random

from misstep.worlds.shop import catalogue, people
from misstep.worlds.shop.records import (
    Address,
    Customer,
    Exchange,
    Item,
    Line,
    Mail,
    Note,
    Order,
    OrderStatus,
    Payment,
    PaymentStatus,
    Refund,
    StockLevel,
    Tables,
)

TODAY = date(2026, 6, 15)
CURRENCY = "EUR"
METHODS = ("card", "transfer", "wallet", "voucher")
REASONS = ("damaged", "wrong", "unwanted")
CUSTOMERS = 300
ORDERS = 700


@lru_cache(maxsize=64)
def pristine(seed: int) -> Tables:
    """The same seed gives the same tables, made once and shared by all worlds of this process."""
    random = Random(seed)
    items = _items()
    customers = _customers(random)
    addresses = _addresses(random, customers)
    orders, payments = _orders(random, tuple(items.values()), addresses)
    return Tables(
        customers=customers,
        addresses=addresses,
        items=items,
        stock=_stock(random, items),
        orders=orders,
        payments=payments,
        refunds=_refunds(random, orders, payments),
        exchanges=_exchanges(random, orders, items),
        notes=_notes(random, tuple(customers)),
        mails=_mails(random, tuple(orders.values())),
        sessions={},
    )


def _ago(days: int) -> str:
    return (TODAY - timedelta(days=days)).isoformat()


def _items() -> dict[str, Item]:
    made: dict[str, Item] = {}
    for number, product in enumerate(catalogue.products(), start=101):
        for size in product.sizes:
            for colour in product.colours:
                item_id = f"I-{4001 + len(made)}"
                made[item_id] = Item(
                    item_id=item_id,
                    product_id=f"P-{number}",
                    title=product.title,
                    colour=colour,
                    size=size,
                    price=product.price,
                    currency=CURRENCY,
                )
    return made


def _skewed(random: Random, choices: Sequence[str]) -> str:
    """The earlier, the likelier."""
    return choices[int(len(choices) * random.random() ** 2.2)]


def _customers(random: Random) -> dict[str, Customer]:
    made: dict[str, Customer] = {}
    numbers = random.sample(range(1001, 1999), CUSTOMERS)
    for number in numbers:
        first, last = _skewed(random, people.FIRST_NAMES), _skewed(random, people.LAST_NAMES)
        city = random.choice(list(people.CITIES))
        customer_id = f"C-{number}"
        made[customer_id] = Customer(
            customer_id=customer_id,
            name=f"{first} {last}",
            email=f"{first}.{last}{number % 1000}@{random.choice(people.MAIL_HOSTS)}".lower(),
            phone=f"+49 30 {random.randrange(100000, 999999)}",
            city=city,
            postcode=people.CITIES[city] + f"{random.randrange(1000):03d}",
            status="closed" if random.random() < 0.03 else "active",
            joined_on=_ago(random.randrange(200, 2000)),
        )
    return dict(sorted(made.items()))


def _addresses(random: Random, customers: dict[str, Customer]) -> dict[str, Address]:
    made: dict[str, Address] = {}
    for customer in customers.values():
        labels = ["home", *random.sample(["work", "holiday"], random.choices([0, 1, 2], [6, 5, 1])[0])]
        for label in labels:
            city = customer["city"] if label != "holiday" else random.choice(list(people.CITIES))
            address_id = f"A-{6001 + len(made)}"
            made[address_id] = Address(
                address_id=address_id,
                customer_id=customer["customer_id"],
                label=label,
                street=f"{random.randrange(1, 98)} {random.choice(people.STREETS)}",
                city=city,
                postcode=customer["postcode"]
                if label == "home"
                else people.CITIES[city] + f"{random.randrange(1000):03d}",
            )
    return made


def _orders(
    random: Random, items: tuple[Item, ...], addresses: dict[str, Address]
) -> tuple[dict[str, Order], dict[str, Payment]]:
    orders: dict[str, Order] = {}
    payments: dict[str, Payment] = {}
    owned: dict[str, list[str]] = {}
    for address in addresses.values():
        owned.setdefault(address["customer_id"], []).append(address["address_id"])
    buyers = list(owned)
    for number in sorted(random.sample(range(20001, 29999), ORDERS)):
        customer_id = random.choice(buyers)
        order_id, payment_id = f"W-{number}", f"Y-{31001 + len(payments)}"
        # Numbers grow with time, as they do in shops; the shop grows too, so that many orders are recent.
        age = int(((29999 - number) / 9998) ** 2 * 120)
        order = _order(random, order_id, age, _lines(random, items))
        order.update(customer_id=customer_id, payment_id=payment_id, address_id=random.choice(owned[customer_id]))
        orders[order_id] = order
        payments[payment_id] = Payment(
            payment_id=payment_id,
            order_id=order_id,
            method=random.choices(METHODS, [6, 2, 3, 1])[0],
            amount=order["total"],
            currency=CURRENCY,
            status="voided" if order["status"] == "cancelled" else "captured",
            paid_on=order["ordered_on"],
        )
    return orders, payments


def _order(random: Random, order_id: str, age: int, lines: list[Line]) -> Order:
    to_ship, to_arrive = random.randrange(2, 6), random.randrange(1, 5)
    status: OrderStatus = "pending" if age < to_ship else "shipped" if age < to_ship + to_arrive else "delivered"
    if random.random() < 0.06:
        status = "cancelled"
    return Order(
        order_id=order_id,
        customer_id="",
        status=status,
        ordered_on=_ago(age),
        shipped_on=_ago(age - to_ship) if status in ("shipped", "delivered") else None,
        delivered_on=_ago(age - to_ship - to_arrive) if status == "delivered" else None,
        address_id="",
        payment_id="",
        lines=lines,
        total=round(sum(line["price"] * line["quantity"] for line in lines), 2),
        currency=CURRENCY,
    )


def _lines(random: Random, items: tuple[Item, ...]) -> list[Line]:
    chosen = random.sample(items, random.choices([1, 2, 3, 4], [4, 4, 2, 1])[0])
    return [
        Line(
            item_id=item["item_id"],
            title=item["title"],
            colour=item["colour"],
            size=item["size"],
            quantity=random.choices([1, 2, 3], [8, 2, 1])[0],
            price=item["price"],
        )
        for item in chosen
    ]


def _stock(random: Random, items: dict[str, Item]) -> dict[str, StockLevel]:
    made: dict[str, StockLevel] = {}
    for item_id in items:
        in_stock = 0 if random.random() < 0.15 else random.randrange(1, 60)
        restock_on = (TODAY + timedelta(days=random.randrange(3, 30))).isoformat() if not in_stock else None
        made[item_id] = StockLevel(item_id=item_id, in_stock=in_stock, restock_on=restock_on)
    return made


def _refunds(random: Random, orders: dict[str, Order], payments: dict[str, Payment]) -> dict[str, Refund]:
    """A few delivered orders are refunded already; their payments say so."""
    made: dict[str, Refund] = {}
    delivered = [order for order in orders.values() if order["status"] == "delivered"]
    for order in sorted(random.sample(delivered, 24), key=lambda each: each["order_id"]):
        refund_id, payment = f"R-{5001 + len(made)}", payments[order["payment_id"]]
        refunded: PaymentStatus = "refunded"
        payments[payment["payment_id"]] = {**payment, "status": refunded}
        made[refund_id] = Refund(
            refund_id=refund_id,
            order_id=order["order_id"],
            payment_id=payment["payment_id"],
            amount=payment["amount"],
            currency=CURRENCY,
            reason=random.choice(REASONS),
            refunded_on=min(_after(order["delivered_on"], random.randrange(1, 12)), TODAY.isoformat()),
        )
    return made


def _after(day: str | None, days: int) -> str:
    return (date.fromisoformat(day or TODAY.isoformat()) + timedelta(days=days)).isoformat()


def _exchanges(random: Random, orders: dict[str, Order], items: dict[str, Item]) -> dict[str, Exchange]:
    made: dict[str, Exchange] = {}
    delivered = [order for order in orders.values() if order["status"] == "delivered"]
    for order in sorted(random.sample(delivered, 16), key=lambda each: each["order_id"]):
        old = items[order["lines"][0]["item_id"]]
        others = [each for each in items.values() if each["product_id"] == old["product_id"] and each is not old]
        exchange_id = f"X-{7001 + len(made)}"
        made[exchange_id] = Exchange(
            exchange_id=exchange_id,
            order_id=order["order_id"],
            item_id=old["item_id"],
            new_item_id=random.choice(others)["item_id"],
            exchanged_on=min(_after(order["delivered_on"], random.randrange(1, 12)), TODAY.isoformat()),
        )
    return made


def _notes(random: Random, customers: tuple[str, ...]) -> dict[str, Note]:
    made: dict[str, Note] = {}
    for customer_id in sorted(random.sample(customers, 30)):
        note_id = f"N-{8001 + len(made)}"
        made[note_id] = Note(
            note_id=note_id,
            customer_id=customer_id,
            text=random.choice(people.NOTES),
            written_on=_ago(random.randrange(5, 300)),
        )
    return made


def _mails(random: Random, orders: tuple[Order, ...]) -> dict[str, Mail]:
    made: dict[str, Mail] = {}
    shipped = [order for order in orders if order["shipped_on"] is not None]
    for order in sorted(random.sample(shipped, 40), key=lambda each: each["order_id"]):
        mail_id = f"M-{9001 + len(made)}"
        made[mail_id] = Mail(
            mail_id=mail_id,
            customer_id=order["customer_id"],
            order_id=order["order_id"],
            subject="Your order is on its way",
            text=f"We have shipped your order {order['order_id']}.",
            sent_on=order["shipped_on"] or order["ordered_on"],
        )
    return made
