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
    "protocol",  # talk of a protocol that is nothing to the conversation, whatever else is said of it
    "other",
]


Action = Literal["read", "write", "delete"]


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
    transcript: tuple[Said, ...] = ()
    """All that was said in an agent's run, as its span tells at the end; read where no span of a model is inside."""
    offered: tuple[Tool, ...] = ()
    used: Tool | None = None
    """What a tool's own span tells of the tool."""
    team: tuple[str, ...] = ()
    """Names of the agents that this one may hand work to."""
    spent: Spent = Spent()
    action: Action = "read"
    """For memory."""
    extra: dict[str, JSON] = {}
    """Attributes that nothing above holds."""


def filled(one: Step, other: Step) -> Step:
    """What one step tells, and what only the other one does."""
    call = one.call or other.call
    if one.call is not None and other.call is not None:
        told = one.call if is_told(one.call) else other.call
        call = Call(one.call.name or other.call.name, one.call.id or other.call.id, told.arguments, told.malformed)
    return Step(
        kind=one.kind if one.kind != "other" else other.kind,
        dialect=one.dialect,
        agent=one.agent or other.agent,
        heard=one.heard or other.heard,
        said=one.said or other.said,
        call=call,
        result=one.result if one.answered else other.result,
        answered=one.answered or other.answered,
        is_error=one.is_error or other.is_error,
        transcript=one.transcript or other.transcript,
        offered=one.offered or other.offered,
        used=one.used or other.used,
        team=one.team or other.team,
        spent=one.spent if one.spent != Spent() else other.spent,
        action=one.action if one.kind == "memory" else other.action,
        extra=other.extra | one.extra,
    )


def is_told(call: Call) -> bool:
    """Whether anything is known of its arguments."""
    return bool(call.arguments) or call.malformed is not None
