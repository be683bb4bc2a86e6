"""A person's ledger: what they know and want, read once; and whether a sentence says only what it allows."""

import difflib
from collections import Counter
from collections.abc import Set
from functools import lru_cache
from typing import Literal

from msgspec import Struct, structs

from misstep.core.scenario import Fact, Goal, Person
from misstep.core.words import STOPWORDS, Atom, atoms, content_stems, words
from misstep.users.phrasing import vocabulary
from misstep.wording.values import Form, Spotted, folded, form, holds, proper_names, rewritten, said, spot, within

_ALIKE = 0.7
_LEAST = 5


class Entry(Struct, frozen=True):
    """A fact with all that does not change while a conversation runs."""

    fact: Fact
    value: str
    """As it is said."""
    forms: tuple[Form, ...]
    atom: Atom | None
    """The literal that the whole value is: a code, a number, a date."""
    senses: tuple[frozenset[str], ...]
    """What it is called, as stems: its name, and each of the other words that ask for it."""

    @property
    def name(self) -> str:
        return self.fact.name

    @property
    def open(self) -> bool:
        """It may be told."""
        return self.fact.reveal != "never"

    def about(self, goals: Set[int]) -> bool:
        return not self.fact.goals or not goals.isdisjoint(self.fact.goals)


class Ledger(Struct, frozen=True, eq=False):
    """A person, made ready for a conversation."""

    person: Person
    entries: tuple[Entry, ...]
    own: Spotted
    """The person's own texts: opening, goals, constraints, asides."""
    own_stems: frozenset[str]
    texts: tuple[str, ...] = ()
    """Values of several words: what they say, nobody says who only puts them."""


class Violation(Struct, frozen=True):
    """Something said that the ledger does not allow."""

    kind: Literal["invented", "altered", "leaked"]
    text: str
    fact: str | None = None


def wish_of(goal: Goal) -> str:
    """The goal as it is said again."""
    return goal.wish or goal.ask


@lru_cache(maxsize=256)
def ledger_of(person: Person) -> Ledger:
    """Read a person once."""
    wants = (*(goal.ask for goal in person.goals), *(goal.wish for goal in person.goals))
    own = "\n".join((person.opening, *wants, *person.constraints, *person.asides))
    entries = tuple(_entry_of(fact) for fact in person.facts)
    texts = tuple(entry.value for entry in entries if " " in entry.value)
    return Ledger(person, entries, spot(own), frozenset(content_stems("\n".join((person.opening, *wants)))), texts)


def _entry_of(fact: Fact) -> Entry:
    value = said(fact.value)
    parts = atoms(value)
    whole = parts[0] if len(parts) == 1 and len(parts[0].text) == len(value.strip().strip('"“”$€£ ')) else None
    ways = (value, *fact.says)
    forms = tuple(form(text) for text in dict.fromkeys((*ways, *(each for way in ways for each in rewritten(way)))))
    senses = tuple(sense for name in (fact.name, *fact.words) if (sense := sense_of(name)))
    return Entry(fact, value, forms, whole, senses)


_SAME = {
    "e-mail": "email", "zip code": "postcode", "postal code": "postcode", "post code": "postcode", "zip": "postcode",
    "phone number": "phone", "telephone number": "phone", "telephone": "phone", "mobile": "phone",
    "#": " number ", "identifier": "number", "reference": "number", "ref": "number", "id": "number", "no.": "number",
    "code": "number", "day": "date",
}  # fmt: skip
"""What everybody calls by several names; all else that a fact is called stands in its `words`."""


@lru_cache(maxsize=8192)
def sense_of(text: str) -> frozenset[str]:
    """What a few words name, as stems that may be compared."""
    plain = text.lower()
    for name, same in _SAME.items():
        if name in plain and not name.isalpha():
            plain = plain.replace(name, same)
    return frozenset(content_stems(" ".join(_SAME.get(word, word) for word in words(plain))))


def violations(
    text: str, ledger: Ledger, *, allowed: Set[str], heard: Set[str] = frozenset(), slips: Set[str] = frozenset()
) -> tuple[Violation, ...]:
    """What a sentence says beyond the `allowed` facts (by name), the person's own texts and the words `heard`.

    Of the facts in `slips` the value that is said by mistake `at_first` may be said. Words that are no name, no literal
    and near no fact are the speaker's own affair."""
    allowed_ = [entry for entry in ledger.entries if entry.name in allowed and entry.open]
    shut = [entry for entry in ledger.entries if entry not in allowed_]
    open_ = [_slipped(entry) if entry.name in slips else entry for entry in allowed_]
    bare, found = text, list[Violation]()
    for atom in reversed(atoms(text)):
        if atom.kind != "quoted":
            bare = f"{bare[: atom.start]} {bare[atom.start + len(atom.text) :]}"
        if not _may_say(atom.text, ledger, open_, heard):
            found.append(_named(atom.text, ledger, shut))
    spoken = {word for entry in open_ for each in entry.forms for word in each.folded.split()}
    known = vocabulary() | heard | STOPWORDS | spoken | set(ledger.own.folded.split())
    known |= {word for entry in ledger.entries for word in words(entry.name)}
    strange = [word for word in words(bare) if word not in known]
    found.extend(_named(word, ledger, shut) for word in _telling(strange, bare, ledger))
    rest = folded(text)
    found.extend(_cut_short(rest, open_, known - spoken))
    for each in sorted({each.folded for entry in open_ for each in entry.forms}, key=lambda way: (-len(way), way)):
        rest = rest.replace(each, " | ")
    found.extend(
        Violation("leaked", entry.value, entry.name)
        for entry in shut
        for each in entry.forms
        if len(each.folded.split()) > 1 and each.folded in rest and each.folded not in ledger.own.folded
        if not set(each.folded.split()) <= heard
    )
    return tuple(found)


def _telling(strange: list[str], text: str, ledger: Ledger) -> list[str]:
    """Of strange words, those that cannot be ordinary speech: names, words of values, and what is nearly one."""
    names = {word for name in proper_names(text) for word in words(name)}
    parts = {word for entry in ledger.entries for each in entry.forms for word in each.folded.split()}
    near = [part for part in parts if len(part) >= _LEAST and not part.isdigit()]
    return [word for word in strange if word in names or word in parts or any(_alike(word, part) for part in near)]


def _cut_short(text: str, open_: list[Entry], plain: Set[str]) -> list[Violation]:
    """A value of several words must be said whole: half a name is another name."""
    shared = Counter(word for entry in open_ for word in {*entry.forms[0].folded.split()})
    heard = set(text.split())
    return [
        Violation("altered", entry.value, entry.name)
        for entry in open_
        if any(word in heard and word not in plain and shared[word] == 1 for word in entry.forms[0].folded.split())
        and not any(each.folded in text for each in entry.forms)
    ]


def _slipped(entry: Entry) -> Entry:
    """The fact with what is said by mistake as one more way to put it."""
    first = entry.fact.at_first
    return entry if first is None else structs.replace(entry, forms=(*entry.forms, form(said(first))))


def _may_say(literal: str, ledger: Ledger, open_: list[Entry], heard: Set[str]) -> bool:
    part = form(literal)
    if part.folded.strip() in heard or holds(ledger.own, part):
        return True
    return any(within(part, each) for entry in open_ for each in entry.forms)


def _named(text: str, ledger: Ledger, shut: list[Entry]) -> Violation:
    """Why something that may not be said is wrong: it is a secret, it is nearly a fact, or it is nothing known."""
    part = folded(text)
    for entry in shut:
        if any(part in each.folded for each in entry.forms):
            return Violation("leaked", text, entry.name)
    for entry in ledger.entries:
        wholes = (way for each in entry.forms for way in (each.folded.strip(), *each.folded.split()))
        if any(_alike(part.strip(), each) for each in wholes):
            return Violation("altered", text, entry.name)
    return Violation("invented", text)


def _alike(one: str, other: str) -> bool:
    return abs(len(one) - len(other)) <= 2 and difflib.SequenceMatcher(None, one, other).ratio() >= _ALIKE
