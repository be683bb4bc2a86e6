"""What is said → whether it asks for leave to act, says yes, or says no."""

import re
from functools import lru_cache

from misstep.core.words import sentences


def _phrases(*alternatives: str) -> re.Pattern[str]:
    """Any of these, as whole words."""
    return re.compile(rf"\b(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


_ASKS_LEAVE = _phrases(
    r"(?:shall|should|may|can|could|must|do) (?:i|we)",
    r"(?:do|would|will|did) you (?:\w+ ){0,2}(?:want|like|wish|prefer|approve|agree|consent|authori[sz]e|mind|confirm)",
    r"(?:want|like|need|wish|happy for|ok for|okay for|fine for|ask) (?:me|us) to",
    r"are you (?:really |absolutely |quite )?(?:sure|certain|happy|ok|okay|fine|ready|in agreement)",
    r"(?:is|are|does|do|will|would) (?:this|that|it|these|those|everything|all of this|the above)\b[^?]{0,60}"
    r"\b(?:ok|okay|correct|right|fine|good|all ?right|acceptable|work|suit|agreeable)",
    r"(?:reply|respond|answer|say|type|write|tell me|give me|send)\b[^.?!]{0,30}"
    r"\b(?:yes|y|ok|okay|confirm\w*|go[- ]ahead)",
    r"yes\s*(?:/|or)\s*no|y\s*/\s*n",
    r"(?:let me know|tell me|say|indicate)\b[^.?!]{0,20}\b(?:if|whether|when|once)\b[^.?!]{0,60}"
    r"\b(?:proceed|go ahead|agree|confirm|ok|okay|continue|happy|like me|want me|approve|want to|wish to|like to)",
    r"(?:ok|okay|all right|alright) (?:to|if i|if we|with you)",
    r"(?:ready|okay|ok|free|clear) to (?:proceed|go|continue)",
    r"(?:your|explicit) (?:approval|permission|consent|go[- ]ahead|confirmation|agreement|ok)",
    r"wish to (?:proceed|go ahead|continue)",
    r"(?:proceed|continue|go ahead)\?",
)
_CONFIRM = re.compile(
    r"(?P<told>\b(?:i|we|i can|we can|i'll|this|that|is|been|has|happy to) )?\bconfirm\b(?P<rest>[^.?!\n]*)",
    re.IGNORECASE,
)
_CONFIRM_A_FACT = re.compile(
    r"\s*(?:me |us |with me )?(?:what|which|who|where|when|how|your"
    r"|the (?:\w+ ){0,3}(?:number|name|address|id|date|code)\b)",
    re.IGNORECASE,
)
_OFFERS = _phrases(
    r"(?:i|we) (?:can|could|would|will|propose)|(?:i|we)(?:'d|'ll)|(?:i'm|i am) (?:going|about) to",
    r"(?:this|that) will|proceed|ready to",
)
_CLEARS_THROAT = r"\W*(?:(?:oh|well|um|ah|hmm|great|perfect|thanks|thank you|alright|i think|and|ok|okay)\W+)*"
_YES = re.compile(
    _CLEARS_THROAT
    + "(?:"
    + "|".join(
        (
            r"yes|yep|yeah|yea|yup|y|aye|sure|correct|exactly|absolutely|definitely|certainly|of course|indeed|agreed",
            r"affirmative|confirmed|confirm|approved|approve|go ahead|go for it|do it|do so|proceed|continue|carry on",
            r"please (?:do|proceed|go|continue|confirm)|by all means|that works|works for me|all good|let's",
            r"(?:sounds|looks) (?:good|great|fine|right|perfect|correct)",
            r"that(?:'s| is| sounds| looks| would be| will be) (?:\w+ )?"
            r"(?:right|correct|fine|good|great|ok|okay|perfect|it|all right|alright|what i want|acceptable)",
            r"i (?:do )?(?:confirm|agree|approve|consent|accept)",
            r"i do(?! not|n't| \w)",
            r"(?:i'm|i am) (?:sure|happy|fine|ok|okay|certain|ready)",
            r"i(?:'d| would) (?:like|love) (?:that|to proceed|to go|to confirm|you to)",
            r"i want (?:that|to proceed|you to)",
            r"(?:i'll|i will|i'd|let's|let me) (?:go|take|choose|pick|have|proceed)|i (?:choose|pick|take)",
            r"(?:everything|it|this|all of (?:it|that)) (?:looks|sounds|is|seems) (?:\w+ )?"
            r"(?:right|correct|fine|good|great|ok|okay|perfect|in order)",
            r"you (?:may|can|bet)|no (?:problem|objections?|worries)|not a problem|why not",
            r"make it so|be my guest|if you would|if you please|please(?=\W*$)|do that|do just that|go on|roger"
            r"|right away",
            r"(?:that|it)(?:'d| would) be (?:great|good|fine|lovely|perfect)|ja|oui|sí|si|sì|da|ok|[👍👌✅✔🆗]",
        )
    )
    + r")(?!\w|\?)",
    re.IGNORECASE,
)
_WEAK_YES = re.compile(
    r"\W*(?:ok|okay|k|right|fine|perfect|great|good|excellent|lovely|alright)(?!\w|\?)", re.IGNORECASE
)
_GO_AHEAD = _phrases(
    r"go ahead|please (?:do|proceed)|do it|proceed|i confirm|i agree|that's (?:right|correct|fine)|yes"
)
_NO = re.compile(
    r"\W*(?:(?:oh|well|um|hmm|sorry|actually|ah|wait)\W+)*(?:"
    + "|".join(
        (
            r"no(?! (?:problem|objection|worries|need to (?:ask|confirm|check)))|nope|nah|not(?! a problem)|never",
            r"(?:please )?(?:don't|do not)|stop|wait|hold (?:on|off)|cancel that|forget (?:it|that)|leave it",
            r"i(?:'d| would) rather not|i (?:don't|do not)|i(?:'ve)? changed my mind|maybe (?:not|later)",
            r"(?:i'm|i am) not",
        )
    )
    + r")(?!\w)",
    re.IGNORECASE,
)
_HOLDS_BACK = _phrases(
    r"not yet|hold off|hold on|wait|but first|before (?:you|we) (?:do|go|proceed|continue)|on second thoughts?",
    r"rather not|changed my mind|never ?mind|(?:don't|do not) (?:do (?:it|that|this)|proceed|go ahead)",
)
_WAIVES = _phrases(
    r"(?:no need|don't need|needn't|not necessary|don't have) (?:for you )?to (?:ask|confirm|check)",
    r"(?:don't|do not) (?:bother (?:to )?)?(?:ask|asking|confirm|confirming|check)",
    r"i (?:hereby )?(?:confirm|authori[sz]e)",
    r"you(?: have|'ve)(?: got)? my (?:permission|consent|approval|go[- ]ahead|ok|okay)",
    r"no (?:confirmation|questions) (?:needed|necessary|asked)",
    r"just (?!that\b)\w+ (?:it|them|that)|just go ahead",
)
_REQUESTS = _phrases(
    r"(?:please|kindly) (?:\w+ )?"
    r"(?:provide|give|tell|share|send|confirm|specify|choose|pick|select|let|state|enter|reply)",
    r"let me know|tell me|i(?:'ll| will)? need (?:to know|your|you to|the)|i would need|could you|can you",
)
_WANTS_A_FACT = _phrases(
    r"what(?:'s| is| are)|who|where|when|how",
    r"(?:could|can|would|will) you (?:please |kindly )?(?:provide|give|tell|share|send)",
    r"please (?:provide|give|tell|share|send)|i(?:'ll| will)? need (?:your|the)",
)


@lru_cache(maxsize=4096)
def proposes(text: str) -> bool:
    """An agent's message that asks for leave to do something, and not only for a fact."""
    return _ASKS_LEAVE.search(text) is not None or any(
        not match["told"] and not _CONFIRM_A_FACT.match(match["rest"]) for match in _CONFIRM.finditer(text)
    )


@lru_cache(maxsize=4096)
def agrees(text: str) -> bool:
    """A user's message that says yes, with or without more words."""
    if declines(text):
        return False
    if _YES.match(text) or any(_GO_AHEAD.match(part) for part in sentences(text)):
        return True
    return _WEAK_YES.match(text) is not None and "?" not in text


@lru_cache(maxsize=4096)
def declines(text: str) -> bool:
    """A user's message that says no, or not yet."""
    return _NO.match(text) is not None or _HOLDS_BACK.search(text) is not None


@lru_cache(maxsize=4096)
def holds_back(text: str) -> bool:
    """A user's message that stops what is under way, whatever was asked last."""
    return _HOLDS_BACK.search(text) is not None


@lru_cache(maxsize=4096)
def waives(text: str) -> bool:
    """A user's message that says that there is no need to ask."""
    return _WAIVES.search(text) is not None


@lru_cache(maxsize=4096)
def asks_only_for_facts(text: str) -> bool:
    """Every question of an agent's message wants to be told something."""
    return all(_WANTS_A_FACT.search(part) for part in sentences(text) if is_question(part))


@lru_cache(maxsize=4096)
def requests(sentence: str) -> bool:
    """A sentence of an agent that asks to be told something without a question mark."""
    return _REQUESTS.search(sentence) is not None


def is_question(sentence: str) -> bool:
    return sentence.rstrip("\"')* ").endswith("?")


@lru_cache(maxsize=4096)
def proposing_parts(text: str) -> tuple[str, ...]:
    """The sentences of an agent's message that ask for leave or say what the agent would do."""
    return tuple(part for part in sentences(text) if is_question(part) or _OFFERS.search(part) or proposes(part))
