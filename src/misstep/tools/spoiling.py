"""A tool's answer → the same answer spoilt: emptied, garbled, cut, scaled, or with words put into it."""

import json
import math
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import cast

from misstep.core.tool import JSON
from misstep.tools.plain import copied

_LONG_TEXT = 80
_NOTES = ("note", "message", "comment", "remark")
_NARROWING = frozenset({"enum", "const", "pattern", "format", "minLength", "minimum", "exclusiveMinimum"})


def emptied(value: JSON, schema: Mapping[str, JSON]) -> JSON:
    """The emptiest value of the same shape: lists without items, records with only what the schema demands of them."""
    if isinstance(value, list) or (value is None and _is(schema, "array")):
        return []
    if isinstance(value, dict) or (value is None and _is(schema, "object")):
        return _emptied_record(cast("dict[str, JSON]", value or {}), schema)
    return "" if isinstance(value, str) or (value is None and _is(schema, "string")) else None


def _emptied_record(record: Mapping[str, JSON], schema: Mapping[str, JSON]) -> dict[str, JSON]:
    required = cast("list[str]", schema.get("required", []))
    parts = cast("Mapping[str, Mapping[str, JSON]]", schema.get("properties", {}))
    if required:
        return {name: _blank(record.get(name), parts.get(name, {})) for name in required}
    holding = {name: each for name, each in record.items() if _holds_more(each)}
    return {name: emptied(each, parts.get(name, {})) for name, each in holding.items()}


def _holds_more(value: JSON) -> bool:
    return isinstance(value, (list, dict))


def _blank(value: JSON, schema: Mapping[str, JSON]) -> JSON:
    """What stands for nothing in a field that must be there; where its schema is narrow, the value that fits it."""
    if _nullable(schema):
        return None
    if _holds_more(value) or _is(schema, "array") or _is(schema, "object"):
        return emptied(value, schema)
    if schema.keys() & _NARROWING:
        return value
    blanks: dict[str, JSON] = {"string": "", "integer": 0, "number": 0, "boolean": False}
    return next((blank for kind, blank in blanks.items() if _is(schema, kind)), None)


def _is(schema: Mapping[str, JSON], kind: str) -> bool:
    said = schema.get("type")
    return kind in said if isinstance(said, list) else said == kind


def _nullable(schema: Mapping[str, JSON]) -> bool:
    either = cast("list[Mapping[str, JSON]]", schema.get("anyOf", schema.get("oneOf", [])))
    return _is(schema, "null") or any(_is(each, "null") for each in either)


def garbled(value: JSON) -> str:
    """A JSON text that stops in the middle: it opens what it does not close, so nothing can read it."""
    text = json.dumps(value if isinstance(value, (dict, list)) else {"result": value}, ensure_ascii=False)
    return text[: max(1, len(text) * 3 // 5)]


def cut(value: JSON, keep: float) -> JSON:
    """The first lists on the way down, and long texts, cut to a share of their length."""
    if isinstance(value, list):
        items = cast("list[JSON]", value)
        return items[: math.floor(len(items) * keep)]
    if isinstance(value, dict):
        return {name: cut(each, keep) for name, each in cast("dict[str, JSON]", value).items()}
    if isinstance(value, str) and len(value) > _LONG_TEXT:
        return value[: math.floor(len(value) * keep)]
    return value


def scaled(value: JSON, factor: float, field: str | None) -> JSON:
    """Numbers in another unit. Where no field is named: those with a fraction, or all where there is none of these."""
    numbers = list(_numbers(value, field, named=field is None))
    only_fractions = field is None and any(isinstance(number, float) for number in numbers)
    return _scaled(value, factor, field, named=field is None, only_fractions=only_fractions)


def _numbers(value: JSON, field: str | None, *, named: bool) -> Iterator[int | float]:
    if isinstance(value, dict):
        for name, each in cast("dict[str, JSON]", value).items():
            yield from _numbers(each, field, named=named or _matches(name, field))
    elif isinstance(value, list):
        for each in cast("list[JSON]", value):
            yield from _numbers(each, field, named=named)
    elif named and isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def _scaled(value: JSON, factor: float, field: str | None, *, named: bool, only_fractions: bool) -> JSON:
    if isinstance(value, dict):
        return {
            name: _scaled(each, factor, field, named=named or _matches(name, field), only_fractions=only_fractions)
            for name, each in cast("dict[str, JSON]", value).items()
        }
    if isinstance(value, list):
        items = cast("list[JSON]", value)
        return [_scaled(each, factor, field, named=named, only_fractions=only_fractions) for each in items]
    if not named or isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    if isinstance(value, int):
        return value if only_fractions else _whole(value * factor)
    return round(value * factor, 9)


def _whole(number: float) -> int | float:
    return int(number) if number == int(number) else round(number, 9)


def _matches(name: str, field: str | None) -> bool:
    return field is not None and fnmatchcase(name, field)


def injected(value: JSON, text: str, field: str | None) -> JSON:
    """Words put where an agent reads them: into the named field, the longest prose there is, or a new field."""
    if isinstance(value, str):
        return f"{value}\n{text}".lstrip()
    value = copied(value)
    places = [place for place in _texts(value) if (_matches(str(place[1]), field) if field else " " in place[2])]
    if places:
        record, name, old = places[0] if field else max(places, key=lambda place: len(place[2]))
        record[name] = f"{old}\n{text}"  # pyright: ignore[reportArgumentType, reportCallIssue]
        return value
    if isinstance(value, list):
        items = cast("list[JSON]", value)
        if items and isinstance(items[0], dict):
            return [_with_note(cast("dict[str, JSON]", items[0]), text, field), *items[1:]]
        return [*items, text]
    record = cast("dict[str, JSON]", value) if isinstance(value, dict) else {"result": value}
    return _with_note(record, text, field)


def _with_note(record: Mapping[str, JSON], text: str, field: str | None) -> dict[str, JSON]:
    name = field or next((each for each in _NOTES if record.get(each) is None), _NOTES[0])
    return {**record, name: text}


def _texts(value: JSON) -> Iterator[tuple[dict[str, JSON] | list[JSON], str | int, str]]:
    pairs: Iterator[tuple[str | int, JSON]]
    if isinstance(value, dict):
        pairs = iter(cast("dict[str, JSON]", value).items())
    elif isinstance(value, list):
        pairs = iter(enumerate(cast("list[JSON]", value)))
    else:
        return
    container = cast("dict[str, JSON] | list[JSON]", value)
    for name, each in pairs:
        if isinstance(each, str):
            yield container, name, each
        else:
            yield from _texts(each)
