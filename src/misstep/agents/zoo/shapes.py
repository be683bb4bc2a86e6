"""An input schema → the plain values that a call takes, however deep they lie; and such values → the arguments."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import cast

from msgspec import Struct

from misstep.core.tool import JSON

Schema = Mapping[str, JSON]
Path = tuple[str | int, ...]

_DEEPEST = 4


class Leaf(Struct, frozen=True):
    """One plain value: where in the arguments it goes, and what its schema says."""

    name: str
    path: Path
    schema: dict[str, JSON]
    required: bool


def leaves_of(root: Schema) -> list[Leaf]:
    """Of a list one member; of an inner object what it needs. A name that comes twice is told with the outer one."""
    found = list(_inside(root, root, (), True))
    counted = Counter(each.name for each in found)
    return [
        each
        if counted[each.name] == 1
        else Leaf(".".join(str(step) for step in each.path if step != 0), each.path, each.schema, each.required)
        for each in found
    ]


def _inside(schema: Schema, root: Schema, path: Path, required: bool) -> Iterator[Leaf]:
    needed = schema.get("required")
    wanted = {str(each) for each in cast("list[JSON]", needed)} if isinstance(needed, list) else set[str]()
    for name, inner in mapping(schema.get("properties")).items():
        if name in wanted or not path:
            yield from _leaves(mapping(inner), root, (*path, name), required and name in wanted)


def _leaves(schema: Schema, root: Schema, path: Path, required: bool) -> Iterator[Leaf]:
    whole = _settled(schema, root)
    items, properties = mapping(whole.get("items")), whole.get("properties")
    if len(path) < _DEEPEST and whole.get("type") == "array" and items:
        about = {name: whole[name] for name in ("description",) if name in whole}
        yield from _leaves({**about, **items}, root, (*path, 0), required)
    elif len(path) < _DEEPEST and properties:
        yield from _inside(whole, root, path, True) if required else ()
    else:
        name = next(str(step) for step in reversed(path) if step != 0)
        yield Leaf(name, path, dict(whole), required)


def _settled(schema: Schema, root: Schema) -> Schema:
    """What a reference means, or the first of several ways that is not nothing."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        found: Schema = root
        for step in reference.removeprefix("#/").split("/"):
            found = mapping(found.get(step))
        return {**found, **{name: value for name, value in schema.items() if name != "$ref"}}
    for keyword in ("anyOf", "oneOf"):
        ways = schema.get(keyword)
        some = [_settled(mapping(each), root) for each in cast("list[JSON]", ways)] if isinstance(ways, list) else []
        for way in some:
            if way.get("type") != "null":
                return {**{name: value for name, value in schema.items() if name != keyword}, **way}
    return schema


def mapping(value: JSON) -> Schema:
    return cast("Schema", value) if isinstance(value, dict) else {}


def nested(values: Mapping[str, JSON], paths: Mapping[str, Path]) -> dict[str, JSON]:
    """Each value where it belongs; a list has the one member that was told."""
    made: dict[str, JSON] = {}
    for name, value in values.items():
        path = paths.get(name, (name,))
        if len(path) == 1:
            made[name] = value
        else:
            _put(made, path, value)
    return made


def _put(place: dict[str, JSON], path: Path, value: JSON) -> None:
    first, *rest = path
    if rest == [0]:
        place[str(first)] = [value]
    elif rest[0] == 0:
        one: dict[str, JSON] = {}
        members = cast("list[dict[str, JSON]]", place.setdefault(str(first), cast("JSON", [one])))
        _put_inside(members[0], tuple(rest[1:]), value)
    else:
        _put_inside(cast("dict[str, JSON]", place.setdefault(str(first), {})), tuple(rest), value)


def _put_inside(place: dict[str, JSON], path: Path, value: JSON) -> None:
    if len(path) == 1:
        place[str(path[0])] = value
    else:
        _put(place, path, value)
