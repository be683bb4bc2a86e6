"""Trace → tool errors after which the agent went on as if there had been none."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from misstep.core.event import Message, ToolCall
from misstep.core.finding import Finding
from misstep.core.tool import JSON, Tool
from misstep.core.trace import Exchange, Trace
from misstep.core.words import content_stems, split_identifier, stem
from misstep.detectors.declaring import detector
from misstep.detectors.outcomes import effect_of, failed, outcome, sameness, told
from misstep.detectors.trouble import asks, echoes, tells_of_trouble
from misstep.provenance.reading import leaves


@detector("ignored-tool-error", version=1)
def ignored_tool_error(trace: Trace) -> Iterator[Finding]:
    """Points at where the agent went on, then at the error."""
    ends = _turn_ends(trace)
    last_use = {(ends[exchange.at], exchange.call.tool): exchange.at for exchange in trace.exchanges}
    for place, exchange in enumerate(trace.exchanges):
        result, result_at = exchange.result, exchange.result_at
        if result is None or result_at is None or not failed(result, effect_of(trace, exchange.call)):
            continue
        end = ends[exchange.at]
        if last_use[end, exchange.call.tool] > exchange.at:
            continue  # tried again, in whatever way; the outcome of that is judged by itself
        later = list(takewhile(lambda each, end=end: each.at < end, trace.exchanges[place + 1 :]))
        if _found_another_way(trace, exchange, later):
            continue
        spoken = [
            (at, event.text)
            for at, event in enumerate(trace.events[result_at:end], result_at)
            if isinstance(event, Message) and event.role == "agent" and event.text.strip()
        ]
        if _let_on(trace, exchange, spoken):
            continue
        went_on = _went_on(trace, later, spoken)
        if went_on is not None:
            yield Finding(
                mode="ignored-tool-error",
                events=(went_on, result_at),
                because=f"{exchange.call.tool} answered with an error ({told(result, 100)}); the agent neither tried "
                "again nor told the user, and went on.",
            )


def _turn_ends(trace: Trace) -> list[int]:
    """For each place, where the user speaks next, or the end."""
    ends = [len(trace.events)] * len(trace.events)
    end = len(trace.events)
    for at in range(len(trace.events) - 1, -1, -1):
        ends[at] = end
        event = trace.events[at]
        if isinstance(event, Message) and event.role == "user":
            end = at
    return ends


def _found_another_way(trace: Trace, exchange: Exchange, later: Sequence[Exchange]) -> bool:
    """Another tool gave the same, did the same with the same values, or showed what had become of it."""
    tool = trace.tool_named.get(exchange.call.tool)
    wanted = _values(exchange.call)
    came = outcome(exchange, tool.effect if tool else None)
    for each in later:
        other = trace.tool_named.get(each.call.tool)
        if each.succeeded and came == "unknown" and other and other.effect == "reads" and wanted & _told_or_asked(each):
            return True  # it was not known whether it had happened, so the agent looked
        if not each.succeeded or (tool and other and (tool.effect == "reads") != (other.effect == "reads")):
            continue
        shared = len(wanted & _values(each.call))
        if shared >= 2 and shared * 2 > len(wanted):
            return True
        if tool and other and tool.effect == "reads" and (shared or _gives_the_same(tool, other)):
            return True
    return False


def _values(call: ToolCall) -> set[JSON]:
    return {sameness(value) for _, value in leaves(call.arguments) if value not in (None, "", True, False)}


def _told_or_asked(exchange: Exchange) -> set[JSON]:
    content = exchange.result.content if exchange.result else None
    return _values(exchange.call) | {sameness(value) for _, value in leaves(content)}


def _gives_the_same(tool: Tool, other: Tool) -> bool:
    mine, theirs = _outputs(tool), _outputs(other)
    return bool(mine) and len(mine & theirs) * 2 >= len(mine | theirs)


def _outputs(tool: Tool) -> set[str]:
    fields = (tool.output_schema or {}).get("properties")
    return set(fields) if isinstance(fields, dict) else set()  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _let_on(trace: Trace, exchange: Exchange, spoken: Sequence[tuple[int, str]]) -> bool:
    """Whether the user was told of it, or asked something because of it."""
    if any(tells_of_trouble(text) or asks(text) for _, text in spoken):
        return True
    if exchange.result is None or not spoken:
        return False
    common = {stem(word) for word in split_identifier(exchange.call.tool)}
    for _, value in leaves(exchange.call.arguments):
        common.update(content_stems(str(value)))
    for at, message in trace.messages:
        if at > exchange.at:
            break
        common.update(content_stems(message.text))
    error = told(exchange.result, 600)
    return any(echoes(text, error, common) for _, text in spoken)


def _went_on(trace: Trace, later: Sequence[Exchange], spoken: Sequence[tuple[int, str]]) -> int | None:
    """Where the agent went on: its next effect, or else the last thing it said in that turn."""
    for each in later:
        if effect_of(trace, each.call) not in ("reads", None):
            return each.at
    return spoken[-1][0] if spoken else None
