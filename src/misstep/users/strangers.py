"""Words in a proposal that nobody here has used, where a word of the person's own should stand."""

import re
from collections.abc import Sequence

from misstep.core.words import STOPWORDS, content_stems, stem, words
from misstep.users.accounting import familiar
from misstep.users.contradicting import is_said
from misstep.users.ledger import Ledger
from misstep.wording.cues import cues
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.topics import meets
from misstep.wording.understanding import Confirm
from misstep.wording.values import holds, spot

_ITEM = re.compile(r"\s*[,;+:.]\s+|\s[–—]\s")
_BEFORE = frozenset("a an the your some for of with in into as to two three four five six".split())
_AMOUNTS = frozenset("many much few several more fewer less extra".split())
_VERBAL = ("ed", "ing", "ly")
_SHORT = 3
_LEAST = 4
_NEAR = 4
_SURE = re.compile(r"\bare you (?:sure|certain)\b", re.IGNORECASE)
_BEFORE_A_VERB = frozenset(
    "i we you they he she it who i'll we'll you'll i'd we'd you'd they'll can will shall".split()
)
_WORD = re.compile(r"[^\W\d][\w'’]*")
_VALUE = "\ue001"
_LABEL = re.compile(rf"(?:(?!(?:from|to|onto|on|at|with|for|in|by|of|and|or)\b)[\w'-]+:? ){{1,3}}#?{_VALUE}")


def stranger(text: str, absent: Sequence[Entry], ledger: Ledger) -> Entry | None:
    """The fact that seems to be given in other words: `manual lessons` for automatic, `red roses` in a list.

    Only facts that are told in ordinary words: a name or a number is compared as such elsewhere."""
    plain = _worded(absent)
    if not plain:
        return None
    known = familiar(ledger)
    if (half := _half_said(text, plain)) is not None:
        return half
    return plain[0] if _describes_otherwise(text, known, ledger) or _lists_otherwise(text, known, ledger) else None


def unaccounted(confirm: Confirm, ledger: Ledger) -> Entry | None:
    """Before a yes: the fact that a word may stand for which nobody here has used, and which is no courtesy.

    What an agent found by itself is looked at as it is, and `are you sure?` puts nothing new forward."""
    if cues().only_one.search(confirm.sentence) or _SURE.search(confirm.sentence):
        return None
    text = confirm.text
    plain = _worded([entry for entry in ledger.entries if not is_said(entry, text)])
    strange = _unaccounted(text, familiar(ledger)) if plain else []
    if not strange:
        return None
    return next((entry for entry in plain if _stands_near(entry, strange, text)), plain[0])


def _worded(absent: Sequence[Entry]) -> list[Entry]:
    """Facts in ordinary words. Why the person wants it is no part of what it is."""
    return [
        entry
        for entry in absent
        if entry.fact.reveal != "never"
        and not isinstance(entry.fact.value, bool)
        and entry.value.islower()
        and not entry.atoms
        and entry.kinds != frozenset({"reason"})
    ]


def _half_said(text: str, plain: Sequence[Entry]) -> Entry | None:
    """`pale oak` for dark oak: the noun of a value behind a word that is none of the value's."""
    listed = words(text)
    for entry in plain:
        mine = words(entry.value)
        noun, rest = mine[-1], set(mine[:-1]) - STOPWORDS
        for at in range(1, len(listed) if rest else 0):
            before = listed[at - 1]
            other = before.isalpha() and len(before) > 2 and before not in STOPWORDS | _BEFORE | _AMOUNTS | rest
            if stem(listed[at]) == stem(noun) and other and rest.isdisjoint(listed):
                return entry
    return None


def _unaccounted(text: str, known: frozenset[str]) -> list[str]:
    """Words that nobody has used here and that are no courtesy; what labels a value belongs to that value."""
    for atom in spot(text).atoms:
        text = text.replace(atom.text, _VALUE, 1)
    rest = _LABEL.sub(" ", text)
    listed = [(found[0], found.start()) for found in _WORD.finditer(rest)]
    return [
        word.lower()
        for at, (word, start) in enumerate(listed)
        if _may_stand(word, listed[at - 1][0].lower() if at else "", known)
        and (word.islower() or not rest[:start].strip() or rest[:start].rstrip()[-1] in ".!?:\n")
    ]


def _may_stand(word: str, before: str, known: frozenset[str]) -> bool:
    """A strange word that can be a value: a noun, or what goes with one."""
    if "_" in word:
        return word.lower() not in known
    lower = word.lower()
    if before in _BEFORE_A_VERB or stem(lower) in lexicon().idle:
        return False
    named = lower.endswith("ing") and before in _BEFORE
    return _is_strange(lower[:-3] if named else lower, known) and (not named or _is_strange(lower[:-3], known))


def _stands_near(entry: Entry, strange: Sequence[str], text: str) -> bool:
    """A word of the fact's name stands beside a strange one."""
    listed = [stem(word) for word in words(text)]
    odd = {stem(word) for word in strange}
    own = {root for sense in entry.senses for root in sense.stems}
    return any(root in odd and own & set(listed[max(0, at - _NEAR) : at + _NEAR]) for at, root in enumerate(listed))


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
    right = {item for item in items if any(holds(spot(item), each) for entry in ledger.entries for each in entry.forms)}
    if not right or len(items) < _SHORT:
        return False
    return any(
        item not in right
        and len(words(item)) <= _SHORT
        and any(len(word) >= _LEAST for word in words(item))
        and all(_is_strange(word, known) or stem(word) in lexicon().values for word in words(item))
        and not all(stem(word) in lexicon().idle for word in words(item))
        for item in items[1:]
    )


def _is_strange(word: str, known: frozenset[str]) -> bool:
    if word in STOPWORDS or len(word) < _LEAST or not word.isalpha() or word.endswith(_VERBAL):
        return False
    root = stem(word)
    return not any(meets(root, other) for other in known if other[:3] == root[:3])
