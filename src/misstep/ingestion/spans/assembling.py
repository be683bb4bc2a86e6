"""The spans of one conversation → a Trace.

Each span is two moments, its beginning and its end; all moments in order of time are the conversation. A prompt is
heard when a model is asked, what the model says is said at the end; a call is made when its span begins.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from misstep.core.event import Event, Message, ToolCall
from misstep.core.tool import Tool
from misstep.core.trace import Origin, Trace, Usage
from misstep.ingestion.losses import NO_SESSION, Losses
from misstep.ingestion.spans.conversations import split, user_of
from misstep.ingestion.spans.dialects.table import advice_for, dialect_of
from misstep.ingestion.spans.doubles import merge_doubles
from misstep.ingestion.spans.pairing import Pairs
from misstep.ingestion.spans.runs import Run, runs
from misstep.ingestion.spans.shortfalls import count_shortfalls
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.spool import Conversation, joined
from misstep.ingestion.spans.step import Spent, Step
from misstep.ingestion.spans.tape import Tape
from misstep.ingestion.spans.tree import Node, forest
from misstep.ingestion.spans.trouble import kind_of_trouble
from misstep.ingestion.spans.values import first_text

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST_NS = 250_000_000_000 * 1_000_000_000
_NAMING = "name it on the spans, as session.id or gen_ai.conversation.id: without it, each trace is read as one"
_NOTHING = "conversations have no span of a model, a tool or an agent"


def assembled(told: Conversation, file: str, step_of: Callable[[Span], Step], losses: Losses) -> Iterator[Trace]:
    """The conversation of these spans, or the several that are in it; nothing where nobody did anything."""
    nodes = forest(joined(told.entries), step_of)
    parts = split(nodes) if told.mixed else [(told.name, nodes)]
    for name, members in parts:
        if any(node.step.kind not in ("other", "chain", "protocol") for node in members):
            losses.count(NO_SESSION, 1, not told.known, _NAMING)
            yield _trace(members, file, name or told.name, losses)
        else:
            losses.count(_NOTHING, 0, 1)


def _trace(nodes: Sequence[Node], file: str, name: str, losses: Losses) -> Trace:
    merge_doubles(nodes)
    around = runs(nodes)
    pairs = Pairs(nodes, around)
    began_ns = min((node.start_ns for node in nodes if node.start_ns), default=0)
    modelled = {around[node.enter].node.enter for node in nodes if node.step.kind == "model" and node.enter in around}
    tape = Tape(around, pairs, began_ns, modelled)
    for _, place, node in sorted(_moments(nodes)):
        if place == node.enter:
            tape.begin(node)
        else:
            tape.end(node)
    count_shortfalls(nodes, losses, set(pairs.announcer))
    events = tuple(tape.writing.events)
    ended_ns = max((node.end_ns for node in nodes), default=began_ns)
    failed = next((node for node in nodes if node.parent is None and node.span.status == "error"), None)
    trace = Trace(
        id=name,
        events=events,
        tools=_offer(nodes, {event.tool for event in events if isinstance(event, ToolCall)}),
        usage=_usage(nodes, around.values(), events, seconds=max(0, ended_ns - began_ns) / 1e9),
        origin=_origin(nodes, file, name, began_ns),
        end="agent-raised" if failed is not None else "unknown",
        error=kind_of_trouble(failed.span) if failed is not None else None,
    )
    listed = any(node.step.offered for node in nodes)
    unanswered = len(tape.writing.untold) + sum(pair.result is None for pair in trace.exchanges)
    losses.lacking(trace, unanswered=unanswered, listed=listed, advice=advice_for(trace.origin.dialect or ""))
    return trace


def _moments(nodes: Sequence[Node]) -> Iterable[tuple[int, int, Node]]:
    for node in nodes:
        yield node.start_ns, node.enter, node
        yield max(node.end_ns, node.start_ns), node.leave, node


def _offer(nodes: Sequence[Node], called: set[str]) -> tuple[Tool, ...]:
    """What was on offer, as prompts and agents tell it, with what tools tell of themselves.

    Where nobody tells what was on offer, tools that were used are, but only if none is missing: with a part of the
    offer, every call of the rest would look like one of a tool that does not exist.
    """
    offered: dict[str, Tool] = {}
    used: dict[str, Tool] = {}
    for node in nodes:
        for tool in node.step.offered:
            if (
                len(tool.input_schema) > len(offered.get(tool.name, Tool(tool.name)).input_schema)
                or tool.name not in offered
            ):
                offered[tool.name] = tool
        if (own := node.step.used) is not None:
            used.setdefault(own.name, own)
    if not offered and not called <= set(used):
        return ()
    for name, tool in used.items():
        if name not in offered or not (offered[name].input_schema or offered[name].description):
            offered[name] = tool
    return tuple(offered.values())


def _usage(nodes: Sequence[Node], runs: Iterable[Run], events: Sequence[Event], *, seconds: float) -> Usage:
    """Tokens are those of models; an agent's own count is a sum of theirs, and used where they have none."""
    models = [node.step.spent for node in nodes if node.step.kind == "model"]
    spent = models if any(each.input_tokens or each.output_tokens for each in models) else _of_agents(runs)
    return Usage(
        turns=sum(isinstance(event, Message) and event.role == "user" for event in events),
        calls=sum(isinstance(event, ToolCall) for event in events),
        seconds=seconds,
        input_tokens=sum(each.input_tokens for each in spent),
        output_tokens=sum(each.output_tokens for each in spent),
        cost=sum(each.cost for each in spent),
    )


def _of_agents(runs: Iterable[Run]) -> list[Spent]:
    outermost = {run.node.enter: run.node.step.spent for run in runs if run.outer is None}
    return list(outermost.values())


def _origin(nodes: Sequence[Node], file: str, name: str, began_ns: int) -> Origin:
    service = next((told for node in nodes if (told := first_text(node.span.resource, "service.name"))), None)
    began = _EPOCH + timedelta(microseconds=began_ns // 1000) if 0 < began_ns < _LATEST_NS else None
    return Origin(
        file=file,
        service=service,
        conversation=name,
        dialect=dialect_of(node.step for node in nodes),
        user=next((user for node in nodes if (user := user_of(node.span))), None),
        began=began.isoformat() if began is not None else None,
    )
