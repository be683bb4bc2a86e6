"""Words in a proposal that nobody here has used, where a word of the person's own should stand."""

import re
from collections.abc import Sequence
from functools import lru_cache

from misstep.core.words import STOPWORDS, content_stems, stem, words
from misstep.users.ledger import Ledger
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.topics import meets
from misstep.wording.values import holds, spot

_ITEM = re.compile(r"\s*[,;+:.]\s+|\s[–—]\s")
_BEFORE = frozenset("a an the your some for of with in into as to two three four five six".split())
_VERBAL = ("ed", "ing", "ly")
_SHORT = 3
_LEAST = 4


def stranger(text: str, absent: Sequence[Entry], ledger: Ledger) -> Entry | None:
    """The fact that seems to be given in other words: `manual lessons` for automatic, `red roses` in a list.

    Only facts that are told in ordinary words: a name or a number is compared as such elsewhere."""
    plain = [
        entry
        for entry in absent
        # Why the person wants it is no part of what it is.
        if entry.fact.reveal != "never" and entry.value.islower() and not entry.atoms and entry.kinds != frozenset({"reason"})
    ]
    if not plain:
        return None
    known = _known(ledger)
    if _describes_otherwise(text, known, ledger) or _lists_otherwise(text, known, ledger):
        return plain[0]
    return None


def _describes_otherwise(text: str, known: frozenset[str], ledger: Ledger) -> bool:
    """A strange word right before a noun of the person's own."""
    listed = words(text)
    nouns = {root for goal in ledger.person.goals for root in content_stems(goal.ask)}
    return any(
        stem(listed[at]) in nouns and listed[at - 2] in _BEFORE and _is_strange(listed[at - 1], known)
        for at in range(2, len(listed))
    )


def _lists_otherwise(text: str, known: frozenset[str], ledger: Ledger) -> bool:
    """An item of a list in which others are right, with not a word in it that is known."""
    items = [item for item in _ITEM.split(text) if item.strip()]
    right = sum(any(holds(spot(item), each) for entry in ledger.entries for each in entry.forms) for item in items)
    if not right or len(items) < _SHORT:
        return False
    return any(
        len(words(item)) <= _SHORT
        and any(len(word) >= _LEAST for word in words(item))
        and all(_is_strange(word, known) or stem(word) in lexicon().values for word in words(item))
        for item in items[1:]
    )


def _is_strange(word: str, known: frozenset[str]) -> bool:
    if word in STOPWORDS or len(word) < _LEAST or not word.isalpha() or word.endswith(_VERBAL):
        return False
    root = stem(word)
    return not any(meets(root, other) for other in known if other[:3] == root[:3])


def _known(ledger: Ledger) -> frozenset[str]:
    """What the person has said or would say, and everyday words."""
    own = (root for entry in ledger.entries for root in content_stems(f"{entry.name} {entry.value}"))
    return _everyday().union(ledger.own_stems, own)


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    book = lexicon()
    named = (*book.kinds, *book.things, *book.actions, *book.plain, *book.assent, *book.units, *book.generic)
    return frozenset(named).union(book.numbers, book.places, book.people, book.extremes)
