"""Tool results → the records in them, and for a value that a call passes on, the record that it stands for."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.objectives.matching import plain
from misstep.objectives.once import once_per_trace
from misstep.objectives.values import leaves
from misstep.objectives.vocabulary import effect_of

Record = Mapping[str, JSON]


class Listed(NamedTuple):
    """A record with the others that were listed beside it."""

    at: int
    record: Record
    beside: Sequence[Record]


def records_in(content: JSON, depth: int = 2) -> Sequence[Record]:
    """The list of records in a result: itself, or the first in one of its fields."""
    if isinstance(content, list):
        items = cast("list[JSON]", content)
        return [cast("Record", item) for item in items] if all(isinstance(item, Mapping) for item in items) else []
    if isinstance(content, Mapping) and depth:
        for inner in cast("Record", content).values():
            if isinstance(inner, (list, Mapping)) and (found := records_in(cast("JSON", inner), depth - 1)):
                return found
    return []


@once_per_trace
def _by_value(trace: Trace) -> dict[str, list[Listed]]:
    """Each short text that records of look-ups hold, with those records; a record of one is a record too."""
    found: dict[str, list[Listed]] = {}
    for exchange in trace.exchanges:
        result = exchange.result
        if result is None or result.is_error:
            continue
        listed = records_in(result.content)
        if len(listed) < 2 and effect_of(trace, exchange.call.tool) != "reads":
            continue  # what answers with a list was asked for one, whatever it is said to do
        if not listed and isinstance(result.content, Mapping):
            listed = [cast("Record", result.content)]
        for record in listed:
            for value in {plain(value) for _, value in leaves(record) if isinstance(value, str) and len(value) <= 80}:
                found.setdefault(value, []).append(Listed(exchange.at, record, listed))
    return found


def record_of(trace: Trace, value: JSON, before: int) -> Listed | None:
    """The latest record that a value picks out alone among those that were listed with it."""
    if not isinstance(value, str):
        return None
    for each in reversed(_by_value(trace).get(plain(value), ())[-50:]):
        if each.at < before:
            holding = sum(any(plain(str(leaf)) == plain(value) for _, leaf in leaves(other)) for other in each.beside)
            return each if holding == 1 else None
    return None
