"""What an agent says → whether it ends on a promise to do something at once, or on a bare plan."""

import re
from functools import lru_cache

from misstep.core.words import sentences
from misstep.detectors.evidence.claims import claims
from misstep.detectors.evidence.plans import plan_in
from misstep.detectors.evidence.trouble import asks

_AT_ONCE = (
    r"(?:now|first|next|then|right away|immediately|go ahead and|proceed (?:to|with)|(?:start|begin) (?:by|with))"
)
_I_WILL = r"(?:i(?:'ll| will| shall|'m going to| am going to|'m about to| am about to)|we(?:'ll| will))"
_PROMISES = re.compile(
    rf"\b{_I_WILL}(?: \w+)? {_AT_ONCE}\b|\b(?:next|now|first|then),? {_I_WILL}\b"
    rf"|\b{_I_WILL} \w+[^.!?]{{0,80}}\b(?:now|right away|immediately)\b"
    r"|\blet me(?: (?:now|first|just|quickly|also))? (?!know\b|help\b|assist\b|explain\b|clarify\b|say\b|tell\b"
    r"|be\b|apolog|summari[sz]e\b)\w+"
    r"|\b(?:i'm|i am|we're|we are) (?:now |currently )?(?:proceeding|processing|checking|looking|searching"
    r"|fetching|working on"
    r"|getting|starting|retrieving)\b"
    r"|\b(?:one|a|just a) (?:moment|second|minute),? (?:please|while)\b|\bplease (?:hold|wait|bear with me|stand by)\b"
    r"|\bi(?:'ll| will) (?:get|be) (?:right )?(?:on it|back (?:to|with) you|back shortly)\b",
    re.IGNORECASE,
)
_NO_PROMISE = re.compile(
    rf"\b{_I_WILL} (?:not|never|no longer|only|be (?:happy|glad|here|able|pleased|there)|need|wait|leave|keep|stop"
    rf"|remain|have to)\b"
    r"|\b(?:if|once|when|after|as soon as|until|unless|before) (?:you|it|they|the|that|this|i)\b"
    r"|\bwould\b|\byou (?:will|can|may|should)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=2048)
def ends_on_a_promise(text: str) -> str | None:
    """The sentence, among the last two, that promises an act at once, where nothing is asked and nothing was done."""
    said = sentences(text.replace("’", "'"))
    if not said or "?" in text or asks(text) or any(each.kind in ("act", "whole") for each in claims(text)):
        return None
    for sentence in reversed(said[-2:]):
        if _PROMISES.search(sentence) and not _NO_PROMISE.search(sentence):
            return sentence
    return None


_COURTESY = re.compile(
    r"\b(?:anything else|something else|you(?:'re| are) welcome|my pleasure|have a (?:\w+ ){0,2}(?:day|evening"
    r"|weekend|trip)"
    r"|goodbye|take care|feel free|glad to help|happy to help)\b",
    re.IGNORECASE,
)
_SHORT = 160


def is_courtesy(text: str) -> bool:
    """A few words at the end of a conversation that say nothing of the matter."""
    return len(text) <= _SHORT and _COURTESY.search(text) is not None


_WANTS_A_PLAN = re.compile(
    r"\b(?:plan|steps?|how|outline|strategy|approach|roadmap|procedure|instructions?|explain|advice|suggest\w*"
    r"|recommend\w*"
    r"|guide|ideas?|list|write|draft|itinerary|recipe|agenda|schedule)\b",
    re.IGNORECASE,
)


def ends_on_a_plan(text: str, asked: str) -> bool:
    """The answer lays out what would have to be done, and nobody had asked for that."""
    if _WANTS_A_PLAN.search(asked) or "?" in text or any(each.kind in ("act", "whole") for each in claims(text)):
        return False
    plan = plan_in(text)
    return plan is not None and _SPEAKS_OF_A_PLAN.search(text) is not None


_SPEAKS_OF_A_PLAN = re.compile(
    r"\b(?:(?:my|the|a|here is (?:my|the)|following) plan|(?:i|we)(?:'ll| will| would| am going to| need to)"
    r"|next steps?|steps to take)\b",
    re.IGNORECASE,
)
