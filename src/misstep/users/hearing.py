"""A message → what can be heard in it with few words: its sentences by mood, its labelled pairs, whether it lists choices.

A person need not understand a message to answer it rightly, so that this abstains: what fits nothing `says` something.
"""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from misstep.core.words import content_stems, sentences, stem, words
from misstep.users.layout import Pair, laid_out
from misstep.users.options import Option, options_in

Mood = Literal["asks", "proposes", "refuses", "closes", "promises", "reports", "says"]

LONGEST = 20_000
"""So much of a message is listened to; people stop there as well."""


class Sentence(Struct, frozen=True):
    """One sentence or line, and what it does."""

    text: str
    mood: Mood


class Heard(Struct, frozen=True):
    """A message, taken apart."""

    text: str
    sentences: tuple[Sentence, ...] = ()
    pairs: tuple[Pair, ...] = ()
    """`Order number: W-1`, as a line, an item or a row."""
    options: tuple[Option, ...] = ()
    """What there is to choose from, where a choice is asked for."""

    def has(self, *moods: Mood) -> bool:
        return any(each.mood in moods for each in self.sentences)

    def in_mood(self, *moods: Mood) -> str:
        return "\n".join(each.text for each in self.sentences if each.mood in moods)

    @property
    def wants(self) -> bool:
        """Something is asked of the person."""
        return bool(self.options) or self.has("asks", "proposes")

    @property
    def empty(self) -> bool:
        """It wants something and says nothing of what: `OK?`, `Please go on.`, `How can I help?`"""
        return all(root in _SERVICE or len(root) < 3 for root in content_stems(self.text))


def _any_of(*ways: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(ways)})(?!\w)", re.IGNORECASE)


_ELSE = _any_of(
    r"(?:any|some)thing (?:else|more|further)(?!.{0,20}(?:tell|know|share|provide|add|give|identify))",
    r"(?:how|what) else (?:can|may|could|would|do)",
    r"(?:other|further|more|additional) (?:questions?|requests?|help|assistance|concerns?|matters?)",
)
_FAREWELL = _any_of(
    r"have an? (?:nice|great|good|lovely|wonderful|pleasant)", r"good ?bye|bye|take care|farewell",
    r"you(?:'re| are) (?:very |most )?welcome", r"(?:happy|glad|pleased) (?:to (?:help|assist)|i|we|that)", r"my pleasure",
    r"feel free", r"reach out|get in touch", r"don't hesitate|do not hesitate", r"let (?:me|us) know if (?:you|there)",
    r"(?:is|are) there any",
)  # fmt: skip
_PROPOSES = _any_of(
    r"(?:shall|should) (?:i|we)(?! (?:look for|call you|use|need|know))",
    r"(?:may|can|could) (?:i|we)(?= (?:please |now |just |also )*(?:go|proceed|continue|do|carry|start|submit|confirm))",
    r"(?:would|do|did|will) you (?:still |really |also |now )*(?:like|want|wish|prefer|need)(?: for)? (?:me|us) to",
    r"(?:would|do|did|will) you (?:still |really |also |now |rather |just )*(?:like|want|wish|prefer|mean|accept)"
    r"(?! to (?:tell|share|provide|add|give|know|say|specify|use|be|have|see|keep)|.{0,12} (?:tell|share|provide))",
    r"(?:you(?:'d| would)? (?:like|want|wish|prefer)|you need|happy for|okay for|ok for|want) (?:me|us) to",
    r"(?:would|do) you (?:like|want|wish) to (?:proceed|continue|go ahead|go on|confirm|do (?:so|that|this|it))",
    r"(?:is|does|do|are|was|did) (?:this|that|it|these|those|everything|all|the (?:above|following|details?|information)|i)"
    r"\b.*(?:\?|right|correct|ok|okay|fine|good|accurate|suit|work|sound|look)",
    r"(?:go|going) ahead|proceed|(?:are|you) (?:sure|certain|happy|ready|okay|ok) (?:to|with|that|you|for|about)?",
    r"(?:please|kindly|you|need(?: your| you to)?|to|just) (?:explicit(?:ly)? )?(?:confirm(?:ation)?|approv(?:e|al)|authori[sz]e|agree|consent)"
    r"(?! (?:your|the|which|what|whether|if you) (?!above|below|following|details|information|refund|change|cancel))",
    r"(?:reply|answer|say|type|respond|tell me)\b.{0,20}\b(?:yes|ok|confirm|go)",
    r"yes\s*(?:/|or)\s*no|y\s*/\s*n|your (?:explicit )?(?:approval|confirmation|consent|permission|go-ahead|ok|okay|blessing)",
    r"(?:ok|okay|all right|alright|fine|good|right|correct|agreed|sound good|does that work|how about (?:i|we|it))\s*\?",
    r"(?:ready|ok|okay|happy|free) to (?:go|proceed|continue|do)",
    r"(?:if|once|when|as soon as) you(?:'re| are|'d| would)? (?:\w+ )?(?:agree|confirm|happy|ready|approve|fine|ok|okay|like|want|wish|say)",
)  # fmt: skip
_WH = re.compile(
    r"\W*(?:(?:and|so|ok|okay|great|thanks|thank you|sure|also|now|first|then|please|sorry|perfect)\W+)*"
    r"(?:(?:for|to|at|on|in|by|from|under|with|of) )?(?:what|which|who|whom|whose|when|where|why|how)\b"
    r"(?! (?:do you say|does (?:that|this|it) sound|about (?:i|we)))",
    re.IGNORECASE,
)
_GIVE = (
    r"(?:provide|share|tell|give|send|specify|enter|supply|state|clarify|indicate|describe|explain|confirm|verify|choose"
    r"|select|pick|let (?:me|us) (?:know|have)|include|mention|check|look up|say|reply with|name|spell|repeat|hand)"
)
_ASKS = _any_of(
    rf"(?:please|kindly|could you|can you|would you|you to|you(?:'ll| will)? (?:need|have) to|to) (?:\w+ )?{_GIVE}",
    r"(?:i|we)(?:'ll|'d| will| would| do|'m| am| are)? (?:\w+ ){0,2}(?:need|require|want|looking for|missing|waiting for|ask(?:ing)? for|have to (?:know|ask|have)|like to (?:know|ask|have))",
    r"(?:is|are|be|still|also) (?:also |still |first )?(?:needed|required|missing|necessary)",
    r"(?:may|can|could|might) (?:i|we) (?:\w+ ){0,2}(?:have|ask|get|know|take|see|trouble|use)",
    r"(?:without|until (?:i|we) (?:have|know)|before (?:i|we) can|in order to|so that (?:i|we) can|to (?:find|locate|look|verify|identify))",
    r"^\W*(?:provide|share|tell|give|send|specify|enter|supply|clarify|choose|select|pick|confirm|let me know)",
)
_REFUSES = _any_of(
    r"can(?:'t|not| not)|could(?:n't| not)|unable|not able|won't|will not|not (?:possible|allowed|permitted|available|eligible|found|authori[sz]ed|supported)",
    r"impossible|(?:isn't|aren't|wasn't|doesn't|don't|didn't|is not|are not|does not|do not|did not)(?! (?:hesitate|worry))",
    r"no (?:longer|such|matching|record|result|order|account|way|match)|nothing (?:was|is|has|came|could)|refuse|declin(?:e|ed)|denied|rejected|failed|ineligible",
    r"(?:i'm|i am|we're|we are) (?:sorry|afraid)|unfortunately|sorry",
)
_PROMISES = _any_of(
    r"(?:i|we)(?:'ll| will|'m going to| am going to|'re going to)|let me|let's|(?:one|a|just a) (?:moment|second|sec|minute|bit)|hold on|bear with",
    r"please (?:wait|hold|stand by|allow)|(?:i'm|i am|we're|we are|now|currently) (?:now |just |currently )?\w+ing|stand by|working on",
)
_REPORTS = _any_of(
    r"(?:i|we)(?:'ve| have|'d| had) (?:now |just |already |also |successfully |gone ahead and )*\w+",
    r"(?:has|have|had) (?:now |just |already |also |successfully |all )*been",
    r"(?:is|are|was|were) (?:now |all |already |just |also |both )*(?:\w+ed|\w+en|done|set|gone|paid|sent|made|put|complete|in place|on (?:its|the) way)",
    r"(?:i|we) (?:\w+ly )?(?:\w+ed|sent|made|put|set|did|found|took|gave|paid|wrote)",
    r"done|complete|completed|success|successful|successfully|all set|taken care|finished|confirmed|sorted|went through",
)
_QUOTED_VALUE = re.compile(r"\d|@|[\"“]")
_SERVICE = frozenset(
    stem(word)
    for word in """help assist assistance support today anything something everything thing else go ahead proceed continue
    carry next start ready begin okay right correct good great fine alright perfect well welcome know tell say want need wish
    moment wait hold handle take care matter request issue question happy glad pleasure understand confirm yes way
    mind work way sound like look see try make give one two now still already back little bit more sorry course
    certainly absolutely noted apolog""".split()
)
"""Words of courtesy and of getting on with it: they say nothing of what is wanted."""
SERVICE = _SERVICE | frozenset(
    stem(word)
    for word in """process submit perform complete place issue apply execute carry handle order review details detail above
    below follow following summary action change information system account record records customer behalf
    immediately right away shortly final finalize approve authorize agree sure certain""".split()
)
_SHORT = 6


@lru_cache(maxsize=512)
def hear(message: str) -> Heard:
    """Take a message apart."""
    page = laid_out(message[:LONGEST])
    whole = (text for line in page.lines for text in sentences(_QUOTED.sub(_in_one_piece, line)))
    told = _but_what_is_passed_on([Sentence(text, mood_of(_QUOTED.sub(" ", text))) for text in whole])
    plain = "\n".join(page.lines)
    asks = any(each.mood in ("asks", "proposes") for each in told)
    return Heard(plain, tuple(told), page.pairs, options_in(page.lines, plain) if asks else ())


_QUOTED = re.compile(r"[\"“](?:[^\"“”\s]+\s+){3,}[^\"“”]{0,2000}[\"”]")
"""What somebody else said or wrote, passed on: it wants nothing of the person."""


def _in_one_piece(quoted: re.Match[str]) -> str:
    return re.sub(r"[.?!]+(?=\s)", ",", quoted[0])


def _but_what_is_passed_on(told: list[Sentence]) -> list[Sentence]:
    """A question between an answer's own sentences, with figures behind it, stands in what the agent reads out."""
    last = max((at for at, each in enumerate(told) if each.mood in ("asks", "proposes")), default=0)
    behind = [each for each in told[last + 1 :] if each.mood in ("says", "reports")]
    opens_with_it = not told or told[0].mood in ("asks", "proposes")
    if opens_with_it or not any(map(str.isdigit, "".join(each.text for each in behind))):
        return told
    return [Sentence(each.text, "says") if each.mood in ("asks", "proposes") else each for each in told]


@lru_cache(maxsize=4096)
def mood_of(sentence: str) -> Mood:
    """What a sentence does, the most demanding first: who asks wants an answer, whatever else is said."""
    question = sentence.rstrip(" )*_\"'").endswith("?")
    if _ELSE.search(sentence):
        return "closes"
    if _WH.match(sentence) and question:
        return "asks"
    if _PROPOSES.search(sentence) and not (_FAREWELL.search(sentence) and not question):
        return "proposes"
    if question:
        return "proposes" if _is_polar_with_a_value(sentence) else "asks"
    if _FAREWELL.search(sentence):
        return "closes"
    asks = bool(_ASKS.search(sentence))
    if _REFUSES.search(sentence):
        return "refuses"
    if asks or _is_a_field(sentence):
        return "asks"
    return "promises" if _PROMISES.search(sentence) else "reports" if _REPORTS.search(sentence) else "says"


def _is_polar_with_a_value(question: str) -> bool:
    """`Is it order W-17?` puts a value; `Is there a number on it?` asks for one."""
    return bool(_QUOTED_VALUE.search(question)) and not _ASKS.search(question)


def _is_a_field(line: str) -> bool:
    """`Order number:`, `Your postcode, please.`"""
    bare = line.strip(" *-•–")
    return len(words(bare)) <= _SHORT and (bare.endswith((":", "…", "_")) or "please" in bare.lower())
