"""What was created and told, by kind: records that calls add, read, find, change and delete."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import cast

import msgspec

from misstep.core.errors import InvalidTrialError
from misstep.core.state import Record, State
from misstep.core.tool import JSON
from misstep.tools.records.entities import Entity
from misstep.tools.records.making_up import made_up
from misstep.tools.records.verbs import singular

_encoder = msgspec.json.Encoder(order="deterministic")


class Ledger:
    """Tables of records. A key once told stays true until its record is deleted, and is never given again."""

    def __init__(self, entities: Mapping[str, Entity], *, seed: int) -> None:
        self._entities = entities
        self._seed = seed
        self._made: dict[str, int] = {}
        self.tables: dict[str, dict[str, Record]] = {name: {} for name in entities}

    def random(self, *about: JSON) -> Random:
        """Chance that depends on the seed and on what it is for, and on nothing else."""
        return Random(f"{self._seed}/{_encoder.encode(about).decode()}")

    def records(self, kind: str) -> list[Record]:
        return list(self.tables.get(kind, {}).values())

    def find(self, kind: str, key: JSON) -> Record | None:
        return self.tables.get(kind, {}).get(key_text(key))

    def place(self, kind: str, record: Record) -> str:
        """Under which key a record is kept: that of its key field, or all of it."""
        field = self._entities[kind].key
        return key_text(record.get(field) if field is not None else dict(record))

    def add(self, kind: str, values: Record) -> Record:
        """A new record: the values that were given, and a key of the right form where none was.

        Whoever adds what is there already has it twice: to find that out is up to the caller.
        """
        entity = self._entities[kind]
        record: Record = values
        if entity.key is not None and values.get(entity.key) is None:
            record = {entity.key: self._new_key(entity), **{k: v for k, v in values.items() if k != entity.key}}
        place, table = self.place(kind, record), self.tables.setdefault(kind, {})
        count = 1 + sum(each == place or each.startswith(f"{place}#") for each in table)
        table[place if count == 1 else f"{place}#{count}"] = dict(record)
        return record

    def put(self, kind: str, record: Record) -> None:
        self.tables.setdefault(kind, {})[self.place(kind, record)] = dict(record)

    def remove(self, kind: str, record: Record) -> None:
        place, table = self.place(kind, record), self.tables[kind]
        for each in [each for each in table if each == place or each.startswith(f"{place}#")]:
            del table[each]

    def invent(self, kind: str) -> Record:
        """A plausible record, for a world that was there before the conversation."""
        entity = self._entities[kind]
        number = self._made.get(kind, 0)
        values: dict[str, JSON] = {}
        for field, schema in entity.fields.items():
            random = self.random(kind, number, field)
            referred = self.records(entity.references[field]) if field in entity.references else []
            if referred and (other := self._entities[entity.references[field]].key):
                values[field] = random.choice(referred).get(other)
            elif field != entity.key:
                values[field] = made_up(schema, random, name=field)
        if entity.key in entity.fields:
            values = {str(entity.key): self._new_key(entity), **values}
        return self.add(kind, values)

    def _new_key(self, entity: Entity) -> JSON:
        taken = self.tables.setdefault(entity.name, {})
        for _ in range(10_000):
            number = self._made[entity.name] = self._made.get(entity.name, 0) + 1
            key = self._key(entity, number)
            if key_text(key) not in taken:
                return key
        raise InvalidTrialError("tool-simulator", f"There are no more keys for {entity.name!r}.")

    def _key(self, entity: Entity, number: int) -> JSON:
        field = str(entity.key)
        known = entity.fields.get(field)
        schema = cast("Mapping[str, JSON]", known if isinstance(known, Mapping) else {})
        random = self.random(entity.name, "key", number)
        if schema.get("type") in ("integer", "number"):
            return number if "maximum" in schema else 100 * self.random(entity.name).randrange(1, 90) + number
        if schema.keys() & {"pattern", "format", "enum", "maxLength"} or singular(field) in ("name", "title", "email"):
            return made_up(schema, random, name=field)
        letters = "".join(word[:3] for word in entity.name.split(" ")) or "id"
        return f"{letters}_{random.getrandbits(32):08x}"

    def snapshot(self) -> State:
        return {name: dict(table) for name, table in self.tables.items() if table}

    def restore(self, state: State) -> None:
        self.tables = {name: {} for name in self._entities} | {name: dict(table) for name, table in state.items()}


def key_text(key: JSON) -> str:
    """`7` and `"7"` are one key; a key that is a whole record is its JSON."""
    if isinstance(key, str):
        return key
    if isinstance(key, float) and key.is_integer():
        key = int(key)
    return _encoder.encode(key).decode()


def matches(record: Record, query: str) -> bool:
    """Whether a text is in what a record says; case does not count."""
    said = "\n".join(_texts(dict(record))).lower()
    return query.lower().strip() in said


def alike(record: Record, wanted: Mapping[str, JSON]) -> bool:
    """Whether a record has these values in the fields that it has."""
    return all(_same(record[field], value) for field, value in wanted.items() if field in record)


def _same(one: JSON, other: JSON) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.lower() == other.lower()
    if isinstance(one, list) and not isinstance(other, list):
        return other in cast("list[JSON]", one)
    return one == other


def _texts(value: JSON) -> Iterable[str]:
    if isinstance(value, Mapping):
        for each in cast("Mapping[str, JSON]", value).values():
            yield from _texts(each)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for each in cast("Sequence[JSON]", value):
            yield from _texts(each)
    elif value is not None:
        yield str(value)
