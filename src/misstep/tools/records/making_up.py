"""A JSON Schema and a source of chance → a value that fits it and looks the part; never one that does not fit."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import cast

import jsonschema_rs
import msgspec

from misstep.core.errors import InvalidTrialError
from misstep.core.tool import JSON
from misstep.tools.patterns import UnknownPatternError
from misstep.tools.records.plausible import number, text

Schema = Mapping[str, JSON]

_TRIES = 40
_DEEPEST = 5
_ITEMS = 2
_encoder = msgspec.json.Encoder(order="deterministic")
_UNMAKEABLE = (UnknownPatternError, LookupError, ValueError, TypeError, RecursionError)


@lru_cache(maxsize=1024)
def _compiled(schema: bytes) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(msgspec.json.decode(schema), offline=True, validate_formats=True)


def fits(schema: JSON, value: JSON) -> bool:
    """Whether a value is what the schema allows; formats count."""
    try:
        return _compiled(_encoder.encode(schema)).is_valid(value)
    except ValueError as error:
        raise InvalidTrialError("tool", f"This is no JSON Schema: {error}") from None


def made_up(schema: JSON, random: Random, *, name: str = "") -> JSON:
    """A value that fits the schema; the name of what it is for makes it plausible."""
    for attempt in range(_TRIES):
        try:
            value = _Maker(schema, random, spare=attempt > _TRIES // 2).make(schema, name, 0)
        except _UNMAKEABLE:
            continue
        if fits(schema, value):
            return value
    raise InvalidTrialError(
        "tool-simulator",
        f"No value could be made up for {name or 'an answer'!r} that fits its schema. Give the tool a behaviour of "
        "your own, or route it elsewhere.",
    )


def completed(schema: JSON, wanted: JSON, random: Random, *, name: str = "") -> JSON:
    """What is wanted, with what the schema demands besides made up, and what it forbids left out."""
    if fits(schema, wanted):
        return wanted
    for attempt in range(_TRIES):
        try:
            value = _Maker(schema, random, spare=attempt > 0).make(schema, name, 0, wanted)
        except _UNMAKEABLE:
            continue
        if fits(schema, value):
            return value
    return made_up(schema, random, name=name)


def resolved(schema: JSON, root: JSON) -> Schema:
    """A schema with its references and `allOf` folded in; one that allows everything is empty."""
    return _Maker(root, Random(0)).resolved(schema)


class _Nothing:
    """Stands for no value being wanted: None is one."""


_NOTHING = _Nothing()


class _Maker:
    """One attempt. A spare one leaves out what it may, which also ends schemas that hold themselves."""

    def __init__(self, root: JSON, random: Random, *, spare: bool = False) -> None:
        self._root = root
        self._random = random
        self._spare = spare

    def make(self, schema: JSON, name: str, depth: int, wanted: JSON = _NOTHING) -> JSON:
        whole = self.resolved(schema)
        if "const" in whole:
            return whole["const"]
        options = cast("list[JSON]", whole.get("enum") or [])
        if options:
            return wanted if wanted in options else self._random.choice(options)
        for keyword in ("anyOf", "oneOf"):
            if branches := cast("list[JSON]", whole.get(keyword) or []):
                rest = {key: each for key, each in whole.items() if key != keyword}
                return self.make(self._merged(rest, self._branch(branches, wanted, depth)), name, depth, wanted)
        if wanted is not _NOTHING and not isinstance(wanted, (dict, list)) and self._allows(whole, wanted):
            return wanted
        return self._typed(whole, name, depth, cast("JSON", wanted))

    def _typed(self, schema: Schema, name: str, depth: int, wanted: JSON) -> JSON:
        kind = self._kind(schema, wanted)
        if kind == "object":
            return self._object(schema, depth, wanted if isinstance(wanted, dict) else {})  # pyright: ignore[reportUnknownArgumentType]
        if kind == "array":
            return self._array(schema, name, depth, wanted)
        if kind in ("integer", "number"):
            return number(schema, kind, name, self._random)
        if kind == "boolean":
            return self._random.random() < 0.7
        return None if kind == "null" else text(schema, name, self._random)

    def resolved(self, schema: JSON) -> Schema:
        if not isinstance(schema, Mapping):
            if schema is False:
                raise ValueError("nothing fits the schema false")
            return {}
        whole = cast("Schema", schema)
        for _ in range(20):
            if isinstance(reference := whole.get("$ref"), str):
                whole = self._merged({key: each for key, each in whole.items() if key != "$ref"}, self._at(reference))
            elif parts := cast("list[JSON]", whole.get("allOf") or []):
                merged: Schema = {key: each for key, each in whole.items() if key != "allOf"}
                for part in parts:
                    merged = self._merged(merged, self.resolved(part))
                whole = merged
            else:
                return whole
        raise RecursionError("the schema refers to itself only")

    def _at(self, reference: str) -> Schema:
        if not reference.startswith("#"):
            raise LookupError(f"{reference} is not in this schema")
        place: JSON = self._root
        for part in filter(None, reference[1:].split("/")):
            step = part.replace("~1", "/").replace("~0", "~")
            place = (
                cast("list[JSON]", place)[int(step)]
                if isinstance(place, list)
                else cast("Mapping[str, JSON]", place)[step]
            )
        return cast("Schema", place) if isinstance(place, Mapping) else {}

    def _merged(self, one: Schema, other: Schema) -> Schema:
        merged = {**other, **one}
        for key in ("properties", "patternProperties"):
            if key in one and key in other:
                ours, theirs = cast("Schema", one[key]), cast("Schema", other[key])
                both = {name: {"allOf": [ours[name], theirs[name]]} for name in ours if name in theirs}
                merged[key] = {**theirs, **ours, **both}
        if "required" in one and "required" in other:
            merged["required"] = sorted({*cast("list[str]", one["required"]), *cast("list[str]", other["required"])})
        if "enum" in one and "enum" in other:
            theirs_too = cast("list[JSON]", other["enum"])
            merged["enum"] = [each for each in cast("list[JSON]", one["enum"]) if each in theirs_too]
        for key, stricter in (("minimum", max), ("minLength", max), ("minItems", max), ("maximum", min)):
            if key in one and key in other:
                merged[key] = stricter(cast("float", one[key]), cast("float", other[key]))
        return merged

    def _branch(self, branches: list[JSON], wanted: JSON, depth: int) -> Schema:
        choices = [self.resolved(branch) for branch in branches]
        if wanted is not _NOTHING:
            fitting = [each for each in choices if self._allows(each, wanted)] or [
                each for each in choices if self._kind(each, wanted) == _kind_of(wanted)
            ]
            if fitting:
                return fitting[0]
        filled = [each for each in choices if each.get("type") != "null"]
        if depth >= _DEEPEST or self._spare:
            flat = [each for each in choices if each.get("type") not in ("object", "array")]
            return self._random.choice(flat or choices)
        return self._random.choice(filled or choices)

    def _allows(self, schema: Schema, value: JSON) -> bool:
        shared: Schema = cast("Schema", self._root) if isinstance(self._root, Mapping) else {}
        return fits({**{key: shared[key] for key in ("$defs", "definitions") if key in shared}, **schema}, value)

    def _kind(self, schema: Schema, wanted: JSON) -> str:
        kinds = schema.get("type")
        if isinstance(kinds, str):
            return kinds
        if isinstance(kinds, list) and kinds:
            listed = cast("list[str]", kinds)
            if wanted is not _NOTHING and _kind_of(wanted) in listed:
                return _kind_of(wanted)
            return next((kind for kind in listed if kind != "null"), "null")
        for keyword, kind in _TELLING:
            if keyword in schema:
                return kind
        return "string" if wanted is _NOTHING else _kind_of(wanted)

    def _object(self, schema: Schema, depth: int, wanted: Mapping[str, JSON]) -> dict[str, JSON]:
        properties = cast("Mapping[str, JSON]", schema.get("properties") or {})
        required = cast("list[str]", schema.get("required") or [])
        more = schema.get("additionalProperties", True)
        made: dict[str, JSON] = {}
        for name in (*properties, *(each for each in required if each not in properties)):
            if name in wanted:
                made[name] = self.make(properties.get(name, more), name, depth + 1, wanted[name])
            elif name in required or not (self._spare or depth >= _DEEPEST or wanted):
                made[name] = self.make(properties.get(name, more), name, depth + 1)
        made |= dict(self._others(schema, wanted, made))
        least = cast("int", schema.get("minProperties") or 0)
        while len(made) < least:
            name = f"{text({}, 'name', self._random)} {len(made) + 1}"
            made[name] = self.make(more, name, depth + 1)
        return made

    def _others(
        self, schema: Schema, wanted: Mapping[str, JSON], made: Mapping[str, JSON]
    ) -> Iterator[tuple[str, JSON]]:
        more = schema.get("additionalProperties", schema.get("unevaluatedProperties", True))
        for name, each in wanted.items():
            if name not in made and name not in cast("Schema", schema.get("properties") or {}) and more is not False:
                yield name, each if more is True else self.make(more, name, 1, each)

    def _array(self, schema: Schema, name: str, depth: int, wanted: JSON) -> list[JSON]:
        firsts = cast("list[JSON]", schema.get("prefixItems") or [])
        items = schema.get("items", True)
        singular = name.removesuffix("s")
        if isinstance(wanted, list):
            given = cast("list[JSON]", wanted)
            made = [
                self.make(firsts[at] if at < len(firsts) else items, singular, depth + 1, each)
                for at, each in enumerate(given)
            ]
        else:
            made = [self.make(each, singular, depth + 1) for each in firsts]
        least = cast("int", schema.get("minItems") or 0)
        most = cast("int", schema.get("maxItems", max(least, _ITEMS)))
        if "contains" in schema and not isinstance(wanted, list):
            made.append(self.make(schema["contains"], singular, depth + 1))
        goal = least if isinstance(wanted, list) or self._spare or depth >= _DEEPEST else min(max(least, _ITEMS), most)
        for _ in range(8 * goal + 8):
            if len(made) >= goal or items is False:
                break
            each = self.make(items, singular, depth + 1)
            if not schema.get("uniqueItems") or each not in made:
                made.append(each)
        return made[: max(most, len(firsts))] if "maxItems" in schema else made


_TELLING = (
    ("properties", "object"), ("required", "object"), ("additionalProperties", "object"), ("items", "array"),
    ("prefixItems", "array"), ("minItems", "array"), ("minimum", "number"), ("maximum", "number"),
    ("multipleOf", "number"), ("exclusiveMinimum", "number"),
)  # fmt: skip


def _kind_of(value: JSON) -> str:
    if isinstance(value, bool):
        return "boolean"
    kinds = ((str, "string"), (int, "integer"), (float, "number"), (dict, "object"), (list, "array"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "null")
