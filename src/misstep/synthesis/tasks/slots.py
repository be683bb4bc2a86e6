"""A tool's input schema → the places in its arguments where a value goes, and values in them → arguments."""

from collections.abc import Mapping, Sequence
from typing import cast

from msgspec import Struct, structs

from misstep.core.tool import JSON, Tool
from misstep.synthesis.tasks.looks import singular
from misstep.synthesis.tasks.told_values import about, told_schema
from misstep.tools.records.making_up import resolved

Schema = Mapping[str, JSON]
Path = tuple[str | int, ...]

_DEEPEST = 9
_MOST_ITEMS = 3
_MOST_OPEN = 3
"""So many properties of an inner object that asks for none are filled."""
_SCALARS = frozenset({"string", "integer", "number", "boolean"})


class Slot(Struct, frozen=True):
    """A place for one value."""

    path: Path
    schema: Schema
    optional: bool = False

    @property
    def name(self) -> str:
        """The innermost name on the way to it."""
        return next((each for each in reversed(self.path) if isinstance(each, str)), "")

    @property
    def said(self) -> str:
        """The same, of one where it is a list: `hotel_names` → hotel_name."""
        listed = bool(self.path) and isinstance(self.path[-1], int)
        return singular(self.name) if listed else self.name

    @property
    def description(self) -> str:
        said = self.schema.get("description")
        return said if isinstance(said, str) else ""

    @property
    def argument(self) -> str:
        return str(self.path[0])

    @property
    def whole(self) -> bool:
        """It is an argument as it is, not a part of one."""
        return len(self.path) == 1

    @property
    def choices(self) -> tuple[JSON, ...]:
        """What the schema itself names."""
        if "const" in self.schema:
            return (self.schema["const"],)
        return tuple(cast("Sequence[JSON]", self.schema.get("enum") or ()))

    @property
    def shown(self) -> tuple[JSON, ...]:
        """Examples and defaults of the schema."""
        examples = self.schema.get("examples")
        listed = tuple(cast("Sequence[JSON]", examples)) if isinstance(examples, (list, tuple)) else ()
        return (*listed, self.schema["default"]) if self.schema.get("default") is not None else listed


def slots_of(tool: Tool) -> tuple[Slot, ...]:
    """The required ones first, then one set for each optional argument."""
    root: Schema = tool.input_schema
    try:
        whole = resolved(root, root)
        found = sorted(_inside(whole, root, (), False, frozenset()), key=lambda slot: slot.optional)
        return tuple(_told(slot, found, tool) for slot in found)
    except (RecursionError, LookupError, ValueError, TypeError):
        return ()


def _told(slot: Slot, others: Sequence[Slot], tool: Tool) -> Slot:
    """With what its own description, or else that of the tool, says of its values."""
    rest = [other.name for other in others if other.name != slot.name]
    said = slot.description or about(tool.description, slot.name, rest)
    schema = told_schema(slot.schema, slot.name, said, surely=bool(slot.description) or not rest)
    return slot if schema is slot.schema else structs.replace(slot, schema=schema)


def _inside(schema: Schema, root: Schema, path: Path, optional: bool, within: frozenset[str]) -> list[Slot]:
    properties = cast("Mapping[str, JSON]", schema.get("properties") or {})
    required = cast("Sequence[str]", schema.get("required") or ())
    wanted = [name for name in properties if name in required]
    if path and not wanted:
        wanted = list(properties)[:_MOST_OPEN]
    found: list[Slot] = []
    for name, inner in properties.items():
        if name in wanted or not path:
            found += _slots(inner, root, (*path, name), optional or name not in wanted, within)
    return found


def _slots(schema: JSON, root: Schema, path: Path, optional: bool, within: frozenset[str]) -> list[Slot]:
    """`within`: the schemas that it stands in; one that holds itself ends there."""
    whole = _settled(resolved(schema, root), root)
    kind = _kind(whole)
    within = within | _reference(schema)
    if len(path) < _DEEPEST and kind == "object" and whole.get("properties"):
        return _inside(whole, root, path, optional, within)
    items = whole.get("items")
    again = not _reference(cast("JSON", items)).isdisjoint(within)
    if len(path) < _DEEPEST and kind == "array" and isinstance(items, Mapping) and not again:
        least = whole.get("minItems")
        count = min(max(1, least if isinstance(least, int) else 1), _MOST_ITEMS)
        inner = cast("JSON", items)
        return [slot for at in range(count) for slot in _slots(inner, root, (*path, at), optional, within)]
    if kind == "array" and not whole.get("minItems"):
        return [Slot(path, {"const": []}, optional)]
    named = {name: root[name] for name in ("$defs", "definitions") if name in root}
    return [Slot(path, {**whole, **named} if kind == "object" else whole, optional)]


def _reference(schema: JSON) -> frozenset[str]:
    named = cast("Schema", schema).get("$ref") if isinstance(schema, Mapping) else None
    return frozenset({named}) if isinstance(named, str) else frozenset()


def _settled(schema: Schema, root: Schema) -> Schema:
    """The first alternative that is a value."""
    for keyword in ("anyOf", "oneOf"):
        branches = cast("Sequence[JSON]", schema.get(keyword) or ())
        options = [resolved(each, root) for each in branches]
        for branch in sorted(options, key=lambda each: _kind(each) not in _SCALARS):
            if _kind(branch) != "null":
                rest = {name: value for name, value in schema.items() if name != keyword}
                return {**rest, **branch}
    return schema


def _kind(schema: Schema) -> str:
    kind = schema.get("type")
    if isinstance(kind, (list, tuple)):
        kind = next((each for each in cast("Sequence[JSON]", kind) if each != "null"), None)
    if isinstance(kind, str):
        return kind
    return "object" if "properties" in schema else "array" if "items" in schema else "string"


def arguments_from(values: Mapping[Path, JSON]) -> dict[str, JSON]:
    """Put values where they belong."""
    made: dict[str, JSON] = {}
    for path, value in values.items():
        _put(made, path, value)
    return {name: _settled_lists(value) for name, value in made.items()}


def _put(place: dict[str, JSON], path: Path, value: JSON) -> None:
    """Lists are kept as tables by place until all is there."""
    for step in path[:-1]:
        place = cast("dict[str, JSON]", place.setdefault(cast("str", step), {}))
    place[cast("str", path[-1])] = value


def _settled_lists(value: JSON) -> JSON:
    if not isinstance(value, dict):
        return value
    table = cast("dict[str | int, JSON]", value)
    if table and all(isinstance(name, int) for name in table):
        return [_settled_lists(table[at]) for at in sorted(cast("dict[int, JSON]", table))]
    return {name: _settled_lists(each) for name, each in table.items()}
