"""What was heard, held against what a person knows: facts asked for, wrong values, the option that is theirs."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set

from msgspec import Struct

from misstep.core.words import atoms, content_stems, words
from misstep.users.hearing import Heard, service
from misstep.users.layout import Pair
from misstep.users.ledger import Entry, Ledger, sense_of
from misstep.users.options import Option
from misstep.wording.values import Spotted, form, holds, shape, spot, within

_ENOUGH = 0.5
_FIRST = 4
_LEAST = 2
_NEAR = 60
_NEGATIONS = frozenset("not no without instead rather except keep leave don't never but only".split())
_GENERIC = frozenset(("number", "name"))
_EITHER = re.compile(r"\by(?:es)?\s?(?:/|or)\s?no?\b", re.IGNORECASE)
_OF_SPEECH = frozenset("your the you my our given provided current exact full correct own their his her".split())
_BY_QUESTION: Mapping[str, str] = {"when": "date", "why": "reason", "who": "name", "where": "place"}


def is_shown(entry: Entry, seen: Spotted) -> bool:
    """Whether the value stands in a text, in any writing."""
    return any(holds(seen, each) for each in entry.forms)


def is_spoken_for(entry: Entry, shown: Sequence[Entry]) -> bool:
    """Another fact of the same name is shown: who puts the new number needs not hear the old one."""
    return any(sense <= other for each in shown for other in each.senses for sense in entry.senses[:1])


def asked_for(heard: Heard, entries: Sequence[Entry]) -> list[Entry]:
    """The facts that are named where something is wanted, and whose values are not shown there."""
    whole: dict[str, Entry] = {}
    found: dict[str, Entry] = {}
    for each in heard.sentences:
        if each.mood not in ("asks", "proposes", "refuses") and not (heard.wants and each.mood in ("says", "bids")):
            continue
        seen = spot(each.text)
        named = [entry for entry in named_in(each.text, entries) if not is_shown(entry, seen)]
        outright = are_named_outright(each.text, named)
        if each.mood in ("asks", "proposes") or outright:
            (whole if outright else found).update((entry.name, entry) for entry in named)
    return list({**whole, **found}.values())  # what is named in full is told first


def named_in(text: str, entries: Sequence[Entry]) -> list[Entry]:
    """Those that the text names best; several only where it names them as well as each other."""
    said = sense_of(text)
    scores = {entry.name: _coverage(said, entry) for entry in entries}
    whole = [entry for entry in entries if scores[entry.name] == 1.0]
    # `order number` names no `number`: what is named in more words takes these with it.
    whole = [
        entry for entry in whole if not any(_swallows(other, entry, said) for other in whole if other is not entry)
    ]
    if whole:
        return whole
    best = max(scores.values(), default=0.0)
    if best >= _ENOUGH:
        return [entry for entry in entries if scores[entry.name] == best]
    asked = {_BY_QUESTION[word] for word in words(text) if word in _BY_QUESTION}
    return [entry for entry in entries if any(asked & sense for sense in entry.senses)]


def are_named_outright(text: str, entries: Sequence[Entry]) -> bool:
    """Whether the text says the whole of what each of them is called."""
    said = sense_of(text)
    return all(_coverage(said, entry) == 1.0 for entry in entries)


def _coverage(said: frozenset[str], entry: Entry) -> float:
    return max((len(sense & said) / len(sense) for sense in entry.senses), default=0.0)


def _swallows(other: Entry, entry: Entry, said: frozenset[str]) -> bool:
    mine = max((sense for sense in entry.senses if sense <= said), key=len)
    theirs = max((sense for sense in other.senses if sense <= said), key=len)
    return mine < theirs


class Wrong(Struct, frozen=True):
    """A fact, and what was shown in place of its value."""

    entry: Entry
    shown: str


def wrong_values(heard: Heard, ledger: Ledger, entries: Sequence[Entry]) -> list[Wrong]:
    """What is put forward as a value of the person's and is none: behind a label, or of a look that one fact has."""
    seen = spot(heard.text)
    found: dict[str, Wrong] = {}
    if heard.has("proposes") and not heard.options:
        found = {each.entry.name: each for each in _wrong_literals(heard.text, seen, ledger, entries)}
    labels = [pair.label.lower() for pair in heard.pairs]
    for pair in heard.pairs:
        if labels.count(pair.label.lower()) > 1:
            continue  # rows of a list: none of them is put forward
        entry = _labelled(pair, entries)
        if entry is not None and not _agrees(pair.value, entry):
            found[entry.name] = Wrong(entry, pair.value)
    return list(found.values())


def _labelled(pair: Pair, entries: Sequence[Entry]) -> Entry | None:
    """The fact that a label names: all of it, or a part of it where the value is of the same look."""
    label = sense_of(" ".join(word for word in words(pair.label) if word not in _OF_SPEECH))
    whole = [entry for entry in entries if label in entry.senses]
    if len(whole) == 1:
        return whole[0]
    part = [
        entry
        for entry in entries
        if label and any(label < sense and sense - label <= _GENERIC for sense in entry.senses)
        if entry.atom and _look(entry.value) == _look(pair.value)
    ]
    return part[0] if len(part) == 1 and not whole else None


def _look(value: str) -> str:
    found = atoms(value)
    return f"{found[0].kind} {shape(found[0].text)}" if len(found) == 1 else ""


def _agrees(value: str, entry: Entry) -> bool:
    seen, part = spot(value), form(value.strip(" .,;"))
    if is_shown(entry, seen) or any(within(part, each) for each in entry.forms):
        return True
    if entry.atom is None and not content_stems(value):
        return True
    mine = frozenset(content_stems(entry.value))
    return entry.atom is None and bool(mine) and len(mine & frozenset(content_stems(value))) * 2 >= len(mine)


def _wrong_literals(text: str, seen: Spotted, ledger: Ledger, entries: Sequence[Entry]) -> Iterable[Wrong]:
    """In running text: a literal of the looks of one fact's value, that is not there itself, and of no other."""
    own = [each for entry in ledger.entries for each in entry.forms]
    for atom in atoms(text):
        part = form(atom.text)
        if any(within(part, each) for each in own) or holds(ledger.own, part):
            continue
        alike = [
            entry
            for entry in entries
            if entry.atom and entry.atom.kind == atom.kind and not is_shown(entry, seen)
            and (atom.kind in ("email", "date", "number") or shape(entry.value) == shape(atom.text))
        ]  # fmt: skip
        around = sense_of(text[max(0, atom.start - _NEAR) : atom.start + len(atom.text) + _FIRST])
        named = [entry for entry in alike if any(sense & around for sense in entry.senses)]
        if len(named) == 1:
            yield Wrong(named[0], atom.text)
        elif len(alike) == 1 and atom.kind in ("email", "code"):
            yield Wrong(alike[0], atom.text)


def theirs(options: Sequence[Option], entries: Sequence[Entry], wants: Set[str]) -> list[Option]:
    """The options that hold most of what a person knows and wants, a longer value more; none where all do as much."""
    scores = [_likeness(option, entries, wants) for option in options]
    best = max(scores)
    return [] if min(scores) == best else [each for each, score in zip(options, scores, strict=True) if score == best]


def _likeness(option: Option, entries: Sequence[Entry], wants: Set[str]) -> float:
    seen = spot(option.text)
    values = sum(1.0 + 0.2 * len(entry.value.split()) for entry in entries if is_shown(entry, seen))
    own = frozenset(content_stems(option.text))
    return values + 0.1 * len(own & wants)


def is_of_the_wish(proposal: str, wish: str, own: Set[str], known: Set[str]) -> bool:
    """Whether what is proposed is plainly what was wished: its act, on what the person spoke of themselves (`own`), and
    next to nothing besides that they know nothing of."""
    act = next(iter(content_stems(wish)), "")
    said = [root for root in content_stems(proposal) if root not in service() or _meet(root, act)]
    at = next((place for place, root in enumerate(said) if _meet(root, act)), None)
    if not act or at is None or not _NEGATIONS.isdisjoint(words(_EITHER.sub(" ", proposal))):
        return False
    strange = [place for place, root in enumerate(said) if not _is_among(root, known)]
    near = said[at + 1 : at + 3]
    return len(strange) <= 1 and 0 not in strange and all(_is_among(root, own) for root in near)


def says_nothing_but(text: str, entry: Entry) -> bool:
    """No word in it but of courtesy, the fact's name and its value."""
    own = {root for sense in entry.senses for root in sense} | set(content_stems(f"{entry.name} {entry.value}"))
    return all(root in service() or _is_among(root, own) for root in content_stems(text))


def _is_among(root: str, known: Set[str]) -> bool:
    return (
        len(root) < _LEAST or root in known or any(map(str.isdigit, root)) or any(_meet(root, each) for each in known)
    )


def _meet(one: str, other: str) -> bool:
    """Stems of one family: `clos` and `closur`."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _FIRST and long.startswith(short))
