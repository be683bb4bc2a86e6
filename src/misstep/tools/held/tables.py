"""Data that code holds → a State: its collections as tables, what is in them as records, by keys that last."""

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, cast

import msgspec

from misstep.core.state import Record, State
from misstep.core.tool import JSON
from misstep.core.words import split_identifier
from misstep.tools.held.data import is_atom, is_collection, is_members, is_source, members_of
from misstep.tools.held.nesting import (
    NAMES_ONE,
    Layout,
    are_parts,
    attributes,
    is_empty,
    is_named_tuple,
    is_record,
    key_field,
    layout_of,
)
from misstep.tools.records.verbs import singular

_DEEPEST = 6
_JSON = frozenset({str, int, float, bool, type(None)})
_GROUP = "group"
"""What a place within a place is called, such as the section of a branch: code has no name for it."""

Row = tuple[str, str, Record]
"""A table, a key and a record."""


class Tables:
    """Shows data as tables. Remembers how the first data was laid out: keys stay what they were."""

    def __init__(self) -> None:
        self._keys: dict[str, str | None] = {}
        self._layouts: dict[tuple[str, int], Layout] = {}
        self._parts: dict[tuple[str, str], str | None] = {}
        """A field of the records of a table → the table that what stands there is in; none where it stays there."""
        self._shown: set[int] = set()
        """What has been shown of the data: two names may stand for one thing, and objects for each other."""
        self._names: set[str] = set()

    def state(self, named: Sequence[tuple[str, object]]) -> State:
        found: dict[str, dict[str, Record]] = {}
        self._shown = set()
        self._names = {_spoken(name) for name, _ in named}
        for name, value in named:
            for table, key, record in self._rows(_spoken(name), value, {}):
                rows = found.setdefault(table, {})
                rows[_free(key, rows)] = record
        return found

    def _rows(self, name: str, value: object, within: Record) -> Iterator[Row]:
        """`within`: where it lies, as fields that each record is to have."""
        if id(value) in self._shown and not _is_scalar(value):
            return
        self._shown.add(id(value))
        if isinstance(value, Mapping):
            yield from self._of_mapping(name, cast("Mapping[object, object]", value), within)
        elif is_members(value) and not is_named_tuple(value):
            by_text = isinstance(value, (set, frozenset))
            yield from self._of_members(name, members_of(value), within, by_text=by_text)
        elif is_named_tuple(value):
            yield name, name, {**within, **_record(value)}
        elif is_collection(value) and not is_source(value):
            yield from self._of_sections(name, attributes(value), within)
        elif _is_scalar(value):
            yield name, name, {**within, name: plain_of(value)}

    def _of_mapping(self, name: str, value: Mapping[object, object], within: Record) -> Iterator[Row]:
        layout = self._layouts.get((name, len(within)))
        if layout is None and (layout := layout_of(name, value, inside=bool(within))) is not None:
            self._layouts[name, len(within)] = layout
        if layout == "sections":
            yield from self._of_sections(name, value, within)
        elif layout == "groups":
            field = singular(name) if singular(name) not in within else _GROUP
            for key, each in value.items():
                yield from self._rows(name, each, {**within, field: _key(key)})
        else:
            yield from self._of_records(name, [(key, each, None) for key, each in value.items()], within)

    def _of_records(
        self, name: str, keyed: Sequence[tuple[object, object, Record | None]], within: Record
    ) -> Iterator[Row]:
        """Keys, what lies there, and that as a record where it is known."""
        parts = self._parts_of(name, [each for _, each, _ in keyed if is_record(each)])
        for key, each, known in keyed:
            if not is_record(each):
                record: Record = {singular(name): plain_of(each)}
            elif parts:
                record = _record(_without(parts, each))
            else:
                record = known if known is not None else _record(each)
            if type(key) is int and key not in record.values():  # as it is: its text would be no such key
                record = {f"{singular(name)}_id": key, **record}
            yield name, _text(key), {**within, **record}
            if parts and is_record(each):
                yield from self._of_parts(attributes(each), parts, {**within, key_field(record, key, name): _key(key)})

    def _of_parts(self, fields: Mapping[str, object], parts: Mapping[str, str], within: Record) -> Iterator[Row]:
        for field, table in parts.items():
            if not is_empty(fields.get(field, [])):
                yield from self._rows(table, fields[field], within)

    def _parts_of(self, name: str, records: Sequence[object]) -> dict[str, str]:
        """The fields whose contents are records of their own, and the tables of these."""
        nested: dict[str, list[object]] = {}
        for each in records:
            for field, inner in attributes(each).items():
                if not _is_scalar(inner) and not callable(inner):
                    nested.setdefault(field, []).append(inner)
        for field, values in nested.items():
            if (name, field) not in self._parts and not all(map(is_empty, values)):
                taken = {*self._parts.values(), *self._names}
                table = _spoken(field) if _spoken(field) not in taken else f"{name}.{_spoken(field)}"
                self._parts[name, field] = table if are_parts(field, values) else None
        return {field: table for field in nested if (table := self._parts.get((name, field))) is not None}

    def _of_members(self, name: str, members: Sequence[object], within: Record, *, by_text: bool) -> Iterator[Row]:
        if not all(is_record(each) for each in members):
            for at, each in enumerate(members):
                yield name, _text(each) if by_text else str(at), {**within, singular(name): plain_of(each)}
            return
        records = [_record(each) for each in members]
        if records and name not in self._keys:
            self._keys[name] = _telling_apart(records)
        field = self._keys.get(name)
        keyed: list[tuple[object, object, Record | None]] = []
        for at, (record, each) in enumerate(zip(records, members, strict=True)):
            known = field is not None and _is_scalar(record.get(field)) and record.get(field) is not None
            keyed.append((str(record[field]) if known and field is not None else str(at), each, record))
        yield from self._of_records(name, keyed, within)

    def _of_sections(self, name: str, fields: Mapping[Any, object], within: Record) -> Iterator[Row]:
        """What is in an object, or under names: collections are tables of their own; the rest is a record."""
        own: dict[str, JSON] = {}
        for field, inner in fields.items():
            if _is_scalar(inner):
                own[_spoken(str(field))] = plain_of(inner)
            elif not callable(inner):
                yield from self._rows(_spoken(str(field)), inner, within)
        if own:
            yield name, name, {**within, **own}


def plain_of(value: object, depth: int = _DEEPEST, *, within: bool = False) -> JSON:
    """As JSON. Of an object within another only the plain values: objects that know each other would never end."""
    if isinstance(value, float):
        return _finite(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value.value if isinstance(value, Enum) else value
    if is_atom(value):
        return _atom(value)
    if not depth:
        return None
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {_text(key): plain_of(each, depth - 1, within=True) for key, each in pairs}
    if is_members(value) and not is_named_tuple(value):
        return [plain_of(each, depth - 1, within=True) for each in members_of(value)]
    fields = {name: each for name, each in attributes(value).items() if not callable(each)}
    if within:
        fields = {name: each for name, each in fields.items() if _is_scalar(each)}
    return {_spoken(name): plain_of(each, depth - 1, within=True) for name, each in fields.items()}


def _atom(value: object) -> JSON:
    try:
        return cast("JSON", msgspec.to_builtins(value))
    except (TypeError, ValueError):
        return str(value)


def _is_scalar(value: object) -> bool:
    return is_atom(value)


def _record(value: object) -> Record:
    record = cast("dict[str, JSON]", value)
    if type(record) is dict and _JSON.issuperset(map(type, record.values())):  # most records are that plain
        return {name: _finite(each) if type(each) is float else each for name, each in record.items()}
    return cast("Record", plain_of(value))


def _without(parts: Mapping[str, str], record: object) -> dict[str, object]:
    """A record without what is records of its own."""
    rest = {name: each for name, each in attributes(record).items() if name not in parts}
    if isinstance(record, Mapping):
        return rest
    return {_spoken(name): each for name, each in rest.items() if not callable(each)}


def _finite(number: float) -> JSON:
    return number if math.isfinite(number) else str(number)


def _telling_apart(records: Sequence[Record]) -> str | None:
    """The field whose name says that it tells records apart, and that does."""
    fields = [
        name for name, value in records[0].items() if isinstance(value, (str, int)) and not isinstance(value, bool)
    ]
    for ending in NAMES_ONE:
        for field in fields:
            if split_identifier(field)[-1:] == [ending]:
                held = [record.get(field) for record in records]
                if None not in held and len({str(each) for each in held}) == len(records):
                    return field
    first = fields[:1] if records and next(iter(records[0])) in fields else []
    return next((field for field in first if _is_short_for_id(field, [each.get(field) for each in records])), None)


def _is_short_for_id(field: str, held: Sequence[JSON]) -> bool:
    """`tid` of a ticket: what comes first, ends so, and is a number or a code in each."""
    coded = all(type(each) is int or (isinstance(each, str) and " " not in each) for each in held)
    return field.lower().endswith(("id", "no", "nr")) and coded and len({str(each) for each in held}) == len(held)


def _spoken(name: str) -> str:
    return name.strip("_").lower() if name.isupper() else name.strip("_")


def _key(key: object) -> JSON:
    return key if type(key) is int else _text(key)


def _text(key: object) -> str:
    if isinstance(key, tuple):
        return ", ".join(_text(each) for each in cast("tuple[object, ...]", key))
    return str(key.value) if isinstance(key, Enum) else str(key)


def _free(key: str, rows: Mapping[str, Record]) -> str:
    """The key, or with a number behind it where another record has it."""
    if key not in rows:
        return key
    at = 2
    while f"{key}#{at}" in rows:
        at += 1
    return f"{key}#{at}"
