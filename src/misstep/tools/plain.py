"""What agents and functions hand over → plain JSON of our own, so that nobody else holds a thread to it."""

import json
import math
import re
from collections.abc import Mapping
from typing import cast

import msgspec

from misstep.core.tool import JSON

_strict = json.JSONEncoder(allow_nan=False)
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()

_UNFIT = (TypeError, ValueError, OverflowError, RecursionError)
"""What the encoders and decoders raise for something that is no JSON; msgspec's own errors are ValueErrors."""

_LONG = re.compile(rb"[0-9]{19}")
_LONGEST = 4000
_DEEPEST = 6


class NotJSONError(Exception):
    """A value that no JSON text can hold; the message says why."""


def copied(value: JSON) -> JSON:
    """A copy that shares nothing with the JSON value it was made from."""
    if value is None or value is True or value is False:
        return value
    if type(value) is float and math.isfinite(value):
        return value
    try:
        data = _encoder.encode(str.__str__(value) if isinstance(value, str) else value)
        if data == b"null":
            raise NotJSONError("it is no number that JSON can hold")
        return _held(_decoder.decode(data), data)
    except _UNFIT as error:
        raise NotJSONError(str(error)) from None


def plain(value: object) -> JSON:
    """Dataclasses, structs, dates, sets … as the JSON that stands for them."""
    try:
        builtins = msgspec.to_builtins(value, str_keys=True, order="deterministic")
        data = _encoder.encode(builtins)
        if b"null" in data:
            _strict.encode(builtins)  # A number that is none would turn into null without a word.
        return _held(_decoder.decode(data), data)
    except _UNFIT as error:
        raise NotJSONError(str(error)) from None


def plain_arguments(arguments: object) -> dict[str, JSON]:
    """A call's arguments as a JSON object of our own. Stricter than `plain`: nothing is made JSON that was none."""
    if not isinstance(arguments, Mapping):
        raise NotJSONError(f"they are no object but {_kind(arguments)}")
    try:
        data = _strict.encode(dict(cast("Mapping[str, JSON]", arguments))).encode()
        return cast("dict[str, JSON]", _held(_decoder.decode(data), data))
    except NotJSONError:
        raise
    except _UNFIT as error:
        raise NotJSONError(str(error)) from None
    except Exception as error:  # noqa: BLE001 - the agent's own kind of mapping
        raise NotJSONError(f"reading them raised {type(error).__name__}") from None


def _held(value: JSON, data: bytes) -> JSON:
    """The value, where every number in it is one that other readers of JSON can hold too."""
    if _LONG.search(data) and _has_huge(value):
        raise NotJSONError("a whole number needs more than 64 bits")
    return value


def _has_huge(value: JSON) -> bool:
    if isinstance(value, dict):
        return any(_has_huge(each) for each in cast("dict[str, JSON]", value).values())
    if isinstance(value, list):
        return any(_has_huge(each) for each in cast("list[JSON]", value))
    return isinstance(value, int) and not _fits(value)


def _fits(number: int) -> bool:
    return -(2**63) <= number < 2**63


def clean(text: str) -> str:
    """The text as a plain one, with what UTF-8 cannot hold spelt out."""
    if type(text) is not str:
        text = str.__str__(text)  # the agent's own kind of text may have methods of its own
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def described(value: object) -> str:
    """A bounded text that shows a value which may be no JSON. The same value gives the same text in every process."""
    try:
        text = clean(value if isinstance(value, str) else _shown(value, _DEEPEST))
    except Exception:  # noqa: BLE001 - the agent's own kind of mapping
        text = f"<{type(value).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _shown(value: object, depth: int) -> str:
    if isinstance(value, int) and not _fits(value):
        return f"<a number of {value.bit_length()} bits>"
    if value is None or isinstance(value, (bool, int)):
        return json.dumps(value)
    if isinstance(value, float):
        return json.dumps(value) if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return json.dumps(str.__str__(value)[:_LONGEST], ensure_ascii=False)
    if depth and isinstance(value, Mapping):
        pairs = list(cast("Mapping[object, object]", value).items())[:50]
        return "{" + ", ".join(f"{_shown(key, 0)}: {_shown(each, depth - 1)}" for key, each in pairs) + "}"
    if depth and isinstance(value, (list, tuple)):
        return "[" + ", ".join(_shown(each, depth - 1) for each in cast("list[object]", value)[:50]) + "]"
    return f"<{type(value).__name__}>"


def _kind(value: object) -> str:
    names = {"str": "a text", "list": "a list", "tuple": "a list", "NoneType": "nothing", "int": "a number"}
    return names.get(type(value).__name__, f"a {type(value).__name__}")
