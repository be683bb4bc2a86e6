"""Tools, by nothing but their schemas → a Toolbox that plays them: it remembers what it is told and told."""

import inspect
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from typing import cast

from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.state import Record, State
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.words import split_identifier, words
from misstep.tools.checked import problem
from misstep.tools.plain import NotJSONError, described, plain, plain_arguments
from misstep.tools.records.entities import Action, Entity, is_control, properties, several_asked, understood
from misstep.tools.records.ledger import Ledger, alike, key_text, matches
from misstep.tools.records.making_up import fits, made_up
from misstep.tools.records.shaping import Outcome, as_sequence, content_of
from misstep.tools.records.verbs import ENDS, singular

Tables = MutableMapping[str, dict[str, Record]]
Behaviour = Callable[[Tables, dict[str, JSON]], object]
"""A tool's own behaviour: given the tables of records and the arguments, does its work and returns the content.
What it raises is the tool's error."""


class ToolError(Exception):
    """What a simulated tool answers with when it cannot do what it was asked to."""


class Simulated:
    """Deterministic and stateful. At the start there are a few made-up records of each kind, told by lists."""

    def __init__(
        self, tools: Iterable[Tool], *, seed: int, behaviours: Mapping[str, Behaviour] | None = None, records: int = 3
    ) -> None:
        self._tools = tuple(tools)
        self._named = {tool.name: tool for tool in self._tools}
        self._behaviours = dict(behaviours or {})
        if strangers := self._behaviours.keys() - self._named.keys():
            raise UnknownToolError(min(strangers), self._named)
        self.understanding = known = understood(self._tools)
        self._entities, self._actions = known.entities, known.actions
        self.ledger = Ledger(known.entities, seed=seed)
        for name, entity in known.entities.items():
            for _ in range(min(records, 1) if entity.single else records if entity.told else 0):
                self.ledger.invent(name)

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        found = self._named.get(tool)
        if found is None:
            raise UnknownToolError(tool, self._named)
        if wrong := problem(found, arguments):
            return Answer(wrong, is_error=True, served_by="simulated")
        given = plain_arguments(arguments)
        if tool in self._behaviours:
            return await _behaved(self._behaviours[tool], self.ledger.tables, given, found)
        before = self.ledger.snapshot()
        try:
            outcome = self._done(self._actions[tool], given)
        except ToolError as error:
            self.ledger.restore(before)
            return Answer(str(error), is_error=True, served_by="simulated")
        return Answer(content_of(outcome, self.ledger.random(tool, given)), served_by="simulated")

    def snapshot(self) -> State:
        return self.ledger.snapshot()

    def restore(self, state: State) -> None:
        self.ledger.restore(state)

    def _done(self, action: Action, given: dict[str, JSON]) -> Outcome:
        entity = self._entities.get(action.entity)
        if entity is None or action.verb == "run" or (action.verb == "get" and not entity.told and not entity.single):
            return self._looked_up(action, entity, given)
        match action.verb:
            case _ if action.field is not None:
                return self._inside(action, entity, given)
            case "send" if action.keys is not None:
                return self._sent_about(action, entity, given)
            case "create" | "send":
                return self._created(action, entity, given)
            case "update":
                return self._updated(action, entity, given)
            case "delete":
                return self._deleted(action, entity, given)
            case _:
                return self._read(action, entity, given)

    def _looked_up(self, action: Action, entity: Entity | None, given: dict[str, JSON]) -> Outcome:
        """What no other tool tells of: the same question always gets the same made-up answer."""
        key = given.get(action.keys) if action.keys else None
        kept = self.ledger.find(entity.name, key) if entity is not None else None
        made: Record = {}
        if kept is None and not action.tool.output_schema:
            random = self.ledger.random(action.tool.name, given)
            last = split_identifier(action.tool.name)[-1:]
            asked = action.tool.name if last and last[0] in _MOMENTS else "description"
            made = {"result": made_up({"type": "string"}, random, name=asked)}
        return Outcome(action, entity, given, ({**given, **made, **(kept or {})},))

    def _created(self, action: Action, entity: Entity, given: dict[str, JSON]) -> Outcome:
        batch = action.items is not None
        made: list[Record] = []
        before = set(self.ledger.tables[entity.name])
        for values in _items(action, given):
            self._check_references(entity, values, batch)
            kept = entity.key is None or values.get(entity.key) is not None
            if kept and self.ledger.place(entity.name, values) in before:
                if action.word in _OVERWRITING:
                    record = self.ledger.tables[entity.name][self.ledger.place(entity.name, values)]
                    made.append(self._changed(entity, record, values))
                    continue
                if batch:  # What is there already needs no creating; the rest is what was asked for.
                    continue
                raise ToolError(f"{_called(entity, values.get(str(entity.key)))} already exists.")
            made.append(self.ledger.add(entity.name, _settled(entity, values)))
        return Outcome(action, entity, given, tuple(made))

    def _sent_about(self, action: Action, entity: Entity, given: dict[str, JSON]) -> Outcome:
        """Something sent about a thing that must be there; an answer to a message is a message of its own."""
        chosen = self._chosen(action, entity, given)
        if action.word in _ANSWERING:
            values = {name: value for name, value in given.items() if name != action.keys}
            return Outcome(action, entity, given, (self.ledger.add(entity.name, values),))
        return Outcome(action, entity, given, tuple(chosen))

    def _check_references(self, entity: Entity, values: Record, batch: bool) -> None:
        for field, kind in entity.references.items():
            other = self._entities[kind]
            named = singular(split_identifier(field)[-1]) in ("id", "number", "key", "uuid")
            if batch or not named or not other.told or field not in values:
                continue
            if self.ledger.find(kind, values[field]) is None:
                raise ToolError(_missing(other, values[field]))

    def _chosen(self, action: Action, entity: Entity, given: Mapping[str, JSON]) -> list[Record]:
        """The records that a call names. One that is missing is an error, unless several were asked for."""
        if entity.single:
            return self.ledger.records(entity.name)[:1] or [self.ledger.add(entity.name, {})]
        if action.items is not None:
            return [each for each in _items(action, given) if self._there(entity, each)]
        if action.keys is None:
            wanted = {name: value for name, value in given.items() if name in entity.fields}
            found = [record for record in self.ledger.records(entity.name) if wanted and alike(record, wanted)]
            if not found:
                raise ToolError(f"No {entity.name} was found.")
            return found[:1]
        several = several_asked(properties(action.tool.input_schema), action.keys)
        found: list[Record] = []
        for key in as_sequence(given.get(action.keys)):
            record = self.ledger.find(entity.name, key)
            if record is not None:
                found.append(record)
            elif not entity.told and key is not None:
                found.append(self.ledger.add(entity.name, {str(entity.key): key}))
            elif not several and not (action.verb == "delete" and _harmless_twice(action.tool)):
                raise ToolError(_missing(entity, key))
        if several and action.verb == "get":
            asked = {key_text(record.get(str(entity.key))) for record in found}
            return [each for each in self.ledger.records(entity.name) if key_text(each.get(str(entity.key))) in asked]
        return found

    def _there(self, entity: Entity, values: Record) -> bool:
        return self.ledger.place(entity.name, values) in self.ledger.tables[entity.name]

    def _updated(self, action: Action, entity: Entity, given: dict[str, JSON]) -> Outcome:
        changed: list[Record] = []
        if action.items is not None:
            pairs = [(self.ledger.find(entity.name, each.get(str(entity.key))), each) for each in _items(action, given)]
            for record, values in pairs:
                if record is None:
                    raise ToolError(_missing(entity, values.get(str(entity.key))))
                changed.append(self._changed(entity, record, values))
            return Outcome(action, entity, given, tuple(changed))
        values = _new_values(action, given)
        values = {**_end(action, entity), **values}
        changed += [self._changed(entity, record, values) for record in self._chosen(action, entity, given)]
        return Outcome(action, entity, given, tuple(changed))

    def _changed(self, entity: Entity, record: Record, values: Record) -> Record:
        changed = {**record, **{name: value for name, value in values.items() if name != entity.key}}
        self.ledger.put(entity.name, changed)
        return changed

    def _deleted(self, action: Action, entity: Entity, given: dict[str, JSON]) -> Outcome:
        gone = self._chosen(action, entity, given)
        for record in gone:
            self.ledger.remove(entity.name, record)
        # What hangs on a thing goes with it where the tool says so.
        said = {singular(word) for word in words(action.tool.description)}
        keys = as_sequence(given.get(action.keys) if action.keys else [])
        for kind, other in self._entities.items():
            if kind != entity.name and kind.rpartition(" ")[2] in said:
                for dependent in self._referring(other, entity, keys):
                    self.ledger.remove(kind, dependent)
        return Outcome(action, entity, given, tuple(gone))

    def _inside(self, action: Action, entity: Entity, given: dict[str, JSON]) -> Outcome:
        """Values put into, or taken out of, a list inside a thing."""
        steps: list[Record] = []
        touched: list[Record] = []
        field = str(action.field)
        for item in _items(action, given):
            key = item.get(str(action.keys))
            record = self.ledger.find(entity.name, key)
            if record is None:
                if action.verb == "delete" and _harmless_twice(action.tool):
                    continue
                raise ToolError(_missing(entity, key))
            old = list(cast("list[JSON]", record.get(field) or []))
            values = [value for name, each in item.items() if name != action.keys for value in as_sequence(each)]
            if action.verb == "delete":
                new, moved = (
                    [value for value in old if value not in values],
                    [value for value in values if value in old],
                )
            else:
                moved = [value for value in values if value not in old]
                new = [*old, *moved]
            touched.append(self._changed(entity, record, {field: new}))
            steps.append({str(action.keys): key, field: moved})
        return Outcome(action, entity, given, tuple(touched), steps=tuple(steps))

    def _read(self, action: Action, entity: Entity, given: dict[str, JSON]) -> Outcome:
        if action.verb == "get":
            records = self._chosen(action, entity, given)
            everything = False
        else:
            records, everything = self._listed(action, entity, given)
        others = {
            kind: tuple(self.ledger.records(kind) if everything else self._around(kind, entity, records))
            for kind in action.shown
            if kind != entity.name
        }
        return Outcome(action, entity, given, tuple(records), others)

    def _around(self, kind: str, entity: Entity, records: Sequence[Record]) -> list[Record]:
        keys = [record.get(str(entity.key)) for record in records]
        return self._referring(self._entities[kind], entity, keys)

    def _referring(self, other: Entity, entity: Entity, keys: Sequence[JSON]) -> list[Record]:
        """The records of another kind that refer to one of these keys."""
        wanted = {key_text(key) for key in keys}
        fields = [field for field, kind in other.references.items() if kind == entity.name]
        records = self.ledger.records(other.name)
        return [record for record in records if any(key_text(record.get(field)) in wanted for field in fields)]

    def _listed(self, action: Action, entity: Entity, given: dict[str, JSON]) -> tuple[list[Record], bool]:
        """The records that a list or a search gives, and whether that is all of them."""
        records = everything = self.ledger.records(entity.name)
        query = given.get(action.query) if action.query else None
        if isinstance(query, str):
            records = [record for record in records if matches(record, query)]
        wanted = {
            name: value
            for name, value in given.items()
            if name != action.query and value is not None and not is_control(name)
        }
        records = [record for record in records if alike(record, wanted)]
        filtered = len(records) < len(everything) or query is not None
        limit = next((value for name, value in given.items() if name in _LIMITS and isinstance(value, int)), None)
        return (records if limit is None else records[: max(0, limit)]), not filtered


_MOMENTS = frozenset("time date datetime timestamp now day weekday timezone".split())
_OVERWRITING = frozenset("write save store put upsert upload".split())
_ANSWERING = frozenset("reply forward".split())
_LIMITS = ("limit", "max_results", "maxResults", "page_size", "pageSize", "per_page", "perPage", "top", "max", "count")


async def _behaved(behaviour: Behaviour, tables: Tables, given: dict[str, JSON], tool: Tool) -> Answer:
    try:
        result = behaviour(tables, given)
        if inspect.isawaitable(result):
            result = cast("object", await result)
        content = plain(result)
        if tool.output_schema and not fits(tool.output_schema, content):
            raise InvalidTrialError(
                "tool-simulator",
                f"The behaviour of {tool.name!r} returned something that the tool's output schema does not allow: "
                f"{described(content)[:200]}",
            )
        return Answer(content, served_by="simulated")
    except InvalidTrialError:
        raise
    except NotJSONError as error:
        raise InvalidTrialError(
            "tool-simulator", f"The behaviour of {tool.name!r} returned no JSON: {error}."
        ) from None
    except Exception as error:  # noqa: BLE001 (foreign code: what it raises is the tool's error)
        return Answer(str(error) or type(error).__name__, is_error=True, served_by="simulated")


def _items(action: Action, given: Mapping[str, JSON]) -> list[dict[str, JSON]]:
    if action.items is None:
        held = given.get(action.holder) if action.holder and action.verb in ("create", "send") else None
        return [dict(cast("Mapping[str, JSON]", held))] if isinstance(held, Mapping) else [dict(given)]
    return [dict(cast("Mapping[str, JSON]", each)) for each in as_sequence(given.get(action.items, []))]


def _new_values(action: Action, given: Mapping[str, JSON]) -> dict[str, JSON]:
    values = {name: value for name, value in given.items() if name not in (action.keys, action.holder)}
    held = given.get(action.holder) if action.holder else None
    return {**values, **(cast("Mapping[str, JSON]", held) if isinstance(held, Mapping) else {})}


def _settled(entity: Entity, values: dict[str, JSON]) -> dict[str, JSON]:
    """New values with the defaults of the fields that were not given."""
    defaults: dict[str, JSON] = {}
    for field, schema in entity.fields.items():
        if field not in values and isinstance(schema, Mapping) and field != entity.key:
            known = cast("Mapping[str, JSON]", schema)
            if "default" in known:
                defaults[field] = known["default"]
            elif field in ("status", "state"):
                defaults[field] = next(iter(cast("list[JSON]", known.get("enum") or ["open"])))
    return {**values, **defaults}


def _end(action: Action, entity: Entity) -> dict[str, JSON]:
    """The state in which a verb such as `close` leaves a thing, in the words that its schema has for it."""
    end = ENDS.get(action.word)
    if end is None:
        return {}
    field = next((name for name in entity.fields if name in ("status", "state")), "status")
    schema = cast("Mapping[str, JSON]", entity.fields.get(field) or {})
    options = [each for each in cast("list[JSON]", schema.get("enum") or [end]) if isinstance(each, str)]
    return {field: next((each for each in options if each.lower()[:4] == end[:4]), end)}


def _harmless_twice(tool: Tool) -> bool:
    """A deletion that says that doing it again changes nothing: what is missing is as good as deleted."""
    hints = tool.extra.get("annotations")
    return isinstance(hints, Mapping) and cast("Mapping[str, JSON]", hints).get("idempotentHint") is True


def _called(entity: Entity, key: JSON) -> str:
    return f"{entity.name.capitalize()} {key_text(key)!r}"


def _missing(entity: Entity, key: JSON) -> str:
    return f"{_called(entity, key)} not found."
