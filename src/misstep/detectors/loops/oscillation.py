"""Trace → stretches in which an agent goes back and forth between a few different calls, or undoes what it did."""

import re
from collections.abc import Iterator, Sequence

from misstep.core.event import Handoff
from misstep.core.finding import Finding
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import joined
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.news import news_from_users
from misstep.detectors.evidence.outcomes import call_key, effect_of, outcome, sameness
from misstep.detectors.evidence.rounds import rounds
from misstep.objectives.once import once_per_trace
from misstep.provenance.reading import leaves

_SEVERAL_TIMES = re.compile(
    r"\b(?:twice|thrice|(?:\d+|two|three|four|five|several|a few|many) (?:times|rounds|cycles)|repeatedly|alternat\w+"
    r"|toggl\w+|back and forth|on and off|up and down|again and again|over and over|cycl(?:e|ing))\b",
    re.IGNORECASE,
)
_ROUNDS = 3
"""To look at two things twice is to compare them."""
_ROUNDS_OF_EFFECTS = 2
"""What is set, set otherwise, set back and set otherwise again was a correction once, but not twice."""


@detector("oscillation", version=2)
def oscillation(trace: Trace) -> Iterator[Finding]:
    """Points at the calls of the later rounds; the first round is no misstep."""
    if len(trace.exchanges) >= 2 * _ROUNDS_OF_EFFECTS:
        found = back_and_forth(trace)
        yield from map(_finding, found)
        covered = {exchange.at for stretch in found for exchange in stretch}
        yield from (_finding(stretch) for stretch in _undone(trace) if stretch[0].at not in covered)
    yield from _passed_about(trace)


@once_per_trace
def back_and_forth(trace: Trace) -> tuple[tuple[Exchange, ...], ...]:
    """The stretches of calls that come round with the same outcomes though nothing new had come up."""
    if len(trace.exchanges) < 2 * _ROUNDS:
        return ()
    news = news_from_users(trace)
    steps = [
        (exchange.call.actor, news[exchange.at], call_key(exchange.call), _came(trace, exchange))
        for exchange in trace.exchanges
    ]
    return tuple(trace.exchanges[each.start : each.end] for each in rounds(steps, _ROUNDS))


def _came(trace: Trace, exchange: Exchange) -> JSON:
    """What changes something comes round when it is done again, whatever is said of it; a look only with its answer."""
    effect = effect_of(trace, exchange.call)
    came = outcome(exchange, effect)
    if came == "done" and effect not in (None, "reads"):
        return came
    return came, sameness(exchange.result.content) if exchange.result else None


def _undone(trace: Trace) -> Iterator[Sequence[Exchange]]:
    """Rounds of effects on one and the same thing, whatever was looked at in between."""
    done = [
        exchange
        for exchange in trace.exchanges
        if effect_of(trace, exchange.call) not in (None, "reads") and outcome(exchange) == "done"
    ]
    if len(done) < 2 * _ROUNDS_OF_EFFECTS:
        return
    turns = _turns(trace)
    steps = [(turns[exchange.at], call_key(exchange.call)) for exchange in done]
    for each in rounds(steps, _ROUNDS_OF_EFFECTS):
        stretch = done[each.start : each.end]
        if _SEVERAL_TIMES.search(heard(trace).last(stretch[0].at)):
            continue  # the user wanted it done and undone so often
        if set[JSON].intersection(*(_values(exchange) for exchange in stretch[: each.period])):
            yield stretch


def _turns(trace: Trace) -> Sequence[int]:
    """For each place, how often users had spoken: what a user asks for in turn is no oscillation."""
    spoken, counted = 0, list[int]()
    places = iter([*(at for at, message in trace.messages if message.role == "user"), len(trace.events)])
    following = next(places)
    for at in range(len(trace.events)):
        if at == following:
            spoken += 1
            following = next(places)
        counted.append(spoken)
    return counted


def _values(exchange: Exchange) -> set[JSON]:
    return {sameness(value) for _, value in leaves(exchange.call.arguments) if value not in (None, "", True, False)}


def _finding(stretch: Sequence[Exchange]) -> Finding:
    keys = [call_key(exchange.call) for exchange in stretch]
    period = keys.index(keys[0], 1)
    names = list(dict.fromkeys(exchange.call.tool for exchange in stretch[:period]))
    between = f"between {period} calls of {names[0]}" if len(names) == 1 else f"between {joined(names)}"
    return Finding(
        mode="oscillation",
        events=tuple(exchange.at for exchange in stretch[period:]),
        because=f"The agent went back and forth {between}, {len(stretch) // period} times round, "
        "with nothing gained in between.",
    )


def _passed_about(trace: Trace) -> Iterator[Finding]:
    """The same words handed round and round between agents."""
    passed = [(at, event) for at, event in enumerate(trace.events) if isinstance(event, Handoff)]
    if len(passed) < 2 * _ROUNDS:
        return
    news = news_from_users(trace)
    steps = [(news[at], event.actor, event.to, sameness(event.text)) for at, event in passed]
    for each in rounds(steps, _ROUNDS):
        stretch = passed[each.start : each.end]
        names = joined(dict.fromkeys(event.actor for _, event in stretch))
        yield Finding(
            mode="oscillation",
            events=tuple(at for at, _ in stretch[each.period :]),
            because=f"The same matter was handed round between {names} {each.whole} times in the same words.",
        )
