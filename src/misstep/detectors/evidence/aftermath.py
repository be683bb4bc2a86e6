"""A call that went wrong → what the agent did about it before the user spoke again."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct

from misstep.core.event import Message, ToolCall
from misstep.core.tool import JSON, Tool
from misstep.core.trace import Exchange, Trace
from misstep.core.words import content_stems, split_identifier, stem
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.outcomes import effect_of, outcome, sameness, told
from misstep.detectors.evidence.records import record_of
from misstep.detectors.evidence.trouble import asks, echoes, tells_of_trouble
from misstep.objectives.once import once_per_trace
from misstep.objectives.vocabulary import vocabulary
from misstep.provenance.reading import leaves

_LOOKED_AT = 100
"""So many calls and messages afterwards are looked at; what comes later in the same turn has left it behind."""


class Aftermath(Struct, frozen=True):
    """What followed a call in the same turn."""

    exchange: Exchange
    later: Sequence[Exchange]
    spoken: Sequence[tuple[int, str]]
    """What the agent said, with the places."""


def aftermath(trace: Trace, place: int) -> Aftermath:
    """What followed the call with this number among the trace's exchanges."""
    exchange = trace.exchanges[place]
    end, after = _turn_ends(trace)[exchange.at], exchange.at if exchange.result_at is None else exchange.result_at
    following = trace.exchanges[place + 1 : place + 1 + _LOOKED_AT]
    first = bisect_left(trace.messages, after, key=lambda each: each[0])
    spoken = [
        (at, message.text)
        for at, message in trace.messages[first : first + _LOOKED_AT]
        if at < end and message.role == "agent" and message.text.strip()
    ]
    return Aftermath(exchange, list(takewhile(lambda each: each.at < end, following)), spoken)


def was_tried_again(trace: Trace, exchange: Exchange, later: Sequence[Exchange]) -> bool:
    """The same tool was called again, in whatever way; what came of that is judged by itself."""
    return any(
        each.call.tool == exchange.call.tool and not _is_the_next_one(trace, exchange, each)
        for each in later[:_RETRIES]
    )


_RETRIES = 20


def _is_the_next_one(trace: Trace, exchange: Exchange, later: Exchange) -> bool:
    """Another of several things that the same was to be done to: the user, or one list, had named both."""
    if effect_of(trace, exchange.call) == "reads":
        return False
    for name, value in exchange.call.arguments.items():
        other = later.call.arguments.get(name)
        if not isinstance(value, str) or not isinstance(other, str) or sameness(value) == sameness(other):
            continue
        if heard(trace).says(value, exchange.at) and heard(trace).says(other, exchange.at):
            return True
        mine, theirs = record_of(trace, value, exchange.at), record_of(trace, other, exchange.at)
        if mine is not None and theirs is not None and mine.beside is theirs.beside:
            return True
    return False


@once_per_trace
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


def found_another_way(trace: Trace, exchange: Exchange, later: Sequence[Exchange]) -> bool:
    """Another tool gave the same, did the same with the same values, or showed what had become of it."""
    tool = trace.tool_named.get(exchange.call.tool)
    wanted = _values(exchange.call)
    came = outcome(exchange, tool.effect if tool else None)
    for each in later:
        other = trace.tool_named.get(each.call.tool)
        if each.succeeded and came == "unknown" and other and other.effect == "reads" and wanted & _told_or_asked(each):
            return True  # it was not known whether it had happened, so the agent looked
        if trace.tools and tool is None and wanted and wanted <= _values(each.call):
            return True  # a tool that there is got what one that there is not had been given
        if tool and (_follows_up(trace, tool, each.call.tool) or _was_wanted_too(trace, exchange, each)):
            continue
        if not each.succeeded or (tool and other and (tool.effect == "reads") != (other.effect == "reads")):
            continue
        shared = len(wanted & _values(each.call))
        if shared >= 2 and shared * 2 > len(wanted):
            return True
        if tool and other and tool.effect == "reads" and (shared or _gives_the_same(tool, other)):
            return True
    return False


def _follows_up(trace: Trace, tool: Tool, other: str) -> bool:
    """The rules want the other tool after this one: it is no other way to the same end."""
    rules = trace.policy.of_kind("afterwards", tool.name, tool.effect) if trace.policy else ()
    return any(rule.parameters.get("tool") == other for rule in rules)


def _was_wanted_too(trace: Trace, exchange: Exchange, later: Exchange) -> bool:
    """The user had asked for both acts: the one is no other way to the other."""
    tools, listening = vocabulary(trace).tools, heard(trace)
    mine, theirs = tools.get(exchange.call.tool), tools.get(later.call.tool)
    if (
        mine is None
        or theirs is None
        or "reads" in (mine.effect, theirs.effect)
        or not mine.acts.isdisjoint(theirs.acts)
    ):
        return False
    return listening.asks_for(mine.acts, exchange.at) and listening.asks_for(theirs.acts, exchange.at)


def tried_another_way(exchange: Exchange, later: Sequence[Exchange]) -> bool:
    """Some other call was made with any of the same values, whatever came of it."""
    wanted = _values(exchange.call)
    return any(not wanted or not wanted.isdisjoint(_values(each.call)) for each in later)


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


_SAYS_NONE = re.compile(
    r"\bthere(?:'s| is| are| was| were)(?: \w+)? (?:no|nothing|none|neither)\b|\bnone of\b|\bno longer\b|\bnot enough\b"
    r"|\bstill (?:not|\w+ed)\b|\bnothing (?:is|was|under|there|to)\b",
    re.IGNORECASE,
)


def owned_up(spoken: Sequence[tuple[int, str]]) -> bool:
    """Whether the user was told in plain words that something was not there or did not work, or was asked."""
    return any(tells_of_trouble(text) or asks(text) or _SAYS_NONE.search(text) for _, text in spoken)


def let_on(trace: Trace, exchange: Exchange, spoken: Sequence[tuple[int, str]]) -> bool:
    """Whether the user was told of an error, were it in its own words, or asked something because of it."""
    if owned_up(spoken):
        return True
    if exchange.result is None or not spoken:
        return False
    common = {stem(word) for word in split_identifier(exchange.call.tool)}
    for _, value in leaves(exchange.call.arguments):
        common.update(content_stems(str(value)))
    before, after = _first_said(trace), _given_later(trace, exchange, spoken[-1][0])
    special = {
        word
        for word in content_stems(told(exchange.result, 600))
        if word not in common
        and word not in after
        and not word.isdigit()
        and before.get(word, len(trace.events)) > exchange.at
    }
    return any(echoes(text, special) for _, text in spoken)


def _given_later(trace: Trace, exchange: Exchange, before: int) -> set[str]:
    """The words of what worked afterwards: who repeats those need not mean the error."""
    first = bisect_left(trace.exchanges, exchange.at + 1, key=lambda each: each.at)
    later = (each for each in trace.exchanges[first : first + _RETRIES] if each.at < before and each.succeeded)
    return {word for each in later if each.result is not None for word in content_stems(told(each.result, 1200))}


@once_per_trace
def _first_said(trace: Trace) -> dict[str, int]:
    """Each stem of what was said, with the place where first."""
    found: dict[str, int] = {}
    for at, message in trace.messages:
        for word in content_stems(message.text):
            found.setdefault(word, at)
    return found


def went_on(trace: Trace, later: Sequence[Exchange], spoken: Sequence[tuple[int, str]]) -> int | None:
    """Where the agent went on: its next effect, or else the last thing it said in that turn."""
    for each in later:
        if effect_of(trace, each.call) not in ("reads", None):
            return each.at
    return spoken[-1][0] if spoken else None
