"""What a tool's input schema says of one argument."""

import re
from collections.abc import Mapping
from typing import cast

from misstep.core.tool import JSON, Tool
from misstep.provenance.reading import canonical, index_of

_STEP = re.compile(r"[.\[\]]+")


def property_at(tool: Tool | None, path: str) -> Mapping[str, JSON]:
    """The schema of the argument at a path; empty where the tool says nothing of it."""
    here: JSON = tool.input_schema if tool else None
    for step in filter(None, _STEP.split(path)):
        fields = _field(here, "properties")
        here = _field(here, "items") if step.isdigit() and fields is None else _field(fields, step)
    return cast(Mapping[str, JSON], here) if isinstance(here, dict) else {}


def _field(value: JSON, name: str) -> JSON:
    return cast(Mapping[str, JSON], value).get(name) if isinstance(value, dict) else None


def in_schema(tool: Tool | None, path: str, value: JSON) -> bool:
    """Whether the tool's own schema names this value: as a choice, a default, an example or in its description."""
    said = property_at(tool, path)
    named: list[JSON] = [said.get("const"), said.get("default")]
    for key in ("enum", "examples"):
        several = said.get(key)
        named += cast(list[JSON], several) if isinstance(several, list) else []
    if value in named:
        return True
    description, key = said.get("description"), canonical(str(value))
    return isinstance(description, str) and len(key) >= 2 and key in index_of(description).keys
