"""Which tasks share a conversation: nobody asks for what they say themselves."""

from misstep.core.objective import ExpectedFact
from misstep.synthesis.picking import disturb
from misstep.synthesis.task import Item, Step, Task


def _task(name: str, told: str = "", said: str = "") -> Task:
    return Task(
        id=name,
        kind="question" if told else "act",
        tool=name,
        steps=(Step(tool=name, arguments={}, role="act"),),
        items=(Item(name="title", value=said, role="key"),) if said else (),
        told=(ExpectedFact("title", (told,)),) if told else (),
    )


def test_what_is_asked_is_not_what_is_said_for_something_else() -> None:
    asks = _task("read", told="Swimming in the sea")
    assert disturb(asks, _task("archive", said="swimming in the sea"))
    assert disturb(_task("archive", said="Swimming in the sea"), asks)
    assert not disturb(asks, _task("archive", said="Old maps"))
