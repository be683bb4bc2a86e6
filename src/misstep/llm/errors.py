"""What can go wrong between Misstep and a model, by kind, so that a caller knows what to do about it."""

from typing import Literal

from misstep.core.errors import MisstepError

Trouble = Literal[
    "unreachable",
    "timeout",
    "key",
    "not-found",
    "refused",
    "too-long",  # more than the model can read
    "rate",
    "server",
    "garbage",  # an answer that is none
    "budget",
    "replay",
]

_PASSING = frozenset(("unreachable", "timeout", "rate", "server"))


class ModelError(MisstepError):
    """A model gave no answer."""

    def __init__(self, trouble: Trouble, text: str, *, wait_s: float | None = None) -> None:
        super().__init__(text)
        self.trouble: Trouble = trouble
        self.wait_s = wait_s
        """How long the other side wants us to wait before the next attempt, where it said so."""

    @property
    def passing(self) -> bool:
        """May the same question be answered when it is asked again?"""
        return self.trouble in _PASSING
