"""What is said to a model, what it answers, and the two roles that stand behind every name of a model."""

from collections.abc import Sequence
from typing import Literal, Protocol

import msgspec
from msgspec import Struct

from misstep.core.tool import JSON

Speaker = Literal["system", "user", "assistant", "tool"]


class ToolRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A call that a model asks for. The arguments are the text that it wrote, which may be no JSON at all."""

    id: str
    name: str
    arguments: str = "{}"


class Said(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One message of a conversation with a model."""

    role: Speaker
    text: str = ""
    tool_calls: tuple[ToolRequest, ...] = ()
    call_id: str | None = None
    """For a tool's answer: the request that it answers."""


class Function(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tool as a model is told of it."""

    name: str
    description: str = ""
    schema: dict[str, JSON] = {}


class Request(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """All that decides what a model answers; two equal ones are the same question."""

    model: str
    messages: tuple[Said, ...]
    tools: tuple[Function, ...] = ()
    seed: int = 0
    parameters: dict[str, JSON] = {}
    schema: dict[str, JSON] | None = None
    """What the answer must fit, where it is sent apart from the messages as well."""


class Tokens(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an answer cost; zero where nobody said."""

    input: int = 0
    output: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.input + other.input, self.output + other.output)


class Reply(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What a model answered."""

    text: str = ""
    data: JSON = None
    """The text as JSON, where a schema was given and the text fits it."""
    unfit: str | None = None
    """Why there is no data though a schema was given: a sentence that can be said back to the model."""
    tool_calls: tuple[ToolRequest, ...] = ()
    usage: Tokens = Tokens()
    refusal: str | None = None
    """What the model or its provider said in place of an answer."""
    thought: str = ""
    """Reasoning that came beside the answer."""


class Source(Protocol):
    """Where replies come from: an address, a provider, a recording, or a wrapper around one of these."""

    async def reply(self, request: Request) -> Reply:
        """Raises ModelError where there is none."""
        ...


class Model(Protocol):
    """What the rest of Misstep sees of a language model."""

    @property
    def name(self) -> str: ...

    async def complete(
        self,
        messages: Sequence[Said],
        *,
        schema: dict[str, JSON] | None = None,
        tools: Sequence[Function] = (),
        seed: int = 0,
    ) -> Reply: ...


_encoder = msgspec.json.Encoder(order="deterministic")


def canonical(request: Request) -> bytes:
    """The same request gives the same bytes, on every machine."""
    return _encoder.encode(request)
