"""The scene that every emitter plays: a customer wants an order refunded, and the first look-up goes wrong.

The tools are plain functions with hints, which each framework describes to the model in its own way.
"""

SYSTEM = "You serve the customers of a shop. Look an order up before you refund it."
REQUEST = "Please refund order A-17, it came broken."
ANSWER = "Order A-17 is refunded: 40 euros are on their way to you."
AGAIN = "Thanks. Is order A-17 paid back by now?"
KNOWN = "Yes, the 40 euros are on their way."
HANDED = "transfer_to_refunds"

ORDER = {"order_id": "A-17", "state": "delivered", "total": 40}
REFUND = {"refund_id": "R-1", "amount": 40}
NO_ORDER = "There is no order A-71."


def find_order(order_id: str) -> dict[str, object]:
    """Look an order up.

    Args:
        order_id: Its number.
    """
    if order_id != "A-17":
        raise ValueError(f"There is no order {order_id}.")
    return ORDER


def refund_order(order_id: str, amount: int) -> dict[str, object]:
    """Pay money back for an order.

    Args:
        order_id: Its number.
        amount: How much, in euros.
    """
    return {**REFUND, "amount": amount}


TOOLS = {"find_order": find_order, "refund_order": refund_order}
_TEXT = {"type": "string"}
SCHEMAS = {
    "find_order": {"type": "object", "properties": {"order_id": _TEXT}, "required": ["order_id"]},
    "refund_order": {
        "type": "object",
        "properties": {"order_id": _TEXT, "amount": {"type": "integer"}},
        "required": ["order_id", "amount"],
    },
}
DESCRIPTIONS = {"find_order": "Look an order up.", "refund_order": "Pay money back for an order."}
DEFINITIONS = [
    {"type": "function", "function": {"name": name, "description": DESCRIPTIONS[name], "parameters": schema}}
    for name, schema in SCHEMAS.items()
]

# What the model does, turn by turn: a text, or a call as its name and its arguments.
ACTS: list[str | tuple[str, dict[str, object]]] = [
    ("find_order", {"order_id": "A-71"}),
    ("find_order", {"order_id": "A-17"}),
    ("refund_order", {"order_id": "A-17", "amount": 40}),
    ANSWER,
]


def carried_out(name: str, arguments: dict[str, object]) -> object:
    """What a tool gives, as an agent's own loop would run it: an error is told to the model."""
    try:
        return TOOLS[name](**arguments)
    except ValueError as error:
        return {"error": str(error)}
