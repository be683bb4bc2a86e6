"""Trace → successes with nothing or only wreckage in them, on which the agent went on as on a full answer."""

import re
from collections.abc import Iterator, Mapping
from typing import cast

import msgspec

from misstep.core.finding import Finding
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.aftermath import aftermath, found_another_way, let_on, was_tried_again, went_on
from misstep.detectors.evidence.emptiness import is_empty
from misstep.detectors.evidence.misfits import misfits
from misstep.detectors.evidence.outcomes import effect_of, failed
from misstep.detectors.hallucination.fabricated_result import places_made_up
from misstep.provenance.reading import leaves, looks_like_identifier

_OPENS = re.compile(r"""\s*(?:\{\s*["']|\[\s*[\[{"'])""")
_CLOSES = ("}", "]")
_SAYS_NONE = re.compile(
    r"\b(?:no|none|nothing|nobody|empty|blank|without|not|missing|unclear|incomplete|never)\b|n't\b", re.IGNORECASE
)


@detector("silent-tool-failure", version=2)
def silent_tool_failure(trace: Trace) -> Iterator[Finding]:
    """Points at where the agent went on, then at the answer that was none."""
    if not any(message.role == "agent" for _, message in trace.messages):
        return
    for place, exchange in enumerate(trace.exchanges):
        why = _spoilt(trace, exchange)
        if not why or exchange.result_at is None:
            continue
        after = aftermath(trace, place)
        if was_tried_again(trace, exchange, after.later) or found_another_way(trace, exchange, after.later):
            continue
        if let_on(trace, exchange, after.spoken) or any(_SAYS_NONE.search(text) for _, text in after.spoken):
            continue
        on = went_on(trace, after.later, after.spoken)
        if on is not None and on not in places_made_up(trace):
            yield Finding(
                mode="silent-tool-failure",
                events=(on, exchange.result_at),
                because=f"{exchange.call.tool} answered with {why}, and the agent went on as if that were an answer.",
                confidence=0.75,
            )


def _spoilt(trace: Trace, exchange: Exchange) -> str:
    """What is wrong with an answer that calls itself a success; empty where nothing is."""
    result, effect = exchange.result, effect_of(trace, exchange.call)
    if result is None or failed(result, effect):
        return ""
    content = result.content
    if isinstance(content, str) and _OPENS.match(content):
        if not content.rstrip().endswith(_CLOSES):
            return "a text that breaks off in the middle"
        content = _parsed(content)
    tool = trace.tool_named.get(exchange.call.tool)
    if tool and tool.output_schema and misfits(tool.output_schema, content):
        return "something other than it promises"
    if effect == "reads" and _is_blank(content) and _asks_for_one(exchange):
        return "nothing"
    return ""


def _parsed(text: str) -> JSON:
    try:
        return cast("JSON", msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return text


def _is_blank(content: JSON) -> bool:
    """A record without values; an empty list may well be the answer."""
    if isinstance(content, Mapping):
        inner = cast("Mapping[str, JSON]", content).values()
        return all(each is None or each == "" for each in inner)
    return not isinstance(content, list) and content != "[]" and is_empty(content)


def _asks_for_one(exchange: Exchange) -> bool:
    """The call named one thing: of that there should be something to tell."""
    return any(isinstance(value, str) and looks_like_identifier(value) for _, value in leaves(exchange.call.arguments))
