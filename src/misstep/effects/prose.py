"""What a server says of a tool → the gravest thing that it says, or that it does not say enough to be believed."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from misstep.core.tool import Effect
from misstep.core.words import STOPWORDS, sentences, words
from misstep.effects.words import (
    ALWAYS,
    GERUNDS,
    JOINING,
    OPENED,
    PARTICIPLES,
    PHRASES,
    as_verb,
    gravest,
    infinitive,
)

Told = Effect | Literal["unclear"]

_BARE_AFTER = frozenset("to can will may must should you".split())
_LEADING = JOINING | _BARE_AFTER | {"tool", "function", "it", "this", "that", "which"}
"""What a verb follows in prose; a word elsewhere is as likely a noun, and proves nothing."""

_PREPOSITIONS = frozenset("between of for from in with by on at as within about among".split())
_OBJECTS = frozenset(
    """a an the this these those it its them all each every any some your my our their his her everything everybody
    whatever one""".split()
)
"""What follows a verb, and hardly ever a noun."""

_PASSIVE = frozenset("is are be being get gets".split())
_NEGATING = frozenset("without not never no for avoid cannot".split())
_OUTSIDE = frozenset("internet web online website websites webpage webpages".split())
_EXPLAINING = frozenset(
    """use uses handle handles provide provides include includes support supports require requires accept accepts take
    takes work works operate operates note see give gives contain contains mean means default defaults ensure specify
    pass prefer try keep avoid consider demonstrates results result example examples deprecated useful great perfect
    given optional either both within without including during after before until unless through via per across against
    among between since like plus whether because while upon several many others""".split()
)
"""With these a sentence begins that explains something and does nothing."""

_AFTER_A_NOUN = (STOPWORDS | {"within"}) - _OBJECTS
_AUXILIARY = frozenset("is are was were can may will must should have has do does".split())

_CLAUSE = re.compile(r"[,;:()\[\]]|\s[-–—]+\s|—")


def said_in(description: str) -> Effect | None:
    """The gravest of the verbs in it, of what somebody says who has no reason to mislead."""
    opening = next(iter(sentences(description)), "")
    verbs: list[Effect] = [effect for _, effect in _verbs(description)]
    if verbs and any(infinitive(word) in ALWAYS["destroys"] for word in words(opening)):
        return "destroys"
    found = gravest(verbs)
    return None if found == "reads" and _opens_with_a_strange_act(opening) else found


def _opens_with_a_strange_act(opening: str) -> bool:
    """`Launch the missile that shows a red light.`: a word that nobody knows, and what it is done to."""
    clause = next(iter(_clauses(opening)), list[str]())
    return (
        bool(clause) and _has_object(clause, 0) and as_verb(infinitive(clause[0])) is None and not _explains(clause[0])
    )


def _explains(word: str) -> bool:
    return word in _EXPLAINING or word in _OBJECTS or word in STOPWORDS or word.endswith(("s", "ed", "ing"))


def proven_by(description: str) -> Told | None:
    """The same of what a stranger says: `reads` only where it says so at once, and nothing in it may be more."""
    if not description.strip():
        return None
    acting = gravest((said_in(description), gravest(tuple(_acts(description)))))
    if acting not in (None, "reads"):
        return acting
    opening, *rest = sentences(description)
    if not any(effect == "reads" for _, effect in _verbs(opening)):
        return "unclear"
    clear = not any(map(_is_doubtful, _clauses(opening))) and all(map(_only_explains, rest))
    return "reads" if clear else "unclear"


def _clauses(sentence: str) -> list[list[str]]:
    """The words of each, without adverbs."""
    cut = [words(part) for part in _CLAUSE.split(sentence)]
    return [plain for part in cut if (plain := [word for word in part if word != "also" and not _is_adverb(word)])]


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") and as_verb(infinitive(word)) is None


def _verbs(description: str) -> Iterator[tuple[str, Effect]]:
    """Each verb in a place for one, and what it says."""
    for sentence in sentences(description):
        for nth, clause in enumerate(_clauses(sentence)):
            for at, word in enumerate(clause):
                if at == 0 and nth > 0 and not (infinitive(word) in _ALL or _has_object(clause, at)):
                    continue  # in "a title, comments, labels" nothing is done
                if word in _AUXILIARY:
                    continue  # "a patient that is well"
                if (at == 0 or _leads(clause, at)) and (effect := _effect(clause, at)):
                    yield word, effect


_ALL = frozenset(word for telling in ALWAYS.values() for word in telling)


def _leads(clause: list[str], at: int) -> bool:
    before, word = clause[at - 1], clause[at]
    if before not in _LEADING:
        return False
    if before in _BARE_AFTER:
        return infinitive(word) == word
    if before == "this":
        return infinitive(word) != word
    return not (before in ("and", "or") and _is_one_of_two_things(clause, at))


def _is_one_of_two_things(clause: list[str], at: int) -> bool:
    """`between branches or commits`: plural things after a preposition, with nothing that is done to anything."""
    if at < 3 or infinitive(clause[at]) in _ALL:
        return False
    ends = at + 1 == len(clause) or clause[at + 1] in _PREPOSITIONS
    led = clause[at - 4] if at > 3 and clause[at - 3] in _OBJECTS else clause[at - 3]
    return ends and led in _PREPOSITIONS and clause[at - 2].endswith("s") and clause[at].endswith("s")


def _effect(clause: list[str], at: int) -> Effect | None:
    verb = infinitive(clause[at])
    if verb == "return":
        return "reads"  # "Returns the order" hands something over; "return" in a name sends something back.
    if verb == "open" and not OPENED.isdisjoint(clause[at + 1 : at + 4]):
        return "reads"
    return as_verb(verb)


def _has_object(clause: list[str], at: int) -> bool:
    return at + 1 < len(clause) and clause[at + 1] in _OBJECTS


def _acts(description: str) -> Iterator[Effect]:
    """What is said otherwise than by a verb that says it: that something is deleted, by sending, on the internet."""
    for before, word in pairwise(["", *words(description)]):
        if (before, word) in PHRASES:
            yield "writes"
        if word in _OUTSIDE:
            yield "reaches-outside"
        if word in PARTICIPLES and before in _PASSIVE:
            yield PARTICIPLES[word]
        if word in GERUNDS and before not in _NEGATING:
            yield GERUNDS[word]


def _is_doubtful(clause: list[str]) -> bool:
    """Something is done in it by a verb that nobody knows."""
    return any(
        _has_object(clause, at) and as_verb(infinitive(word)) is None and word not in STOPWORDS | _EXPLAINING
        for at, word in enumerate(clause)
        if at == 0 or clause[at - 1] in JOINING | {"it"}
    )


def _only_explains(sentence: str) -> bool:
    clauses = _clauses(sentence)
    if any(map(_is_doubtful, clauses)):
        return False
    opening = clauses[0] if clauses else [""]
    first = opening[0]
    if first in STOPWORDS | _EXPLAINING or first.endswith("ed") or _effect(opening, 0) == "reads":
        return True
    # A statement about things has its verb after them: "Several customers can have the same name."
    return len(opening) > 1 and (opening[1] in _AFTER_A_NOUN or not _AUXILIARY.isdisjoint(opening[1:4]))
