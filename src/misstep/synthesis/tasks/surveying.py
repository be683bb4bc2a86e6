"""A bench → the records that there are, in its state or in what reading tools show, and how they hang together."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import cast

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.core.state import Record
from misstep.core.tool import JSON
from misstep.core.words import split_identifier, stem
from misstep.synthesis.tasks.executing import Bench, Call
from misstep.synthesis.tasks.formats import in_form
from misstep.synthesis.tasks.looks import is_address, is_code, is_date, is_name, is_sayable, is_scalar, likeness
from misstep.synthesis.tasks.slots import slots_of
from misstep.synthesis.tasks.texts import records_of_text

_DEEPEST = 6
_HELD = 64
"""So many records at most are remembered for a value: a status that thousands share tells nothing."""
_NEAR = 24
_SHARING = 10
_READS = 8
_SAMPLE = 40
_TRIES = 6

Leaf = tuple[str, Scalar]
"""The dotted names on the way to a value, lists left out, and the value."""


def leaves(value: JSON, path: str = "", depth: int = _DEEPEST) -> Iterator[Leaf]:
    """Every value in a record, with its path. What stands under somebody's address stands in a list of such."""
    if is_scalar(value):
        yield path, value
    elif depth and isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, JSON]", value).items():
            inside = path if path and "@" in str(name) else f"{path}.{name}".strip(".")
            yield from leaves(inner, inside, depth - 1)
    elif depth and isinstance(value, (list, tuple)):
        for inner in cast("Sequence[JSON]", value):
            yield from leaves(inner, path, depth - 1)


def text(value: Scalar) -> str:
    """What two values share that are the same id, be it a number here and a text there."""
    return str(value)


class Row(Struct, frozen=True, dict=True, eq=False):
    """A record, and where it is kept."""

    table: str
    key: str
    """What tools call it by."""
    record: Record
    place: str = ""
    """What its state keeps it under, where that is only a place in a list."""
    asked: frozenset[Scalar] = frozenset()
    """Where no state shows it: what it was asked for with."""

    @property
    def kept(self) -> tuple[str, str]:
        """Where its state keeps it."""
        return self.table, self.place or self.key

    derived: tuple[Leaf, ...] = ()
    """What its key says by itself: the name and the folder in a path."""

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        return (*leaves(self.record), *self.derived)

    @cached_property
    def texts(self) -> frozenset[str]:
        """All its values, and its key."""
        return frozenset({text(value) for _, value in self.leaves} | {self.key})

    def at(self, path: str) -> list[Scalar]:
        """The values at a path; the key at the empty one."""
        return [value for name, value in self.leaves if name == path] if path else [self.key]


class Field(Struct, frozen=True):
    """A path in the records of a table."""

    table: str
    path: str
    form: str = ""
    """What stands there is a day or a time, and is asked with in this form."""

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


class Survey:
    """The records of a toolbox, with what is needed to go from one to another in a step."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.tables: dict[str, list[Row]] = defaultdict(list)
        self._by_key: dict[str, list[Row]] = defaultdict(list)
        self._holders: dict[str, list[Row]] = defaultdict(list)
        self._neighbours: dict[int, list[Row]] = {}
        self.key_like: dict[Field, bool] = {}
        """Whether what stands in a field names records, once somebody has asked."""
        for row in rows:
            self.tables[row.table].append(row)
        for table, some in self.tables.items():
            self.tables[table] = _by_name(some)
            for row in self.tables[table]:
                self._by_key[row.key].append(row)
        self.key_paths = {table: _key_path(rows) for table, rows in self.tables.items()}
        for rows in self.tables.values():
            for row in rows:
                self._hold(row)

    def _hold(self, row: Row) -> None:
        for value in dict.fromkeys(text(value) for path, value in row.leaves if self._binds(path, value)):
            held = self._holders[value]
            if len(held) < _HELD:
                held.append(row)

    def _binds(self, path: str, value: Scalar) -> bool:
        """Two records that share it have something to do with each other."""
        return not isinstance(value, (bool, float)) and (is_code(value) or bool(self.refers(path, value)))

    def row(self, table: str, key: str) -> Row | None:
        return next((row for row in self._by_key.get(key, ()) if row.table == table), None)

    def holders(self, value: Scalar) -> list[Row]:
        """Records that a code or a key stands in."""
        return self._holders.get(text(value), [])

    def leads_to(self, row: Row, value: Scalar, meant: Sequence[Row]) -> bool:
        """Whether who speaks of a record can mean a value in it: another record by the name of its kind, or that same
        record kept twice; or, where it is the key of none, somebody's one address. Equal numbers alone say nothing."""
        if not meant:
            return self._is_address_of(row, value)
        paths = [path for path, held in row.leaves if text(held) == text(value)]
        own = self.key_paths[row.table]
        if is_code(value) or any(path != own and self.says(path, each.table) for path in paths for each in meant):
            return True
        return any(len(row.texts & each.texts) * 2 > len(each.texts) for each in meant)

    def _is_address_of(self, row: Row, value: Scalar) -> bool:
        """It stands in one record of its table, whose records have no other: a contact's address, not a mail's."""
        rows = self.tables[row.table]
        paths = {path for each in rows for path, held in each.leaves if is_address(held) and text(held) != each.key}
        alone = sum(text(value) in each.texts for each in rows) == 1
        return alone and (row.key == text(value) or len(paths) == 1)

    @cached_property
    def days(self) -> tuple[str, ...]:
        """Days and times that stand in records."""
        return tuple(str(value) for field in self.fields for value in self.values(field)[:20] if is_date(value))

    def named_by(self, value: JSON) -> list[Row]:
        """The records whose key a value is."""
        return self._by_key.get(text(value), []) if is_scalar(value) and not isinstance(value, bool) else []

    def key_of(self, row: Row) -> Scalar:
        """Its key as it stands in the record, a number where it is one."""
        return next(iter(row.at(self.key_paths[row.table])), row.key)

    def refers(self, path: str, value: Scalar) -> list[Row]:
        """The records that a value at a path is the key of. A number is one only under a name that says so."""
        found = self.named_by(value)
        if isinstance(value, str) and not value.isdigit():
            return found
        return [row for row in found if self.says(path, row.table)]

    def says(self, path: str, table: str) -> bool:
        """Whether a name is one under which the key of a table would stand."""
        named = {stem(word) for word in split_identifier(path.rpartition(".")[2])}
        own = {stem(word) for word in split_identifier(table)}
        return likeness(path, self.key_paths[table]) >= 2 or bool(named & own)

    def near(self, row: Row, random: Random) -> list[Row]:
        """Records that hang together with one, over a step or two, the nearer ones first."""
        found: dict[int, Row] = {id(row): row}
        frontier = [row]
        for each_holds in (60, 12):
            beyond = {id(each): each for here in frontier for each in self._adjacent(here, random)[:each_holds]}
            frontier = [each for each in beyond.values() if id(each) not in found][:_NEAR]
            found.update((id(each), each) for each in frontier)
        return list(found.values())[1:]

    def _adjacent(self, row: Row, random: Random) -> list[Row]:
        """Those that it names, then those that share a code with it; the same ones each time."""
        known = self._neighbours.get(id(row))
        if known is not None:
            return known
        named: list[Row] = []
        sharing: list[Row] = []
        own = self.key_paths[row.table]
        for path, value in (*row.leaves, ("", row.key)):
            if isinstance(value, (bool, float)) or value == "":
                continue
            named += self.refers(path, value) if path else []
            held = self._holders.get(text(value), ()) if isinstance(value, str) or path == own else ()
            start = random.randrange(len(held)) if len(held) > _SHARING else 0
            sharing += held[start : start + _SHARING]
        random.shuffle(sharing)
        self._neighbours[id(row)] = found = [*named, *sharing]
        return found

    def siblings(self, row: Row) -> list[Row]:
        """Records of the same table that share a code with one."""
        codes = [text(value) for path, value in row.leaves if text(value) != row.key and self._binds(path, value)]
        found = {id(each): each for code in codes for each in self._holders.get(code, ()) if each.table == row.table}
        return [each for each in found.values() if each is not row]

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """Every path that some record of a table has; the key's own where the record does not hold it."""
        found: dict[Field, None] = {}
        for table, rows in self.tables.items():
            if not self.key_paths[table]:
                found[Field(table, "")] = None
            for row in rows[:_SAMPLE]:
                found.update((Field(table, path), None) for path, _ in row.leaves)
        return tuple(found)

    def values(self, field: Field) -> Sequence[Scalar]:
        """Some values that stand there, each once."""
        if field not in self._values:
            rows = self.tables[field.table]
            step = max(1, len(rows) // 200)
            held = (value for row in rows[::step] for value in row.at(field.path) if value != "")
            if field.form:
                held = (day for value in held if (day := in_form(value, field.form)) is not None)
            some = {text(value): value for value in held}
            self._values[field] = tuple(some.values())
        return self._values[field]

    def is_shared(self, field: Field) -> bool:
        """Few values stand there in many records, and they are no keys."""
        values, rows = self.values(field), self.tables[field.table]
        few = len(values) * 5 < min(len(rows), 200)
        return few and not any(self.refers(field.path, value) for value in values[:3])

    def another(self, field: Field, value: JSON, random: Random) -> str | int | float | None:
        """What stands in the same field of another record, where that is another value that people say."""
        values = self.values(field) if field in self._known_fields else ()
        for _ in range(_TRIES if len(values) > 1 else 0):
            other = random.choice(values)
            if is_sayable(other) and text(other) != str(value):
                return other
        return None

    @cached_property
    def _known_fields(self) -> frozenset[Field]:
        return frozenset(self.fields)

    @cached_property
    def _values(self) -> dict[Field, Sequence[Scalar]]:
        return {}


def _by_name(rows: list[Row]) -> list[Row]:
    """Records that are kept by their place in a list go by the first text that is each one's own."""
    if [row.key for row in rows] != [str(at) for at in range(len(rows))] or _key_path(rows):
        return rows
    for path in dict.fromkeys(path for path, _ in rows[0].leaves if "." not in path):
        names = [row.at(path) for row in rows]
        said = {each[0] for each in names if len(each) == 1 and is_name(each[0])}
        if len(said) == len(rows):
            return [Row(row.table, text(name[0]), row.record, row.key) for row, name in zip(rows, names, strict=True)]
    return rows


def _key_path(rows: Sequence[Row]) -> str:
    """The path at which records of a table hold their own key; none where they do not."""
    first = rows[:_SAMPLE]
    paths = dict.fromkeys(path for row in first for path, _ in row.leaves)
    for path in paths:
        if all([text(value) for value in row.at(path)] == [row.key] for row in first):
            return path
    return ""


async def survey_of(bench: Bench, random: Random) -> Survey:
    """The state's records where there is a state; else what the tools that read show of them."""
    if bench.stateful and any(bench.start.values()):
        return Survey(
            Row(table, key, record, derived=_derived(key, record))
            for table, rows in bench.start.items()
            for key, record in rows.items()
        )
    return Survey(await _shown(bench, random))


def _derived(key: str, record: Record) -> tuple[Leaf, ...]:
    """Of a path that stands nowhere but in the key: people know what a file is called, and tools look for that."""
    folder, slash, name = key.rpartition("/")
    if not slash or not folder or not name or " " in key or key in record.values():
        return ()
    return tuple((path, value) for path, value in (("name", name), ("folder", folder)) if path not in record)


async def _shown(bench: Bench, random: Random) -> list[Row]:
    """Call what needs nothing, then what takes a value that has been seen under that name."""
    kinds: dict[tuple[str, ...], _Kind] = {}
    seen: dict[str, list[Scalar]] = defaultdict(list)
    readers = [tool for tool in bench.tools.values() if tool.effect == "reads"]
    asked: set[bytes] = set()
    for tool in readers * 3:
        slots = [slot for slot in slots_of(tool) if not slot.optional]
        for _ in range(_READS if slots else 1):
            values = [_seen_for(slot.name, slot.choices or slot.shown, seen, random) for slot in slots]
            if any(value is None for value in values) or not all(slot.whole for slot in slots):
                continue
            call = Call(tool.name, {slot.argument: value for slot, value in zip(slots, values, strict=True)})
            if call.text in asked:
                continue
            asked.add(call.text)
            played = await bench.play(call)
            if played.worked:
                _gather(played.last.content, call, kinds, seen)
    return [row for kind in kinds.values() for row in kind.rows()]


class _Kind:
    """Records that were shown with the same fields, whoever showed them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.records: dict[str, Record] = {}
        self.asked: defaultdict[str, set[Scalar]] = defaultdict(set)
        """By the record's text, what it was asked for with."""

    def rows(self) -> list[Row]:
        """By the field that is different in each, one that holds codes if possible; none where there is no such."""
        records = list(self.records.values())
        asked = [frozenset(self.asked[each]) for each in self.records]
        paths = [name for name, value in records[0].items() if is_scalar(value) and not isinstance(value, bool)]
        for path in sorted(paths, key=lambda path: not is_code(records[0][path])):
            keys = [record.get(path) for record in records]
            if len({str(key) for key in keys if key is not None}) == len(records):
                rows = zip(keys, records, asked, strict=True)
                return [Row(self._name, str(key), record, asked=with_) for key, record, with_ in rows]
        return []


def _seen_for(name: str, listed: Sequence[JSON], seen: Mapping[str, list[Scalar]], random: Random) -> JSON:
    if listed:
        return random.choice(listed)
    fitting = [each for each in seen if likeness(each, name) >= 2]
    if fitting:
        return random.choice(seen[fitting[0]])
    codes = [value for values in seen.values() for value in values if is_code(value)]
    return random.choice(codes) if codes else None  # what a commit is called here, a revision may be called there


def _gather(content: JSON, call: Call, kinds: dict[tuple[str, ...], _Kind], seen: dict[str, list[Scalar]]) -> None:
    asked = {value for _, value in leaves(call.arguments)}
    for table, record in records_in(content, call.tool):
        for path, value in leaves(record):
            if value not in seen[path] and len(seen[path]) < _HELD:
                seen[path].append(value)
        kind = kinds.setdefault(tuple(sorted(record)), _Kind(table))
        kind.records.setdefault(str(record), record)
        kind.asked[str(record)] |= asked


def records_in(content: JSON, name: str = "", depth: int = _DEEPEST) -> Iterator[tuple[str, Record]]:
    """Every object in an answer, outer ones first, with the name of the list or field that holds it."""
    if isinstance(content, Mapping):
        whole = cast("Record", content)
        if any(is_scalar(value) for value in whole.values()):
            yield name, whole
        if depth:
            for inner_name, inner in whole.items():
                yield from records_in(inner, str(inner_name), depth - 1)
    elif depth and isinstance(content, (list, tuple)):
        for inner in cast("Sequence[JSON]", content):
            yield from records_in(inner, name, depth - 1)
    elif isinstance(content, str):
        yield from ((name, record) for record in records_of_text(content))
