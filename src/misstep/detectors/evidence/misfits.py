"""A value and a JSON Schema → what in the value does not fit, in a few words."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import cast

import jsonschema_rs
import msgspec
from msgspec import Struct

from misstep.core.tool import JSON

_MOST = 3
_LONGEST = 60
_LARGEST = 200_000
"""A schema that is larger than this is not compiled, and finds nothing."""


class Misfit(Struct, frozen=True):
    """One thing that does not fit."""

    path: tuple[str | int, ...]
    keyword: str
    told: str


def misfits(schema: Mapping[str, JSON], value: JSON) -> tuple[Misfit, ...]:
    """The first few, in a fixed order; none where the schema says nothing or is none."""
    if not schema:
        return ()
    validator = _compiled(_encoder.encode(schema))
    if validator is None:
        return ()
    try:
        if validator.is_valid(value):
            return ()
        found = [_misfit(error) for error in validator.iter_errors(value)]
    except ValueError:
        return ()  # a value that JSON cannot hold
    found.sort(key=lambda each: (str(each.path), each.keyword, each.told))
    return tuple(found[:_MOST])


_encoder = msgspec.json.Encoder(order="deterministic")


@lru_cache(maxsize=1024)
def _compiled(schema: bytes) -> jsonschema_rs.Validator | None:
    if len(schema) > _LARGEST:
        return None
    try:
        return jsonschema_rs.validator_for(msgspec.json.decode(schema), offline=True)
    except ValueError:
        return None  # what calls itself a schema in a foreign file need not be one


def _misfit(error: jsonschema_rs.ValidationError) -> Misfit:
    path = tuple(cast("Sequence[str | int]", error.instance_path))
    keyword, details = error.kind.name, cast("Mapping[str, JSON]", error.kind.as_dict())
    if keyword == "required":
        missing = str(details.get("property"))
        return Misfit((*path, missing), keyword, f"{_named((*path, missing))} is missing")
    if keyword in ("additionalProperties", "unevaluatedProperties"):
        extra = ", ".join(str(each) for each in cast("Sequence[JSON]", details.get("unexpected", ())))
        return Misfit(path, keyword, f"there is no field {_short(extra)}")
    return Misfit(path, keyword, f"{_named(path)} does not fit: {_short(error.message)}")


def _named(path: Sequence[str | int]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".") or "it"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
