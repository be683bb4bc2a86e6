"""Tasks of the shop, made by hand: what the rest of the package would find out by itself."""

from collections.abc import Awaitable, Callable, Sequence

import pytest

from misstep.core.objective import ExpectedCall, ExpectedChange, ExpectedFact
from misstep.core.roles import Toolbox
from misstep.synthesis.choosing import with_choices
from misstep.synthesis.ground import Ground, ground_of
from misstep.synthesis.making import Met
from misstep.synthesis.task import Control, Item, Premise, Step, Task
from misstep.synthesis.tasks import checking
from misstep.worlds import world_named

OSCAR = "C-1876"
PETER = "C-1969"


def make_shop(seed: int) -> Toolbox:
    return world_named("shop").make(seed)


def _person(name: str, postcode: str) -> tuple[Item, ...]:
    return (
        Item(name="name", value=name, role="key", argument="name"),
        Item(name="postcode", value=postcode, role="content", argument="postcode", words=("postal code", "zip")),
    )


def _known(name: str, postcode: str, customer: str) -> tuple[Step, ...]:
    return (
        Step(tool="find_customers", arguments={"name": name}, role="look-up"),
        Step(
            tool="verify_identity",
            arguments={"customer_id": customer, "postcode": postcode},
            role="need",
            after=(0,),
        ),
    )


def _known_calls(name: str, postcode: str, customer: str) -> tuple[ExpectedCall, ...]:
    return (
        ExpectedCall(tool="find_customers", arguments={"name": name}, optional=True),
        ExpectedCall(tool="verify_identity", arguments={"customer_id": customer, "postcode": postcode}),
    )


def refund() -> Task:
    """A refund of one of three orders, told from the others by what is in it."""
    arguments = {"customer_id": OSCAR, "order_id": "W-25901", "payment_id": "Y-31426", "reason": "unwanted"}
    receipt = {"customer_id": OSCAR, "order_id": "W-25901"}
    steps = (
        *_known("Oscar Weber", "10184", OSCAR),
        Step(tool="list_orders", arguments={"customer_id": OSCAR}, role="look-up", after=(0,)),
        Step(tool="refund_order", arguments=arguments, role="act", after=(1, 2)),
        Step(tool="send_receipt", arguments=receipt, role="due", after=(3,)),
    )
    wrong = {**arguments, "order_id": "W-24570", "payment_id": "Y-31342"}
    return Task(
        id="refund_order/W-25901",
        kind="act",
        tool="refund_order",
        steps=steps,
        items=(
            *_person("Oscar Weber", "10184"),
            Item(name="item", value="oven glove", role="mark", words=("product",)),
            Item(name="reason", value="unwanted", role="content", argument="reason"),
        ),
        calls=(
            *_known_calls("Oscar Weber", "10184", OSCAR),
            ExpectedCall(tool="refund_order", arguments=arguments, after=("verify_identity",)),
            ExpectedCall(tool="send_receipt", arguments=receipt, after=("refund_order",)),
        ),
        changes=(
            ExpectedChange(table="refunds", fields={"order_id": "W-25901", "reason": "unwanted"}),
            ExpectedChange(table="payments", key="Y-31426", fields={"status": "refunded"}),
            ExpectedChange(table="mails", fields={"customer_id": OSCAR, "order_id": "W-25901"}),
        ),
        marks=("item",),
        strangers={"name": "Zed Nobody"},
        premises=(Premise("total", 12.9, 21.5),),
        owners=(frozenset({OSCAR}),),
        touches=(("customers", OSCAR), ("orders", "W-25901"), ("payments", "Y-31426")),
        controls=(
            Control(name="wrong id", steps=(*steps[:3], Step(tool="refund_order", arguments=wrong, role="act"))),
            Control(name="missing step", steps=steps[:3]),
        ),
        seed=7,
        ignore_tables=("sessions",),
    )


def note() -> Task:
    """A note about the same customer."""
    arguments = {"customer_id": OSCAR, "text": "Call back on Friday."}
    steps = (*_known("Oscar Weber", "10184", OSCAR), Step(tool="add_note", arguments=arguments, role="act", after=(1,)))
    return Task(
        id="add_note/C-1876",
        kind="act",
        tool="add_note",
        steps=steps,
        items=(
            *_person("Oscar Weber", "10184"),
            Item(name="text", value="Call back on Friday.", role="content", argument="text"),
        ),
        calls=(
            *_known_calls("Oscar Weber", "10184", OSCAR),
            ExpectedCall(tool="add_note", arguments=arguments, after=("verify_identity",)),
        ),
        changes=(ExpectedChange(table="notes", fields=arguments),),
        strangers={"name": "Zed Nobody"},
        owners=(frozenset({OSCAR}),),
        touches=(("customers", OSCAR),),
        controls=(Control(name="one write too many", steps=(*steps, steps[-1])),),
        seed=7,
        ignore_tables=("sessions",),
    )


def status() -> Task:
    """A question, with a key that is a number."""
    return Task(
        id="show_order/W-26159",
        kind="question",
        tool="show_order",
        steps=(Step(tool="show_order", arguments={"order_id": "W-26159"}, role="look-up"),),
        items=(Item(name="order number", value="W-26159", role="key", argument="order_id", words=("order id",)),),
        calls=(ExpectedCall(tool="show_order", arguments={"order_id": "W-26159"}, optional=True),),
        told=(ExpectedFact("status", ("delivered",)),),
        wants="status",
        strangers={"order number": "W-99999"},
        premises=(Premise("total", 164.0, 63.37),),
        touches=(("orders", "W-26159"),),
        controls=(Control(name="does not tell", steps=()),),
        seed=7,
        ignore_tables=("sessions",),
    )


def late() -> Task:
    """A cancellation that a rule forbids: the order has arrived."""
    return Task(
        id="cancel_order/W-24570/refused",
        kind="refusal",
        tool="cancel_order",
        steps=(Step(tool="show_order", arguments={"order_id": "W-24570"}, role="look-up"),),
        items=(Item(name="order number", value="W-24570", role="key", argument="order_id"),),
        calls=(ExpectedCall(tool="show_order", arguments={"order_id": "W-24570"}, optional=True),),
        told=(ExpectedFact("status", ("delivered",)),),
        touches=(("orders", "W-24570"),),
        controls=(Control(name="says nothing", steps=()),),
        seed=7,
        ignore_tables=("sessions",),
    )


def cancel() -> Task:
    """One of three orders that could be cancelled."""
    arguments = {"customer_id": PETER, "order_id": "W-28713"}
    steps = (
        *_known("Peter Pereira", "20574", PETER),
        Step(tool="cancel_order", arguments=arguments, role="act", after=(1,)),
        Step(tool="send_receipt", arguments=arguments, role="due", after=(2,)),
    )
    return Task(
        id="cancel_order/W-28713",
        kind="act",
        tool="cancel_order",
        steps=steps,
        items=(
            *_person("Peter Pereira", "20574"),
            Item(name="order number", value="W-28713", role="key", argument="order_id"),
        ),
        calls=(
            *_known_calls("Peter Pereira", "20574", PETER),
            ExpectedCall(tool="cancel_order", arguments=arguments, after=("verify_identity",)),
            ExpectedCall(tool="send_receipt", arguments=arguments, after=("cancel_order",)),
        ),
        changes=(
            ExpectedChange(table="orders", key="W-28713", fields={"status": "cancelled"}),
            ExpectedChange(table="payments", key="Y-31621", fields={"status": "voided"}),
            ExpectedChange(table="mails", fields=arguments),
        ),
        strangers={"order number": "W-00001"},
        owners=(frozenset({PETER}),),
        touches=(("customers", PETER), ("orders", "W-28713")),
        controls=(Control(name="missing step", steps=steps[:2]),),
        seed=7,
        ignore_tables=("sessions",),
    )


@pytest.fixture
def shop() -> Callable[[int], Toolbox]:
    return make_shop


@pytest.fixture
def tasks() -> dict[str, Task]:
    return {"refund": refund(), "note": note(), "status": status(), "late": late(), "cancel": cancel()}


@pytest.fixture
def grounds() -> Callable[[Sequence[Task]], Awaitable[Ground]]:
    async def found(tasks: Sequence[Task]) -> Ground:
        return await with_choices(await ground_of(make_shop, tasks, seed=7), make_shop, tasks)

    return found


@pytest.fixture
def met() -> Met:
    return checking.met
