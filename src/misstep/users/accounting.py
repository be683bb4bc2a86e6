"""Words → those of them that nothing accounts for: no fact in question, no word of the person's own, no custom."""

import re
from collections.abc import Sequence
from functools import lru_cache

from misstep.core.words import STOPWORDS, content_stems, stem, words
from misstep.users.ledger import Ledger
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.topics import ASKING, meets, topic_of

_LEAST = 3
_IN_PARTICULAR = re.compile(
    r"\b(?:any|some)thing (?:in particular|special|specific)\b|\b(?:is|are|was|were) there (?:any|some)thing\b", re.I
)
_SLOTS = frozenset(
    stem(word) for word in "box field blank space entry preference clarification presentation indication".split()
)
"""What waits to be filled or said, whatever with."""


def unexplained(text: str, entries: Sequence[Entry], ledger: Ledger, *, own: bool = True) -> list[str]:
    """The words that say something of what is asked for and that none of these facts is called.

    With `own`, a word of the person's goals says only what the matter is."""
    loose = topic_of(text).loose
    known = {root for entry in entries for sense in entry.senses for root in sense.stems}
    if own:
        known |= ledger.own_stems
    return [
        word
        for word in words(text)
        if stem(word) in loose
        and len(word) >= _LEAST
        and word.isalpha()
        and stem(word) not in _customary()
        and not any(meets(stem(word), other) for other in known)
    ]


def in_particular(text: str, entries: Sequence[Entry], ledger: Ledger) -> bool:
    """`Is there anything they are studying?` asks for that, and not for anything at all."""
    return bool(_IN_PARTICULAR.search(text)) and bool(unexplained(text, entries, ledger, own=False))


def says_something(text: str) -> bool:
    """More than courtesy: a word that may name what is asked for."""
    book = lexicon()
    idle = (ASKING | book.idle) - book.kinds.keys() - book.things.keys()
    return any(word not in STOPWORDS and stem(word) not in idle for word in words(text))


def strange(text: str, ledger: Ledger) -> bool:
    """Whether it has a word that nobody here has used, and that is no everyday one."""
    known = familiar(ledger) | lexicon().idle | ASKING
    return any(
        len(word) >= _LEAST
        and word.isalpha()
        and word not in STOPWORDS
        and not any(meets(stem(word), other) for other in known)
        for word in words(text)
    )


def familiar(ledger: Ledger) -> frozenset[str]:
    """What the person has said or would say, and everyday words."""
    own = (root for entry in ledger.entries for root in content_stems(f"{entry.name} {entry.value}"))
    return everyday().union(ledger.own_stems, own)


@lru_cache(maxsize=1)
def everyday() -> frozenset[str]:
    """Every word of the lexicon but those of courtesy."""
    book = lexicon()
    named = (*book.kinds, *book.things, *book.actions, *book.plain, *book.assent, *book.units, *book.generic)
    return frozenset(named).union(book.numbers, book.places, book.people, book.extremes)


@lru_cache(maxsize=1)
def _customary() -> frozenset[str]:
    """Words that say nothing of what is asked for."""
    book = lexicon()
    return ASKING.union(
        _SLOTS, book.plain, book.assent, book.idle, book.generic, book.units, book.timely, book.extremes
    )
