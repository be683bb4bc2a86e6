"""A person's facts, made ready to be asked for: which of them a clause asks, and how the value is written."""

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, structs

from misstep.core.scenario import Fact
from misstep.core.words import Atom, atoms, stem, words
from misstep.wording.heads import headed
from misstep.wording.layout import plain
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import sorts_of
from misstep.wording.topics import Topic, meets, topic_of
from misstep.wording.values import Form, form, number_words, rewritten, spot

_PROPER = frozenset(("name", "company", "brand", "merchant", "doctor", "manager", "city", "country", "title", "item"))
"""Kinds whose values are written like names."""
_TIMES = frozenset(("date", "time", "birthdate"))
_PEOPLE = frozenset(("recipient", "attendee", "manager", "doctor", "merchant", "company", "username"))
_TEXTS = frozenset(("reason", "content", "message"))
_MEASURES = frozenset(("quantity", "amount", "size", "age", "duration"))
_COUNTED = frozenset(("amount", "quantity", "phone"))
"""Kinds of values that have a number in them, or a word for all or some."""
_SOME = re.compile(r"\b(?:all|half|full|whole|none|both|double|everything|entire|one|single|pair)\b", re.IGNORECASE)
_PHRASE = 2
_BRIEF = 12
_ENOUGH = 1.0
_CLOSE = 0.05
_NAMED = 0.5
"""So much of a name, and the fact is named outright."""


class Entry(Struct, frozen=True):
    """A fact with all that does not change while a conversation runs."""

    fact: Fact
    value: str
    """As it is said."""
    senses: tuple[Topic, ...]
    """Of the name, and of each of the other words that ask for it."""
    forms: tuple[Form, ...]
    atoms: tuple[Atom, ...]
    kinds: frozenset[str]
    things: frozenset[str]
    sorts: frozenset[str]
    spoken: frozenset[str] = frozenset()
    """The words of the value, in every way to put it."""

    @property
    def name(self) -> str:
        return self.fact.name

    @property
    def numbered(self) -> bool:
        return any(letter.isdigit() for letter in self.value)


Outcome = Literal["facts", "lacks", "generic", "unsure", "unknown"]


class Match(Struct, frozen=True):
    """What a clause asks for, measured against a ledger."""

    outcome: Outcome
    entries: tuple[Entry, ...] = ()
    """Those asked for; where it is `unsure`, those that may be meant."""
    label: str = ""
    """What is asked for and not there, in the person's words."""
    strong: bool = True
    """Named outright, not guessed from a question word or from the thing alone."""
    full: bool = False
    """The whole of a fact's name was said."""
    near: tuple[Entry, ...] = ()
    """For what is not there: facts of the same kind that belong to something else, or go by another name."""
    kinds: frozenset[str] = frozenset()
    """For what is not there: what it is called."""


def said(value: str | int | float | bool) -> str:
    """A fact's value as a person says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else repr(value)
    return str(value)


def entry_of(fact: Fact) -> Entry:
    """Read a fact once."""
    value = said(fact.value)
    senses = [_sense(text, value) for text in (fact.name, *fact.words)]
    parts = tuple(atoms(value))
    if not any(sense.kinds for sense in senses) and (kind := _kind_of_value(value, parts)):
        own = senses[0]  # of the kind by its looks, but of what its name says: a cost centre's code, not a receipt's
        senses.append(Topic((), {kind: 1.0}, own.things, own.loose, frozenset()))
    ways = (value, *fact.says)
    written = (*ways, *map(plain, ways), *(each for way in ways for each in rewritten(way)))
    forms = tuple(form(text) for text in dict.fromkeys(written))
    kinds = frozenset(kind for sense in senses for kind in sense.kinds)
    things = frozenset(thing for sense in senses for thing in sense.things)
    spoken = frozenset(word for way in ways for word in words(way))
    return Entry(fact, value, tuple(senses), forms, parts, kinds, things, sorts_of(value, kinds, fact.name), spoken)


def _sense(name: str, value: str) -> Topic:
    """What a name is about, of the kind of its head, as far as the value is of that kind."""
    topic, kinds = topic_of(name), headed(name)
    if not _is_counted(value):
        kinds -= _COUNTED
    return structs.replace(topic, kinds={kind: much for kind, much in topic.kinds.items() if kind in kinds})


def _is_counted(value: str) -> bool:
    return bool(any(map(str.isdigit, value)) or number_words(value) or _SOME.search(value))


def match(ask: Topic, entries: Sequence[Entry]) -> Match:
    """The facts that a clause asks for; several only where they fit equally well."""
    scored = [
        (score, entry)
        for entry in entries
        if _may_answer(ask, entry)
        and (score := max(_score(ask, each, numbered=entry.numbered) for each in entry.senses)) > 0
    ]
    best = max((score for score, _ in scored), default=0.0)
    if best >= _ENOUGH or (ask.hinted and ask.kinds and best >= 0.8):
        chosen = tuple(entry for score, entry in scored if score > best - _CLOSE)
        strong = not ask.hinted or any(_outright(ask, entry) for entry in chosen)
        asked = frozenset(ask.stems)
        full = any(sense.stems and asked.issuperset(sense.stems) for entry in chosen for sense in entry.senses)
        return Match("facts", chosen, strong=strong, full=full)
    if ask.generic and (ask.hinted or not ask.kinds):
        return Match("generic", strong=False)
    if ask.kinds and not ask.hinted and any(_may_be_meant(entry, ask) for entry in entries):
        return Match("unknown", strong=False)
    if ask.kinds:
        book = lexicon()
        kind = max(ask.kinds, key=lambda each: (ask.kinds[each], each))
        label = book.labels[kind] if ask.modifier is None else f"a {ask.modifier} number"
        if ask.hinted:
            return Match("lacks", strong=False)
        near = tuple(each for each in entries if each.kinds & ask.kinds.keys() or _may_be(each, ask))
        return Match("lacks", label=label, near=near, kinds=frozenset(ask.kinds))
    if ask.things:
        return Match("generic", strong=False)
    return Match("unknown", strong=False)


def _may_be_meant(entry: Entry, ask: Topic) -> bool:
    """Under a heading that the lexicon does not know: a number for `how many`, a text for `what is wrong`."""
    if entry.kinds or entry.fact.reveal == "never":
        return False
    if ask.kinds.keys() <= _MEASURES:
        return entry.forms[0].number is not None
    return ask.kinds.keys() <= _TEXTS and len(entry.value.split()) > _PHRASE


def _may_answer(ask: Topic, entry: Entry) -> bool:
    """Whether the value is of the sort that the question word wants: no number says who, no name says when."""
    if ask.question == "when":
        timely = not {stem(word) for word in words(entry.value)}.isdisjoint(lexicon().timely)
        return timely or not _TIMES.isdisjoint(entry.kinds) or any(each.kind == "date" for each in entry.atoms)
    if ask.question in ("who", "whom", "whose"):
        named = entry.value.istitle() or any(each.kind == "email" for each in entry.atoms)
        return named or not _PEOPLE.isdisjoint(entry.kinds)
    alone = len(entry.atoms) == 1 and entry.atoms[0].text == entry.value
    return not (ask.question in ("where", "why") and alone and entry.atoms[0].kind in ("number", "code"))


def _may_be(entry: Entry, ask: Topic) -> bool:
    """A name is asked for, and here is one under another heading; or the value itself is called so: a laptop."""
    book = lexicon()
    called = {kind for word in words(entry.value) for kind in book.kinds.get(stem(word), ())}
    if called & ask.kinds.keys() or ("name" in ask.kinds and "username" in entry.kinds):
        return True
    return not _PROPER.isdisjoint(ask.kinds) and not entry.kinds and not entry.atoms and entry.value.istitle()


def _score(ask: Topic, sense: Topic, *, numbered: bool) -> float:
    book = lexicon()
    if sense.kinds and ask.excluded.issuperset(sense.kinds):
        return 0.0
    exact = (bool(sense.stems) and set(sense.stems) <= set(ask.stems)) or _same_thing(ask, sense)
    shared = [kind for kind in sense.kinds if kind in ask.kinds]
    things = sense.things & ask.things
    loose = _shared_loose(ask, sense)
    coverage = _coverage(ask, sense)
    outright = exact or (bool(loose) and coverage >= _NAMED and not _only_modifies(ask, sense, loose))
    of_the_thing = numbered and bool(things) and not sense.kinds and ask.kinds.keys() == {"identifier"}
    if ask.kinds and not ask.hinted and not shared and not outright and not of_the_thing:
        return 0.0
    if shared and not outright and all(kind in book.bound for kind in shared) and _apart(ask, sense):
        return 0.0
    score = sum(ask.kinds[kind] for kind in shared) + 0.75 * len(things) + (1.5 if exact else 0.0)
    if loose:
        score += 2.5 * coverage if outright else 0.5 * coverage
    if of_the_thing or (things and "identifier" in sense.kinds and (ask.hinted or not ask.kinds)):
        score += 0.5
    return score


def _same_thing(ask: Topic, sense: Topic) -> bool:
    """`Repo?`, asked of one who knows a repository: nothing is named but the thing, by another word."""
    bare = bool(sense.things) and not sense.kinds and not sense.loose
    return bare and sense.things <= ask.things and not ask.loose and (ask.hinted or not ask.kinds)


def _only_modifies(ask: Topic, sense: Topic, loose: frozenset[str]) -> bool:
    """`What does the meter show?` is not about the meter's number, though `Which meter?` is."""
    if not sense.kinds or any(kind in ask.kinds for kind in sense.kinds) or not lexicon().vague.issuperset(sense.kinds):
        return False
    return any(not any(meets(root, other) for other in loose) for root in ask.loose)


def _coverage(ask: Topic, sense: Topic) -> float:
    """How much of what the fact is called the clause says."""
    whole = len(sense.loose) + 0.7 * len(sense.things) + 0.5 * len(sense.kinds)
    shared = sum(kind in ask.kinds for kind in sense.kinds)
    said = len(_shared_loose(ask, sense)) + 0.7 * len(sense.things & ask.things) + 0.5 * shared
    return said / whole if whole else 0.0


def _shared_loose(ask: Topic, sense: Topic) -> frozenset[str]:
    """A world's own words that both have, unless the clause makes a compound of them that the fact is not."""
    book = lexicon()
    return frozenset(
        root
        for root in sense.loose
        for said in ask.loose
        if meets(root, said)
        and not _of_another(ask, said, sense, root)
        and (
            (behind := ask.followed.get(said)) is None
            or behind in sense.stems
            or any(kind in sense.kinds for kind in book.kinds.get(behind, ()))
        )
    )


def _of_another(ask: Topic, said: str, sense: Topic, root: str) -> bool:
    """`customer id` is no `order id`: the same noun, and before it two words that do not meet."""
    here = [word for word, noun in ask.followed.items() if noun == said]
    there = [word for word, noun in sense.followed.items() if noun == root]
    return bool(here and there) and not any(meets(each, other) for each in here for other in there)


def _outright(ask: Topic, entry: Entry) -> bool:
    said = frozenset(ask.stems)
    return any(
        (_shared_loose(ask, sense) and _coverage(ask, sense) >= _NAMED)
        or (sense.stems and said.issuperset(sense.stems))
        for sense in entry.senses
    )


def _apart(ask: Topic, sense: Topic) -> bool:
    """Of one kind, but of different things: an account's number, asked of one who knows an order's."""
    if ask.modifier is not None and not any(meets(stem(ask.modifier), root) for root in sense.loose):
        return True
    named = sense.loose - lexicon().plain
    if ask.own and (sense.things or named):
        return True
    if not ask.things or ask.loose & named:
        return False
    return bool(sense.things or named) and not ask.things & sense.things


def _kind_of_value(value: str, parts: tuple[Atom, ...]) -> str | None:
    if len(parts) == 1 and len(parts[0].text) == len(value):
        return {"email": "email", "date": "date", "code": "identifier"}.get(parts[0].kind)
    seen = spot(value)
    if seen.prices and len(value) <= _BRIEF:
        return "amount"
    if seen.times and len(value) <= _BRIEF:
        return "time"
    first = next(iter(words(value)), "")
    if first == "every":
        return "frequency"
    if lexicon().values.get(stem(first)) == "weekday":
        return "date"
    return "folder" if value.startswith(("/", "~/")) else None
