"""Trace → successes with nothing or only wreckage in them, on which the agent went on as on a full answer."""

import re
from collections.abc import Iterator, Mapping
from typing import cast

import msgspec

from misstep.core.event import ToolCall
from misstep.core.finding import Finding
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import sentences, split_identifier, words
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.aftermath import aftermath, found_another_way, owned_up, was_tried_again, went_on
from misstep.detectors.evidence.cut_off import breaks_off, is_a_part, is_told_as_a_part
from misstep.detectors.evidence.emptiness import is_empty
from misstep.detectors.evidence.flow import resting_on
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.misfits import misfits
from misstep.detectors.evidence.outcomes import effect_of, failed
from misstep.detectors.evidence.trouble import tells_of_trouble
from misstep.detectors.hallucination.fabricated_result import places_made_up
from misstep.objectives.vocabulary import lemma, vocabulary
from misstep.provenance.reading import leaves, looks_like_identifier

_OPENS = re.compile(r"""\s*(?:\{\s*["']|\[\s*[\[{"'])""")
_CLOSES = ("}", "]")
_SAYS_NONE = re.compile(
    r"\b(?:no|none|nothing|nobody|empty|blank|without|not|missing|unclear|incomplete|never|instead|html|web page"
    r"|sign[- ]?in|log[- ]?in)\b|n't\b",
    re.IGNORECASE,
)

# With no answer at all, "there are none" is no admission; these are.
_ADMITS = re.compile(
    r"\b(?:nothing|empty|blank|missing|unclear|unknown|unavailable|unable|incomplete|fail\w*|errors?|sorry|"
    r"unfortunately|no (?:answer|reply|response|data|records?|results?|entry|entries|information)"
    r"|not (?:found|clear|sure|known|available|answer|respond))\b|\b(?:could|can|did|does)(?:n't|not| not)\b|\?",
    re.IGNORECASE,
)
_GARBLED = re.compile(r"[\ufffd\x00-\x08\x0e-\x1a]")
_READ = 4000
_OWN_WORD = frozenset({"partial", "stale", "degraded"})
"""What an answer says of itself when it is not all of what was asked for."""


@detector("silent-tool-failure", version=4)
def silent_tool_failure(trace: Trace) -> Iterator[Finding]:
    """Points at where the agent went on, then at the answer that was none."""
    if not any(message.role == "agent" for _, message in trace.messages):
        return
    for place, exchange in enumerate(trace.exchanges):
        if (part := _cut_off(trace, exchange)) and (finding := _taken_for_whole(trace, place, part)) is not None:
            yield finding
            continue
        why = _spoilt(trace, exchange)
        if not why or exchange.result_at is None:
            continue
        after = aftermath(trace, place)
        if was_tried_again(trace, exchange, after.later) or found_another_way(trace, exchange, after.later):
            continue
        # To repeat what is left of an answer is not to say that the rest is missing.
        on = went_on(trace, after.later, after.spoken)
        if _met_its_condition(trace, exchange, on):
            if any(_ADMITS_NO_ANSWER.search(text) for _, text in after.spoken):
                continue
        elif _built_on_nothing(trace, exchange, on):
            if any(_ADMITS.search(text) for text in (_told_by(trace, on), *(text for _, text in after.spoken))):
                continue
        elif owned_up(after.spoken) or any(_SAYS_NONE.search(text) for _, text in after.spoken):
            continue
        if on is not None and on not in places_made_up(trace):
            yield Finding(
                mode="silent-tool-failure",
                events=(on, exchange.result_at),
                because=f"{exchange.call.tool} answered with {why}, and the agent went on as if that were an answer.",
                confidence=0.75,
            )


def _cut_off(trace: Trace, exchange: Exchange) -> str:
    """What shows that there is more of an answer than came; empty where nothing does."""
    result, effect = exchange.result, effect_of(trace, exchange.call)
    if result is None or exchange.result_at is None or effect not in ("reads", None) or failed(result, effect):
        return ""
    return breaks_off(trace, exchange) or is_a_part(trace, exchange)


def _taken_for_whole(trace: Trace, place: int, why: str) -> Finding | None:
    """The rest was not fetched, nor was the user told that it is missing."""
    exchange, after = trace.exchanges[place], aftermath(trace, place)
    if exchange.result_at is None or was_tried_again(trace, exchange, after.later):
        return None
    if any(_looks_elsewhere(trace, exchange, each) for each in after.later):
        return None
    on = went_on(trace, after.later, after.spoken)
    told = (_told_by(trace, on), *(text for _, text in after.spoken))
    if on is None or any(is_told_as_a_part(text) or tells_of_trouble(text) for text in told):
        return None
    if not any("?" not in part for _, text in after.spoken for part in sentences(text)):
        return None
    return Finding(
        mode="silent-tool-failure",
        events=(on, exchange.result_at),
        because=f"{exchange.call.tool} answered with {why}, and the agent went on as if that were all.",
        confidence=0.75,
    )


def _looks_elsewhere(trace: Trace, exchange: Exchange, later: Exchange) -> bool:
    """A look-up that does not rest on the part itself, or is about where it breaks off, may have brought the rest."""
    if effect_of(trace, later.call) not in ("reads", None) or exchange.result_at is None or exchange.result is None:
        return False
    if later.at not in resting_on(trace).get(exchange.result_at, ()):
        return True
    content = exchange.result.content
    end = content.rpartition("\n")[2] if isinstance(content, str) else ""
    return any(str(value) in end for _, value in leaves(later.call.arguments))


def _built_on_nothing(trace: Trace, exchange: Exchange, on: int | None) -> bool:
    """There was no answer at all, not even an empty list, and the agent acted in words on what it should have said."""
    if exchange.result is None or not _is_nothing(exchange.result.content) or on is None:
        return False
    event = trace.events[on]
    return isinstance(event, ToolCall) and any(
        isinstance(value, str) and value.count(" ") >= _A_FEW_WORDS for _, value in leaves(event.arguments)
    )


_A_FEW_WORDS = 3


def _met_its_condition(trace: Trace, exchange: Exchange, on: int | None) -> bool:
    """There was no answer at all, and the agent did what the user had made dependent on one."""
    if exchange.result is None or not _is_nothing(exchange.result.content) or on is None:
        return False
    return isinstance(trace.events[on], ToolCall) and _CONDITION.search(heard(trace).last(exchange.at)) is not None


_CONDITION = re.compile(r"\b(?:if|unless|provided|as long as|only when|in case|once|depending on)\b", re.IGNORECASE)
_ADMITS_NO_ANSWER = re.compile(
    r"\b(?:no|without an?) (?:answer|reply|response|data|record|result|entry|entries|information|reading)s?\b|\bempty\b"
    r"|\bblank\b|\bcame back\b|\b(?:could|can|did)(?:n't| ?not)\b|\bunable\b|\bunavailable\b|\bfail\w*|\berrors?\b"
    r"|\bunfortunately\b|\bunclear\b|\bunknown\b|\bshowed nothing\b|\bassum\w+",
    re.IGNORECASE,
)


def _told_by(trace: Trace, at: int | None) -> str:
    event = trace.events[at] if at is not None else None
    return " ".join(str(value) for _, value in leaves(event.arguments)) if isinstance(event, ToolCall) else ""


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
    if isinstance(content, str) and _PAGE.match(content) and effect == "reads" and not _is_about_pages(trace, exchange):
        return "a web page in place of what was asked for"
    tool = trace.tool_named.get(exchange.call.tool)
    if tool and tool.output_schema and misfits(tool.output_schema, content):
        return "something other than it promises"
    if _is_garbled(content):
        return "a text that came through garbled"
    if _calls_itself_a_part(content):
        return "what it calls itself only a part, or out of date"
    if effect == "reads" and _is_blank(content, exchange) and _asks_for_one(exchange):
        return "nothing"
    if _is_nothing(content) and effect in ("reads", None) and _is_asked_about(trace, exchange):
        return "nothing"
    return ""


def _is_about_pages(trace: Trace, exchange: Exchange) -> bool:
    """The tool fetches pages or files, as its words or what it was asked for say."""
    tool = vocabulary(trace).tools.get(exchange.call.tool)
    if tool is None or not tool.all.isdisjoint(_PAGE_WORDS):
        return True
    return any(isinstance(value, str) and _ADDRESS.search(value) for _, value in leaves(exchange.call.arguments))


_PAGE = re.compile(r"\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_PAGE_WORDS = frozenset(
    lemma(word)
    for word in """page web html site website url browser browse markup template link http crawl scrape internet online
    document file mail email letter article render preview screen snapshot view fetch download source""".split()
)
_ADDRESS = re.compile(r"://|www\.|\w\.(?:com|org|net|html?|example|io|gov|edu)\b|/")


def _calls_itself_a_part(content: JSON) -> bool:
    if not isinstance(content, Mapping):
        return False
    fields = cast("Mapping[str, JSON]", content)
    return any(key.lower() in _OWN_WORD and value is True for key, value in fields.items())


def _is_garbled(content: JSON) -> bool:
    """Signs that stand for what could not be read, in a short text."""
    return any(
        isinstance(value, str) and len(value) < _READ and len(_GARBLED.findall(value)) * 50 > len(value)
        for _, value in leaves(content)
    )


def _is_asked_about(trace: Trace, exchange: Exchange) -> bool:
    """The user asked, or set a condition, and what was called for the answer bears one of the words."""
    named = {lemma(word) for word in split_identifier(exchange.call.tool)}
    asked = heard(trace).last(exchange.at)
    return any(
        _DEPENDS.search(sentence) and named & {lemma(word) for word in words(sentence)} for sentence in sentences(asked)
    )


_DEPENDS = re.compile(r"\?\s*$|\bif\b|\bwhether\b|\bhow (?:many|much)\b", re.IGNORECASE)


def _parsed(text: str) -> JSON:
    try:
        return cast("JSON", msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return text


def _is_blank(content: JSON, exchange: Exchange) -> bool:
    """A record without values but for those that it was asked with; an empty list may well be the answer."""
    if isinstance(content, Mapping):
        inner = cast("Mapping[str, JSON]", content).values()
        given = [value for _, value in leaves(exchange.call.arguments)]
        if any(value is None for value in inner):  # that all went well says nothing of what was asked for
            inner = [value for key, value in cast("Mapping[str, JSON]", content).items() if key.lower() not in _FLAGS]
        return all(each is None or each == "" or _is_no_number(each) or each in given for each in inner)
    return not isinstance(content, list) and content != "[]" and is_empty(content)


_FLAGS = frozenset({"status", "ok", "success", "code", "state", "message", "error", "errors"})


def _is_nothing(content: JSON) -> bool:
    return content is None or content == {} or (isinstance(content, str) and content != "[]" and is_empty(content))


def _is_no_number(value: JSON) -> bool:
    return isinstance(value, str) and value.strip().lower() in ("nan", "null", "undefined")


def _asks_for_one(exchange: Exchange) -> bool:
    """The call named one thing: of that there should be something to tell."""
    return any(isinstance(value, str) and looks_like_identifier(value) for _, value in leaves(exchange.call.arguments))
