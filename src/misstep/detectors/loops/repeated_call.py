"""Trace → runs of one and the same call with one and the same outcome, while nothing new had come up."""

from collections.abc import Iterator

from msgspec import Struct

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import content_stems
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.outcomes import Outcome, call_key, effect_of, outcome, sameness
from misstep.detectors.loops.oscillation import back_and_forth
from misstep.objectives.once import once_per_trace

_LOOP = 3
_LOOP_OF_RETRIES = 4
"""Two retries of what may pass are good manners."""


class _Run(Struct):
    """Equal calls with equal outcomes, as long as nothing new comes up."""

    places: list[int]
    outcome: Outcome
    content: JSON
    news: int
    """How much news there had been by its latest call."""


_PATIENT = 10
"""So often one may ask whether something is ready: that the answer changes shows that it was worth asking."""


@detector("repeated-call", version=3)
def repeated_call(trace: Trace) -> Iterator[Finding]:
    """Points at the repeats; the first call of a run is no misstep. What goes back and forth is another mode's."""
    yield from calls_repeated(trace)


@once_per_trace
def calls_repeated(trace: Trace) -> tuple[Finding, ...]:
    """What the detector finds, for others to look up."""
    return tuple(_found(trace))


def _found(trace: Trace) -> Iterator[Finding]:
    if len(trace.exchanges) < _LOOP:
        return
    rounds = {exchange.at for stretch in back_and_forth(trace) for exchange in stretch}
    for tool, run in _runs(trace):
        least = _LOOP_OF_RETRIES if run.outcome in ("later", "unknown") else _LOOP
        if len(run.places) >= least and not rounds.issuperset(run.places):
            yield Finding(
                mode="repeated-call",
                events=tuple(run.places[1:]),
                because=f"{tool} was called {len(run.places)} times with the same arguments and the same outcome, "
                "and nothing new had come up in between.",
            )


def _runs(trace: Trace) -> Iterator[tuple[str, _Run]]:
    exchanges = {exchange.at: exchange for exchange in trace.exchanges}
    running: dict[tuple[str, JSON], _Run] = {}
    heard: set[str] = set()
    news = 0
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            fresh = set(content_stems(event.text)) - heard
            heard |= fresh
            news += bool(fresh)
        elif isinstance(event, ToolCall):
            key, exchange = call_key(event), exchanges[at]
            run = running.get(key)
            effect = effect_of(trace, event)
            came = outcome(exchange, effect)
            content = _content(exchange)
            if run and run.news == news and run.outcome == came and run.content == content:
                run.places.append(at)
                continue
            waited = run and run.news == news and run.outcome == came == "done" and len(run.places) <= _PATIENT
            if run and not waited:
                yield event.tool, run
            # What changes something may change any answer; the run's own first call is no news to itself.
            news += came == "done" and effect != "reads" and (effect is not None or run is None)
            running[key] = _Run([at], came, content, news)
    for (tool, _), run in running.items():
        yield tool, run


def _content(exchange: Exchange) -> JSON:
    result: ToolResult | None = exchange.result
    return sameness(result.content) if result else None
