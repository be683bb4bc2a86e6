"""Trace → calls whose arguments are no JSON object, or do not fit the form that the tool asks for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct

from misstep.core.event import ToolCall
from misstep.core.finding import Finding
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.misfits import Misfit, misfits
from misstep.detectors.evidence.outcomes import effect_of, failed, told

_READ = 1500
# How parsers and frameworks put it, whatever the tool is about.
_COMPLAINT = re.compile(
    r"\bunexpected keyword argument\b|\bgot an unexpected argument\b|\bmissing \d+ required (?:positional|keyword)"
    r"|\bis a required property\b|\bis not of type ['\"]|\bAdditional properties are not allowed\b"
    r"|\b(?:invalid|malformed|failed to (?:parse|decode)|could not (?:parse|decode)|cannot parse)\b.{0,30}"
    r"\b(?:tool|function|call)?\s?arguments\b|\barguments\b.{0,40}\bnot (?:a )?valid JSON\b"
    r"|\b\d+ validation errors? for\b|\bInput should be a(?:n)? (?:valid )?\w+|\bField required\b"
    r"|\bmissing (?:a )?required (?:argument|parameter|field|property|input)\b"
    r"|\brequired (?:argument|parameter|field|property|input)s?\b.{0,40}\b(?:missing|not (?:given|provided))\b",
    re.IGNORECASE,
)


class _Wrong(Struct, frozen=True):
    """What is wrong with a call."""

    because: str
    sure: float


@detector("malformed-argument", version=2)
def malformed_argument(trace: Trace) -> Iterator[Finding]:
    """One finding for each such call: each of them was written anew, and each of them failed."""
    for exchange in trace.exchanges:
        if (wrong := _wrong(trace, exchange)) is not None:
            yield Finding(
                mode="malformed-argument", events=(exchange.at,), because=wrong.because, confidence=wrong.sure
            )


def _wrong(trace: Trace, exchange: Exchange) -> _Wrong | None:
    call, result = exchange.call, exchange.result
    went_wrong = result is not None and failed(result, effect_of(trace, call))
    if call.malformed is not None:
        return _Wrong(f"{call.tool} was called with arguments that are no JSON object.", 0.95)
    tool = trace.tool_named.get(call.tool)
    wrong = misfits(tool.input_schema, call.arguments) if tool else ()
    wrong = wrong if went_wrong else [each for each in wrong if not _is_let_pass(call, each)]
    if wrong:
        said = "; ".join(each.told for each in wrong)
        return _Wrong(f"The arguments of {call.tool} do not fit its schema: {said}.", 0.95 if went_wrong else 0.75)
    if result is not None and went_wrong and (complaint := _COMPLAINT.search(told(result, _READ))):
        said = " ".join(complaint.group().split())
        return _Wrong(f"{call.tool} could not read its arguments: it said “{said}”.", 0.85)
    return None


def _is_let_pass(call: ToolCall, misfit: Misfit) -> bool:
    """A null for what could have been left out, a number in quotes or a text without: tools often do not mind."""
    value = _at(call.arguments, misfit.path)
    if misfit.keyword not in ("type", "anyOf", "enum"):
        return False
    return not isinstance(value, (str, list, dict)) or (isinstance(value, str) and _PLAIN.fullmatch(value) is not None)


_PLAIN = re.compile(r"\s*(?:[+-]?\d+(?:\.\d+)?|true|false)\s*", re.IGNORECASE)


def _at(value: JSON, path: Sequence[str | int]) -> JSON:
    here: JSON = value
    for step in path:
        if isinstance(here, Mapping):
            here = cast("Mapping[str, JSON]", here).get(str(step))
        elif isinstance(here, list) and isinstance(step, int):
            items = cast("list[JSON]", here)
            here = items[step] if step < len(items) else None
    return cast("JSON", here)
