"""A small MCP server that has what the protocol's conformance suite asks for, of either generation.

`python conforming.py` speaks over stdio, `python conforming.py PORT` over streamable HTTP; with `handshake` as the last
word it knows the older generation alone.
"""

import asyncio
import os
import sys
from typing import Any

import mcp_types as types
import uvicorn
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_loop
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

Context = ServerRequestContext[Any, Any]

_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
_SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="

_OBJECT: dict[str, Any] = {"type": "object", "properties": {}}
_OPTIONS = ["option1", "option2", "option3"]
_TITLED = [{"const": f"value{n}", "title": f"The {n}. choice"} for n in (1, 2, 3)]

_text = {"type": "text", "text": "This is a simple text response for testing."}
_image = {"type": "image", "data": _PIXEL, "mimeType": "image/png"}
_audio = {"type": "audio", "data": _SOUND, "mimeType": "audio/wav"}


def _resource(uri: str, text: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": "text/plain", "text": text}}


PLAIN: dict[str, list[dict[str, Any]]] = {
    "test_simple_text": [_text],
    "test_reconnection": [_text],
    "test_image_content": [_image],
    "test_audio_content": [_audio],
    "test_embedded_resource": [_resource("test://embedded-resource", "This is an embedded resource content.")],
    "test_multiple_content_types": [_text, _image, _resource("test://mixed-content-resource", "{}")],
    "test_resource_link": [{"type": "resource_link", "uri": "test://static-text", "name": "static"}],
    "test_annotated": [{**_text, "annotations": {"audience": ["user"], "priority": 0.5}, "_meta": {"origin": "here"}}],
}
ASKING: dict[str, tuple[str, dict[str, Any]]] = {
    "test_sampling": (
        "sampling/createMessage",
        {"messages": [{"role": "user", "content": {"type": "text", "text": "Say something."}}], "maxTokens": 100},
    ),
    "test_elicitation": (
        "elicitation/create",
        {
            "mode": "form",
            "message": "Who are you?",
            "requestedSchema": {
                "type": "object",
                "properties": {"username": {"type": "string"}, "email": {"type": "string"}},
                "required": ["username"],
            },
        },
    ),
    "test_elicitation_sep1034_defaults": (
        "elicitation/create",
        {
            "mode": "form",
            "message": "All of it has a default.",
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "default": "John Doe"},
                    "age": {"type": "integer", "default": 30},
                    "score": {"type": "number", "default": 95.5},
                    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
                    "verified": {"type": "boolean", "default": True},
                },
            },
        },
    ),
    "test_elicitation_sep1330_enums": (
        "elicitation/create",
        {
            "mode": "form",
            "message": "Choose.",
            "requestedSchema": {
                "type": "object",
                "properties": {
                    "untitledSingle": {"type": "string", "enum": _OPTIONS},
                    "titledSingle": {"type": "string", "oneOf": _TITLED},
                    "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["One", "Two"]},
                    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
                    "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
                },
            },
        },
    ),
    "test_roots": ("roots/list", {}),
}
_DRAFT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}
_SUM: dict[str, Any] = {
    "type": "object",
    "properties": {"sum": {"type": "number"}},
    "required": ["sum"],
}
_PROMPTS: dict[str, tuple[list[str], list[dict[str, Any]]]] = {
    "test_simple_prompt": ([], [_text]),
    "test_prompt_with_arguments": (["arg1", "arg2"], [_text]),
    "test_prompt_with_embedded_resource": (["resourceUri"], [_resource("test://example-resource", "Embedded.")]),
    "test_prompt_with_image": ([], [_image]),
}

bus = InMemorySubscriptionBus()
seen: dict[str, Any] = {"cancelled": 0, "extra": False, "page": 3}


def tools() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = [
        {"name": name, "description": f"Give {name}.", "inputSchema": _OBJECT, "annotations": {"readOnlyHint": True}}
        for name in (*PLAIN, *ASKING, "test_tool_with_logging", "test_tool_with_progress", "test_error_handling")
    ]
    listed.append({"name": "json_schema_2020_12_tool", "inputSchema": _DRAFT, "title": "Draft", "_meta": {"a": 1}})
    listed.append({"name": "add", "inputSchema": _numbers(), "outputSchema": _SUM, "icons": [{"src": "test:icon"}]})
    listed.append({"name": "large", "inputSchema": {"type": "object", "properties": {"bytes": {"type": "integer"}}}})
    listed += [{"name": name, "inputSchema": _OBJECT} for name in ("wait", "refuse", "die", "grow", "cancelled")]
    listed = [{"description": f"Do {each['name']}.", **each} for each in listed]
    if seen["extra"]:
        listed.append({"name": "extra", "inputSchema": _OBJECT})
    return listed


def _numbers() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
    }


async def list_tools(context: Context, params: types.PaginatedRequestParams) -> types.ListToolsResult:
    """A few a page: a client must ask for the rest."""
    start, end = int(params.cursor or 0), int(params.cursor or 0) + seen["page"]
    page: dict[str, Any] = {"tools": tools()[start:end]}
    if end < len(tools()):
        page["nextCursor"] = str(end)
    return types.ListToolsResult.model_validate(page)


async def call_tool(
    context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    name, arguments = params.name, params.arguments or {}
    if name in PLAIN:
        return _result(PLAIN[name])
    if name in ASKING:
        return await _asking(context, params)
    match name:
        case "add":
            return _added(arguments)
        case "test_tool_with_logging" | "test_tool_with_progress":
            await _telling(context, name)
        case "test_error_handling":
            return _result([{"type": "text", "text": "This tool fails on purpose."}], failed=True)
        case "large":
            return _result([{"type": "text", "text": "x" * int(arguments["bytes"])}])
        case "wait":
            await _wait(context)
        case "cancelled":
            return _result([{"type": "text", "text": str(seen["cancelled"])}])
        case "refuse":
            raise MCPError(-32050, "Not today.", {"retry": "tomorrow"})
        case "die":
            os._exit(3)
        case "grow":
            seen["extra"] = True
            await bus.publish(ToolsListChanged())
            await context.session.send_tool_list_changed()
            await bus.publish(ResourceUpdated("test://watched-resource"))
            await context.session.send_resource_updated("test://watched-resource")
        case _:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {name}")
    return _result([{"type": "text", "text": f"{name} is done."}])


def _added(arguments: dict[str, Any]) -> types.CallToolResult:
    if not all(isinstance(arguments.get(each), int | float) for each in "ab"):
        return _result([{"type": "text", "text": "a and b must be numbers."}], failed=True)
    total = arguments["a"] + arguments["b"]
    return types.CallToolResult.model_validate(
        {
            "content": [{"type": "text", "text": f"{total}"}],
            "structuredContent": {"sum": total},
            "_meta": {"trace": "t"},
        }
    )


async def _wait(context: Context) -> None:
    await context.session.report_progress(0, 1, "waiting")
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        seen["cancelled"] += 1
        raise


async def _asking(
    context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult | types.InputRequiredResult:
    method, wanted = ASKING[params.name]
    if context.protocol_version >= "2026":
        if not params.input_responses:
            question = {"question": {"method": method, "params": wanted}}
            return types.InputRequiredResult.model_validate({"inputRequests": question, "requestState": "the state"})
        assert params.request_state == "the state"
        told = params.input_responses["question"].model_dump(mode="json", by_alias=True, exclude_none=True)
    else:
        request = {
            "sampling/createMessage": types.CreateMessageRequest,
            "elicitation/create": types.ElicitRequest,
            "roots/list": types.ListRootsRequest,
        }[method].model_validate({"method": method, "params": wanted})
        result = {
            "sampling/createMessage": types.CreateMessageResult,
            "elicitation/create": types.ElicitResult,
            "roots/list": types.ListRootsResult,
        }[method]
        metadata = ServerMessageMetadata(related_request_id=context.request_id)
        answer = await context.session.send_request(request, result, metadata=metadata)
        told = answer.model_dump(mode="json", by_alias=True, exclude_none=True)
    told.pop("resultType", None)
    return _result([{"type": "text", "text": f"Told: {sorted(told.items())}"}])


async def _telling(context: Context, name: str) -> None:
    for done in (0, 50, 100):
        if name == "test_tool_with_progress":
            await context.session.report_progress(done, 100, f"{done} of 100")
        else:
            await _log(context, f"{done} of 100")


async def _log(context: Context, text: str) -> None:
    message = types.LoggingMessageNotification(params=types.LoggingMessageNotificationParams(level="info", data=text))
    await context.session.send_notification(message, context.request_id)


def _result(content: list[dict[str, Any]], *, failed: bool = False) -> types.CallToolResult:
    return types.CallToolResult.model_validate({"content": content, "isError": failed})


async def list_prompts(context: Context, params: types.PaginatedRequestParams) -> types.ListPromptsResult:
    listed = [
        {"name": name, "description": "Say it.", "arguments": [{"name": each} for each in given]}
        for name, (given, _) in _PROMPTS.items()
    ]
    return types.ListPromptsResult.model_validate({"prompts": listed})


async def get_prompt(context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    if params.name not in _PROMPTS:
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name}")
    said = [*_PROMPTS[params.name][1], {"type": "text", "text": f"With {params.arguments}."}]
    return types.GetPromptResult.model_validate({"messages": [{"role": "user", "content": each} for each in said]})


async def list_resources(context: Context, params: types.PaginatedRequestParams) -> types.ListResourcesResult:
    listed = [{"uri": f"test://static-{kind}", "name": kind} for kind in ("text", "binary")]
    return types.ListResourcesResult.model_validate({"resources": listed})


async def list_templates(context: Context, params: types.PaginatedRequestParams) -> types.ListResourceTemplatesResult:
    listed = [{"uriTemplate": "test://template/{id}/data", "name": "template"}]
    return types.ListResourceTemplatesResult.model_validate({"resourceTemplates": listed})


async def read_resource(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    uri = params.uri
    if uri == "test://static-binary":
        held = {"uri": uri, "mimeType": "image/png", "blob": _PIXEL}
    elif uri.startswith(("test://template/", "test://static", "test://watched")):
        held = {"uri": uri, "mimeType": "text/plain", "text": f"This is {uri}: {uri.split('/')[-2]}."}
    else:
        raise MCPError(types.INVALID_PARAMS, f"Resource not found: {uri}")
    return types.ReadResourceResult.model_validate({"contents": [held]})


async def subscribe(context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
    return types.EmptyResult()


async def unsubscribe(context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
    return types.EmptyResult()


async def complete(context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    return types.CompleteResult.model_validate({"completion": {"values": [f"{params.argument.value}!"], "total": 1}})


async def set_level(context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
    return types.EmptyResult()


async def no_discovery(context: Context, params: types.RequestParams) -> types.DiscoverResult:
    raise MCPError(types.METHOD_NOT_FOUND, "Method not found")


def make(*, handshake: bool = False) -> Server[Any]:
    server: Server[Any] = Server(
        "conforming",
        version="1",
        instructions="Ask for anything.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_subscribe_resource=subscribe,
        on_unsubscribe_resource=unsubscribe,
        on_subscriptions_listen=ListenHandler(bus),
        on_completion=complete,
    )
    # As an argument of the constructor it warns that logging is on its way out; clients of today have it all the same.
    server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)
    if handshake:
        server.add_request_handler("server/discover", types.RequestParams, no_discovery)
    return server


async def over_stdio(server: Server[Any], *, handshake: bool) -> None:
    async with stdio_server() as (read, write):
        if handshake:
            await serve_loop(server, read, write, lifespan_state={})
        else:
            await server.run(read, write, server.create_initialization_options())


def main(words: list[str]) -> None:
    handshake = words[-1:] == ["handshake"]
    server = make(handshake=handshake)
    if words and words[0].isdecimal():
        seen["page"] = 100  # The suite looks at the first page alone.
        uvicorn.run(server.streamable_http_app(), port=int(words[0]), log_level="warning")
    else:
        asyncio.run(over_stdio(server, handshake=handshake))


if __name__ == "__main__":
    main(sys.argv[1:])
