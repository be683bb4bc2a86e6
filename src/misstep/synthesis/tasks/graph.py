"""The tool graph: which output feeds which input, as far as calls have shown that it does."""

from msgspec import Struct

from misstep.synthesis.tasks.slots import Path
from misstep.synthesis.tasks.surveying import Field


class Link(Struct, frozen=True, order=True):
    """A field that one tool shows is what another takes: executed, and the record that answered was that record."""

    giver: str
    field: str
    taker: str
    argument: str


class Finder(Struct, frozen=True):
    """A look-up: called with these fields of a record, it shows that record."""

    tool: str
    table: str
    inputs: tuple[tuple[Path, Field], ...]
    """Where in the arguments, and which field of the record."""
    shown: tuple[str, ...] = ()
    """The paths of the record that can be seen in the answer."""


class ToolGraph(Struct, frozen=True):
    """What is known of how the tools fit together."""

    links: tuple[Link, ...] = ()
    finders: tuple[Finder, ...] = ()
    reads_that_write: tuple[str, ...] = ()
    """Tools that say that they only read, and change something."""
    calls: int = 0
    """How many calls it took to learn this."""
