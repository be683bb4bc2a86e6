"""An answer and a record → where the answer shows that record, beside which others, and what tells it from them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import cast

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.core.state import Record
from misstep.core.tool import JSON
from misstep.synthesis.tasks.looks import is_date, is_sayable, is_scalar
from misstep.synthesis.tasks.surveying import Leaf, Row, leaves, text
from misstep.synthesis.tasks.texts import records_of_text

_ALIKE = 0.75
_DEEPEST = 6
_TELLING = 12
"""A text so long is a record's own."""
_SHORTEST = 3


class Sight(Struct, frozen=True):
    """A record as an answer shows it, and the others in the same list."""

    record: Record
    others: tuple[Record, ...] = ()


def sight(content: JSON, row: Row, asked: Collection[JSON] = ()) -> Sight | None:
    """The first place where an answer shows a record: more of it than the values that were asked with.

    The same values in another record's place do not count.
    """
    known = {text(value) for value in asked if is_scalar(value)}
    found = [
        Sight(record, tuple(each for each in group if each is not record))
        for group in (
            *_keyed(content, row),
            *_listed(content, row),
            *_under_keys(content, row, _DEEPEST),
            *_groups(content, _DEEPEST),
        )
        for record in group
        if shows(record, row, known)
    ]
    if not found:
        return _sight_in_text(content, row, known)
    return min(reversed(found), key=lambda each: _looseness(each.record, row))


def _keyed(content: JSON, row: Row) -> Iterator[list[Record]]:
    """What an answer says under a record's key, as fields of the record."""
    if not isinstance(content, Mapping):
        return
    whole = cast("Record", content)
    said = whole.get(row.key)
    path = next((path for path, value in row.leaves if said is not None and value == said), None)
    if path is not None and is_scalar(said):
        mine: Record = {key_name(row): row.key, path: said}
        yield [mine, *({key_name(row): key} for key in whole if key != row.key)]


def _under_keys(content: JSON, row: Row, depth: int) -> Iterator[list[Record]]:
    """Records that an answer shows under their keys, each with its own, the other ones beside it."""
    if not depth or not isinstance(content, Mapping):
        return
    whole = cast("Mapping[str, JSON]", content)
    if isinstance(whole.get(row.key), Mapping):
        inner = {key: cast("Record", each) for key, each in whole.items() if isinstance(each, Mapping)}
        yield [{**each, (key_name(row) if key_name(row) not in each else "id"): key} for key, each in inner.items()]
    for each in whole.values():
        yield from _under_keys(each, row, depth - 1)


def _listed(content: JSON, row: Row) -> Iterator[list[Record]]:
    """An answer that is nothing but a list of names."""
    if isinstance(content, Mapping) and len(cast("Record", content)) == 1:
        content = next(iter(cast("Record", content).values()))
    if isinstance(content, (list, tuple)) and all(isinstance(each, str) for each in cast("Sequence[JSON]", content)):
        yield [{key_name(row): each} for each in cast("Sequence[str]", content)]


def key_name(row: Row) -> str:
    """What the record itself calls its key."""
    return next((path for path, value in row.leaves if text(value) == row.key and "." not in path), "name")


def _looseness(record: Record, row: Row) -> tuple[bool, int]:
    """What holds the record's key is the record, and not a part of it; what holds little else is not a list of it."""
    own = [text(value) for _, value in leaves(record)]
    return row.key not in own, len(own)


def shows(record: Record, row: Row, known: Collection[str] = ()) -> bool:
    """Most of what an answer says of something is the record's own, and more than what it was asked with.

    What it says of the parts, which may be records of their own, need not be."""
    told = [(path, text(value)) for path, value in leaves(record) if not isinstance(value, bool)]
    whole = [value for _, value in told]
    return _tells(whole, row, known) or _tells([value for path, value in told if "." not in path], row, known)


def _tells(own: Sequence[str], row: Row, known: Collection[str]) -> bool:
    shared = sum(value in row.texts for value in own)
    if not own or shared < _ALIKE * len(own) or not any(value in row.texts and value not in known for value in own):
        return False
    return row.key in own or (shared >= 2 and shared == len(own))


def _sight_in_text(content: JSON, row: Row, known: Collection[str]) -> Sight | None:
    """An answer that is nothing but a text shows a record whose own long text it holds, or whose name."""
    told = list(leaves(content))
    if len(told) != 1 or not isinstance(told[0][1], str):
        return None
    path, whole = told[0][0], text(told[0][1])
    record: dict[str, JSON] = {path.rpartition(".")[2] or "text": whole}
    if row.key not in known and names(whole, row):
        return Sight({**record, key_name(row): row.key})
    own = [text(value) for _, value in row.leaves if len(text(value)) >= _TELLING and text(value) not in known]
    return Sight(record) if any(each in whole for each in own) else None


def names(whole: str, row: Row) -> bool:
    """A text has the key of a record in it, as a word of its own."""
    at = whole.find(row.key) if len(row.key) >= _SHORTEST and not row.key.isdigit() else -1
    while at >= 0:
        around = whole[max(0, at - 1) : at], whole[at + len(row.key) : at + len(row.key) + 1]
        if not any(each.isalnum() for each in around):
            return True
        at = whole.find(row.key, at + 1)
    return False


def _groups(content: JSON, depth: int) -> Iterator[list[Record]]:
    """Each list of objects, and each object alone, outer ones first; also as a text lists them."""
    if isinstance(content, str):
        if records := records_of_text(content):
            yield [*records]
        return
    if isinstance(content, Mapping):
        whole = cast("Record", content)
        yield [whole]
        for inner in whole.values() if depth else ():
            yield from _groups(inner, depth - 1)
    elif isinstance(content, (list, tuple)) and depth:
        members = cast("Sequence[JSON]", content)
        objects = [cast("Record", each) for each in members if isinstance(each, Mapping)]
        if objects:
            yield objects
        for inner in members:
            for group in _groups(inner, depth - 1):
                if len(group) != 1 or not any(group[0] is each for each in objects):
                    yield group


def inner_sight(record: Record, value: Scalar) -> Sight | None:
    """The part of a record that holds a value, where it is a list of parts; the whole record where it stands alone."""
    for path, held in leaves(record):
        if text(held) == text(value) and "." not in path:
            return Sight(record)
    for group in _groups(record, _DEEPEST):
        for part in group:
            if part is not record and any(is_scalar(held) and text(held) == text(value) for held in part.values()):
                return Sight(part, tuple(each for each in group if each is not part))
    return None


def marks(
    seen: Sight, random: Random, *, avoiding: Collection[str] = (), unsaid: Collection[str] = ()
) -> tuple[Leaf, ...] | None:
    """One field, or two together, by which people tell the record from the others; None where nothing does."""
    if not seen.others:
        return ()
    taken = set(avoiding)
    own = [
        leaf
        for leaf in leaves(seen.record)
        if is_sayable(leaf[1])
        and leaf[0] not in taken
        and text(leaf[1]) not in taken
        and leaf[0].rpartition(".")[2] not in unsaid
    ]
    random.shuffle(own)
    own.sort(key=_awkward)
    held = [frozenset((path, text(value)) for path, value in leaves(other)) for other in seen.others]
    for count in (1, 2):
        for some in combinations(own[:12], count):
            wanted = {(path, text(value)) for path, value in some}
            if not any(wanted <= other for other in held):
                return some
    return None


def _awkward(leaf: Leaf) -> int:
    """Words and dates come to people's minds before numbers do."""
    value = leaf[1]
    if isinstance(value, str):
        return 0 if any(each.isalpha() for each in value) or is_date(value) else 1
    return 2
