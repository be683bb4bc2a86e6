"""A function's signature → the JSON Schema of its arguments and of its result, and a type to read arguments with."""

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError

from misstep.core.errors import UsageError
from misstep.core.tool import JSON
from misstep.tools.docstrings import Docstring
from misstep.tools.plain import NotJSONError, plain

_SUPPORTED = (
    "str, int, float, bool, None, list, tuple, set and dict of them, unions, Literal, Enum, dataclasses, TypedDict, "
    "msgspec.Struct, datetime and date"
)

_EITHER = inspect.Parameter.POSITIONAL_OR_KEYWORD

_ANYTHING: dict[str, JSON] = {"$comment": "anything"}
"""What stands for `object` while a schema is made: msgspec takes an empty one for no answer."""


class Signature(Struct, frozen=True):
    """What a function takes and gives, as schemas; and what reads a call's arguments into the hinted types."""

    input_schema: dict[str, JSON]
    output_schema: dict[str, JSON] | None
    reader: msgspec.json.Decoder[Struct]
    parameters: tuple[inspect.Parameter, ...]

    def read(self, arguments: Mapping[str, JSON]) -> tuple[list[object], dict[str, object]]:
        """What goes by position and what by name, in the hinted types; what was not given is left to the function's
        own defaults."""
        # Through text, not `msgspec.convert`: what is hinted as `object` must not be the caller's own.
        values = self.reader.decode(msgspec.json.encode(arguments))
        given: dict[str, object] = {
            each.name: value for each in self.parameters if (value := getattr(values, each.name)) is not UNSET
        }
        rest = next((each.name for each in self.parameters if each.kind is inspect.Parameter.VAR_POSITIONAL), "")
        many = cast("list[object]", given.pop(rest, []))
        placed = [
            given.pop(each.name, each.default)
            for each in self.parameters
            if each.kind is inspect.Parameter.POSITIONAL_ONLY or (many and each.kind is _EITHER)
        ]
        return [*placed, *many], given


def signature_of(function: Callable[..., object], called: str, docs: Docstring) -> Signature:
    """UsageError where a parameter cannot be an argument of a tool, or a hint cannot be a schema."""
    parameters = _parameters(function, called)
    hints = _hints(function, called)
    fields = [_field(parameter, hints.get(parameter.name, Any)) for parameter in parameters]
    arguments = msgspec.defstruct("Arguments", fields, kw_only=True, forbid_unknown_fields=True)
    try:
        schema = _schema(arguments)
        reader = msgspec.json.Decoder(arguments, dec_hook=_as_is)
    except TypeError:
        raise _unfit(parameters, hints, called) from None
    _annotate(cast("dict[str, dict[str, JSON]]", schema["properties"]), parameters, hints, docs)
    return Signature(schema, _output_schema(hints), reader, tuple(parameters))


def _parameters(function: Callable[..., object], called: str) -> list[inspect.Parameter]:
    """All that can be named: what may have any name is left out, and the function does without."""
    parameters = list(inspect.signature(function).parameters.values())
    if parameters and parameters[0].name == "self" and parameters[0].annotation is inspect.Parameter.empty:
        raise UsageError(
            f"{called} is a method without its object. Pass it from an instance, as in 'Functions([shop.cancel])'."
        )
    return [each for each in parameters if each.kind is not inspect.Parameter.VAR_KEYWORD]


def _hints(function: Callable[..., object], called: str) -> dict[str, Any]:
    try:
        return get_type_hints(function, include_extras=True)
    except (NameError, AttributeError, TypeError, SyntaxError) as error:
        raise UsageError(
            f"The type hints of {called} cannot be read: {error}. Define the names at the top of its module."
        ) from None


def _field(parameter: inspect.Parameter, hint: Any) -> tuple[str, Any] | tuple[str, Any, Any]:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return parameter.name, Union[list[hint], UnsetType], UNSET  # noqa: UP007
    if parameter.default is inspect.Parameter.empty:
        return parameter.name, hint
    hint = Union[hint, None] if parameter.default is None else hint  # noqa: UP007 (a hint may be a string or Annotated)
    return parameter.name, Union[hint, UnsetType], UNSET  # noqa: UP007


def _schema(kind: Any) -> dict[str, JSON]:
    """The schema of a type, with what it refers to written in place; only what contains itself stays a reference."""
    (root,), parts = msgspec.json.schema_components([kind], schema_hook=_anything, ref_template="#/$defs/{name}")
    kept: dict[str, JSON] = {}
    schema = cast("dict[str, JSON]", _inlined(root, parts, (), kept))
    return {**schema, "$defs": kept} if kept else schema


def _inlined(node: JSON, parts: Mapping[str, JSON], inside: tuple[str, ...], kept: dict[str, JSON]) -> JSON:
    if isinstance(node, list):
        return [_inlined(each, parts, inside, kept) for each in cast("list[JSON]", node)]
    if not isinstance(node, dict):
        return node
    table = cast("dict[str, JSON]", node)
    if table == _ANYTHING:
        return {}
    reference = table.get("$ref")
    if not isinstance(reference, str):
        return {name: _inlined(each, parts, inside, kept) for name, each in table.items()}
    name = reference.removeprefix("#/$defs/")
    if name in inside:
        if name not in kept:
            kept[name] = None  # Its place is taken before it is filled: it refers to itself.
            kept[name] = _inlined(_untitled(parts[name]), parts, (name,), kept)
        return {"$ref": reference}
    part = cast("dict[str, JSON]", _inlined(_untitled(parts[name]), parts, (*inside, name), kept))
    return {**part, **{key: each for key, each in table.items() if key != "$ref"}}


def _untitled(part: JSON) -> dict[str, JSON]:
    return {name: each for name, each in cast("dict[str, JSON]", part).items() if name != "title"}


def _anything(kind: type) -> dict[str, JSON]:
    if kind is object:
        return _ANYTHING
    raise NotImplementedError


def _as_is(kind: type, value: object) -> object:
    if kind is object:
        return value
    raise ValidationError(f"Expected `{kind.__name__}`")


def _annotate(
    properties: dict[str, dict[str, JSON]],
    parameters: list[inspect.Parameter],
    hints: Mapping[str, Any],
    docs: Docstring,
) -> None:
    for parameter in parameters:
        schema = properties[parameter.name]
        text = _annotation_text(hints.get(parameter.name)) or docs.parameters.get(parameter.name)
        if text:
            schema["description"] = text
        if parameter.default is not inspect.Parameter.empty:
            try:
                schema["default"] = plain(parameter.default)
            except NotJSONError:
                continue  # The function knows its default; an agent that leaves the argument out gets it all the same.


def _annotation_text(hint: Any) -> str | None:
    """`Annotated[int, "How many"]` and `Annotated[int, Meta(description="How many")]`."""
    if get_origin(hint) is not Annotated:
        return None
    for extra in get_args(hint)[1:]:
        text = extra.description if isinstance(extra, Meta) else extra
        if isinstance(text, str):
            return text
    return None


def _output_schema(hints: Mapping[str, Any]) -> dict[str, JSON] | None:
    if "return" not in hints:
        return None
    try:
        return _schema(hints["return"]) or None
    except TypeError:
        return None  # What a function really returns is looked at when it has returned it.


def _unfit(parameters: list[inspect.Parameter], hints: Mapping[str, Any], called: str) -> UsageError:
    """Which hint it was: found out only once something is wrong."""
    for parameter in parameters:
        hint = hints.get(parameter.name, Any)
        try:
            _schema(hint)
            msgspec.json.Decoder(hint, dec_hook=_as_is)
        except TypeError as error:
            why = str(error).split("\n")[-1]
            return UsageError(
                f"Argument {parameter.name!r} of {called} has a type that no JSON Schema can be made for: {why}. "
                f"Use {_SUPPORTED}."
            )
    return UsageError(f"No JSON Schema can be made for the arguments of {called}. Use {_SUPPORTED}.")
