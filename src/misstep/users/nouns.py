"""A clause of a question → the noun that it asks for."""

import re
from itertools import takewhile

from misstep.core.once import once_per_text
from misstep.core.words import STOPWORDS, stem, words
from misstep.wording.cues import cues
from misstep.wording.lexicon import lexicon
from misstep.wording.topics import topic_of

_BEHIND = re.compile(
    r"[,;:(]|\b(?:that|which|who|whom|where|when|so|issued|given|shown|displayed|presently|by|on|in|at|from|for|to|with"
    r"|concerned|we|i|you|it|is|are|was|were|as|under|upon|before|if|do|does|did|should|shall|will|would)\b",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(
    r"\b(?:what|which|who)(?:'s| is| are| was| were| would be| will be)\b(?= (?:the|your|a|an|its|their)\b)", re.I
)
_WHAT_CLAUSE = re.compile(
    r"\b(?:what|which|who|how) (?:the|your|it|this|that|we|i|you|they|goes|comes)\b", re.IGNORECASE
)
_EARLY = 3
NOUN = re.compile(
    r"\b(?:the|your|that|this|a|an|any|their|his|her) (?:particular |other |own )?([a-z]+)", re.IGNORECASE
)
_SHORT = 5


@once_per_text
def core(part: str) -> str:
    """The noun that is asked for, without what stands before and behind it: `the crime reference number`."""
    text = asked_part(part)
    if copula := _WHAT_IS.search(text):
        text = text[copula.end() :]
    elif (clause := _WHAT_CLAUSE.search(text)) and len(text[: clause.start()].split()) < _EARLY:
        return ""
    elif (noun := cues().wh_noun.search(text)) and len(text[: noun.start()].split()) < _EARLY:
        text = noun["noun"]
    listed = text.split()
    while listed and (listed[0].lower() in STOPWORDS or _asks_for(listed)):
        listed.pop(0)
    return _BEHIND.split(" ".join(listed), maxsplit=1)[0]


def _asks_for(listed: list[str]) -> bool:
    """`identify the component`: the verb is no part of the noun."""
    return listed[1:2] in (["the"], ["your"], ["a"], ["an"]) and stem(listed[0].lower()) in lexicon().generic


@once_per_text
def asked_part(part: str) -> str:
    """What stands behind the last words that ask; `what box have you got` is about a box all the same."""
    asking = list(cues().ask.finditer(part))
    opened = cues().wh_noun.search(part)
    if opened:
        asking = [each for each in asking if each.start() <= opened.start()]
    return part[asking[-1].end() :] if asking and asking[-1].end() < len(part) - 2 else part


def before_last_kind(noun: str) -> str:
    """`arrival date you gave` → `arrival`: what stands behind the kind does not change which one is meant."""
    book, listed = lexicon(), words(noun)
    places = [at for at, word in enumerate(listed) if stem(word) in book.kinds or stem(word) in book.things]
    return " ".join(listed[: places[-1]]) if places else noun


def ends_in_kind(noun: str) -> bool:
    """A short noun whose last word, or two, name what is asked for: `a delivery address`, not `the price you saw`."""
    listed = words(noun)
    book, roots = lexicon(), tuple(stem(word) for word in listed)
    # `fault code` names a code, whatever the word before it is; `phone number` is one name.
    phrases = (kind for size in (2, 3) for kind in book.kind_phrases.get(roots[-size:], ()))
    named = {*phrases, *book.kinds.get(roots[-1], ())} if roots else set[str]()
    return len(listed) <= _SHORT and not named.isdisjoint(topic_of(noun).kinds)


@once_per_text
def head_of(text: str) -> str:
    """`product are we` → `product`; nothing where the noun is too vague to stand alone."""
    head = first_noun(text)
    topic = topic_of(head)
    vague = lexicon().vague
    if topic.things or topic.loose or any(kind not in vague for kind in topic.kinds):
        return head
    return ""


def first_noun(text: str) -> str:
    return " ".join(takewhile(lambda word: word not in STOPWORDS, words(text)))
