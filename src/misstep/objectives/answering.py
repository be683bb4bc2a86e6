"""A message and the reply to it → whether the reply tells something, or takes one of several that were offered."""

import re
from functools import lru_cache

from misstep.core.words import atoms, words
from misstep.objectives.asking import is_question, points_back
from misstep.objectives.values import said, shape
from misstep.objectives.vocabulary import lemma, meaning

_SHORT = 8
_POLITE = frozenset(
    meaning(
        "great good fine nice lovely perfect thanks thank welcome right indeed pity see know time take well cool "
        "excellent wonderful oh ah alright understood brilliant super awesome noted appreciate help bye day later "
        "worry problem got glad happy hear pleased sounds way perfectly course sure yeah yep nope wow hm hmm bad sad "
        "shame wait fair enough message done set correct exactly true go ahead"
    )
)
_PICKS = re.compile(
    r"\b(?:the|that|this) (?:\w+ )?(?:one|ones|first|second|third|fourth|last|latter|former|other|\w+est)\b"
    r"|^\W*(?:option |number |no\. ?|#)?(?:[a-h]|\d{1,2})\W*$|^\W*(?:both|neither|first|second|third|last)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\bor\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|several|multiple|many|more than one|both|either|between"
    r"|options?|choices?|a few|a couple)\b|\b[2-9] \w+s\b|\w / \w|\(a\)|^[^\S\n]*(?:1[.)]|[-*•] )",
    re.IGNORECASE | re.MULTILINE,
)
_FILLER = frozenset(meaning("one please would be that it then take go mean"))


@lru_cache(maxsize=4096)
def acknowledges(reply: str) -> bool:
    """It says no more than that it was heard: thanks, praise, regret."""
    return set(meaning(reply)) <= _POLITE and not atoms(reply)


_ASKS_OF = frozenset("which where why when who whose whom many much".split())


@lru_cache(maxsize=4096)
def mumbles(text: str) -> bool:
    """It speaks of nothing: "OK?", "Please go on."."""
    rest = " ".join(word for word in words(text) if lemma(word) not in _POLITE)
    return points_back(rest) and not atoms(text) and _ASKS_OF.isdisjoint(words(text))


@lru_cache(maxsize=4096)
def answers(reply: str) -> bool:
    """A short statement with something in it."""
    return len(words(reply)) <= _SHORT and not is_question(reply) and not acknowledges(reply)


@lru_cache(maxsize=4096)
def tells(message: str, reply: str) -> bool:
    """A short answer with a literal value that the message did not have."""
    if not answers(reply):
        return False
    heard = {atom.text.lower() for atom in atoms(message)}
    return any(atom.text.lower() not in heard for atom in atoms(reply))


@lru_cache(maxsize=4096)
def offers_several(message: str) -> bool:
    """The message speaks of more than one of a kind."""
    if _SEVERAL.search(message):
        return True
    shapes = [shape(code) for code in said(message).codes]
    return len(shapes) > len(set(shapes))


@lru_cache(maxsize=4096)
def picks(message: str, reply: str) -> bool:
    """The reply takes one of what the message named, and says nothing else."""
    if not answers(reply):
        return False
    if _PICKS.search(reply):
        return True
    own = {lemma(each) for each in meaning(reply)} - _FILLER
    return bool(own) and own <= {lemma(each) for each in meaning(message)}
