"""Trace → effects that happened twice though they were wanted once."""

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import cast

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.state import Change
from misstep.core.tool import JSON, Effect
from misstep.core.trace import Exchange, Trace
from misstep.core.words import content_stems, split_identifier
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.commands import command_in, read_command
from misstep.detectors.evidence.outcomes import call_key, effect_of, outcome, sameness
from misstep.objectives.once import once_per_trace
from misstep.provenance.reading import canonical, leaves, looks_like_identifier, tokens

_TIME = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d")
_TWICE = re.compile(
    r"\b(?:twice|repeat(?:ed(?:ly)?)?|duplicates?|copies|double|once more|second time|"
    r"(?:two|three|four|2|3|4|several|multiple) (?:times|separate|identical|of (?:them|these|those|it)))\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"\b(?:again|another|one more|a second|re-?send)\b", re.IGNORECASE)
"""Beyond what was done before: counts only when it is said between the two."""
_COUNT = re.compile(
    r"(?<![\w.-])(two|three|four|five|both|several|[2-5])(?![\w.,-])((?:\s+[\w'-]+){1,3})", re.IGNORECASE
)
_SETTING = frozenset(
    "set put update replace save write edit change rename assign enable disable mark move close open lock".split()
)
"""Verbs of what ends in the same state however often it is done."""
_ACKNOWLEDGEMENT = 3
"""An answer with so few values only says that it was done; one with more shows the record as it now is."""


@detector("duplicate-effect", version=5)
def duplicate_effect(trace: Trace) -> Iterator[Finding]:
    """Points at the repeats, then at the call that was repeated."""
    yield from effects_doubled(trace)


@once_per_trace
def effects_doubled(trace: Trace) -> tuple[Finding, ...]:
    """What the detector finds, for others to look up."""
    return tuple(_found(trace))


def _found(trace: Trace) -> Iterator[Finding]:
    groups: dict[tuple[str, JSON], list[Exchange]] = {}
    looks: list[int] = []
    for exchange in trace.exchanges:
        if effect_of(trace, exchange.call) == "reads" or _is_a_command_that_looks(trace, exchange.call):
            looks.extend([exchange.at] if exchange.succeeded else ())
        else:
            groups.setdefault(call_key(exchange.call), []).append(exchange)
    for same in groups.values():
        if len(same) < 2:
            continue
        repeats = [
            later
            for first, later in _candidates(trace, same, looks)
            if _doubled(trace, first, later) and not _undone_between(trace, first, later)
        ]
        if repeats and not _wanted_more_than_once(trace, same[0], repeats[0]):
            first = same[0]
            yield Finding(
                mode="duplicate-effect",
                events=(*(repeat.at for repeat in repeats), first.at),
                because=f"{first.call.tool} was carried out again with the same arguments, "
                f"{_after(trace, first)}; nobody had asked for it twice.",
            )


def _is_a_command_that_looks(trace: Trace, call: ToolCall) -> bool:
    command = command_in(trace, call)
    return command is not None and read_command(command) == "looks"


def _after(trace: Trace, first: Exchange) -> str:
    done = outcome(first, effect_of(trace, first.call)) == "done"
    return "though it had already succeeded" if done else "though it was not known whether it had already happened"


def _candidates(trace: Trace, same: Sequence[Exchange], looks: Sequence[int]) -> Iterator[tuple[Exchange, Exchange]]:
    """Pairs of which the first may have happened, the second did, and nobody looked in between."""
    effect = effect_of(trace, same[0].call)
    happened = [(exchange, outcome(exchange, effect)) for exchange in same]
    happened = [(exchange, came) for exchange, came in happened if came in ("done", "unknown")]
    for (first, before), (later, after) in pairwise(happened):
        if after != "done":
            continue
        looked = bisect(looks, first.at) < bisect(looks, later.at)
        if before == "done" or not looked:
            yield first, later


def _doubled(trace: Trace, first: Exchange, later: Exchange) -> bool:
    """Whether the second time had an effect of its own, by the state, the answers or the kind of tool."""
    effect = effect_of(trace, first.call)
    created = _created_alike(trace.changes, later.call) if trace.changes is not None else None
    if created is not None and created != 0:
        return created > 1
    if outcome(first, effect) == "done":
        if first.call.tool not in trace.tool_named and not _tells_of_an_act(trace, effect, first, later):
            return False
        return _done_twice(effect, first, later)
    if effect in ("reaches-outside", "destroys") or _fresh_identifiers(trace, later):
        return True
    return created is None and effect == "writes" and not ends_in_the_same_state(trace, first.call)


def _undone_between(trace: Trace, first: Exchange, later: Exchange) -> bool:
    """Another act on the very same thing lay between the two: what is then done again starts from somewhere else."""
    given = sameness(first.call.arguments)
    between = trace.exchanges[
        bisect(trace.exchanges, first.at, key=_place) : bisect(trace.exchanges, later.at - 1, key=_place)
    ]
    return bool(first.call.arguments) and any(
        each.call.tool != first.call.tool
        and each.succeeded
        and effect_of(trace, each.call) != "reads"
        and sameness(each.call.arguments) == given
        for each in between[:_BETWEEN]
    )


_BETWEEN = 50


def _place(exchange: Exchange) -> int:
    return exchange.at


def ends_in_the_same_state(trace: Trace, call: ToolCall) -> bool:
    """Whether doing it twice is as good as once: its server says so, or its verb does."""
    tool = trace.tool_named.get(call.tool)
    hints = tool.extra.get("annotations") if tool else None
    if isinstance(hints, dict) and cast("dict[str, JSON]", hints).get("idempotentHint") is True:
        return True
    return not _SETTING.isdisjoint(split_identifier(call.tool))


def _tells_of_an_act(trace: Trace, effect: Effect | None, first: Exchange, later: Exchange) -> bool:
    """Of a tool that is not described: it gave a new receipt, or its name tells of an act and the answer of no change.

    An answer that only differs from the one before may come from a look at what goes on.
    """
    if any(not value.isdigit() for value in _fresh_identifiers(trace, later)):
        return True
    return effect is not None and _answer(first).keys() == _answer(later).keys() and not _moves_on(first, later)


def _moves_on(first: Exchange, later: Exchange) -> bool:
    """A state or a figure that is another each time it is asked for."""
    before, after = _answer(first), _answer(later)
    return any(before[path] != after.get(path) for path in before)


def _done_twice(effect: Effect | None, first: Exchange, later: Exchange) -> bool:
    before, after = _answer(first), _answer(later)
    if any(_is_a_report(answer) for answer in (before, after)):
        return False  # a program that was run again tells how things stand
    if before != after:
        return any(before.get(path) != after.get(path) for path in before.keys() | after.keys())
    if len(before) > _ACKNOWLEDGEMENT:
        return False  # the record came back as it was: the second time changed nothing
    given = {str(value) for _, value in leaves(first.call.arguments)}
    if any(looks_like_identifier(str(value)) and str(value) not in given for value in before.values()):
        return False  # the same receipt twice: the tool knew that it was one and the same
    return effect in ("reaches-outside", "destroys")


def _is_a_report(answer: Mapping[str, JSON]) -> bool:
    return any(isinstance(value, str) and (len(value) > _LINE or "\n" in value.strip()) for value in answer.values())


_LINE = 120


def _answer(exchange: Exchange) -> dict[str, JSON]:
    """The values of an answer, but for times, which differ whatever happens."""
    content = exchange.result.content if exchange.result else None
    return {path: value for path, value in leaves(content) if not (isinstance(value, str) and _TIME.search(value))}


def _fresh_identifiers(trace: Trace, exchange: Exchange) -> list[str]:
    """Identifiers that a result names first: the mark of something created."""
    content = exchange.result.content if exchange.result else None
    named = [str(value) for _, value in leaves(content) if not _TIME.search(str(value))]
    named = [value for value in named if looks_like_identifier(value)]
    first = _first_named(trace)
    return [value for value in named if first.get(canonical(value), exchange.at + 1) > exchange.at]


@once_per_trace
def _first_named(trace: Trace) -> dict[str, int]:
    """Each token of what was said, passed on and given back, with the place where first."""
    found: dict[str, int] = {}
    for at, event in enumerate(trace.events):
        match event:
            case Message(text=text):
                texts = [text]
            case ToolCall(arguments=content) | ToolResult(content=content):
                texts = [str(value) for _, value in leaves(content)]
            case _:
                texts = list[str]()
        for token in (token for text in texts for token in tokens(text)):
            found.setdefault(canonical(token), at)
    return found


def _created_alike(changes: Sequence[Change], call: ToolCall) -> int:
    """How many equal new records hold the values of a call: the largest such number in one table."""
    wanted = {sameness(value) for _, value in leaves(call.arguments) if value not in (None, "")}
    alike: dict[JSON, int] = {}
    for change in changes:
        if change.before is None and change.after is not None:
            held = {sameness(value) for _, value in leaves(change.after)}
            if wanted & held:
                content = tuple(
                    (name, sameness(value))
                    for name, value in sorted(change.after.items())
                    if value != change.key and not (isinstance(value, str) and _TIME.search(value))
                )
                alike[change.table, content] = alike.get((change.table, content), 0) + 1
    return max(alike.values(), default=0)


def _wanted_more_than_once(trace: Trace, first: Exchange, repeat: Exchange) -> bool:
    """The user said so: again, twice, two of what the tool is about."""
    tool = trace.tool_named.get(repeat.call.tool)
    # Where the tool is not described, the fields that it takes and gives say what it is about.
    fields = _field_names(repeat.call.arguments) | _field_names(repeat.result.content if repeat.result else None)
    about = set(content_stems(f"{repeat.call.tool} {tool.description if tool else ''} {' '.join(sorted(fields))}"))
    given = {str(value) for _, value in leaves(repeat.call.arguments)}
    for at, message in _user_messages(trace):
        if at > repeat.at:
            break
        text = _without(message, given)
        if _TWICE.search(text) or (at > first.at and _AGAIN.search(text)):
            return True
        for count in _COUNT.finditer(text):
            if count[1] not in given and about & set(content_stems(count[2])):
                return True
    return False


def _without(text: str, given: set[str]) -> str:
    """What was said beyond the words that were only to be passed on."""
    for passed_on in sorted(given, key=lambda each: (-len(each), each)):
        if len(passed_on) >= _QUOTED:
            text = text.replace(passed_on.strip(" .!"), " ")
    return text


_QUOTED = 8


def _field_names(content: JSON) -> set[str]:
    return {path.rpartition(".")[2].partition("[")[0] for path, _ in leaves(content)}


@once_per_trace
def _user_messages(trace: Trace) -> tuple[tuple[int, str], ...]:
    """Those in which somebody may ask for more than one of something."""
    return tuple(
        (at, message.text)
        for at, message in trace.messages
        if message.role == "user" and any(form.search(message.text) for form in (_TWICE, _AGAIN, _COUNT))
    )
