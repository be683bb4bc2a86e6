"""Data that code holds → a State: its collections as tables, what is in them as records, by keys that last."""

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import cast

import msgspec

from misstep.core.state import Record, State
from misstep.core.tool import JSON
from misstep.core.words import split_identifier
from misstep.tools.held.data import fields_of, is_atom, is_collection, is_members, is_source, members_of
from misstep.tools.records.verbs import singular

_DEEPEST = 6
_JSON = frozenset({str, int, float, bool, type(None)})
_NAMES_ONE = ("id", "key", "code", "number", "ref", "reference", "uuid", "name", "title", "email")
"""What a field that tells records apart ends in, the surest first."""

Row = tuple[str, str, Record]
"""A table, a key and a record."""


class Tables:
    """Shows data as tables. Remembers which field tells the members of a list apart: keys stay what they were."""

    def __init__(self) -> None:
        self._keys: dict[str, str | None] = {}
        self._shown: set[int] = set()
        """What has been shown of the data: two names may stand for one thing, and objects for each other."""

    def state(self, named: Sequence[tuple[str, object]]) -> State:
        found: dict[str, dict[str, Record]] = {}
        self._shown = set()
        for name, value in named:
            for table, key, record in self._rows(_spoken(name), value):
                rows = found.setdefault(table, {})
                rows[_free(key, rows)] = record
        return found

    def _rows(self, name: str, value: object) -> Iterator[Row]:
        if id(value) in self._shown and not _is_scalar(value):
            return
        self._shown.add(id(value))
        if isinstance(value, Mapping):
            yield from self._of_mapping(name, cast("Mapping[object, object]", value))
        elif is_members(value):
            yield from self._of_members(name, members_of(value), by_text=isinstance(value, (set, frozenset)))
        elif is_collection(value) and not is_source(value):
            yield from self._of_object(name, value)
        elif _is_scalar(value):
            yield name, name, {name: plain_of(value)}

    def _of_mapping(self, name: str, value: Mapping[object, object]) -> Iterator[Row]:
        filled = [each for each in value.values() if not _is_empty(each)]
        if filled and all(map(_is_collection_of_records, filled)):
            for key, each in value.items():
                yield from self._rows(_spoken(str(key)), each)
            return
        for key, each in value.items():
            record = _record(each) if _is_record(each) else {singular(name): plain_of(each)}
            if type(key) is int and key not in record.values():  # as it is: its text would be no such key
                record = {f"{singular(name)}_id": key, **record}
            yield name, _text(key), record

    def _of_members(self, name: str, members: Sequence[object], *, by_text: bool) -> Iterator[Row]:
        if not all(_is_record(each) for each in members):
            for at, each in enumerate(members):
                yield name, _text(each) if by_text else str(at), {singular(name): plain_of(each)}
            return
        records = [_record(each) for each in members]
        if records and name not in self._keys:
            self._keys[name] = _telling_apart(records)
        field = self._keys.get(name)
        for at, record in enumerate(records):
            known = field is not None and _is_scalar(record.get(field)) and record.get(field) is not None
            yield name, str(record[field]) if known and field is not None else str(at), record

    def _of_object(self, name: str, value: object) -> Iterator[Row]:
        """Its collections are tables of their own; the rest of it is a record."""
        own: dict[str, JSON] = {}
        for field, inner in _fields(value).items():
            if _is_scalar(inner):
                own[_spoken(field)] = plain_of(inner)
            elif not callable(inner):
                yield from self._rows(_spoken(field), inner)
        if own:
            yield name, name, own


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
    if is_members(value):
        return [plain_of(each, depth - 1, within=True) for each in members_of(value)]
    fields = {name: each for name, each in _fields(value).items() if not callable(each)}
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


def _is_record(value: object) -> bool:
    """Something with fields, some of which are plain values."""
    if isinstance(value, Mapping):
        inner = cast("Mapping[object, object]", value)
        return all(isinstance(key, str) for key in inner) and any(_is_scalar(each) for each in inner.values())
    return is_collection(value) and not is_members(value) and any(map(_is_scalar, _fields(value).values()))


def _is_empty(value: object) -> bool:
    return (isinstance(value, Mapping) or is_members(value)) and not cast("list[object]", value)


def _is_collection_of_records(value: object) -> bool:
    if isinstance(value, Mapping):
        members = list(cast("Mapping[object, object]", value).values())
    else:
        members = members_of(value) if is_members(value) else []
    return bool(members) and all(_is_record(each) for each in members)


def _record(value: object) -> Record:
    record = cast("dict[str, JSON]", value)
    if type(record) is dict and _JSON.issuperset(map(type, record.values())):  # most records are that plain
        return {name: _finite(each) if type(each) is float else each for name, each in record.items()}
    return cast("Record", plain_of(value))


def _fields(value: object) -> dict[str, object]:
    """An object's attributes, without those that its library keeps its own accounts in."""
    return {name: each for name, each in fields_of(value).items() if not name.startswith("__")}


def _finite(number: float) -> JSON:
    return number if math.isfinite(number) else str(number)


def _telling_apart(records: Sequence[Record]) -> str | None:
    """The field whose name says that it tells records apart, and that does."""
    fields = [
        name for name, value in records[0].items() if isinstance(value, (str, int)) and not isinstance(value, bool)
    ]
    for ending in _NAMES_ONE:
        for field in fields:
            if split_identifier(field)[-1:] == [ending]:
                held = [record.get(field) for record in records]
                if None not in held and len({str(each) for each in held}) == len(records):
                    return field
    return None


def _spoken(name: str) -> str:
    return name.strip("_").lower() if name.isupper() else name.strip("_")


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
