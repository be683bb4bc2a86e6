"""Bytes of a foreign file → a JSON value that Misstep can write again, whatever state they are in."""

import json
import math
import re
from collections.abc import Mapping
from typing import cast

import msgspec

from misstep.core.errors import FormatError
from misstep.core.tool import JSON

DEEPEST = 100
"""Levels of nesting that are kept as structure; deeper values are kept as text."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_BRACKET = re.compile(r'(?:\A|(?<=[\[\]{}]))(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{}])', re.DOTALL)
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder(order="deterministic").encode


def decoded(data: bytes | str) -> JSON:
    """The value of a JSON text; what other writers let through (NaN, lone surrogates, control characters) is mended.

    Raises FormatError, which says what is wrong with it.
    """
    try:
        return _decode(data)
    except RecursionError:
        raise FormatError("It is nested too deeply to be read.") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        return _mended(data, error)


def well_formed(data: bytes) -> JSON:
    """The value of a JSON text that needs no mending; None of any other."""
    try:
        return _decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def _mended(data: bytes | str, error: Exception) -> JSON:
    try:
        text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
        return _clean(cast(JSON, json.loads(text, strict=False)))
    except RecursionError:
        raise FormatError("It is nested too deeply to be read.") from None
    except ValueError:  # among them, numbers of more digits than Python reads
        raise FormatError(f"It is not JSON: {error}.") from None


def _clean(value: JSON) -> JSON:
    match value:
        case str():
            return _SURROGATE.sub("�", value)
        case float():
            return value if math.isfinite(value) else str(value)
        case list():
            return [_clean(each) for each in cast(list[JSON], value)]
        case dict():
            pairs = cast(dict[str, JSON], value).items()
            return {_SURROGATE.sub("�", key): _clean(each) for key, each in pairs}
        case _:
            return value


def parsed(text: str) -> JSON:
    """What the text of a tool's result holds: its JSON where it is an object or an array, else the text."""
    opening = text.lstrip()[:1]
    if opening not in ("{", "["):
        return text
    try:
        value = decoded(text)
    except FormatError:
        return text
    return value if _is_shallow(text) else text


def kept(value: JSON) -> JSON:
    """A structured value as it is, or as text where it is nested so deeply that others would stumble over it."""
    if not isinstance(value, dict | list):
        return value
    try:
        text = _encode(cast(JSON, value)).decode()
    except RecursionError:
        return "(a value that is nested too deeply)"
    return cast(JSON, value) if _is_shallow(text) else text


def arguments_of(value: JSON) -> tuple[dict[str, JSON], str | None]:
    """A call's arguments, given as an object or as its JSON text; and the text itself, where it is no object."""
    if value is None or value == "":
        return {}, None
    held = parsed(value) if isinstance(value, str) else kept(value)
    if isinstance(held, dict):
        return cast(dict[str, JSON], held), None
    return {}, held if isinstance(held, str) else written(held)


def written(value: JSON) -> str:
    """A value as the text of its JSON; the same value gives the same text."""
    try:
        return _encode(value).decode()
    except (TypeError, ValueError, RecursionError):
        return "(a value that cannot be written as JSON)"


def bounded(raw: Mapping[str, JSON], *, most: int = 4000) -> dict[str, JSON] | None:
    """Foreign attributes for `raw`, each no longer than so many characters; none where there is nothing to keep."""
    small: dict[str, JSON] = {}
    for key, value in raw.items():
        if value is None or value == "" or value == [] or value == {}:
            continue
        if isinstance(value, str):
            small[key] = value if len(value) <= most else f"{value[:most]}…"
        elif isinstance(value, dict | list):
            text = written(cast(JSON, value))
            fits = len(text) <= most and _is_shallow(text)
            small[key] = cast(JSON, value) if fits else f"{text[:most]}…"
        else:
            small[key] = value
    return small or None


def _is_shallow(text: str) -> bool:
    if text.count("[") + text.count("{") <= DEEPEST:
        return True
    depth = deepest = 0
    for found in _BRACKET.finditer(text):
        depth += 1 if found[1] in "[{" else -1
        deepest = max(deepest, depth)
    return deepest <= DEEPEST
