"""A Gist: what is kept of a trace to compare others with, small enough to keep thousands."""

from msgspec import Struct

from misstep.core.tool import Effect
from misstep.core.trace import End, Usage


class GistCall(Struct, frozen=True, forbid_unknown_fields=True):
    """One call: what was called with what, and how it went."""

    at: int
    tool: str
    arguments: str
    """As JSON with sorted keys: equal arguments are equal texts."""
    effect: Effect | None
    """None where nobody said what the tool does, and its name does not tell."""
    succeeded: bool


class Gist(Struct, frozen=True, forbid_unknown_fields=True):
    """What one conversation came to."""

    trace: str
    calls: tuple[GistCall, ...]
    end: End
    usage: Usage
    modes: tuple[str, ...] = ()
    """What was found in it."""
    last_words: str = ""
    """The beginning of the agent's last message."""

    @property
    def writes(self) -> tuple[GistCall, ...]:
        """The calls that succeeded and did something."""
        return tuple(call for call in self.calls if call.succeeded and call.effect not in (None, "reads"))
