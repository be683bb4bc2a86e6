"""What instrumentations write of a call and of a tool → Call and Tool."""

from functools import lru_cache

from misstep.core.tool import JSON, Tool
from misstep.ingestion.decoding import written
from misstep.ingestion.spans.said import Call
from misstep.ingestion.spans.values import fields, first, is_object, items, parsed, text


def call_of(name: JSON, arguments: JSON, call_id: JSON = None) -> Call:
    """Arguments that are no JSON object are kept as the text they are."""
    found = parsed(arguments) if isinstance(arguments, str) else arguments
    if isinstance(found, str):  # twice encoded
        found = parsed(found)
    if is_object(found):
        return Call(name=text(name), id=text(call_id), arguments=found)
    if found is None or found == "":
        return Call(name=text(name), id=text(call_id))
    told = arguments if isinstance(arguments, str) else written(arguments)
    return Call(name=text(name), id=text(call_id), malformed=told)


def tools_of(definitions: JSON) -> tuple[Tool, ...]:
    """The tools in a list of definitions, each an object or JSON text; what has no name is passed over."""
    found = (tool_of(each) for each in items(definitions))
    return tuple(tool for tool in found if tool is not None)


def tool_of(definition: JSON) -> Tool | None:
    """A definition as providers write it: bare, or within `function`; the schema has one of several names."""
    if isinstance(definition, str):
        return _from_text(definition)
    outer = fields(definition)
    inner = fields(outer.get("function")) or outer
    name = first(inner, "name", "title")
    if not isinstance(name, str):
        return None
    schema = fields(
        first(inner, "parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema")
    )
    if "jsonSchema" in schema:
        schema = fields(schema["jsonSchema"])
    return Tool(name, text(inner.get("description")), dict(schema))


@lru_cache(maxsize=1024)
def _from_text(definition: str) -> Tool | None:
    # The same definitions stand in every span of a trace.
    found = parsed(definition)
    return tool_of(found) if is_object(found) else None
