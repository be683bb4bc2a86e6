"""Definitions of tools, as any provider writes them → the Tools that were on offer."""

from collections.abc import Iterable, Mapping
from typing import cast

from misstep.core.tool import JSON, Tool
from misstep.ingestion.decoding import bounded, kept
from misstep.ingestion.fields import name, rows, table, text

_SCHEMAS = ("parameters", "input_schema", "inputSchema", "args_schema", "schema")
_KNOWN = frozenset((*_SCHEMAS, "type", "name", "description", "function", "strict", "cache_control", "output_schema"))


def tools_of(definitions: JSON) -> tuple[Tool, ...]:
    """Each tool once, by its name; what has none is passed over.

    What calling one does is in no provider's definition, so that it stays unknown.
    """
    found = {tool.name: tool for tool in map(_tool, _each(definitions)) if tool.name}
    return tuple(found.values())


def _each(definitions: JSON) -> Iterable[Mapping[str, JSON]]:
    listed = rows(definitions)
    if listed:
        return [table(each) for each in listed]
    return [{"name": key, **table(value)} for key, value in table(definitions).items()]


def _tool(definition: Mapping[str, JSON]) -> Tool:
    inner = table(definition.get("function")) or table(definition.get("toolSpec")) or definition
    schema = table(next((inner[key] for key in _SCHEMAS if isinstance(inner.get(key), dict)), None))
    kept_schema = kept(dict(table(schema.get("json")) or schema))  # Bedrock wraps it once more
    extra = {key: value for key, value in inner.items() if key not in _KNOWN}
    return Tool(
        name(inner.get("name")),
        text(inner.get("description")),
        cast(dict[str, JSON], kept_schema) if isinstance(kept_schema, dict) else {},
        extra=bounded(extra) or {},
    )
