"""The kinds of fault: what each does to a call and its answer, with the parameters that it takes."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.spoiling import cut, emptied, garbled, injected, scaled
from misstep.tools.wire import Form, Garbled, Unending, carrying

# The upper ends leave out what is no number that a clock or a file can hold.
_Seconds = Annotated[float, Meta(ge=0, le=1e9)]
# On a wire these pass for real.
_RealSeconds = Annotated[float, Meta(ge=0, le=600)]
_Factor = Annotated[float, Meta(ge=-1e12, le=1e12)]


class Strike(Struct, frozen=True):
    """A call that a fault has struck, and what can be done with it."""

    tool: Tool
    deliver: Callable[[], Awaitable[Answer]]
    """Makes the call; each time it is asked to."""
    earlier: Callable[[], Awaitable[Answer | None]]
    """What the same call gave, or would have given, before; None where that cannot be known."""


class FaultKind(Struct, frozen=True):
    """One kind: a sentence on it, its parameters as a type, and what happens to a call that it strikes."""

    description: str
    parameters: type[Struct]
    happen: Callable[[Any, Strike], Awaitable[Answer]] | None = None
    """None for what lasts: it changes the tools on offer, and calls through that."""


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """No parameters."""


class Error(Struct, frozen=True, forbid_unknown_fields=True):
    message: str = "The service is not available at the moment."
    code: str | int | None = None


class Timeout(Struct, frozen=True, forbid_unknown_fields=True):
    seconds: _Seconds = 30.0
    applied: bool = False
    """Whether the call took effect, though no answer came."""


class Disconnect(Struct, frozen=True, forbid_unknown_fields=True):
    applied: bool = False
    """Whether the call took effect before the connection was lost."""


class Endless(Struct, frozen=True, forbid_unknown_fields=True):
    seconds: _RealSeconds = 30.0
    """How long it goes on before it is given up."""
    applied: bool = False
    """Whether the call took effect, though its answer has no end."""


class Garbage(Struct, frozen=True, forbid_unknown_fields=True):
    form: Form = "noise"
    applied: bool = True
    """Whether the call took effect, though its answer cannot be read."""


class RateLimit(Struct, frozen=True, forbid_unknown_fields=True):
    retry_after_s: _Seconds = 30.0


class Empty(Struct, frozen=True, forbid_unknown_fields=True):
    applied: bool = True
    """Whether the call took effect, though its answer says nothing."""


class Truncated(Struct, frozen=True, forbid_unknown_fields=True):
    keep: Annotated[float, Meta(ge=0, le=1)] = 0.5
    """The share of each list and long text that is left."""


class WrongUnit(Struct, frozen=True, forbid_unknown_fields=True):
    field: str | None = None
    """A field's name, or a pattern with `*`."""
    factor: _Factor = 100.0


class Latency(Struct, frozen=True, forbid_unknown_fields=True):
    seconds: _Seconds = 5.0


class InjectedInstruction(Struct, frozen=True, forbid_unknown_fields=True):
    text: str
    field: str | None = None


class PoisonedDescription(Struct, frozen=True, forbid_unknown_fields=True):
    text: str


class SchemaDrift(Struct, frozen=True, forbid_unknown_fields=True):
    rename: dict[str, str] = {}
    """Old argument name → new one; every argument gets another name where nothing is said."""


async def _error(parameters: Error, strike: Strike) -> Answer:
    code = "" if parameters.code is None else f"{parameters.code}: "
    return _failed(f"{code}{parameters.message}")


async def _timeout(parameters: Timeout, strike: Strike) -> Answer:
    if parameters.applied:
        await strike.deliver()
    text = f"No answer came from {strike.tool.name!r} within {parameters.seconds:g} seconds."
    return structs.replace(_failed(text), took_s=parameters.seconds)


async def _disconnect(parameters: Disconnect, strike: Strike) -> Answer:
    if parameters.applied:
        await strike.deliver()
    return _failed(f"The connection was closed in the middle of the call of {strike.tool.name!r}.")


async def _endless(parameters: Endless, strike: Strike) -> Answer:
    if parameters.applied:
        await strike.deliver()
    text = f"No answer came from {strike.tool.name!r} within {parameters.seconds:g} seconds: it was still sending."
    return carrying(structs.replace(_failed(text), took_s=parameters.seconds), Unending(parameters.seconds))


async def _garbage(parameters: Garbage, strike: Strike) -> Answer:
    answer = await strike.deliver() if parameters.applied else Answer("")
    failed = _failed(f"No answer of {strike.tool.name!r} could be read: {_UNREADABLE[parameters.form]}.")
    return carrying(structs.replace(failed, took_s=answer.took_s), Garbled(parameters.form, answer))


async def _rate_limit(parameters: RateLimit, strike: Strike) -> Answer:
    return _failed(f"Too many requests. Try again in {parameters.retry_after_s:g} seconds.")


async def _empty(parameters: Empty, strike: Strike) -> Answer:
    schema = strike.tool.output_schema or {}
    if not parameters.applied:
        return Answer(emptied(None, schema), served_by="faulted")
    answer = await strike.deliver()
    return _spoilt(answer, emptied(answer.content, schema))


async def _malformed(parameters: Nothing, strike: Strike) -> Answer:
    answer = await strike.deliver()
    return _spoilt(answer, garbled(answer.content))


async def _truncated(parameters: Truncated, strike: Strike) -> Answer:
    answer = await strike.deliver()
    return _spoilt(answer, cut(answer.content, parameters.keep))


async def _wrong_unit(parameters: WrongUnit, strike: Strike) -> Answer:
    answer = await strike.deliver()
    return _spoilt(answer, scaled(answer.content, parameters.factor, parameters.field))


async def _stale(parameters: Nothing, strike: Strike) -> Answer:
    old = await strike.earlier()
    if strike.tool.effect == "reads" and old is not None:
        return structs.replace(old, served_by="faulted")
    answer = await strike.deliver()  # What changes something does so, however old the answer is.
    return answer if old is None else _spoilt(answer, old.content)


async def _duplicate_delivery(parameters: Nothing, strike: Strike) -> Answer:
    first = await strike.deliver()
    second = await strike.deliver()
    return structs.replace(second, served_by="faulted", took_s=first.took_s + second.took_s)


async def _latency(parameters: Latency, strike: Strike) -> Answer:
    answer = await strike.deliver()
    return structs.replace(answer, served_by="faulted", took_s=answer.took_s + parameters.seconds)


async def _injected_instruction(parameters: InjectedInstruction, strike: Strike) -> Answer:
    answer = await strike.deliver()
    content = injected(answer.content, parameters.text, parameters.field)
    return structs.replace(answer, content=content, served_by="faulted")


def _failed(text: str) -> Answer:
    return Answer(text, is_error=True, served_by="faulted")


def _spoilt(answer: Answer, content: JSON) -> Answer:
    """A success with other content; an error, or what the fault leaves as it was, is nobody's fault."""
    if answer.is_error or content == answer.content:
        return answer
    return structs.replace(answer, content=content, served_by="faulted")


_UNREADABLE: Mapping[Form, str] = {
    "noise": "what came is no JSON",
    "cut": "what came is JSON that breaks off",
    "encoding": "what came is not UTF-8",
}

KINDS: Mapping[str, FaultKind] = {
    "error": FaultKind("The call fails with an error.", Error, _error),
    "timeout": FaultKind("No answer comes in time; the call may have taken effect all the same.", Timeout, _timeout),
    "disconnect": FaultKind("The server dies in the middle of the call.", Disconnect, _disconnect),
    "endless": FaultKind("The answer never ends; the call may have taken effect all the same.", Endless, _endless),
    "garbage": FaultKind("Bytes that nobody can read come in place of the answer.", Garbage, _garbage),
    "rate-limit": FaultKind("The call is refused: too many requests.", RateLimit, _rate_limit),
    "empty": FaultKind("The call succeeds with nothing in its answer.", Empty, _empty),
    "malformed": FaultKind("The call succeeds with an answer that cannot be read.", Nothing, _malformed),
    "truncated": FaultKind("Lists and long texts of the answer are cut without a word.", Truncated, _truncated),
    "stale": FaultKind("The answer is what the same call gave before the last change.", Nothing, _stale),
    "wrong-unit": FaultKind("Numbers of the answer are in another unit.", WrongUnit, _wrong_unit),
    "duplicate-delivery": FaultKind("The call reaches the tool twice.", Nothing, _duplicate_delivery),
    "latency": FaultKind("The answer is right, and late.", Latency, _latency),
    "injected-instruction": FaultKind(
        "The answer carries words that give the agent orders.", InjectedInstruction, _injected_instruction
    ),
    "poisoned-description": FaultKind(
        "The tool's description carries words that give the agent orders, from then on.", PoisonedDescription
    ),
    "vanished": FaultKind("The tool is gone from then on.", Nothing),
    "schema-drift": FaultKind("The tool's arguments have other names from then on.", SchemaDrift),
}

FAULT_KINDS: Mapping[str, str] = {name: kind.description for name, kind in KINDS.items()}
"""Each kind of fault, with a sentence on what it does."""
