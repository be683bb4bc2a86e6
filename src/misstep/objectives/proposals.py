"""What is said → whether it asks for leave to act, says yes, or says no."""

import re
from functools import lru_cache

from misstep.core.words import sentences
from misstep.objectives.asking import is_question


def _phrases(*alternatives: str) -> re.Pattern[str]:
    """Any of these, as whole words."""
    return re.compile(rf"\b(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


_LEAVE = (
    r"(?:approval|permission|consent|go[- ]ahead|confirmation|agreement|authori[sz]ation|assent|say[- ]so|instructions?"
    r"|nod|thumbs[- ]up|green light|blessing|acceptance|signal|ok|okay|yes)"
)
_WAITS_FOR = (
    r"need(?:ed|s)?|require[sd]?|wants?|await(?:ing|s)?|wait(?:ing)? for|give me|hit me with|pending|subject to|until"
    r"|without|before|with|obtain|seeks?|on|one|only"
)
_ASKS_LEAVE = _phrases(
    r"(?:shall|should|may|can|could|must|do) (?:i|we)"
    r"(?! (?:please |also )?(?:know|(?:have|get) (?:your|the|an?)|ask|help|assist|do (?:any|some)thing))",
    r"(?:do|would|will|did) you (?:\w+ ){0,2}(?:want|like|wish|prefer|approve|agree|consent|authori[sz]e|mind|confirm)",
    r"(?:want|like|need|wish|happy for|ok for|okay for|fine for|ask) (?:me|us) to",
    r"are you (?:really |absolutely |quite )?(?:sure|certain|happy|ok|okay|fine|ready|in agreement)",
    r"(?:is|are|does|do|will|would) (?:this|that|it|these|those|everything|all of this|the above)\b[^?]{0,60}"
    r"\b(?:ok|okay|correct|right|fine|good|all ?right|acceptable|work|suit|agreeable)",
    r"(?:reply|respond|answer|say|type|write|tell me|give me|send)\b[^.?!]{0,30}"
    r"\b(?:yes|y|ok|okay|confirm\w*|go[- ]ahead)",
    r"yes\s*(?:/|or)\s{0,20}no|y\s*/\s{0,20}n",
    r"(?:let me know|tell me|say|indicate)\b[^.?!]{0,20}\b(?:if|whether|when|once)\b[^.?!]{0,60}"
    r"\b(?:proceed|go ahead|agree|confirm|ok|okay|continue|happy|like me|want me|approve|want to|wish to|like to)",
    r"(?:ok|okay|all right|alright) (?:to|if i|if we|with you)",
    r"(?:ready|okay|ok|free|clear) to (?:proceed|go|continue)",
    rf"your leave|(?:your|explicit) (?:(?:explicit|express|final|formal|written|kind|clear|prior) )?{_LEAVE}",
    rf"(?:{_WAITS_FOR})(?: (?!no\b|not\b|until\b|if\b|whether\b)\w+){{0,3}}? {_LEAVE}",
    # On condition that the user wants it, or until the user has spoken.
    r"(?:if|once|when|whenever|unless|as soon as|until|the (?:second|moment|minute)) "
    r"(?:you|you're|you'd|it|that|this|i)\b(?: \w+){0,4}? "
    r"(?:like|want|wish|happy|on board|consent|object|agree|shout|pleases?|approve|ready|fine|ok|okay"
    r"|suits?|prefer|decide|after|confirm|right|say(?: so| yes| the word)|hear from|tell me(?: to| so|\W*$))",
    r"(?:should|were) you (?:\w+ ){0,2}?(?:consent|wish|want|agree|objection|approve|object|like)|suits? you",
    r"(?:advise|say|indicate|state) (?:if|whether)|say (?:the word|so|when)|shout|one word|objections?",
    r"(?:up|over) to you|your (?:call|decision|choice)|in your hands|yours to (?:decide|say)|you decide",
    r"ready when you are|what do you say|how about (?:i|we|me)|fancy me",
    r"(?:ok|okay|right|yes|yeah|good|deal|sure|go|cool|correct|alright|agreed|fine)(?: with (?:that|you)"
    r"| then)?\s{0,20}\?",
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
_CLEARS_THROAT = (
    r"\W*(?:(?:oh|well|um|ah|hmm|great|perfect|thanks|thank you|alright|i think|and|then|so|right|ok|okay)\W+)*"
)
_YES = re.compile(
    _CLEARS_THROAT
    + "(?:"
    + "|".join(
        (
            r"yes|yep|yeah|yea|yup|y|aye|sure|correct|exactly|absolutely|definitely|certainly|of course|indeed|agreed",
            r"granted|accepted|accept|deal|thumbs up|you (?:do|have (?:it|my))|you(?:'ve| have) got (?:it|my)",
            r"that's what i want",
            r"(?:i'm|i am|we're|we are) (?:on board|good|in|all for it)",
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
    + r")(?!\w|\?| not\b)",
    re.IGNORECASE,
)
_WEAK_YES = re.compile(
    r"\W*(?:ok|okay|k|right|fine|cool|perfect|great|good|excellent|lovely|alright)(?!\w|\?)", re.IGNORECASE
)
_GO_AHEAD = _phrases(
    r"(?:then |so |and )?(?:go ahead|please (?:do|proceed|go)|do (?:it|that)|proceed|that's (?:right|correct|fine)|yes"
    r"|yep|yeah|i (?:confirm|agree|consent|approve|authori[sz]e))"
)
_ONLY_IF = _phrases(r"only if|but if")
_ORDERS = _phrases(r"go ahead|please (?:do|proceed)|do (?:it|that)|proceed|i (?:confirm|consent|approve|authori[sz]e)")
_CLAUSE = re.compile(r"[,;:!.–—]\s+")
_NO = re.compile(
    r"\W*(?:(?:oh|well|um|hmm|sorry|actually|ah|wait)\W+)*(?:"
    + "|".join(
        (
            r"no(?! (?:problem|objection|worries|need to (?:ask|confirm|check)))|nope|nah|not(?! a problem)|never",
            r"(?:please )?(?:don't|do not)|stop|wait|hold (?:on|off)|cancel that|forget (?:it|that)|leave it",
            r"i(?:'d| would) rather not|i (?:don't|do not)(?! (?:object|mind))|(?:i'm|i am) not",
            r"i(?:'ve)? changed my mind|(?:\w+ )?(?:maybe|absolutely|certainly|definitely|surely|course|better) not",
            r"maybe later|by no means|(?:i|we) would(?: not|n't)",
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
_WANTS_A_FACT = _phrases(
    r"what(?:'s| is| are)|who|where|when|how",
    r"(?:could|can|would|will) you (?:please |kindly )?(?:provide|give|tell|share|send)",
    r"please (?:provide|give|tell|share|send)|i(?:'ll| will)? need (?:your|the)",
)


_OBJECTS = _phrases(r"objections?|object|mind|unless you|anything against")
_NO_OBJECTION = re.compile(
    r"\W*(?:none|no|nope|not at all|(?:i have )?no objections?|i (?:do not|don't)(?: object| mind)?(?: at all)?)\W*",
    re.IGNORECASE,
)
_LOOKS = _phrases(
    r"(?:like|want|wish|shall i|should i|can i|may i|could i|(?<!let )me) (?:to )?"
    r"(?:see|show|hear|know|tell|look|check|read|list)"
)
_PAST = re.compile(
    r"\W*(?:did|was|were|has|have|had)\b|.*\b(?:didn't|wasn't|weren't|hasn't|haven't|did|was|were) "
    r"(?:i|you|we|they|he|she|it)\?\W*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def proposes(text: str) -> bool:
    """An agent's message that asks for leave to do something, and not only for a fact."""
    if _ASKS_LEAVE.search(text):
        return True
    return any(not match["told"] and not _CONFIRM_A_FACT.match(match["rest"]) for match in _CONFIRM.finditer(text))


@lru_cache(maxsize=4096)
def agrees(text: str) -> bool:
    """A user's message that says yes, with or without more words."""
    return agrees_plainly(text) or (_WEAK_YES.match(text) is not None and "?" not in text and not declines(text))


@lru_cache(maxsize=4096)
def agrees_plainly(text: str) -> bool:
    """A yes that is more than a sign of having heard, as "fine" or "okay" may be."""
    if declines(text) or _ONLY_IF.search(text):
        return False
    return _YES.match(text) is not None or any(_GO_AHEAD.match(part) for part in _CLAUSE.split(text))


@lru_cache(maxsize=4096)
def orders(text: str) -> bool:
    """A yes that tells the agent to act, and so is no answer to a question of what is."""
    return agrees_plainly(text) and _ORDERS.search(text) is not None


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
def does_not_object(proposal: str, reply: str) -> bool:
    """A no to a question for objections, which is a yes."""
    return _NO_OBJECTION.fullmatch(reply) is not None and _OBJECTS.search(proposal) is not None


@lru_cache(maxsize=4096)
def puts_forward(sentence: str) -> bool:
    """A sentence about an act that may be a proposal of it: no report, no refusal, no question of what is or was."""
    if is_question(sentence):
        wants_a_fact = _WANTS_A_FACT.search(sentence) is not None and not proposes(sentence)
        return not (wants_a_fact or asks_to_look(sentence) or _PAST.match(sentence))
    return True


@lru_cache(maxsize=4096)
def asks_to_look(sentence: str) -> bool:
    """It offers to show or tell something, not to do anything."""
    return _LOOKS.search(sentence) is not None


@lru_cache(maxsize=4096)
def asks_only_for_facts(text: str) -> bool:
    """Every question of an agent's message wants to be told something."""
    return all(_WANTS_A_FACT.search(part) for part in sentences(text) if is_question(part))


@lru_cache(maxsize=4096)
def proposing_parts(text: str) -> tuple[str, ...]:
    """The sentences of an agent's message that ask for leave or say what the agent would do."""
    return tuple(part for part in sentences(text) if is_question(part) or _OFFERS.search(part) or proposes(part))
