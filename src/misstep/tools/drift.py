"""A tool whose arguments have got other names: as it is shown, and what calls of it mean in the old names."""

from collections.abc import Mapping
from typing import cast

from msgspec import structs

from misstep.core.errors import suggestion
from misstep.core.tool import JSON, Tool
from misstep.core.words import split_identifier
from misstep.tools.checked import problem


def new_names(tool: Tool, rename: Mapping[str, str]) -> dict[str, str]:
    """Old name → new one, of the arguments that the tool has; all of them where no names are given."""
    properties = _properties(tool)
    if rename:
        return {old: new for old, new in rename.items() if old in properties}
    return {name: _otherwise(name) for name in properties}


def _otherwise(name: str) -> str:
    """`order_id` → orderId; `orderId` → order_id; `city` → city_value."""
    parts = split_identifier(name)
    if len(parts) < 2:
        return f"{name}_value"
    return parts[0] + "".join(part.title() for part in parts[1:]) if "_" in name else "_".join(parts)


def drifted(tool: Tool, names: Mapping[str, str]) -> Tool:
    """The tool as it is listed now."""
    schema = dict(tool.input_schema)
    schema["properties"] = {names.get(name, name): part for name, part in _properties(tool).items()}
    if "required" in schema:
        schema["required"] = [names.get(name, name) for name in cast("list[str]", schema["required"])]
    return structs.replace(tool, input_schema=schema)


def given_as_before(tool: Tool, names: Mapping[str, str], arguments: Mapping[str, JSON]) -> dict[str, JSON] | str:
    """The arguments in the tool's old names; or, as a text, what is wrong with them by its new schema."""
    shown = drifted(tool, names)
    known = _properties(shown)
    for name in arguments:
        if name in names and name not in known:
            return f"{tool.name!r} takes no argument {name!r}.{suggestion(name, known)}"
    wrong = problem(shown, arguments)
    if wrong is not None:
        return wrong
    old = {new: name for name, new in names.items()}
    return {old.get(name, name): value for name, value in arguments.items()}


def _properties(tool: Tool) -> Mapping[str, JSON]:
    return cast("Mapping[str, JSON]", tool.input_schema.get("properties", {}))
