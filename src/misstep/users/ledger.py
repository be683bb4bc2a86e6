"""A person's ledger: what they know and want, read once; and whether a sentence says only what it allows."""

import difflib
import re
from collections import Counter
from collections.abc import Set
from functools import lru_cache
from typing import Literal

from msgspec import Struct, structs

from misstep.core.scenario import Person
from misstep.core.words import STOPWORDS, atoms, content_stems, sentences, stem, words
from misstep.wording.facts import Entry, entry_of, said
from misstep.wording.lexicon import lexicon
from misstep.wording.phrasing import Manner, vocabulary
from misstep.wording.topics import actions_in
from misstep.wording.values import Spotted, folded, form, holds, proper_names, spot, within

_ALIKE = 0.7
_LEAST = 5
_NOT = re.compile(r"\b(?:not|no|never|without|except|avoid|don't|can't|cannot|won't|anything but)\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:]|\b(?:but|only|unless|if|because|instead)\b", re.IGNORECASE)
_WISHES = frozenset(stem(word) for word in "want like need wish accept use take pay get give be anything".split())


class Ledger(Struct, frozen=True, eq=False):
    """A person, made ready for a conversation; told from others by identity, so that what was read of it is kept."""

    person: Person
    entries: tuple[Entry, ...]
    own: Spotted
    """The person's own texts: opening, goals, constraints."""
    spoken: Spotted
    """The same with the asides: what may be said at any time."""
    own_stems: frozenset[str]
    wants: frozenset[str]
    """The stems of these texts without what they turn down."""
    actions: frozenset[str]
    """Acts that the goals name."""
    declines: tuple[frozenset[str], ...]
    """What the person turns down, as stems that come together: said outright, or after a `not` in a constraint."""
    vocabulary: frozenset[str]
    """Words that may be said with no fact behind them."""


class Violation(Struct, frozen=True):
    """Something said that the ledger does not allow."""

    kind: Literal["invented", "altered", "leaked"]
    text: str
    fact: str | None = None


@lru_cache(maxsize=256)
def ledger_of(person: Person, manner: Manner = "first") -> Ledger:
    """Read a person once; the manner says which frames they speak in."""
    own = "\n".join((person.opening, *(goal.ask for goal in person.goals), *person.constraints))
    spoken = "\n".join((own, *person.asides))
    asks = "\n".join((person.opening, *(goal.ask for goal in person.goals)))
    names = (word for fact in person.facts for word in words(fact.name))
    return Ledger(
        person=person,
        entries=tuple(entry_of(fact) for fact in person.facts),
        own=spot(own),
        spoken=spot(spoken),
        own_stems=frozenset(content_stems(own)),
        wants=_wants(person, asks),
        actions=actions_in(asks),
        declines=(*(frozenset(content_stems(text)) for text in person.declines), *_turned_down(person)),
        vocabulary=vocabulary(manner) | _labels() | frozenset(names) | frozenset(words(spoken)) | STOPWORDS,
    )


def violations(
    text: str,
    ledger: Ledger,
    *,
    allowed: Set[str],
    heard: Set[str] = frozenset(),
    slips: Set[str] = frozenset(),
    free: bool = False,
) -> tuple[Violation, ...]:
    """What a sentence says beyond the `allowed` facts (by name), the person's own texts and the words `heard`.

    Of the facts in `slips` the value that is said by mistake `at_first` may be said, and no other time. Where the
    words are `free`, those that are no name and near no fact are the speaker's own affair."""
    allowed_ = [entry for entry in ledger.entries if entry.name in allowed and entry.fact.reveal != "never"]
    shut = [entry for entry in ledger.entries if entry not in allowed_]
    open_ = [_slipped(entry) if entry.name in slips else entry for entry in allowed_]
    bare, found = text, list[Violation]()
    for atom in reversed(atoms(text)):
        if atom.kind != "quoted":
            bare = f"{bare[: atom.start]} {bare[atom.start + len(atom.text) :]}"
        if not _may_say(atom.text, ledger, open_, heard):
            found.append(_named(atom.text, ledger, shut))
    known = (ledger.vocabulary | heard).union(*(entry.spoken for entry in open_))
    strange = [word for word in words(bare) if word not in known]
    found.extend(_named(word, ledger, shut) for word in (_telling(strange, bare, ledger) if free else strange))
    spoken = folded(text)
    found.extend(_cut_short(spoken, open_, ledger.vocabulary | heard))
    for value in sorted({each.folded for entry in open_ for each in entry.forms}, key=lambda way: (-len(way), way)):
        spoken = spoken.replace(value, " | ")
    found.extend(_whole_leaks(spoken, shut, ledger, heard))
    return tuple(found)


def _telling(strange: list[str], text: str, ledger: Ledger) -> list[str]:
    """Of strange words, those that cannot be ordinary speech: names, values of one word, and what is nearly one."""
    names = {word for name in proper_names(text) for word in words(name)}
    values = {each.folded.strip() for entry in ledger.entries for each in entry.forms}
    single = [value for value in values if " " not in value and len(value) >= _LEAST and not value.isdigit()]
    near = {word for word in strange if any(_alike(word, value) for value in single)}
    return [word for word in strange if word in names or word in near or word in values]


def _slipped(entry: Entry) -> Entry:
    """The fact with what is said by mistake as one more way to put it."""
    first = entry.fact.at_first
    if first is None:
        return entry
    fact = structs.replace(entry.fact, says=(*entry.fact.says, said(first)))
    spoken = entry.spoken | set(words(said(first)))
    return structs.replace(entry, fact=fact, forms=(*entry.forms, form(said(first))), spoken=spoken)


def _turned_down(person: Person) -> list[frozenset[str]]:
    found: list[frozenset[str]] = []
    asked = frozenset(root for goal in person.goals for root in content_stems(goal.ask))
    for text in person.constraints:
        for sentence in sentences(text):
            if match := _NOT.search(sentence):
                clause = _CLAUSE_END.split(sentence[match.end() :])[0]
                found.append(_without_its_verb([root for root in content_stems(clause) if root not in _WISHES], asked))
    return [each for each in found if each]


def _without_its_verb(roots: list[str], asked: frozenset[str]) -> frozenset[str]:
    """`not fly at night` → night: the verb goes, unless what was asked for would be left (`not cancel my order`)."""
    rest = frozenset(roots[1:])
    return rest if rest - asked else frozenset(roots)


def _wants(person: Person, asks: str) -> frozenset[str]:
    said = frozenset(content_stems("\n".join(person.constraints)))
    return frozenset(content_stems(asks)) | said.difference(*_turned_down(person))


@lru_cache(maxsize=1)
def _labels() -> frozenset[str]:
    return frozenset(word for label in lexicon().labels.values() for word in words(label))


def _may_say(literal: str, ledger: Ledger, open_: list[Entry], heard: Set[str]) -> bool:
    part = form(literal)
    if part.folded.strip() in heard or holds(ledger.spoken, part):
        return True
    return any(within(part, each) for entry in open_ for each in entry.forms)


def _named(said: str, ledger: Ledger, shut: list[Entry]) -> Violation:
    """Why something that may not be said is wrong: it is a secret, it is nearly a fact, or it is nothing known."""
    part = folded(said)
    for entry in shut:
        if any(part in each.folded for each in entry.forms):
            return Violation("leaked", said, entry.name)
    for entry in ledger.entries:
        if any(
            _alike(part.strip(), each)
            for form_ in entry.forms
            for each in (form_.folded.strip(), *form_.folded.split())
        ):
            return Violation("altered", said, entry.name)
    return Violation("invented", said)


def _alike(one: str, other: str) -> bool:
    return abs(len(one) - len(other)) <= 2 and difflib.SequenceMatcher(None, one, other).ratio() >= _ALIKE


def _cut_short(spoken: str, open_: list[Entry], plain: Set[str]) -> list[Violation]:
    """A value of several words must be said whole: half a name is another name."""
    shared = Counter(word for entry in open_ for word in entry.spoken)
    heard = set(spoken.split())
    return [
        Violation("altered", entry.value, entry.name)
        for entry in open_
        if any(word in heard and word not in plain and shared[word] == 1 for word in entry.spoken)
        and not any(each.folded in spoken for each in entry.forms)
    ]


def _whole_leaks(spoken: str, shut: list[Entry], ledger: Ledger, heard: Set[str]) -> list[Violation]:
    return [
        Violation("leaked", entry.value, entry.name)
        for entry in shut
        for each in entry.forms
        if len(each.folded.split()) > 1
        and each.folded in spoken
        and each.folded not in ledger.spoken.folded
        and not set(each.folded.split()) <= heard
    ]
