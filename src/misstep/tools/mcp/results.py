"""What MCP says of tools and results, as JSON → Tool and Answer; and back, so that nothing is lost on the way."""

import base64
import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import cast

import msgspec
from msgspec import structs

from misstep.core.tool import JSON, Answer, Tool
from misstep.effects.guessing import effect_of
from misstep.tools.mcp.channel import RefusedError

_SEAL = "misstep/seal"
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"
_OF_ONE_HOP = frozenset({"resultType", "ttlMs", "cacheScope"})
_TOOL_FIELDS = frozenset({"name", "description", "inputSchema", "outputSchema"})

_encoder = msgspec.json.Encoder(order="deterministic")


def tool_from(listed: Mapping[str, JSON]) -> Tool:
    """A tool as a server lists it. Its effect is ours to say; what the server says is kept, not believed."""
    tool = Tool(
        name=str(listed["name"]),
        description=str(listed.get("description") or ""),
        input_schema=cast("dict[str, JSON]", listed.get("inputSchema") or {}),
        output_schema=cast("dict[str, JSON] | None", listed.get("outputSchema")),
        extra={name: value for name, value in listed.items() if name not in _TOOL_FIELDS},
    )
    return structs.replace(tool, effect=effect_of(tool, hints_of(tool))[0])


def hints_of(tool: Tool) -> Mapping[str, JSON]:
    """What the tool's server says of its effect."""
    annotations = tool.extra.get("annotations")
    return cast("Mapping[str, JSON]", annotations) if isinstance(annotations, Mapping) else {}


def tool_as_listed(tool: Tool) -> dict[str, JSON]:
    """A tool as MCP lists it. An output schema that is no object's is left out: results of MCP are objects."""
    listed: dict[str, JSON] = {"name": tool.name}
    if tool.description:
        listed["description"] = tool.description
    listed["inputSchema"] = (
        tool.input_schema if "type" in tool.input_schema else {"type": "object", **tool.input_schema}
    )
    if tool.output_schema is not None and tool.output_schema.get("type") == "object":
        listed["outputSchema"] = tool.output_schema
    return {**listed, **{name: value for name, value in tool.extra.items() if name not in listed}}


def answer_from(result: Mapping[str, JSON]) -> Answer:
    """A real tool's result. `parts` ends with a seal where the blocks alone cannot give the result back."""
    blocks = cast("list[dict[str, JSON]]", result.get("content") or [])
    failed = result.get("isError") is True
    structured = "structuredContent" in result and result["structuredContent"] is not None
    content = result["structuredContent"] if structured else _told(blocks)
    rest = _rest(result)
    if not structured and not rest and len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
        return Answer(content, is_error=failed)
    seal: dict[str, JSON] = {"type": _SEAL, "of": _digest(content)}
    if structured:
        seal["structured"] = True
    if rest:
        seal["rest"] = rest
    return Answer(content, is_error=failed, parts=(*blocks, seal))


def answer_from_error(code: int, message: str, data: JSON = None) -> Answer:
    """A call that a server refused with an error of the protocol: an error answer that can be raised again."""
    error: dict[str, JSON] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return Answer(message, is_error=True, parts=({"type": _SEAL, "of": _digest(message), "error": error},))


def result_from(answer: Answer, tool: Tool | None = None) -> dict[str, JSON]:
    """An answer as MCP gives it. Blocks that no longer say what the content says (a fault has changed it) are left out.

    Raises RefusedError where the answer is a server's own error of the protocol.
    """
    parts = answer.parts or ()
    seal = parts[-1] if parts and parts[-1].get("type") == _SEAL else None
    whole = bool(parts) if seal is None else seal["of"] == _digest(answer.content)
    if not whole:
        return _made(answer, tool)
    if seal is None:
        return {"content": list(parts), "isError": answer.is_error}
    if "error" in seal:
        error = cast("dict[str, JSON]", seal["error"])
        raise RefusedError(cast("int", error["code"]), str(error["message"]), error.get("data"))
    result: dict[str, JSON] = {"content": list(parts[:-1])}
    if seal.get("structured"):
        result["structuredContent"] = answer.content
    if answer.is_error:
        result["isError"] = True
    return {**cast("dict[str, JSON]", seal.get("rest", {})), **result}


def without_hop(result: Mapping[str, JSON]) -> dict[str, JSON]:
    """A result without what one connection says of itself: who serves it, and how long it may be kept."""
    meta = result.get("_meta")
    kept = {name: value for name, value in result.items() if name not in _OF_ONE_HOP and name != "_meta"}
    if isinstance(meta, Mapping):
        table = cast("Mapping[str, JSON]", meta)
        if passed := {name: value for name, value in table.items() if name != _SERVER_INFO}:
            kept["_meta"] = passed
    return kept


def _rest(result: Mapping[str, JSON]) -> dict[str, JSON]:
    kept = without_hop(result)
    return {name: value for name, value in kept.items() if name not in ("content", "structuredContent", "isError")}


def _told(blocks: list[dict[str, JSON]]) -> JSON:
    """What a reader of text is told: the texts, and a note for each thing that is none."""
    return "\n".join(_line(block) for block in blocks)


def _line(block: Mapping[str, JSON]) -> str:
    match block:
        case {"type": "text", "text": str(text)}:
            return text
        case {"type": "image" | "audio" as kind, "data": str(data), "mimeType": mime}:
            return f"[{kind}: {mime}, {_size(data)} bytes]"
        case {"type": "resource", "resource": {"text": str(text)}}:
            return text
        case {"type": "resource", "resource": {"uri": str(uri)}} | {"type": "resource_link", "uri": str(uri)}:
            return f"[resource: {uri}]"
        case _:
            return f"[{block.get('type')}]"


def _size(data: str) -> int:
    return len(data) * 3 // 4 - data[-2:].count("=")


def _digest(content: JSON) -> str:
    return base64.b32encode(blake2b(_encoder.encode(content), digest_size=10).digest()).decode().lower()


def _made(answer: Answer, tool: Tool | None) -> dict[str, JSON]:
    content = answer.content
    result: dict[str, JSON] = {"content": _blocks(content, tool)}
    if answer.is_error:
        result["isError"] = True
    elif isinstance(content, dict) and (tool is None or tool.output_schema is not None):
        result["structuredContent"] = content
    return result


def _blocks(content: JSON, tool: Tool | None) -> list[JSON]:
    """What is to be read: what the only field of a result holds, as servers show it; else all of it as JSON."""
    only = _only_field(content, tool)
    if isinstance(only, list) and only and all(_is_media(each) for each in cast("list[JSON]", only)):
        return list(cast("list[JSON]", only))
    read = only if isinstance(only, str) else content
    text = read if isinstance(read, str) else json.dumps(read, ensure_ascii=False)
    return [{"type": "text", "text": text}]


def _only_field(content: JSON, tool: Tool | None) -> JSON:
    schema = tool.output_schema if tool is not None else None
    named = cast("Mapping[str, JSON]", (schema or {}).get("properties") or {})
    if not isinstance(content, dict) or len(named) != 1:
        return None
    record = cast("dict[str, JSON]", content)
    return next(iter(record.values())) if record.keys() == named.keys() else None


def _is_media(value: JSON) -> bool:
    match value:
        case {"type": "image" | "audio", "data": str(), "mimeType": str()}:
            return True
        case {"type": "resource", "resource": {"uri": str()}}:
            return True
        case _:
            return False
