"""Two answers → where their shapes differ: kinds of values, keys, blocks, and whether it is an error; never values."""

import json
from collections.abc import Iterator, Mapping
from typing import cast

from msgspec import Struct

from misstep.core.tool import JSON, Answer

_SEAL = "misstep/seal"
_ROOT = "answer"


class Difference(Struct, frozen=True):
    """Something that was one way and is another."""

    place: str
    before: str
    now: str


def differences(before: Answer, now: Answer) -> tuple[Difference, ...]:
    """Errors are compared as such and no further: what one says is its value."""
    if before.is_error != now.is_error:
        return (Difference(_ROOT, _outcome(before), _outcome(now)),)
    if now.is_error:
        return ()
    found = list(_compared(_read(before.content), _read(now.content), _ROOT))
    then, there = _blocks(before), _blocks(now)
    if then != there and before.parts is not None and now.parts is not None:
        found.append(Difference("blocks", ", ".join(then) or "none", ", ".join(there) or "none"))
    return tuple(dict.fromkeys(found))


def _outcome(answer: Answer) -> str:
    return "an error" if answer.is_error else "a success"


def _read(content: JSON) -> JSON:
    """Many a server has no structured content and writes JSON as a text: then it is what that says."""
    if not isinstance(content, str) or content.lstrip()[:1] not in ("{", "["):
        return content
    try:
        return cast("JSON", json.loads(content))
    except (ValueError, RecursionError):
        return content


def _compared(before: JSON, now: JSON, place: str) -> Iterator[Difference]:
    if before is None or now is None:
        return  # What may be missing has no kind of its own.
    kind, is_now = _kind(before), _kind(now)
    if kind != is_now:
        yield Difference(place, kind, is_now)
    elif isinstance(before, Mapping) and isinstance(now, Mapping):
        yield from _compared_records(cast("Mapping[str, JSON]", before), cast("Mapping[str, JSON]", now), place)
    elif isinstance(before, list) and isinstance(now, list):
        old, new = cast("list[JSON]", before), cast("list[JSON]", now)
        if old and new:
            yield from _compared(_typical(old), _typical(new), f"{place}[]")


def _compared_records(before: Mapping[str, JSON], now: Mapping[str, JSON], place: str) -> Iterator[Difference]:
    for key in sorted(before.keys() | now.keys()):
        inside = f"{place}.{key}"
        if key not in now:
            yield Difference(inside, _kind(before[key]), "not there")
        elif key not in before:
            yield Difference(inside, "not there", _kind(now[key]))
        else:
            yield from _compared(before[key], now[key], inside)


def _typical(items: list[JSON]) -> JSON:
    """One item that has whatever some item has: how many there are, and in which order, is a matter of values."""
    records = [cast("Mapping[str, JSON]", item) for item in items if isinstance(item, Mapping)]
    if not records:
        lists = [cast("list[JSON]", item) for item in items if isinstance(item, list)]
        return [each for one in lists for each in one] if lists else items[0]
    merged: dict[str, JSON] = {}
    for record in records:
        for key, value in record.items():
            merged[key] = _joined(merged[key], value) if merged.get(key) is not None else value
    return merged


def _joined(one: JSON, other: JSON) -> JSON:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return _typical([cast("JSON", one), cast("JSON", other)])
    if isinstance(one, list) and isinstance(other, list):
        return [*cast("list[JSON]", one), *cast("list[JSON]", other)]
    return cast("JSON", one)


def _kind(value: JSON) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes or no"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "a record"


def _blocks(answer: Answer) -> tuple[str, ...]:
    return tuple(sorted({str(part.get("type")) for part in answer.parts or () if part.get("type") != _SEAL}))
