"""How far long work has come, for whoever shows it."""

from collections.abc import Callable

from msgspec import Struct


class Stage(Struct, frozen=True):
    """What is being done, and how many of how many are done."""

    what: str
    done: int = 0
    total: int = 0
    """None is known where it is 0."""


Tell = Callable[[Stage], None]


def nobody(stage: Stage) -> None:
    """Nobody is told."""
