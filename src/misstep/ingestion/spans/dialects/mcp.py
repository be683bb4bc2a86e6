"""Spans of the Model Context Protocol: calls of tools and readings of resources, as client or server saw them."""

from misstep.ingestion.spans.calls import call_of
from misstep.ingestion.spans.said import Call
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Step
from misstep.ingestion.spans.values import first, first_text, structure, text

NAME = "mcp"
ROOTS = ("mcp",)
ADVICE = "capture the arguments and results of tools where the MCP client or server is instrumented"
HELD = ("gen_ai.tool.",)


def recognises(span: Span) -> bool:
    return "mcp.method.name" in span.attributes or "mcp.method" in span.attributes


def step(span: Span) -> Step:
    attributes = span.attributes
    method = first_text(attributes, "mcp.method.name", "mcp.method")
    answer = first(attributes, "gen_ai.tool.call.result", "mcp.tool.result", "mcp.response.value")
    failed = text(attributes.get("error.type")) == "tool_error"
    if method == "tools/call":
        name = first_text(attributes, "gen_ai.tool.name", "mcp.tool.name") or span.name.rpartition("tools/call ")[2]
        arguments = first(attributes, "gen_ai.tool.call.arguments", "mcp.tool.arguments", "mcp.request.argument")
        call = call_of(name, arguments, attributes.get("gen_ai.tool.call.id"))
    elif method == "resources/read":
        call = Call("resources/read", arguments={"uri": first_text(attributes, "mcp.resource.uri")})
    else:
        return Step(kind="protocol", dialect=NAME)
    return Step(
        kind="tool", dialect=NAME, call=call, result=structure(answer), answered=answer is not None, is_error=failed
    )
