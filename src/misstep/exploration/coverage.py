"""A Trace → its coverage keys: which tool came after which, with what outcome and arguments; and how long it was."""

from typing import cast

from misstep.core.event import Blocked, Event, Message, ToolCall
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace

_DEEPEST = 2
_WIDEST = 12
_LONGEST_NAME = 40
_MOST_KEYS = 200


def coverage(trace: Trace) -> frozenset[str]:
    """At most two hundred short texts, the same for conversations that took the same ways."""
    trace = trace.as_heard()
    answers = {exchange.at: exchange for exchange in trace.exchanges}
    keys: dict[str, None] = {}
    before, spoken = "start", False
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            spoken = True
        step = _step(event, answers.get(at))
        if step is None:
            continue
        tool, ended, shape = step
        # Whether the user spoke in between tells an agent that asks from one that goes ahead.
        keys[f"{before}{' | ' if spoken else ' '}> {tool} {ended} {shape}"] = None
        before, spoken = tool, False
        if len(keys) == _MOST_KEYS:
            break
    keys[f"{before} > end: {trace.end}"] = None
    # Lengths by powers of two: twice as long is something new, one more is not.
    keys[f"calls: {2 ** len(trace.exchanges).bit_length()}"] = None
    keys[f"messages: {2 ** len(trace.messages).bit_length()}"] = None
    return frozenset(keys)


def _step(event: Event, exchange: Exchange | None) -> tuple[str, str, str] | None:
    if isinstance(event, ToolCall):
        shape = "malformed" if event.malformed is not None else _shape(event.arguments)
        return event.tool, _ending(exchange), shape
    if isinstance(event, Blocked):
        return event.tool, "blocked", _shape(event.arguments)
    return None


def _ending(exchange: Exchange | None) -> str:
    if exchange is None or exchange.result is None:
        return "unanswered"
    if exchange.result.is_error:
        return "error"
    return "empty" if _is_empty(exchange.result.content) else "ok"


def _is_empty(content: JSON) -> bool:
    if isinstance(content, dict):
        return all(map(_is_empty, cast("dict[str, JSON]", content).values()))
    return content is None or content == "" or content == []


def _shape(value: JSON, depth: int = 0) -> str:
    """What a value looks like: names and kinds, without what it says."""
    if isinstance(value, bool):
        return "yes-no"
    if isinstance(value, dict):
        return _object(cast("dict[str, JSON]", value), depth)
    if isinstance(value, list):
        return _list(cast("list[JSON]", value), depth)
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return "text" if value.strip() else "blank"
    return "number"


def _object(value: dict[str, JSON], depth: int) -> str:
    if depth >= _DEEPEST:
        return "{…}"
    named = [f"{name[:_LONGEST_NAME]}:{_shape(part, depth + 1)}" for name, part in sorted(value.items())[:_WIDEST]]
    return "{" + ", ".join(named) + "}"


def _list(value: list[JSON], depth: int) -> str:
    if not value or depth >= _DEEPEST:
        return "[…]" if value else "[]"
    kinds = sorted({_shape(part, depth + 1) for part in value[:_WIDEST]})
    return f"[{'one' if len(value) == 1 else 'many'} {' '.join(kinds)}]"
