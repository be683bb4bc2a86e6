"""A call → what the user had ruled out of which it picks one all the same: a day of the week, or some property."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import atoms, split_identifier
from misstep.detectors.evidence.constraint import Constraint
from misstep.detectors.evidence.exclusions import Exclusion, exclusions
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.look_ups import is_look_up
from misstep.detectors.evidence.records import record_of
from misstep.detectors.evidence.standing import Standing
from misstep.detectors.evidence.weekdays import When, names_weekday, times_of, when
from misstep.effects.guessing import told_effect
from misstep.objectives.consent import consented
from misstep.objectives.dates import days_named
from misstep.objectives.once import once_per_trace
from misstep.objectives.proposals import declines
from misstep.objectives.times import times_named
from misstep.objectives.values import is_identifying, leaves, says
from misstep.objectives.vocabulary import ToolWords, meaning, widened

_FIRST, _LATEST = 5, 15
"""So many are looked at for one call."""
_ENDING = widened(meaning("cancel delete close return refund decline reject release free remind"))
_SPAN = frozenset("week month from until till since after before by".split())
_WITHOUT = frozenset("non no not without free un less".split())


class _Set(NamedTuple):
    """An exclusion, and the message that set it."""

    at: int
    exclusion: Exclusion
    message: str


@once_per_trace
def _all(trace: Trace) -> tuple[list[_Set], list[int]]:
    users = heard(trace)
    found = [
        _Set(at, each, text) for at, text in zip(users.places, users.texts, strict=True) for each in exclusions(text)
    ]
    return found, [each.at for each in found]


def picked_against(trace: Trace, exchange: Exchange, tool: ToolWords) -> Standing | None:
    """The first exclusion that what the call picks falls under, unless the user chose it."""
    found, places = _all(trace)
    end = bisect_left(places, exchange.at)
    if not end or tool.effect == "reaches-outside" or _ends_something(trace, tool) or is_look_up(trace, exchange):
        return None
    for each in (*found[: min(end, _FIRST)], *found[max(_FIRST, end - _LATEST) : end]):
        picked = _breaking(trace, exchange, each.exclusion)
        if picked and not _was_chosen(trace, exchange, each, picked):
            constraint = Constraint("thing", each.exclusion.text, tuple(sorted(each.exclusion.stems)))
            return Standing(each.at, constraint, each.message, True)
    return None


def _ends_something(trace: Trace, tool: ToolWords) -> bool:
    known = trace.tool_named.get(tool.name)
    return not tool.acts.isdisjoint(_ENDING) or (known is not None and _says_destroys(known.name, known.description))


@lru_cache(maxsize=4096)
def _says_destroys(name: str, description: str) -> bool:
    return told_effect(name, description) == "destroys"


def _breaking(trace: Trace, exchange: Exchange, exclusion: Exclusion) -> Sequence[Mapping[str, JSON]]:
    """What was picked, in the words of the call or of the records that it names, where that is what was ruled out."""
    records = list(_picked(trace, exchange))
    if exclusion.days:
        own = [(name, said) for name, said in times_of(exchange.call.arguments) if said.weekday is not None]
        if own:
            meant = [said for name, said in own if _SPAN.isdisjoint(split_identifier(name))]
            return [exchange.call.arguments] if _fall_on(meant, exclusion) else []
        dated = [(each, [said for _, said in times_of(each)]) for each in records]
        dated = [(each, times) for each, times in dated if any(said.weekday is not None for said in times)]
        return [each for each, _ in dated] if dated and all(_fall_on(times, exclusion) for _, times in dated) else []
    return [each for each in (exchange.call.arguments, *records) if _says_all(each, exclusion.stems)]


def _fall_on(times: Sequence[When], exclusion: Exclusion) -> bool:
    return any(each.weekday in exclusion.days for each in times)


def _picked(trace: Trace, exchange: Exchange) -> Iterator[Mapping[str, JSON]]:
    """The records that the call names by a key of their own, of those that were listed beside others."""
    for _, value in leaves(exchange.call.arguments):
        listed = record_of(trace, value, exchange.at)
        if listed is not None and len(listed.beside) > 1:
            yield listed.record


def _says_all(record: Mapping[str, JSON], stems: frozenset[str]) -> bool:
    """One of its values says it; or it is so by the name of a field."""
    for name, value in leaves(record):
        if value is True:
            parts = split_identifier(name)
            said = frozenset(meaning(name)) if _WITHOUT.isdisjoint(parts) else frozenset[str]()
        elif isinstance(value, str) and len(value) <= _LONGEST and _WITHOUT.isdisjoint(value.lower().split()):
            said = frozenset(meaning(value))
        else:
            continue
        if stems <= said or (not stems.isdisjoint(said) and stems <= said | frozenset(meaning(name))):
            return True
    return False


_LONGEST = 80


def _was_chosen(trace: Trace, exchange: Exchange, each: _Set, picked: Sequence[Mapping[str, JSON]]) -> bool:
    """The user named it, spoke of such a day since, or heard of it from the agent and did not object."""
    users = heard(trace)
    since = users.between(each.at, exchange.at)[-_RECENT:]
    if consented(trace, exchange.at) or (each.exclusion.once and any(map(_speaks_of_time, since))):
        return True
    if any(_names(text, picked) or names_weekday(text, each.exclusion.days) for text in since):
        return True
    if any(says(each.message, value) for one in picked for _, value in leaves(one) if _is_code(value)):
        return True
    last = users.last_at(exchange.at)
    if last is None or last[0] <= each.at or declines(last[1]):
        return False
    first = bisect_left(trace.messages, each.at, key=lambda pair: pair[0])
    end = bisect_left(trace.messages, last[0], key=lambda pair: pair[0])
    told = [message.text for _, message in trace.messages[max(first, end - _TALK) : end] if message.role == "agent"]
    return any(_names(text, picked) for text in told)


_TALK, _RECENT = 12, 40


def _names(text: str, picked: Sequence[Mapping[str, JSON]]) -> bool:
    """A text names what was picked: by its id, its day or its time."""
    times, days = times_named(text), _days_in(text)
    for one in picked:
        if any(says(text, value) for _, value in leaves(one) if _is_code(value)):
            return True
        for _, said in times_of(one):
            if not said.times.isdisjoint(times) or (said.day is not None and said.day[1:] in days):
                return True
    return False


def _is_code(value: JSON) -> bool:
    return isinstance(value, str) and is_identifying(value) and when(value) is None


def _days_in(text: str) -> set[tuple[int, int]]:
    return {day[1:] for atom in atoms(text) if atom.kind == "date" for day in days_named(atom.text)}


def _speaks_of_time(text: str) -> bool:
    return (
        bool(_days_in(text) or times_named(text)) or names_weekday(text, frozenset(range(7))) or "week" in text.lower()
    )
