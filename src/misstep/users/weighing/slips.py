"""A message and a ledger → numbers: for each fact, what speaks for and against its being got wrong there."""

import difflib
import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from misstep.core.words import STOPWORDS, Atom, as_number, content_stems, sentences, stem, words
from misstep.users.accounting import familiar
from misstep.users.ledger import Ledger
from misstep.users.weighing.traits import Likeness, Traits, likeness
from misstep.wording.facts import Entry
from misstep.wording.layout import plain
from misstep.wording.lexicon import lexicon
from misstep.wording.thesaurus import grouped, groups_in
from misstep.wording.topics import meets_any
from misstep.wording.values import Spotted, folded, form, holds, number_words, proper_names, shape, spot, within

_IN_PLACE_OF = re.compile(
    r"\b(?:instead|unfortunately|regret|alas|only|nearest|closest|next best|gone|full|sold out|no longer"
    r"|not available|unavailable|taken|however|but|rather)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(r",\s|\s+\(")
_AT_MOST = re.compile(
    r"\b(?:up to|at most|no more than|under|below|limit|max(?:imum)?|budget|most|cap|ceiling)\b", re.IGNORECASE
)
_COUNTED = re.compile(r"[ -]([a-z]+)")
_LONG = 5
"""Letters of a value that may be looked for with a slip."""
_SLIP = 3
"""So much longer or shorter may a slip be."""
_MUCH_LESS = 0.5
"""What is less than this part of a limit has nothing to do with it."""
_HALF = 0.5
_ALMOST = 0.8
_KINDS = ("date", "code", "email", "number", "name", "words")


def slips(message: str, ledger: Ledger, common: frozenset[str]) -> dict[str, Traits]:
    """By the fact's name. `common` are the stems that agents use whatever they speak of."""
    text = plain(message)
    there = _read(text, ledger, common)
    alike = {entry.name: likeness(text, entry) for entry in ledger.entries}
    return {entry.name: _traits(entry, there, alike[entry.name], ledger) for entry in ledger.entries}


class _Odd(Struct, frozen=True):
    """A message, and what in it nobody has given."""

    text: str
    seen: Spotted
    said: frozenset[str]
    long: float
    held: frozenset[str]
    """Facts whose values are there."""
    atoms: tuple[Atom, ...]
    numbers: tuple[tuple[float, str], ...]
    """Numbers that nobody has given, in figures or in words, and what they count."""
    figures: frozenset[float]
    """All numbers."""
    names: tuple[str, ...]
    members: dict[str, str]
    """Members of closed sets, with the set: colours, weekdays."""
    words: tuple[str, ...]
    groups: frozenset[str]
    """What these, and the members and numbers, may be said of."""

    @property
    def is_clear(self) -> bool:
        return not (self.atoms or self.numbers or self.names or self.members)


def _read(text: str, ledger: Ledger, common: frozenset[str]) -> _Odd:
    seen, sets, listed = spot(text), lexicon().values, words(text)
    entries, custom = ledger.entries, familiar(ledger)
    known = ledger.own_stems.union(*(content_stems(entry.value) for entry in entries))
    spoken = ledger.own.folded + " ".join(each.folded for entry in entries for each in entry.forms)
    counts = {number for part in (ledger.own.folded, *(entry.value for entry in entries)) for number in _numbers(part)}
    odd = {
        root: groups
        for root, groups in grouped(text)
        if not (root in known or root in common or root.isdigit() or meets_any(root, custom - known))
    }
    return _Odd(
        text=text,
        seen=seen,
        said=frozenset(map(stem, listed)),
        long=min(len(listed), 60) / 60,
        held=frozenset(entry.name for entry in entries if any(holds(seen, each) for each in entry.forms)),
        atoms=tuple(atom for atom in seen.atoms if not _is_given(atom.text, ledger)),
        figures=frozenset(number for number, _ in _counted(text)),
        numbers=tuple((number, noun) for number, noun in _counted(text) if number not in counts),
        names=tuple(
            name for piece in sentences(text) for name in proper_names(piece) if folded(name).strip() not in spoken
        ),
        members={root: sets[root] for root in map(stem, listed) if root in sets and root not in known},
        words=tuple(
            word
            for word, root in zip(listed, map(stem, listed), strict=True)
            if not (root in known or root in common or word in STOPWORDS or word.isdigit() or meets_any(root, custom))
        ),
        groups=frozenset[str]().union(*odd.values()),
    )


def _counted(text: str) -> Iterable[tuple[float, str]]:
    """`38-inch`, `two hours`: each number and the noun behind it, if there is one."""
    figures = (
        (as_number(atom.text), atom.start + len(atom.text)) for atom in spot(text).atoms if atom.kind == "number"
    )
    for number, end in (*figures, *((number, end) for number, _, end in number_words(text))):
        if number is not None:
            yield number, stem(found[1]) if (found := _COUNTED.match(text[end:])) else ""


def _numbers(text: str) -> Iterable[float]:
    return (*(number for number, _, _ in number_words(text)), *spot(text).numbers)


def _is_given(literal: str, ledger: Ledger) -> bool:
    part = form(literal)
    return holds(ledger.own, part) or any(
        literal.lower() in entry.value.lower() or any(within(part, each) for each in entry.forms)
        for entry in ledger.entries
    )


def _traits(entry: Entry, there: _Odd, like: Likeness, ledger: Ledger) -> Traits:
    """Of a value that is there only that, and how the name goes with the text; else all that may stand in its place."""
    same = [atom for atom in there.atoms if any(atom.kind == own.kind for own in entry.atoms)]
    always = {
        "held": float(entry.name in there.held),
        "named": like.named,
        "shown": min(len(there.held), 5) / 5,
        "shown of all": len(there.held) / max(1, len(ledger.entries)),
    }
    if entry.name in there.held:
        return {**always, "held beside a stranger": float(bool(same))}
    kind = _kind(entry)
    rivals = [
        each for each in ledger.entries if each is not entry and each.name not in there.held and _kind(each) == kind
    ]
    return {
        **always,
        **{f"of {each}": float(each == kind) for each in _KINDS},
        **_of_names(like),
        **_of_literals(entry, same, rivals, there),
        **_of_words(entry, kind, rivals, like, there),
        **_of_kin(entry, rivals, there),
        "in place of": float(bool(_IN_PLACE_OF.search(there.text))),
        "others held": min(len(there.held), 3) / 3,
        "few": 1 / len(ledger.entries),
        "rivals": min(len(rivals), 3) / 3,
        "clear": float(there.is_clear),
        "quite clear": float(there.is_clear and not there.words),
        "odd": min(len(there.words), 5) / 5,
        "long": there.long,
        "question": float(there.text.rstrip().endswith("?")),
        "said first": float(any(holds(ledger.own, each) for each in entry.forms)),
    }


def _kind(entry: Entry) -> str:
    """What would stand in its place: a literal of its kind, a name, or plain words."""
    kinds = {str(atom.kind) for atom in entry.atoms}
    return next((kind for kind in _KINDS[:4] if kind in kinds), "words" if entry.value.islower() else "name")


def _of_names(like: Likeness) -> Traits:
    return {
        "named, not held": like.named,
        "whole": float(like.whole),
        "akin": like.akin,
        "thing": float(like.thing),
        "kind": float(like.kind),
        "clear kind": float(like.clear_kind),
    }


def _of_literals(entry: Entry, same: Sequence[Atom], rivals: Sequence[Entry], there: _Odd) -> Traits:
    shaped = [atom for atom in same if any(shape(atom.text) == shape(own.text) for own in entry.atoms)]
    beside = any(
        atom.text in piece for piece in sentences(there.text) if _speaks_of(entry, piece) for atom in there.atoms
    )
    pairs = ((atom.text.lower(), own.text.lower()) for atom in same for own in entry.atoms)
    mine = spot(entry.value)
    return {
        "same kind": float(bool(same)),
        "same shape": float(bool(shaped)),
        "same kind, alone": float(
            bool(same) and not _have(rivals, lambda own: any(own.kind == at.kind for at in same))
        ),
        "same shape, alone": float(
            bool(shaped) and not _have(rivals, lambda own: any(shape(own.text) == shape(at.text) for at in shaped))
        ),
        "as like as": max((difflib.SequenceMatcher(None, *pair).ratio() for pair in pairs), default=0.0),
        "beside": float(beside),
        "beside, same kind": float(beside and bool(same)),
        "price": float(bool(mine.prices and there.seen.prices)),
        "time": float(bool(mine.times and there.seen.times)),
    }


def _have(rivals: Sequence[Entry], is_so: Callable[[Atom], bool]) -> bool:
    return any(is_so(own) for rival in rivals for own in rival.atoms)


def _of_words(entry: Entry, kind: str, rivals: Sequence[Entry], like: Likeness, there: _Odd) -> Traits:
    own = content_stems(entry.value)
    part = sum(root in there.said for root in own) / len(own) if own else 0.0
    half = 0.0 < part < 1.0
    sets = lexicon().values
    mine = {sets[root] for root in map(stem, words(entry.value)) if root in sets}
    member = not mine.isdisjoint(there.members.values())
    others = {sets[root] for rival in rivals for root in map(stem, words(rival.value)) if root in sets}
    counts = bool(number_words(entry.value)) or any(atom.kind == "number" for atom in entry.atoms)
    nouns = {root for sense in entry.senses for root in sense.stems}.union(own)
    named = bool(there.names) and kind == "name"
    kin = groups_in(entry.value)
    odd = min(len(there.words), 4) / 4
    near = _nearest(entry.value, there.text)
    return {
        "part": part,
        "all of it": float(part >= 1.0),
        "half": float(half),
        "half a name": float(half and kind == "name"),
        "half the words": float(half and kind == "words"),
        "nearly": max(0.0, near - _HALF) * 2,
        "almost": float(near > _ALMOST),
        "member": float(member),
        "member, alone": float(member and mine.isdisjoint(others)),
        "other name": float(named),
        "other name, named": like.named if named else 0.0,
        "other name, alone": float(named and not rivals),
        "count": float(counts and bool(there.numbers)),
        "count of it": float(counts and any(noun in nouns for _, noun in there.numbers)),
        "count of its kin": float(counts and any(not kin.isdisjoint(groups_in(noun)) for _, noun in there.numbers)),
        "odd words": odd if kind == "words" else 0.0,
        "odd words, named": odd * max(like.named, like.akin),
        "shortened": float(_shortened(entry.value, there.seen)),
        "initialled": float(_initialled(entry.value, there.text)),
        "figures of it": _figures(entry, there),
        "within its bounds": float(_is_within(entry, there.numbers)),
    }


def _shortened(value: str, seen: Spotted) -> bool:
    """`Hotel Meridiana` for Hotel Meridiana, Trieste: what stands before a comma or behind an article."""
    short = _BEFORE.split(value, maxsplit=1)[0].strip()
    return bool(short) and short != value and holds(seen, form(short))


def _initialled(value: str, text: str) -> bool:
    """`M. Ionescu` for Mirela Ionescu."""
    first, _, rest = value.partition(" ")
    return bool(rest) and bool(re.search(rf"\b{re.escape(first[0])}\.? {re.escape(rest)}\b", text))


def _figures(entry: Entry, there: _Odd) -> float:
    """`crane 5` for STS crane 5: how many of its numbers are said; none of them where it has none."""
    own = set(_numbers(entry.value))
    return sum(number in there.figures for number in own) / len(own) if own else 0.0


def is_within(entry: Entry, text: str) -> bool:
    """`38 euros a month` for one who would pay up to 40."""
    return _is_within(entry, tuple(_counted(text)))


def _is_within(entry: Entry, counted: Sequence[tuple[float, str]]) -> bool:
    own = list(_numbers(entry.value))
    if len(own) != 1 or not (_AT_MOST.search(entry.name) or _AT_MOST.search(entry.value)):
        return False
    return any(_MUCH_LESS * own[0] <= number < own[0] for number, _ in counted)


def _of_kin(entry: Entry, rivals: Sequence[Entry], there: _Odd) -> Traits:
    """`leather` for rubber, `dollars` for yen: something else that is said of the same matter."""
    of_value, of_name = (groups_in(text) & there.groups for text in (entry.value, entry.name))
    others = frozenset[str]().union(*(groups_in(f"{each.name} {each.value}") for each in rivals))
    return {
        "kin of the value": min(len(of_value), 3) / 3,
        "kin of the name": min(len(of_name), 3) / 3,
        "kin, alone": float(bool((of_value | of_name) - others)),
    }


def _speaks_of(entry: Entry, piece: str) -> bool:
    like = likeness(piece, entry)
    return like.named >= _HALF or like.akin >= _HALF


def _nearest(value: str, text: str) -> float:
    """How like the value the words are that are most like it."""
    wanted = folded(value).strip()
    if len(wanted) < _LONG:
        return 0.0
    listed, size = folded(text).split(), len(wanted.split())
    runs = (" ".join(listed[at : at + size]) for at in range(len(listed) - size + 1))
    matcher = difflib.SequenceMatcher(None, "", wanted)
    best = 0.0
    for run in runs:
        if abs(len(run) - len(wanted)) > _SLIP:
            continue
        matcher.set_seq1(run)
        if matcher.quick_ratio() > best:
            best = max(best, matcher.ratio())
    return best
