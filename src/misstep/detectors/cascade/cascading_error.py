"""Trace → a bad value, with the path of calls and agents along which it was carried on and did more damage."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from misstep.core.event import Handoff, ToolCall
from misstep.core.finding import Finding
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import as_number, joined
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.assumptions import assumptions
from misstep.detectors.evidence.flow import argument_sources, resting_on, told_by_agents
from misstep.detectors.evidence.handed_values import handed_over, is_confirmed, key_of
from misstep.detectors.evidence.misreadings import misreadings
from misstep.detectors.evidence.outcomes import effect_of, failed, outcome, told
from misstep.detectors.hallucination.fabricated_argument import Invention, inventions
from misstep.detectors.hallucination.fabricated_result import places_made_up
from misstep.objectives.once import once_per_trace
from misstep.provenance.reading import canonical, leaves, tokens

_SHORTEST_TEXT = 12
_READ = 400
_LONGEST_PATH = 50
_MOST = 50


@detector("cascading-error", version=4)
def cascading_error(trace: Trace) -> Iterator[Finding]:
    """The events are the path: where the bad value came up, then everything that rests on it, in order."""
    yield from _of_error_texts(trace)
    yield from _of_told_inventions(trace)
    yield from _of_handed_values(trace)
    yield from _of_misreadings(trace)
    yield from _of_assumptions(trace)
    if any(message.role == "user" for _, message in trace.messages):
        for invention in inventions(trace):
            if (finding := _of_invention(trace, invention)) is not None:
                yield finding


def _of_invention(trace: Trace, invention: Invention) -> Finding | None:
    """An invented value that was taken, and on whose answer others then rest; or that another agent took over."""
    calls = _calls(trace)
    path = _carried(trace, invention.places)
    later = [at for at in path if at not in invention.places[:1]]
    taken = [at for at in path if _is_done(trace, calls[at])]
    spread = len({calls[at].call.tool for at in path}) > 1 or len(path) > len(invention.places)
    # What is refused goes no further: the damage is done by calls that worked.
    grows = len(later) >= 2 and len(taken) >= 2 and any(_acts(trace, calls[at]) for at in taken[1:])
    if not grows or not spread:
        return None
    value = invention.source.unknown or str(invention.source.value)
    return Finding(
        mode="cascading-error",
        events=tuple(path),
        because=f"{value[:60]!r}, which nobody had given, went into {calls[path[0]].call.tool} and was carried on "
        f"to {_names(trace, path[1:] or path)}.",
        confidence=0.75,
    )


def _carried(trace: Trace, first: Sequence[int]) -> list[int]:
    """The calls that used a value and all those that rest on their answers, in order."""
    calls, resting = _calls(trace), resting_on(trace)
    reached, waiting = set[int](first), list(first)
    while waiting and len(reached) < _LONGEST_PATH:
        exchange = calls[waiting.pop()]
        if exchange.result_at is None or not _is_done(trace, exchange):
            continue
        for at in resting.get(exchange.result_at, ()):
            if at not in reached:
                reached.add(at)
                waiting.append(at)
    return sorted(reached)


@once_per_trace
def _calls(trace: Trace) -> Mapping[int, Exchange]:
    return {exchange.at: exchange for exchange in trace.exchanges}


def _is_done(trace: Trace, exchange: Exchange) -> bool:
    return outcome(exchange, effect_of(trace, exchange.call)) == "done"


def _acts(trace: Trace, exchange: Exchange) -> bool:
    return effect_of(trace, exchange.call) not in ("reads", None)


def _names(trace: Trace, places: Sequence[int]) -> str:
    names = list(dict.fromkeys(_calls(trace)[at].call.tool for at in places))
    return joined(names) if len(names) <= 4 else f"{len(names)} more tools"


def _of_misreadings(trace: Trace) -> Iterator[Finding]:
    """A figure that was read wrongly went into a call, and from there into others or into what the user is told."""
    for wrong in misreadings(trace):
        users = _users_of(trace).get(wrong.told, ())
        places = [at for at in users if at > wrong.at and _is_done(trace, _calls(trace)[at])]
        path = _carried(trace, places) if places else []
        told = [at for at, message in trace.messages[-1:] if path and message.role == "agent" and at > path[-1]]
        if len(path) > 1 or (path and told):
            yield Finding(
                mode="cascading-error",
                events=(wrong.at, *path, *told),
                because=f"{wrong.told:g} was told where a tool had given {wrong.given}, and was carried on to "
                f"{_names(trace, path)}.",
                confidence=0.75,
            )


@once_per_trace
def _users_of(trace: Trace) -> Mapping[float, Sequence[int]]:
    """Each figure in the arguments of calls, with the places of the calls."""
    found: dict[float, list[int]] = {}
    for exchange in trace.exchanges:
        for _, value in leaves(exchange.call.arguments):
            texts = tokens(value) if isinstance(value, str) else [str(value)]
            for number in {number for text in texts if (number := as_number(text)) is not None}:
                found.setdefault(number, []).append(exchange.at)
    return found


def _of_told_inventions(trace: Trace) -> Iterator[Finding]:
    """What one agent made up, and another then acted on."""
    made_up = places_made_up(trace) if _is_a_crew(trace) else frozenset[int]()
    for at, given in argument_sources(trace).items() if made_up else ():
        exchange = _calls(trace)[at]
        if not _acts(trace, exchange) or not _is_done(trace, exchange):
            continue
        for each in given:
            place = told_by_agents(trace).get(canonical(str(each.value)))
            if place in made_up and place < at and trace.events[place].actor != exchange.call.actor:
                path = _carried(trace, [at])
                yield Finding(
                    mode="cascading-error",
                    events=(place, *path),
                    because=f"{str(each.value)[:60]!r}, which {trace.events[place].actor} had made up, was passed on "
                    f"to {_names(trace, path)} by {exchange.call.actor}.",
                    confidence=0.75,
                )
                break


def _of_handed_values(trace: Trace) -> Iterator[Finding]:
    """An id that a colleague handed over without having looked, on which somebody acted."""
    handed = handed_over(trace)
    used: set[str] = set()
    for exchange in trace.exchanges if handed else ():
        if not _acts(trace, exchange) or not _is_done(trace, exchange):
            continue
        for _, value in leaves(exchange.call.arguments):
            key = key_of(value)
            told_before = handed.get(key)
            if told_before is None or key in used or told_before.actor == exchange.call.actor:
                continue
            if told_before.at > exchange.at or is_confirmed(trace, told_before, exchange.at):
                continue
            used.add(key)
            path = _carried(trace, [exchange.at])
            yield Finding(
                mode="cascading-error",
                events=(told_before.at, *path),
                because=f"{str(value)[:60]!r}, which nobody had given {told_before.actor} and which it had looked up "
                f"nowhere, was passed on to {_names(trace, path)} by {exchange.call.actor}.",
                confidence=0.75,
            )


def _of_assumptions(trace: Trace) -> Iterator[Finding]:
    """What a look-up had left open was filled in by somebody, and further acts rest on that."""
    for each in assumptions(trace):
        path = _carried(trace, [each.at])
        taken = [at for at in path if _is_done(trace, _calls(trace)[at])]
        told = [each.told_at] if each.told_at is not None else []
        # One act may well be all; a colleague's word that is acted on is a step by itself.
        if any(_acts(trace, _calls(trace)[at]) for at in taken) and len(taken) + len(told) > 1:
            yield Finding(
                mode="cascading-error",
                events=(*told, *path),
                because=f"{each.value[:60]!r}, of which {each.asked} had given nothing, was filled in and carried on "
                f"to {_names(trace, path)}.",
                confidence=0.75,
            )


def _is_a_crew(trace: Trace) -> bool:
    return len({event.actor for event in trace.events if isinstance(event, ToolCall)}) > 0 and (
        len({message.actor for _, message in trace.messages if message.role == "agent"}) > 1
        or any(isinstance(event, Handoff) for event in trace.events)
    )


def _of_error_texts(trace: Trace) -> Iterator[Finding]:
    """What an error said, passed on as if it were the value that had been asked for."""
    errors: dict[str, int] = {}
    used: dict[int, list[int]] = {}
    calls = _calls(trace)
    answers = {exchange.result_at: exchange for exchange in trace.exchanges if exchange.result_at is not None}
    for at, event in enumerate(trace.events):
        exchange = answers.get(at)
        if exchange is not None and exchange.result and failed(exchange.result, effect_of(trace, exchange.call)):
            for text in (told(exchange.result, _READ), *_complaints(exchange.result.content)):
                if len(text) >= _SHORTEST_TEXT:
                    errors.setdefault(_bare(text), at)
        elif exchange is not None and exchange.result:
            for text in _complaints(exchange.result.content):
                errors.setdefault(_bare(text), at)
        elif errors and isinstance(event, ToolCall):
            for place in {errors[text] for text in _texts(event) if text in errors}:
                used.setdefault(place, []).append(at)
    for place, places in used.items():
        path = _carried(trace, places)
        taken = [at for at in path if _is_done(trace, calls[at])]
        if any(_acts(trace, calls[at]) for at in taken) or len(taken) >= 2:
            yield Finding(
                mode="cascading-error",
                events=(place, *path),
                because=f"The text of an error was passed on as a value to {_names(trace, path)}.",
                confidence=0.85,
            )


# What instruments and spreadsheets give where a value should stand.
_IN_PLACE_OF_VALUE = re.compile(
    r"\W*(?:err(?:or)?\b|#(?:n/a|ref|value|div/0|name)|(?:sensor|device|connection|reading|signal|value|data|service) "
    r"(?:error|failure|fault|offline|lost|unavailable|not available|timed out|missing)\b"
    r"|no (?:data|reading|signal|value)\b|not available\b|undefined\b|exception\b|timeout\b)",
    re.IGNORECASE,
)


def _complaints(content: JSON) -> Iterator[str]:
    for _, value in islice(leaves(content), _MOST):
        if isinstance(value, str) and len(value) >= _SHORTEST_TEXT and _IN_PLACE_OF_VALUE.match(value):
            yield value[:_READ]


def _texts(call: ToolCall) -> Iterator[str]:
    for _, value in leaves(call.arguments):
        if isinstance(value, str) and len(value) >= _SHORTEST_TEXT:
            yield _bare(value)


def _bare(text: str) -> str:
    return " ".join(text.casefold().split())[:_READ]
