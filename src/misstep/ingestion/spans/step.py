"""A Step: what one span did in words that all dialects share; the only thing that is assembled."""

from typing import Literal

from msgspec import Struct

from misstep.core.tool import JSON, Tool
from misstep.ingestion.spans.said import Call, Said

Kind = Literal[
    "model",  # a model was asked
    "tool",  # a tool was called
    "agent",  # an agent ran
    "round",  # one round of a loop that acts on what a model wrote, such as running its code
    "chain",  # work that holds other work
    "memory",
    "other",
]


class Spent(Struct, frozen=True):
    """Tokens and money."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


class Step(Struct, frozen=True, kw_only=True):
    """What a span did."""

    kind: Kind = "other"
    dialect: str = ""
    agent: str = ""
    """Who ran, for an agent; who asked, where a span of another kind says so."""
    heard: tuple[Said, ...] = ()
    said: tuple[Said, ...] = ()
    call: Call | None = None
    result: JSON = None
    answered: bool = False
    """Whether the span holds a result at all: instrumentations may leave contents out."""
    is_error: bool = False
    """Whether the span itself says so; its status is not read here."""
    offered: tuple[Tool, ...] = ()
    used: Tool | None = None
    """What a tool's own span tells of the tool."""
    team: tuple[str, ...] = ()
    """Names of the agents that this one may hand work to."""
    spent: Spent = Spent()
    conversation: str = ""
    user: str = ""
    action: Literal["read", "write", "delete"] = "read"
    """For memory."""
    extra: dict[str, JSON] = {}
    """Attributes that nothing above holds."""
