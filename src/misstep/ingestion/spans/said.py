"""Said: one message to or from a model in words that all dialects share."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from misstep.core.tool import JSON


class Text(Struct, frozen=True):
    text: str


class Reasoning(Struct, frozen=True):
    text: str


class Call(Struct, frozen=True):
    """A call that a model asks for, or that a span carried out."""

    name: str
    id: str = ""
    arguments: dict[str, JSON] = {}
    malformed: str | None = None


class Result(Struct, frozen=True):
    """What a call gave, as a model is told of it."""

    id: str = ""
    name: str = ""
    content: JSON = None
    is_error: bool = False


Part = Text | Reasoning | Call | Result
Speaker = Literal["system", "user", "agent", "tool"]


class Said(Struct, frozen=True):
    """A message: who speaks, and its parts."""

    by: Speaker
    parts: tuple[Part, ...] = ()
    name: str = ""

    @property
    def text(self) -> str:
        texts = [part.text for part in self.parts if isinstance(part, Text)]
        return texts[0] if len(texts) == 1 else "\n".join(texts)

    @property
    def joined(self) -> Iterator[Part]:
        """Its parts, with all texts as one, where the first of them stands."""
        seen = False
        for part in self.parts:
            if not isinstance(part, Text):
                yield part
            elif not seen:
                seen = True
                yield Text(self.text)


_SPEAKERS: dict[str, Speaker] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "agent",
    "ai": "agent",
    "model": "agent",
    "agent": "agent",
    "bot": "agent",
    "tool-call": "agent",
    "tool": "tool",
    "function": "tool",
    "tool-response": "tool",
    "tool_response": "tool",
}


def speaker(role: JSON) -> Speaker:
    """Who speaks under this role; what nobody has heard of is the user."""
    return _SPEAKERS.get(role.lower(), "user") if isinstance(role, str) else "user"
