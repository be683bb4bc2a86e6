"""A text and a small number → whether the text tells that number in words: none of them, one, twice."""

import re
from itertools import takewhile

from misstep.core.words import content_stems, stem, words
from misstep.objectives.denials import clauses, speaks_of_something_else

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_TIMES = {1: "once", 2: "twice", 3: "thrice"}
_NONE = frozenset("no not none nothing zero nil never without".split())
_IS_ZERO = frozenset("zero nil none nothing".split())
_UNSURE = re.compile(
    r"\b(?:know|sure|see|find|found|match\w*|tell|say|access|can|could|able|unable|look\w*|clear|recogni[sz]\w*)\b"
)
_REACH = 4
"""So many words at most stand between a no and what there is none of."""
_SHORT = 7
_LEAST = 5
_ONE = re.compile(
    r"\b(?:there(?:'s| is| was| has been| are)|only|just|exactly|ha(?:ve|s|d)|is|was|are|to|at)"
    r"(?: only| just| exactly)? one\b(?! (?:moment|second|minute|thing|more|way|or|of))"
    r"|\ba single\b|^(?:only |just |exactly )?one$"
)


def counted(text: str, number: float, name: str) -> bool:
    """Whether a text tells a whole number up to twelve in words. `name`: what it is a number of."""
    if number != int(number) or not 0 <= number <= len(_WORDS) - 1:
        return False
    if number == 0:
        return says_there_is_none(text, name)
    if any(_TIMES.get(int(number)) in clause.split() for clause in clauses(text)):
        return True
    if number > 1:
        return _WORDS[int(number)] in words(text)
    return any(_ONE.search(clause) for clause in clauses(text))


def says_there_is_none(text: str, thing: str) -> bool:
    """The text says that there is none of a thing; not that it is not known, or that something else is not there."""
    named = set(content_stems(thing))
    return any(_is_none(words(clause), clause, named) for clause in clauses(text))


def _akin(one: str, other: str) -> bool:
    """The same word, or one made of it: renewed, renewals."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return one == other or shared >= max(_LEAST, min(len(one), len(other)) - 1)


def _is_none(said: list[str], clause: str, named: set[str]) -> bool:
    places = [at for at, word in enumerate(said) if any(_akin(stem(word), each) for each in named)]
    nos = [at for at, word in enumerate(said) if word in _NONE]
    if any(said[no] in ("no", "zero") and 0 < at - no <= _REACH for no in nos for at in places):
        return True
    if _UNSURE.search(clause):
        return False
    if any(0 < at - no <= _REACH or (no > at and said[no] in _IS_ZERO) for no in nos for at in places):
        return True
    bare = len(said) <= _SHORT and not speaks_of_something_else(clause)
    return bare and any(said[no] in _IS_ZERO for no in nos)
