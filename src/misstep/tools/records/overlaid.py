"""Real tools that keep things → the same tools with a layer in front: new, changed and deleted things stay in it."""

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import msgspec
from msgspec import structs

from misstep.core.errors import InvalidTrialError
from misstep.core.roles import Toolbox
from misstep.core.state import Record, State
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.checked import problem
from misstep.tools.plain import copied
from misstep.tools.records.entities import Action, Entity
from misstep.tools.records.ledger import key_text
from misstep.tools.records.shaping import as_sequence
from misstep.tools.simulated import Simulated

GONE = "overlay:gone"
UNSEEN = "overlay:unseen"
_READING = ("get", "list", "search")


class OverlaidRecords:
    """What does more than read is never passed on. Where what it changed cannot be shown, a later read says so."""

    def __init__(self, real: Toolbox, tools: Sequence[Tool], *, seed: int = 0) -> None:
        self._real = real
        self._simulated = Simulated(tools, seed=seed, records=0)
        known = self._simulated.understanding
        self._entities, self._actions = known.entities, known.actions
        self._gone: dict[str, Record] = {}
        self._unseen: str | None = None
        self._dirty: set[str] = set()

    def snapshot(self) -> State:
        state = dict(self._simulated.snapshot())
        if self._gone:
            state[GONE] = dict(self._gone)
        if self._unseen is not None:
            state[UNSEEN] = {"by": {"tool": self._unseen}}
        return state

    def restore(self, state: State) -> None:
        self._gone = dict(state.get(GONE, {}))
        unseen = state.get(UNSEEN, {}).get("by", {}).get("tool")
        self._unseen = None if unseen is None else str(unseen)
        self._simulated.restore({name: table for name, table in state.items() if name not in (GONE, UNSEEN)})
        self._dirty = {name for name, table in state.items() if table and name in self._entities}
        self._dirty |= {str(record["kind"]) for record in self._gone.values()}

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        action = self._actions[tool]
        if problem(action.tool, arguments) is not None:
            return await self._simulated.call(tool, arguments)
        entity = self._entities.get(action.entity)
        if action.tool.effect == "reads":
            return await self._read(action, entity, arguments)
        return await self._written(action, entity, arguments)

    async def _read(self, action: Action, entity: Entity | None, arguments: Mapping[str, JSON]) -> Answer:
        if self._unseen is not None:
            raise InvalidTrialError(
                "tool-simulator",
                f"{action.tool.name!r} reads what is real, but {self._unseen!r} was only simulated before, and what it "
                f"would have changed cannot be laid over the answer. Route {self._unseen!r} or {action.tool.name!r} "
                "to 'simulated'.",
            )
        kinds = {action.entity, *action.shown} & self._dirty
        if not kinds:
            return await self._real.call(action.tool.name, arguments)
        if entity is None or entity.key is None or kinds != {entity.name} or action.verb not in _READING:
            raise self._incoherent(action, kinds)
        if action.verb == "get" and action.keys:
            return await self._got(action, entity, arguments)
        return await self._listed(action, entity, arguments)

    def _incoherent(self, action: Action, kinds: set[str]) -> InvalidTrialError:
        return InvalidTrialError(
            "tool-simulator",
            f"{action.tool.name!r} shows {' and '.join(sorted(kinds))}, of which some were changed in simulation only, "
            f"in a form that changes cannot be laid over. Route {action.tool.name!r} to 'simulated'.",
        )

    async def _got(self, action: Action, entity: Entity, arguments: Mapping[str, JSON]) -> Answer:
        keys = [key_text(key) for key in as_sequence(arguments[str(action.keys)])]
        layered = [key for key in keys if self._is_gone(entity, key) or self._simulated.ledger.find(entity.name, key)]
        if not layered:
            return await self._real.call(action.tool.name, arguments)
        if len(layered) < len(keys):
            raise self._incoherent(action, {entity.name})
        return await self._simulated.call(action.tool.name, arguments)

    async def _listed(self, action: Action, entity: Entity, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self._real.call(action.tool.name, arguments)
        if answer.is_error:
            return answer
        ours = await self._simulated.call(action.tool.name, arguments)
        mine = _records_in(ours.content, entity)
        content, told = _opened(answer.content)
        place = _place_of_list(content, entity)
        if place is None or mine is None or ours.is_error:
            raise self._incoherent(action, {entity.name})
        shown = {key_text(record.get(str(entity.key))): record for record in mine}
        kept: list[JSON] = []
        for record in cast("list[Record]", _at(content, place)):
            key = key_text(record.get(str(entity.key)))
            if self._is_gone(entity, key):
                continue
            changed = self._simulated.ledger.find(entity.name, key)
            if changed is None:
                kept.append(record)
            elif key in shown:
                kept.append({**record, **shown.pop(key)})
        merged = _with(content, place, [*kept, *shown.values()])
        return structs.replace(answer, content=told(merged), parts=None)

    def _is_gone(self, entity: Entity, key: str) -> bool:
        return f"{entity.name}/{key}" in self._gone

    async def _written(self, action: Action, entity: Entity | None, arguments: Mapping[str, JSON]) -> Answer:
        visible = entity is not None and entity.key is not None and self._readers(entity)
        if not visible or entity is None:
            # What is sent leaves; anything else may show in whatever is read later.
            if action.verb != "send":
                self._unseen = action.tool.name
            return await self._simulated.call(action.tool.name, arguments)
        wrong = await self._brought(action, entity, arguments)
        if wrong is not None:
            return wrong
        before = self._simulated.ledger.snapshot().get(entity.name, {})
        answer = await self._simulated.call(action.tool.name, arguments)
        after = self._simulated.ledger.snapshot().get(entity.name, {})
        for key in sorted(before.keys() - after.keys()):
            self._gone[f"{entity.name}/{key}"] = {"kind": entity.name, "key": key}
        if before != after:
            self._dirty.add(entity.name)
        return answer

    def _readers(self, entity: Entity) -> list[Action]:
        return [
            action
            for action in self._actions.values()
            if action.tool.effect == "reads" and (action.entity == entity.name or entity.name in action.shown)
        ]

    async def _brought(self, action: Action, entity: Entity, arguments: Mapping[str, JSON]) -> Answer | None:
        """Bring the real things that a call changes into the layer; where one is missing, the real tool's error."""
        if action.verb in ("create", "send") and action.field is None:
            return None
        for key in self._asked(action, entity, arguments):
            if self._simulated.ledger.find(entity.name, key) is not None or self._is_gone(entity, key_text(key)):
                continue
            reader = next((each for each in self._readers(entity) if each.verb == "get" and each.keys), None)
            if reader is None:
                raise self._incoherent(action, {entity.name})
            takes = cast("Mapping[str, JSON]", reader.tool.input_schema.get("properties", {}))[str(reader.keys)]
            several = isinstance(takes, Mapping) and cast("Mapping[str, JSON]", takes).get("type") == "array"
            answer = await self._real.call(reader.tool.name, {str(reader.keys): [key] if several else key})
            if answer.is_error:
                return answer
            record = _record_in(_opened(answer.content)[0], entity, key)
            if record is None:
                raise self._incoherent(reader, {entity.name})
            self._simulated.ledger.put(entity.name, record)
        return None

    def _asked(self, action: Action, entity: Entity, arguments: Mapping[str, JSON]) -> list[JSON]:
        if action.items is not None:
            field = action.keys if action.field is not None else entity.key
            items = cast("Sequence[Record]", as_sequence(arguments.get(action.items, [])))
            return [item.get(str(field)) for item in items]
        return list(as_sequence(arguments.get(action.keys))) if action.keys else []


Path = tuple[str | int, ...]


def _opened(content: JSON) -> tuple[JSON, Callable[[JSON], JSON]]:
    """Content that is JSON in a text, opened, and how to close it again."""
    if isinstance(content, str):
        try:
            return msgspec.json.decode(content), lambda value: msgspec.json.format(msgspec.json.encode(value)).decode()
        except msgspec.DecodeError:
            pass
    return copied(content), lambda value: value


def _places(content: JSON, path: Path = ()) -> list[tuple[Path, JSON]]:
    found: list[tuple[Path, JSON]] = [(path, content)]
    if isinstance(content, Mapping) and len(path) < 4:
        for name, each in cast("Mapping[str, JSON]", content).items():
            found += _places(each, (*path, name))
    return found


def _place_of_list(content: JSON, entity: Entity) -> Path | None:
    """Where the list of things is: the one list whose members all have the key, or the only list, if it is empty."""
    lists = [(path, cast("list[JSON]", each)) for path, each in _places(content) if isinstance(each, list)]
    full = [path for path, each in lists if each and all(_has_key(one, entity) for one in each)]
    if len(full) == 1:
        return full[0]
    return lists[0][0] if len(lists) == 1 and not lists[0][1] else None


def _has_key(value: JSON, entity: Entity) -> bool:
    return isinstance(value, Mapping) and entity.key in value


def _records_in(content: JSON, entity: Entity) -> list[Record] | None:
    opened = _opened(content)[0]
    place = _place_of_list(opened, entity)
    return None if place is None else cast("list[Record]", _at(opened, place))


def _record_in(content: JSON, entity: Entity, key: JSON) -> Record | None:
    for _, each in _places(content):
        members = cast("list[JSON]", each) if isinstance(each, list) else [each]
        for one in members:
            if _has_key(one, entity):
                record = cast("Record", one)
                if key_text(record[str(entity.key)]) == key_text(key):
                    return record
    return None


def _at(content: JSON, path: Path) -> JSON:
    for step in path:
        content = cast("Mapping[str | int, JSON]", content)[step]
    return content


def _with(content: JSON, path: Path, value: JSON) -> JSON:
    if not path:
        return value
    table = dict(cast("Mapping[str | int, JSON]", content))
    table[path[0]] = _with(table[path[0]], path[1:], value)
    return table
