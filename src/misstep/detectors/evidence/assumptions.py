"""A trace → values in calls that fill in what a look-up had left open: made up by the caller, or by a colleague."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from misstep.core.event import Handoff, Message, ToolCall, ToolResult
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import atoms
from misstep.detectors.evidence.emptiness import is_empty
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.named import named, stands_before
from misstep.detectors.evidence.outcomes import effect_of, failed
from misstep.detectors.evidence.turnabouts import figures
from misstep.objectives.matching import number_in
from misstep.objectives.values import leaves as scalars
from misstep.provenance.reading import canonical, has_digit, leaves

_LEAST_DIGITS, _OF_AN_AGENT = 2, 3
_MOST = 200


class Assumption(NamedTuple):
    """Where a made-up value is used, which look-up had not given it, and where a colleague had told it, if one had."""

    at: int
    value: str
    asked: str
    told_at: int | None


def assumptions(trace: Trace) -> Iterator[Assumption]:
    """One for each call at most."""
    answers = {each.result_at: each for each in trace.exchanges if each.result_at is not None}
    empty: dict[str, str] = {}
    invented: dict[str, tuple[int, str, str]] = {}
    barren: Exchange | None = None
    for at, event in enumerate(trace.events):
        if isinstance(event, ToolResult) and (exchange := answers.get(at)) is not None:
            barren = exchange if _gave_nothing(trace, exchange) and not _gave_something(barren, exchange) else None
            _note(empty, exchange)
        elif isinstance(event, Message) and event.role == "user":
            empty.clear()
            barren = None
        elif isinstance(event, ToolCall):
            found = _filled_in(trace, at, event, empty) or _taken_over(trace, at, event, invented)
            if found is not None:
                yield found
        elif isinstance(event, (Message, Handoff)) and barren is not None:
            for key in _figures(trace, at, event):
                invented.setdefault(key, (at, event.actor, barren.call.tool))


def _gave_something(before: Exchange | None, now: Exchange) -> bool:
    """A second look-up, of something else, makes it hard to say which of the two was meant."""
    return before is not None and before.call.tool == now.call.tool and before.call.arguments != now.call.arguments


def _gave_nothing(trace: Trace, exchange: Exchange) -> bool:
    if exchange.result is None or effect_of(trace, exchange.call) != "reads":
        return False
    return failed(exchange.result, "reads") or is_empty(exchange.result.content)


def _note(empty: dict[str, str], exchange: Exchange) -> None:
    """The fields that a result leaves empty, until another one fills them."""
    content: JSON = exchange.result.content if exchange.result is not None else None
    for place, value in islice(leaves(content), _MOST):
        name = canonical(place.rpartition(".")[2])
        if value is None and name:
            empty[name] = exchange.call.tool
        else:
            _ = empty.pop(name, None)


def _filled_in(trace: Trace, at: int, call: ToolCall, empty: Mapping[str, str]) -> Assumption | None:
    """An argument of the very name of a field that was empty, with a value that nobody had named."""
    for name, value in scalars(call.arguments) if empty else ():
        asked = empty.get(canonical(name))
        if asked is None or isinstance(value, bool) or sum(map(str.isdigit, str(value))) < _LEAST_DIGITS:
            continue
        if not _is_known(trace, at, value, call.actor):
            return Assumption(at, str(value), asked, None)
    return None


def _figures(trace: Trace, at: int, event: Message | Handoff) -> Sequence[str]:
    """The figures and ids that a colleague tells and that nobody had named."""
    if isinstance(event, Message) and (event.role != "agent" or event.to in (None, "user")):
        return ()
    told = [atom.text for atom in atoms(event.text[:2000]) if atom.kind in ("number", "code")]
    long = [each for each in told if sum(map(str.isdigit, each)) >= _OF_AN_AGENT]
    return [canonical(each) for each in long if not _is_known(trace, at, each, event.actor)]


def _taken_over(
    trace: Trace, at: int, call: ToolCall, invented: Mapping[str, tuple[int, str, str]]
) -> Assumption | None:
    if not invented or effect_of(trace, call) in ("reads", None):
        return None
    for _, value in scalars(call.arguments):
        told_at, actor, asked = invented.get(
            canonical(f"{value:g}" if isinstance(value, float) else str(value)), (0, "", "")
        )
        if asked and actor != call.actor and not heard(trace).between(told_at, at):
            return Assumption(at, str(value), asked, told_at)
    return None


def _is_known(trace: Trace, at: int, value: JSON, actor: str) -> bool:
    number, text = number_in(value), str(value)
    if number is not None and named(trace).knows_number(number, at):
        return True
    if number is not None and any(f"number {number:g}" in figures(said) for said in heard(trace).recent(at)):
        return True
    if heard(trace).says(value, at) or named(trace).knows(text, at, ""):
        return True
    return has_digit(text) and len(text) >= _OF_AN_AGENT and stands_before(trace, at, text, actor)
