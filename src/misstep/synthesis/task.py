"""A Task: one thing that a person may want of the tools, with its right answer and what a person can say of it."""

from typing import Literal

from msgspec import Struct

from misstep.core.objective import ExpectedCall, ExpectedChange, ExpectedFact, Impossible
from misstep.core.scenario import Given, Scalar
from misstep.core.tool import JSON
from misstep.core.words import split_identifier

Kind = Literal["act", "question", "refusal"]
"""Something is to be changed; something is to be told; or the right thing is to say no."""


CLAIM = "claims-success"
"""What the near miss is called that says that it was done."""
SILENT = "nothing-told"
"""What the near miss is called that looks, and says nothing: one of the whole conversation, not of one goal of it."""
NOT_POSSIBLE = "not possible"
"""What a right agent says, in its own words, where something cannot be."""
_KEYS = frozenset({"id", "number", "no", "key", "code", "uuid"})


Owners = tuple[frozenset[str], ...]
"""Of each record that belongs to somebody, those whose it is."""


class Step(Struct, frozen=True, kw_only=True):
    """A call of a right plan, with the arguments that it was executed with."""

    tool: str
    arguments: dict[str, JSON]
    role: Literal["look-up", "need", "act", "due"]
    """It finds something out; it must have happened before another step works; it is what was asked for; a rule wants
    it done after the act."""
    after: tuple[int, ...] = ()
    """The steps whose answers or effects it needs, by place."""


class Item(Struct, frozen=True, kw_only=True):
    """Something that the person can say: a value, and what people call it."""

    name: str
    value: Scalar
    role: Literal["key", "mark", "content"]
    """It finds the record; it tells the record from others that were found with it; it is what the record is to get."""
    argument: str = ""
    """The argument of the act that it fills, where it fills one as it is."""
    words: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    unasked: bool = False
    """Nobody would ask for it, for the act works without it too: the person says it with the request."""

    @property
    def tells_which(self) -> bool:
        """Whether it says which record is meant: it finds or tells it, or is what the act calls its number."""
        return self.role != "content" or is_key(self.argument) or is_key(self.name)


def is_key(name: str) -> bool:
    """Whether something of that name is the number of a record: `filing_no`, order id."""
    return not _KEYS.isdisjoint(split_identifier(name)[-1:])


class Premise(Struct, frozen=True):
    """Something about the record that the person may have wrong."""

    field: str
    """In words."""
    true: Scalar
    false: Scalar


class Control(Struct, frozen=True, kw_only=True):
    """A near miss: a plan that must not meet the objective, and why."""

    name: str
    steps: tuple[Step, ...]
    tells: tuple[Scalar, ...] = ()
    """What the agent says at the end."""


class Task(Struct, frozen=True, kw_only=True):
    """One thing to want, its right answer found by executing it, and what there is to say of it."""

    id: str
    kind: Kind
    tool: str
    """The tool that the task is about: of the act, the question, or the act that is refused."""
    steps: tuple[Step, ...]
    items: tuple[Item, ...]
    calls: tuple[ExpectedCall, ...] = ()
    """A partial order, with look-ups optional; ids are unique within the task."""
    changes: tuple[ExpectedChange, ...] = ()
    told: tuple[ExpectedFact, ...] = ()
    """What the answer is; of a refusal, what stands in the way, where that is known."""
    wants: str = ""
    """What a question asks for, in words."""
    whole: bool = False
    """It asks for all that the tool answers, and not for one field of it."""
    outcome: tuple[tuple[str, Scalar], ...] = ()
    """Fields of the record, in words, and what they become: another way to say what is wanted."""
    marks: tuple[str, ...] = ()
    """Names of items without which several records fit."""
    strangers: dict[str, Scalar] = {}
    """For a key, a value of the same look that fits no record: looked up, and not found."""
    premises: tuple[Premise, ...] = ()
    given: tuple[Given, ...] = ()
    new: tuple[str, ...] = ()
    """The tables that its tool puts new records into."""
    touches: tuple[tuple[str, str], ...] = ()
    """The records that it reads or changes, as table and key: tasks that share none do not disturb each other."""
    owners: Owners = ()
    """Whose records it is about; none where they are everybody's."""
    controls: tuple[Control, ...] = ()
    seed: int = 0
    """What the world's state was made from."""
    stateful: bool = True
    """Whether the state of the toolbox can be seen, so that `changes` can be checked."""
    ignore_tables: tuple[str, ...] = ()
    """Tables that tools change which only look: a log, a session. What happens there does not matter."""
    so_already: bool = False
    """What is refused need not be done: who says that it is so already has said no."""

    @property
    def forbidden(self) -> bool:
        """Something stands in the way; not that it is so already."""
        return self.kind == "refusal" and not self.so_already

    @property
    def to_be_told(self) -> tuple[ExpectedFact, ...]:
        """Nothing of a refusal: why it is one need not be told."""
        return () if self.kind == "refusal" else self.told

    @property
    def impossible(self) -> tuple[Impossible, ...]:
        """What cannot be, where it is a refusal."""
        if self.kind != "refusal":
            return ()
        found = Impossible(
            name=" ".join(split_identifier(self.tool)),
            tool=self.tool,
            about=tuple(item.value for item in self.items if item.tells_which and not isinstance(item.value, bool)),
            because=tuple(form for fact in self.told for form in fact.any_of),
            so=self.so_already,
            by_call=bool(self.steps),
        )
        return (found,)
