"""Data in data → which of it is records of its own, and whether names or keys lead there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, cast

from misstep.core.tool import JSON
from misstep.core.words import split_identifier
from misstep.tools.held.data import fields_of, is_atom, is_collection, is_members, members_of
from misstep.tools.records.verbs import singular

NAMES_ONE = ("id", "key", "code", "number", "ref", "reference", "uuid", "name", "title", "email")
"""What a field that tells records apart ends in, the surest first."""
Layout = Literal["sections", "groups", "records"]
"""Under names lie tables; under keys lie tables of one kind; under keys lie records."""

_IDS = frozenset(NAMES_ONE[:7])
_DEEPEST = 4
_ALIKE = 0.5


def is_record(value: object) -> bool:
    """Something with fields, some of which are plain values."""
    if isinstance(value, Mapping):
        inner = cast("Mapping[object, object]", value)
        return all(isinstance(key, str) for key in inner) and any(is_atom(each) for each in inner.values())
    if is_named_tuple(value):
        return any(map(is_atom, attributes(value).values()))
    return is_collection(value) and not is_members(value) and any(map(is_atom, attributes(value).values()))


def is_named_tuple(value: object) -> bool:
    return isinstance(value, tuple) and is_named_tuple_class(cast("type", type(cast("object", value))))


def is_named_tuple_class(kind: type) -> bool:
    return issubclass(kind, tuple) and "_fields" in dir(cast("object", kind))


def attributes(value: object) -> dict[str, object]:
    """What a record says by name; of an object without those that its library keeps its own accounts in."""
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    if is_named_tuple(value):
        names = cast("tuple[str, ...]", type(value)._fields)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        return dict(zip(names, cast("tuple[object, ...]", value), strict=True))
    return {name: each for name, each in fields_of(value).items() if not name.startswith("__")}


def is_empty(value: object) -> bool:
    return (isinstance(value, Mapping) or is_members(value)) and not cast("list[object]", value)


def inner_of(value: object) -> list[object]:
    """What lies in a mapping or a list; nothing in what is neither, or is a record."""
    if isinstance(value, Mapping):
        return list(cast("Mapping[object, object]", value).values())
    return members_of(value) if is_members(value) and not is_named_tuple(value) else []


def holds_records(value: object, depth: int = _DEEPEST) -> bool:
    """All that is in it are records, or hold some in turn."""
    filled = [each for each in inner_of(value) if not is_empty(each)]
    if not filled or is_record(value):
        return False
    return all(is_record(each) or (depth > 0 and holds_records(each, depth - 1)) for each in filled)


def layout_of(name: str, value: Mapping[object, object], *, inside: bool) -> Layout | None:
    """What a mapping is; nothing where nothing is in it to tell. `inside`: it lies under a key of another."""
    filled = [each for each in value.values() if not is_empty(each)]
    if not filled:
        return None
    holding = [holds_records(each) for each in filled]
    if all(holding):
        return "groups" if are_groups(name, value, inside=inside) else "sections"
    named = all(isinstance(key, str) and key.replace("_", "").isalpha() for key in value)
    return "sections" if named and any(holding) else "records"


def are_groups(name: str, value: Mapping[object, object], *, inside: bool) -> bool:
    """Keys lead to records of one kind, the repairs of each van, where else they are what tables are called."""
    filled = {key: each for key, each in value.items() if not is_empty(each)}
    kinds = [_fields_in(each) for each in filled.values()]
    all_of_them = frozenset[str]().union(*kinds)
    common = all_of_them.intersection(*kinds)
    alike = len(common) > _ALIKE * len(all_of_them)
    keys = [str(key) for key in filled]
    if not alike or any(key.isidentifier() and singular(key) != key for key in keys):
        return False
    coded = all(not key.isidentifier() or any(map(str.isdigit, key)) for key in keys)
    plural = singular(name) != name
    return (plural or coded or inside or len(keys) > 1) and _told_apart(filled.values())


def _fields_in(value: object) -> frozenset[str]:
    if is_record(value):
        return frozenset(attributes(value))
    return frozenset[str]().union(*(_fields_in(each) for each in inner_of(value)))


def are_parts(field: str, values: Sequence[object]) -> bool:
    """What stands in a field of records is records in turn, each of which has a key that no other has: the beds of a
    house, and not the street and the town of an address."""
    filled = [each for each in values if not is_empty(each)]
    if not filled or not all(map(holds_records, filled)):
        return False
    if all(isinstance(each, Mapping) for each in filled):
        return _told_apart(filled)
    members = [record for each in filled for record in inner_of(each)]
    own = own_id(field, members)
    return own is not None and len({str(attributes(each)[own]) for each in members}) == len(members)


def own_id(table: str, members: Sequence[object]) -> str | None:
    """The field whose name says that it is the id of just such a record; another's id tells nothing."""
    kind = set(split_identifier(singular(table)))
    for field in attributes(members[0]) if members and all(map(is_record, members)) else ():
        *what, last = split_identifier(field) or [""]
        named = all(is_atom(attributes(each).get(field)) and attributes(each)[field] is not None for each in members)
        if last in _IDS and kind.issuperset(what) and named:
            return field
    return None


def _told_apart(groups: Iterable[object]) -> bool:
    """No key stands in two groups: those that stand in each are the names of fields."""
    seen: set[str] = set()
    for each in groups:
        for key in _keys_in(each):
            if key in seen:
                return False
            seen.add(key)
    return True


def _keys_in(value: object) -> list[str]:
    """The keys under which records lie; those of a list are told apart by what is in them."""
    if not isinstance(value, Mapping):
        return []
    found: list[str] = []
    for key, each in cast("Mapping[object, object]", value).items():
        found += [str(key)] if is_record(each) else _keys_in(each)
    return found


def key_field(record: Mapping[str, JSON], key: object, table: str) -> str:
    """What a record itself calls its key, so that its parts call it the same."""
    return next((name for name, value in record.items() if value == key and value is not None), singular(table))
