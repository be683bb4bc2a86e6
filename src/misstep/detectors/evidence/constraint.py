"""A Constraint: one limit that a user, or whoever wrote the rules, set on what the agent may do."""

from typing import Literal

from msgspec import Struct

Kind = Literal["act", "thing", "everything", "only", "limit"]


class Constraint(Struct, frozen=True):
    """One limit."""

    kind: Kind
    text: str
    """The words that set it."""
    stems: tuple[str, ...]
    """What is forbidden, in order, so that of an act the verb comes first; of `only`, what is allowed; for a number,
    what it is about."""
    codes: frozenset[str] = frozenset()
    """Ids and names of the things that are meant, where some are named."""
    number: float = 0.0
    """For a day its ordinal, for a time of day its minutes."""
    measure: Literal["number", "day", "time"] = "number"
    unit: tuple[str, ...] = ()
    """The stems of what is counted, where that is said."""
    at_most: bool = True
    strictly: bool = False
    unless_asked: bool = False
    """The act is forbidden only without asking first."""
    to_user: bool = False
    """What must not reach the user: "don't write to me"."""
    loose: bool = False
    """Said of a thing ("no receipts"), which may also be a complaint about it."""

    def broken_by(self, number: float) -> bool:
        if number == self.number:
            return self.strictly
        return number > self.number if self.at_most else number < self.number
