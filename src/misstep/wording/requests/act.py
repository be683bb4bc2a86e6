"""What there is to say (Saying, Act), what was said (Worded), and what was found in it again (Found)."""

from typing import Literal

from msgspec import Struct

from misstep.core.scenario import Scalar

Closeness = Literal["close", "synonym", "foreign"]
"""In the tool's own verb and noun; with another verb of the same meaning; or by the outcome, with neither."""

Place = Literal["alone", "first", "next", "bare"]
"""A request by itself; the first of several, after which nobody says goodbye; one that follows another; or one with
neither greeting nor link, to be put behind something else."""


class Saying(Struct, frozen=True):
    """Something that a person can say: a value, and what people call it."""

    name: str
    value: Scalar
    role: Literal["key", "mark", "content"]
    """It finds the record; it tells the record from others; it is what the record is to get."""
    argument: str = ""
    """The argument that it fills, where it fills one as it is."""
    says: tuple[str, ...] = ()
    """Other ways to put the value, each understood without its name: "the blue one", "my last order"."""


class Act(Struct, frozen=True):
    """One thing that a person wants of a tool."""

    tool: str
    description: str = ""
    sayings: tuple[Saying, ...] = ()
    wants: str = ""
    """What a question asks for, in words."""
    outcome: tuple[tuple[str, Scalar], ...] = ()
    """Fields, in words, and what they become."""
    kind: Literal["act", "question", "refusal"] = "act"
    about: str = ""
    """What the tool is told about by its name or number, in words: `hotel` where it takes a hotel's name."""
    whole: bool = False
    """It asks for all of the answer, which may go by a name that says nothing: `result`."""
    counts: bool = False
    """What a question asks for is a whole number."""
    writes: bool = False
    """It is known to change something, so that nobody puts it as a wish to look."""
    new: tuple[str, ...] = ()
    """What comes into being by it, in words, where that is known: `request`."""
    there: tuple[str, ...] = ()
    """What it is done to and is there before, in words, where that is known: `machine`."""
    several: bool = False
    """It is wanted of all of them, and not of one."""


class Worded(Struct, frozen=True):
    """A request as a person writes it."""

    text: str
    skeleton: str
    """The text with every fact masked."""
    told: tuple[str, ...]
    """The names of the sayings whose values stand in the text."""
    written: tuple[str, ...] = ()
    """These values as they stand in the text, which no slip may touch."""
    closeness: Closeness = "close"
    """How close to the tool's words it came out, which is nearer than asked where there are no other words."""


class Found(Struct, frozen=True):
    """What is left of some sayings in a text, by their names; and values that no saying has."""

    kept: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Not there, but something that is nearly it."""
    invented: tuple[str, ...] = ()

    @property
    def faithful(self) -> bool:
        return not (self.lost or self.changed or self.invented)
