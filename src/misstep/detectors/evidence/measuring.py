"""A limit and a call → whether a number, a day or a time of the call, or of the record that it picks, passes it."""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.evidence.constraint import Constraint
from misstep.detectors.evidence.limits import ordinals
from misstep.detectors.evidence.outcomes import failed
from misstep.detectors.evidence.records import record_of
from misstep.detectors.evidence.standing import Standing
from misstep.objectives.matching import number_in
from misstep.objectives.times import times_named
from misstep.objectives.values import leaves, says
from misstep.objectives.vocabulary import ToolWords, meaning, vocabulary, widened

_MONEY = frozenset(meaning("price cost amount total fare fee rate sum charge"))
_MEASURES = frozenset(
    meaning("degree degrees percent minute minutes hour hours celsius kilo kg gram km mile metre litre")
)
_LENGTH = " count"
_PAYS = frozenset(meaning("euro euros eur dollar dollars usd pound pounds gbp money budget spend pay cost price"))

Measured = list[tuple[str, float]]
"""Names of fields with what they hold, in the measure of the limit."""


def passes_limit(trace: Trace, each: Standing, exchange: Exchange, tool: ToolWords) -> bool:
    """The limit was set for this act, and what the call passes on lies beyond it."""
    constraint = each.constraint
    if not _is_set_for(trace, each, tool):
        return False
    if constraint.measure != "number":
        return _passes_in_time(trace, constraint, exchange)
    own, strictly = _numbers(exchange.call.arguments), not each.by_user
    picked = _picked(trace, exchange, _numbers)
    numbers: Measured = []
    if _is_money(constraint) or (not strictly and not _PAYS.isdisjoint(constraint.stems)):
        numbers = _of_money(own) or _of_money(picked)
        if not numbers and each.by_user:
            numbers = _came_to(trace, exchange)
    numbers = numbers or _meant(own, constraint, strictly=strictly) or _meant(picked, constraint, strictly=strictly)
    alone = [pair for pair in own if not pair[0].endswith(_LENGTH) and not _counts_something(pair[0], constraint)]
    if not numbers and len(alone) == 1 and _may_count(constraint, tool, by_user=each.by_user):
        numbers = alone
    return bool(numbers) and all(constraint.broken_by(number) for _, number in numbers)


def _is_set_for(trace: Trace, each: Standing, tool: ToolWords) -> bool:
    """The words around the limit speak of what the tool does, or at least of nothing that another tool does."""
    stems = frozenset(each.constraint.stems)
    about = stems | frozenset(meaning(each.message)) if each.by_user else stems
    if not widened(tool.acts).isdisjoint(about) or not tool.named.isdisjoint(stems):
        return True
    return each.by_user and not any(
        not other.acts.isdisjoint(stems) for other in vocabulary(trace).effectful if other.name != tool.name
    )


def _may_count(constraint: Constraint, tool: ToolWords, *, by_user: bool) -> bool:
    """The only number of a call can be what the limit counts: money, a plain measure, or what the tool is about."""
    if _is_money(constraint):
        return True
    if not constraint.unit:
        return by_user or not (tool.named - tool.acts).isdisjoint(constraint.stems)
    return by_user and not tool.all.union(_MEASURES).isdisjoint(constraint.unit)


def _passes_in_time(trace: Trace, constraint: Constraint, exchange: Exchange) -> bool:
    read = _days if constraint.measure == "day" else _times
    own = read(exchange.call.arguments)
    if own:
        return any(constraint.broken_by(number) for _, number in own)
    picked = _picked(trace, exchange, read)
    return bool(picked) and all(constraint.broken_by(number) for _, number in picked)


def _days(value: JSON) -> Measured:
    return [
        (name, day)
        for name, leaf in leaves(value)
        if isinstance(leaf, str) and len(leaf) <= 32
        for day in ordinals(leaf)
    ]


def _times(value: JSON) -> Measured:
    found: Measured = []
    for name, leaf in leaves(value):
        if isinstance(leaf, str) and len(leaf) <= 32:
            times = times_named(leaf[11:] if leaf[:4].isdigit() and len(leaf) > 11 else leaf)
            found += [(name, hour * 60.0 + minute) for hour, minute in times] if len(times) == 1 else []
    return found


def _numbers(value: JSON) -> Measured:
    """The numbers, and the lengths of the lists."""
    found = [
        (name, number)
        for name, leaf in leaves(value)
        if (number := number_in(_amount(leaf) if isinstance(leaf, str) else leaf)) is not None
    ]
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, JSON]", value).items():
            if isinstance(inner, (list, tuple)):
                found.append((f"{name}{_LENGTH}", float(len(cast("Sequence[JSON]", inner)))))
    return found


def _amount(text: str) -> str | None:
    """The figure of a sum of money that is written out."""
    match = _SUM.fullmatch(text.strip()) if len(text) <= _SHORT else None
    return (match["before"] or match["after"]) if match else None


_SHORT = 20
_SUM = re.compile(
    r"(?:[€$£]|EUR|USD|GBP)\s?(?P<before>\d[\d,.]*)|(?P<after>\d[\d,.]*)\s?(?:[€$£]|EUR|USD|GBP|euros?|dollars?|pounds?)",
    re.IGNORECASE,
)


def _is_money(constraint: Constraint) -> bool:
    return not _PAYS.isdisjoint(constraint.unit) or any(sign in constraint.text for sign in "€$£")


def _meant(numbers: Measured, constraint: Constraint, *, strictly: bool) -> Measured:
    """Those whose field is named in the words of the limit."""
    stems = set(constraint.unit) if strictly or constraint.unit else set(constraint.stems)
    named = [pair for pair in numbers if not stems.isdisjoint(meaning(pair[0]))]
    if named:
        return named
    numbers = [pair for pair in numbers if not pair[0].endswith(_LENGTH)]
    return [] if strictly else [pair for pair in numbers if not set(constraint.stems).isdisjoint(meaning(pair[0]))]


def _of_money(numbers: Measured) -> Measured:
    return [pair for pair in numbers if not _MONEY.isdisjoint(meaning(pair[0]))]


def _counts_something(name: str, constraint: Constraint) -> bool:
    """Guests are no euros: what a field counts in so many words is nothing that is paid."""
    return _is_money(constraint) and not _COUNTED.isdisjoint(meaning(name))


_COUNTED = frozenset(
    meaning(
        "guests people persons adults children passengers nights days hours minutes quantity count pieces items bags"
    )
)


def _came_to(trace: Trace, exchange: Exchange) -> Measured:
    """What the act turned out to cost, where the agent kept that to itself."""
    result = exchange.result
    if result is None or failed(result, "writes"):
        return []
    numbers = _of_money(_numbers(result.content))
    if not numbers:
        return []
    first = bisect_left(trace.messages, exchange.at, key=lambda each: each[0])
    told = [message.text for _, message in trace.messages[first : first + _NEXT] if message.role == "agent"]
    return [pair for pair in numbers if not any(says(text, pair[1]) for text in told)]


_NEXT = 4


def _picked(trace: Trace, exchange: Exchange, read: Callable[[JSON], Measured]) -> Measured:
    """What one record of an earlier look-up holds, where the call names that record by a key of its own."""
    for _, value in leaves(exchange.call.arguments):
        listed = record_of(trace, value, exchange.at)
        if listed is not None and len(listed.beside) > 1:
            return read(listed.record)
    return []
