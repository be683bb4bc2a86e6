"""A tool, or a call of it → whether it only tells something, though nothing that was declared says so."""

import re
from functools import lru_cache

from misstep.core.tool import Tool
from misstep.core.trace import Exchange, Trace
from misstep.core.words import STOPWORDS, sentences, words
from misstep.detectors.evidence.records import records_in
from misstep.effects.guessing import told_effect
from misstep.effects.words import as_verb, infinitive
from misstep.objectives.vocabulary import effect_of

_TELLING = frozenset(
    """recommend suggest advise predict forecast quote rank assess evaluate diagnose say determine estimate calculate
    compute explain describe summarise summarize compare look check show find identify classify interpret
    simulate""".split()
)
_OPENS_A_NOUN = frozenset("a an the all any every each what which who whose when where how whether".split())
_MORE = re.compile(
    r"\b(?:cannot|can't|can not|never|no way to|not) (?:be )?(?:\w+ )?(?:undone|undo|taken back|take back|removed"
    r"|reversed|revoked|recovered|restored|changed|edited|corrected|withdrawn|stopped)\b"
    r"|\b(?:irrevocabl|irreversibl|permanent|for (?:good|ever)\b|forever\b|final\b|at once\b|immediately|gone\b)",
    re.IGNORECASE,
)


def tells_only(tool: Tool) -> bool:
    """Its effect is to read; or its words say that it gives an answer, and nothing in them is done to anything."""
    return tool.effect == "reads" or _only_tells(tool.name, tool.description)


@lru_cache(maxsize=4096)
def _only_tells(name: str, description: str) -> bool:
    if is_said_to_last(description):
        return False
    opening = words(next(iter(sentences(description)), ""))
    head = infinitive(opening[0]) if opening else ""
    named, told = told_effect(name), told_effect(name, description)
    if told not in (None, "reads"):
        # "Find free slots in the week that begins on a Monday": the verb at the head is what it does.
        return named == "reads" and told == "writes" and head in _TELLING
    if not opening:
        return named == "reads"
    if named == "reads" or head in _TELLING or opening[0] in _OPENS_A_NOUN or as_verb(head) == "reads":
        return True
    return _names_a_thing(opening)


def _names_a_thing(opening: list[str]) -> bool:
    """ "Upcoming appointments of a customer": no verb has that after it; and "disposal of" would be an act."""
    named = opening[: opening.index("of")] if "of" in opening[1:4] else []
    return bool(named) and not any(
        word in STOPWORDS or as_verb(infinitive(word)) not in (None, "reads") or _ACT.search(word) for word in named
    )


_ACT = re.compile(r"(?:tion|sion|al|ment|ing|ure)$")


def is_said_to_last(description: str) -> bool:
    """It is said that what the tool does cannot be taken back, or is done at once."""
    return _MORE.search(description) is not None


def is_look_up(trace: Trace, exchange: Exchange) -> bool:
    """The call asks for something and does nothing: by its tool, or by the list that it was answered with."""
    if effect_of(trace, exchange.call.tool) == "reads":
        return True
    tool = trace.tool_named.get(exchange.call.tool)
    if tool is not None and told_effect(tool.name, tool.description) == "destroys":
        return False
    if tool is not None and tells_only(tool):
        return True
    return exchange.result is not None and len(records_in(exchange.result.content)) > 1
