"""A trace → the rows of a readable conversation: what was said, and each call folded together with its result."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from misstep.core.event import USER, Blocked, Event, Handoff, Memory, Message, Thought, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.state import Change
from misstep.core.trace import Exchange, Trace
from misstep.provenance import ArgumentSource, sources
from misstep.reporting.steps import guilty
from misstep.reporting.visible import json_text, literal

Mark = Literal["", "guilty", "evidence"]

_TOLD: Mapping[str, str] = {
    "user": "the user",
    "tool": "a tool",
    "policy": "the policy",
    "agent": "what the agent proposed",
    "schema": "the tool’s schema",
    "derived": "put together from known values",
    "trivial": "needs no source",
    "composed": "the agent’s own words",
}

_SHOWN = 600
_KEPT = 6000
_ROWS_AT_THE_ENDS = 14
_ROWS_ROUND_A_MARK = 8


class Clipped(Struct, frozen=True):
    """A text in three parts: what is shown, what an expander shows, and how many characters only the file has."""

    head: str
    tail: str = ""
    lost: int = 0


class Said(Struct, frozen=True, kw_only=True):
    """A message."""

    at: int
    role: str
    actor: str
    text: Clipped
    mark: Mark
    kind: Literal["said"] = "said"


class Source(Struct, frozen=True, kw_only=True):
    """An argument, and where its value first appeared."""

    path: str
    value: str
    origin: str
    told: str
    """The same in words, with the tool's name for a result."""
    at: int | None


class Called(Struct, frozen=True, kw_only=True):
    """A call and what came back."""

    at: int
    tool: str
    effect: str
    brief: str
    arguments: Clipped
    sources: tuple[Source, ...]
    result_at: int | None
    result: Clipped
    status: Literal["ok", "error", "no answer"]
    served_by: str
    fault: str
    mark: Mark
    result_mark: Mark
    kind: Literal["called"] = "called"


class Noted(Struct, frozen=True, kw_only=True):
    """Anything else: a thought, a handoff, memory, a call that was stopped, a result that nobody asked for."""

    at: int
    title: str
    text: Clipped
    mark: Mark
    kind: Literal["noted"] = "noted"


class Skipped(Struct, frozen=True, kw_only=True):
    """Rows that are left out of a long conversation."""

    rows: int
    kind: Literal["skipped"] = "skipped"


Row = Said | Called | Noted | Skipped


class FieldChange(Struct, frozen=True, kw_only=True):
    """A field of a record, before and after, as text; None where there was no record."""

    name: str
    before: str | None
    after: str | None


class RecordChange(Struct, frozen=True, kw_only=True):
    """A record that was created, changed or deleted."""

    table: str
    key: str
    what: Literal["created", "changed", "deleted"]
    fields: tuple[FieldChange, ...]
    more: int = 0


def conversation(trace: Trace, findings: Sequence[Finding]) -> tuple[Row, ...]:
    """The rows of a trace, with the events of the findings marked; the dull middle of a very long one is left out."""
    marks = _marks(findings)
    return tuple(_windowed(list(_rows(trace, marks))))


def record_changes(changes: Sequence[Change], *, most: int = 12) -> tuple[RecordChange, ...]:
    """What became different, field by field."""
    return tuple(_record_change(change, most) for change in changes[:most])


def clipped(text: str, shown: int = _SHOWN, kept: int = _KEPT) -> Clipped:
    """Cut a long text, at a line's or word's end where there is one near."""
    if len(text) <= shown + shown // 4:
        return Clipped(text)
    cut = max(text.rfind("\n", shown // 2, shown), text.rfind(" ", shown * 3 // 4, shown))
    cut = cut + 1 if cut >= 0 else shown
    return Clipped(text[:cut], text[cut:kept], max(0, len(text) - kept))


def _marks(findings: Sequence[Finding]) -> Mapping[int, Mark]:
    marks: dict[int, Mark] = {at: "evidence" for finding in findings for at in finding.events}
    marks.update({at: "guilty" for at in map(guilty, findings) if at is not None})
    return marks


def _rows(trace: Trace, marks: Mapping[int, Mark]) -> Iterator[Row]:
    exchanges = {exchange.at: exchange for exchange in trace.exchanges}
    answered = {exchange.result_at for exchange in trace.exchanges}
    origins = sources(trace)
    for at, event in enumerate(trace.events):
        if isinstance(event, ToolCall):
            yield _called(trace, exchanges[at], origins.get(at, ()), marks)
        elif at not in answered:
            yield _other(at, event, marks.get(at, ""))


def _other(at: int, event: Event, mark: Mark) -> Row:
    match event:
        case Message():
            return Said(at=at, role=event.role, actor=event.actor, text=clipped(event.text, 1200), mark=mark)
        case Thought():
            title, text = f"{event.actor} thinks", event.text
        case Handoff():
            title, text = f"{event.actor} hands over to {event.to}", event.text
        case Memory():
            title, text = f"{event.actor}: memory {event.action} of {event.key}", json_text(event.content)
        case Blocked():
            brief = f"{event.tool}({_brief(event.arguments)})"
            title, text = f"stopped by {event.guardrail}: {brief}", event.reason
        case ToolResult():
            title, text = f"result of {event.actor} that answers no call", json_text(event.content)
        case ToolCall():
            title, text = event.tool, ""
    return Noted(at=at, title=title, text=clipped(text), mark=mark)


def _called(trace: Trace, exchange: Exchange, origins: Sequence[ArgumentSource], marks: Mapping[int, Mark]) -> Called:
    call, result = exchange.call, exchange.result
    tool = trace.tool_named.get(call.tool)
    status = "no answer" if result is None else "error" if result.is_error else "ok"
    return Called(
        at=exchange.at,
        tool=call.tool,
        effect="the user's own tool" if call.actor == USER else tool.effect if tool else "not on offer",
        brief=_brief(call.arguments) if call.malformed is None else "not a JSON object",
        arguments=clipped(call.malformed if call.malformed is not None else json_text(call.arguments)),
        sources=tuple(_source(trace, origin) for origin in origins),
        result_at=exchange.result_at,
        result=clipped(json_text(result.content) if result else ""),
        status=status,
        served_by=(result.served_by if result else None) or "",
        fault=(result.fault if result else None) or "",
        mark=marks.get(exchange.at, ""),
        result_mark=marks.get(exchange.result_at, "") if exchange.result_at is not None else "",
    )


def _source(trace: Trace, source: ArgumentSource) -> Source:
    event = trace.events[source.event] if source.event is not None else None
    return Source(
        path=source.path,
        value=literal(source.value, 80),
        origin=source.origin,
        told=event.actor if isinstance(event, ToolResult) else _TOLD.get(source.origin, source.origin),
        at=source.event,
    )


def _brief(arguments: Mapping[str, object]) -> str:
    text = ", ".join(f"{name}={literal(value)}" for name, value in arguments.items())
    return text if len(text) <= 160 else text[:159] + "…"


def _windowed(rows: list[Row]) -> Iterator[Row]:
    last = len(rows) - 1
    marked = [place for place, row in enumerate(rows) if _is_marked(row)]
    near = {
        place for centre in marked[:6] for place in range(centre - _ROWS_ROUND_A_MARK, centre + _ROWS_ROUND_A_MARK + 1)
    }
    skipped = 0
    for place, row in enumerate(rows):
        if place < _ROWS_AT_THE_ENDS or place > last - _ROWS_AT_THE_ENDS or place in near:
            if skipped:
                yield Skipped(rows=skipped)
                skipped = 0
            yield row
        else:
            skipped += 1


def _is_marked(row: Row) -> bool:
    if isinstance(row, Skipped):
        return False
    return bool(row.mark) or (isinstance(row, Called) and bool(row.result_mark))


def _record_change(change: Change, most: int) -> RecordChange:
    before, after = change.before, change.after
    what = "created" if before is None else "deleted" if after is None else "changed"
    fields = tuple(
        FieldChange(
            name=name,
            before=literal(before.get(name), 120) if before is not None else None,
            after=literal(after.get(name), 120) if after is not None else None,
        )
        for name in change.fields[:most]
    )
    return RecordChange(
        table=change.table, key=change.key, what=what, fields=fields, more=max(0, len(change.fields) - most)
    )
