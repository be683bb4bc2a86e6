"""A call's arguments against the tool's input schema → a sentence that says what is wrong, or the call goes on."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import jsonschema_rs
import msgspec

from misstep.core.errors import InvalidTrialError, UnknownToolError, suggestion
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer, Tool

_MOST = 3
_LONGEST = 80


class Checked:
    """Answers a call whose arguments break the tool's input schema with an error; passes the others on."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    async def tools(self) -> Sequence[Tool]:
        return await self._toolbox.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        offered = await self._toolbox.tools()
        found = next((each for each in offered if each.name == tool), None)
        if found is None:
            raise UnknownToolError(tool, (each.name for each in offered))
        if wrong := problem(found, arguments):
            return Answer(wrong, is_error=True, served_by="simulated")
        return await self._toolbox.call(tool, arguments)


def problem(tool: Tool, arguments: Mapping[str, JSON]) -> str | None:
    """What is wrong with a call's arguments, in a sentence for each of the first few errors; None where nothing is."""
    given = arguments if isinstance(arguments, dict) else dict(arguments)
    try:
        validator = _validator_of(tool)
        if validator.is_valid(given):
            return None
        errors = sorted(validator.iter_errors(given), key=lambda error: (str(error.instance_path), error.message))
    except ValueError as error:
        if isinstance(error, jsonschema_rs.ValidationError):
            raise InvalidTrialError(
                "tool", f"The input schema of {tool.name!r} is no JSON Schema: {error.message}"
            ) from None
        return f"The arguments of {tool.name!r} are no JSON: {error}."
    return " ".join(_sentence(tool, error) for error in errors[:_MOST])


@lru_cache(maxsize=4096)
def _compiled(schema: bytes) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(msgspec.json.decode(schema), offline=True)


def _validator_of(tool: Tool) -> jsonschema_rs.Validator:
    # By the schema's text, not by tool or toolbox: a thousand trials make a thousand toolboxes with one schema.
    return _compiled(_encoder.encode(tool.input_schema))


_encoder = msgspec.json.Encoder()


def _sentence(tool: Tool, error: jsonschema_rs.ValidationError) -> str:
    details = error.kind.as_dict()
    match error.kind.name:
        case "required":
            return f"Argument {_path([*error.instance_path, details['property']])!r} of {tool.name!r} is missing."
        case "additionalProperties" | "unevaluatedProperties":
            return " ".join(_unexpected(tool, error.instance_path, name) for name in details["unexpected"])
        case _:
            subject = f"Argument {_path(error.instance_path)!r} of" if error.instance_path else "The arguments of"
            return f"{subject} {tool.name!r} must {_duty(error, details)}; got {_short(error.instance)}."


def _unexpected(tool: Tool, path: Sequence[str | int], name: str) -> str:
    if path:
        return f"Argument {_path(path)!r} of {tool.name!r} has no field {name!r}."
    known = cast("Mapping[str, JSON]", tool.input_schema.get("properties", {}))
    return f"{tool.name!r} takes no argument {name!r}.{suggestion(name, known)}"


_TYPES: Mapping[str, str] = {
    "string": "a text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
    "array": "a list", "object": "an object", "null": "null",
}  # fmt: skip

_DUTIES = {
    "pattern": "match {pattern}",
    "const": "be {expected_value}",
    "format": "be a {format}",
    "minimum": "be at least {limit}",
    "maximum": "be at most {limit}",
    "exclusiveMinimum": "be more than {limit}",
    "exclusiveMaximum": "be less than {limit}",
    "multipleOf": "be a multiple of {multiple_of}",
    "minLength": "have at least {limit} characters",
    "maxLength": "have at most {limit} characters",
    "minItems": "have at least {limit} items",
    "maxItems": "have at most {limit} items",
    "minProperties": "have at least {limit} fields",
    "maxProperties": "have at most {limit} fields",
    "uniqueItems": "have no item twice",
}


def _duty(error: jsonschema_rs.ValidationError, details: Mapping[str, Any]) -> str:
    keyword = error.kind.name
    if keyword == "type":
        return f"be {' or '.join(_TYPES.get(each, each) for each in details['types'])}"
    if keyword == "enum":
        return f"be one of {', '.join(_short(each) for each in details['options'])}"
    if keyword in ("anyOf", "oneOf") and (duties := _alternatives(details.get("context"))):
        return " or ".join(duties)
    if keyword in _DUTIES:
        return _DUTIES[keyword].format_map({name: _short(value) for name, value in details.items()})
    return f"fit the schema's {keyword!r} ({error.message})"


def _alternatives(context: list[list[jsonschema_rs.ValidationError]] | None) -> list[str]:
    firsts = [errors[0] for errors in context or () if errors and errors[0].kind.name in ("type", "enum", "const")]
    return [_duty(error, error.kind.as_dict()) for error in firsts]


def _path(parts: Sequence[str | int]) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return text.removeprefix(".")


def _short(value: JSON) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
