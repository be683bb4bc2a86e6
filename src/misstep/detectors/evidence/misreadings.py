"""A trace → figures that an agent tells otherwise than they were given: digits changed, a mean beyond its numbers."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from misstep.core.event import Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.trace import Trace
from misstep.core.words import as_number
from misstep.detectors.evidence.named import named
from misstep.objectives.once import once_per_trace
from misstep.provenance.reading import leaves

_FIGURE = re.compile(r"(?<![\w.,:/-])[$€£]?(\d+(?:[.,]\d+)*)(?![\w:/]|[.,-]\d)")
# "The mean of 12 values" counts them: a plural after the figure says so.
_MEAN = re.compile(
    r"\b(?:mean|average|median)\b[^.;\n]{0,40}?(?:\b(?:is|of|was|at)|=|:)\s*(?P<figure>\d+(?:\.\d+)?)"
    r"(?![\w-]|\.\d|\s*[a-z]+s\b)",
    re.IGNORECASE,
)
_CONVERTS = re.compile(
    r"\b(?:mm|cm|dm|convert\w*|times|per|divided|multipl\w+|each|half|percent of|%\s*of|tax|vat|rounded?)\b|[*×/=]",
    re.IGNORECASE,
)
_MOST = 12
"""In an answer with more figures than these, two may be alike by chance."""
_LEAST = 2


class Misreading(NamedTuple):
    """Where it is told, what is told, and what had been given."""

    at: int
    told: float
    given: str
    given_at: int


@once_per_trace
def misreadings(trace: Trace) -> tuple[Misreading, ...]:
    """Each wrong figure once, where it comes up first."""
    found: dict[float, Misreading] = {}
    last: tuple[int, list[float]] = (-1, [])
    for at, event in enumerate(trace.events):
        if isinstance(event, ToolResult):
            last = (at, [] if event.is_error else _numbers(event))
        elif isinstance(event, ToolCall) or (isinstance(event, Message) and event.role == "user"):
            continue
        elif isinstance(event, (Message, Thought, Handoff)) and last[1]:
            for each in _told_otherwise(trace, at, event.text, last):
                found.setdefault(each.told, each)
    return tuple(found.values())


def _numbers(result: ToolResult) -> list[float]:
    values = [
        value for _, value in leaves(result.content) if isinstance(value, (int, float)) and type(value) is not bool
    ]
    return [float(value) for value in values] if len(values) <= _MOST else []


def _told_otherwise(trace: Trace, at: int, text: str, last: tuple[int, list[float]]) -> Iterator[Misreading]:
    given_at, given = last
    for match in _MEAN.finditer(text):
        mean = float(match["figure"])
        if len(given) > _LEAST and not min(given) <= mean <= max(given) and not named(trace).knows_number(mean, at):
            yield Misreading(at, mean, f"numbers from {min(given):g} to {max(given):g}", given_at)
    if _CONVERTS.search(text):
        return
    told = {number for match in _FIGURE.finditer(text) if (number := as_number(match[1])) is not None}
    for number in sorted(told):
        if not named(trace).knows_number(number, at):
            for each in given:
                if each not in told and _is_misread(number, each):
                    yield Misreading(at, number, f"{each:g}", given_at)


def _is_misread(told: float, given: float) -> bool:
    """The same digits in another order, or with the point one place off."""
    one, other = (f"{each:.10g}".replace(".", "") for each in (told, given))
    if len(set(other.strip("0"))) < _LEAST:
        return False
    shifted = one.strip("0") == other.strip("0") and max(told, given) == 10 * min(told, given)
    swapped = len(one) == len(other) > _LEAST and one != other and sorted(one) == sorted(other)
    return shifted or (swapped and sum(a != b for a, b in zip(one, other, strict=True)) == _LEAST)
