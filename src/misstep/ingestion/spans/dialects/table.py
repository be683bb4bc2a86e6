"""A span → a Step, by all dialects that know something of it, the most particular first."""

from collections.abc import Callable, Iterable

from msgspec import Struct, structs

from misstep.ingestion.spans.dialects import (
    adk,
    genai,
    langfuse,
    mcp,
    mlflow,
    openinference,
    pydantic_ai,
    traceloop,
    vercel,
)
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Step, filled
from misstep.ingestion.spans.values import extras


class Dialect(Struct, frozen=True):
    """One way to name what models, tools and agents did."""

    name: str
    roots: frozenset[str]
    """The first words of attributes, one of which a span in this dialect has; any span may be where there are none."""
    recognises: Callable[[Span], bool]
    step: Callable[[Span], Step]
    held: tuple[str, ...]
    """How the attributes begin that its steps hold."""
    advice: str
    """How to switch on what its spans may lack."""


# In order of precedence: what comes first is believed, what comes later fills gaps. Frameworks stand before the general
# conventions, which they follow in part; a protocol knows best what is only its own talk.
DIALECTS = tuple(
    Dialect(each.NAME, frozenset(each.ROOTS), each.recognises, each.step, each.HELD, each.ADVICE)
    for each in (mcp, openinference, pydantic_ai, adk, vercel, mlflow, langfuse, traceloop, genai)
)
_ADVICE = {dialect.name: dialect.advice for dialect in DIALECTS}
_SAID_ELSEWHERE = ("session.id", "user.id")


def step_of(span: Span, only: str | None = None) -> Step:
    """What the span did; nothing of note where no dialect knows it, or the `only` one that is asked."""
    found: Step | None = None
    held: list[str] = list(_SAID_ELSEWHERE)
    roots = {name.partition(".")[0] for name in span.attributes}
    for dialect in DIALECTS:
        if only not in (None, dialect.name) or (dialect.roots and dialect.roots.isdisjoint(roots)):
            continue
        if dialect.recognises(span):
            step = dialect.step(span)
            if step.kind == "protocol":
                return step
            held += dialect.held
            if found is None:
                found = step
            elif found.kind in ("other", step.kind) or step.kind == "other":  # else they speak of different things
                found = filled(found, step)
    if found is None:
        return Step()
    if found.kind in ("other", "chain", "round"):
        return found
    return structs.replace(found, extra=extras(span.attributes, held))


def dialect_of(steps: Iterable[Step]) -> str:
    """The dialect that most of the steps of note are in; `otel` where there are none."""
    counts: dict[str, int] = {}
    for step in steps:
        if step.dialect and step.kind in ("model", "tool", "agent"):
            counts[step.dialect] = counts.get(step.dialect, 0) + 1
    return max(counts, key=lambda name: counts[name], default="otel")


def advice_for(dialect: str) -> str:
    return _ADVICE.get(dialect, "")
