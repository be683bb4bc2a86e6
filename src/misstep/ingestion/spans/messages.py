"""A message as some provider or framework writes it, in JSON → Said.

One reader for all of them: they differ in where they put parts, and where they use the same names they mean the same.
"""

from collections.abc import Iterator, Mapping

from misstep.core.tool import JSON
from misstep.ingestion.content import result_of
from misstep.ingestion.spans.calls import call_of
from misstep.ingestion.spans.said import Call, Part, Reasoning, Result, Said, Speaker, Text, speaker
from misstep.ingestion.spans.values import fields, first, first_text, is_list, is_object, items, structure, text

_TEXT = {
    "text",
    "input_text",
    "output_text",
    "refusal",
    "string",
    "markdown",
    "user-prompt",
    "system-prompt",
    "retry-prompt",
}
_REASONING = {"reasoning", "thinking", "redacted_thinking", "redacted-reasoning", "thought", "summary_text"}
_CALL = {
    "tool_call",
    "tool-call",
    "tool_use",
    "server_tool_call",
    "server_tool_use",
    "function_call",
    "function",
    "mcp_call",
}
_RESULT = {
    "tool_call_response",
    "tool-call-response",
    "tool_result",
    "tool-result",
    "tool-return",
    "tool-error",
    "tool_response",
    "server_tool_call_response",
    "function_call_output",
    "function_response",
}
# Gemini's and Bedrock's parts have no type, but one key that says what they are.
_WRAPPED_CALL = ("functionCall", "function_call", "toolUse")
_WRAPPED_RESULT = ("functionResponse", "function_response", "toolResult")
_OUTPUTS = ("text", "json", "content", "error-text", "error-json")
_MOST_MESSAGES = 100_000


def conversation(value: JSON, by: Speaker = "user") -> tuple[Said, ...]:
    """The messages of a list, of an object that holds one, or of a bare text; `by` speaks where no role is given."""
    found = structure(value)
    if isinstance(found, str):
        return (Said(by, (Text(found),)),) if found.strip() else ()
    if is_object(found):
        holder = fields(found)
        if answers := _answers(holder):
            return answers
        inner = first(holder, "messages", "contents", "input_messages", "history")
        if inner is not None and "role" not in holder:
            first_words = conversation(first(holder, "system", "system_instruction"), "system")
            return first_words + conversation(inner, by)
    messages = items(found)
    if len(messages) == 1 and is_list(messages[0]):  # LangChain batches prompts
        messages = items(messages[0])
    if messages and all(_is_part(each) for each in messages):
        parts = tuple(part for each in messages for part in _parts_of(each))
        return (Said(by, parts),) if parts else ()
    said = (said_of(each, by) for each in messages[:_MOST_MESSAGES])
    return tuple(each for each in said if each is not None)


def _answers(holder: Mapping[str, JSON]) -> tuple[Said, ...]:
    """The messages of a provider's response, told by where it keeps them; the first of several that compete."""
    for name, inner in (("choices", "message"), ("generations", "message"), ("candidates", "content")):
        found = items(holder.get(name))
        if found and is_list(found[0]):
            found = items(found[0])
        if found:
            body = fields(found[0])
            said = said_of(body.get(inner, body), "agent")
            return (said,) if said is not None else ()
    output = holder.get("output")
    if is_list(output) and holder.get("object") == "response":
        return conversation(output, "agent")
    return ()


def said_of(value: JSON, by: Speaker = "user") -> Said | None:
    """One message; nothing for what holds none."""
    if isinstance(value, str):
        return Said(by, (Text(value),)) if value.strip() else None
    message = fields(value)
    inner = fields(first(message, "message", "kwargs", "data"))
    if inner and "content" not in message and "parts" not in message:
        kind = message.get("type") if message.get("type") != "constructor" else None  # LangChain's word for any object
        message = {"role": message.get("role") or kind, **inner, "lc": message.get("id")}
    role = _role(message, by)
    parts = tuple(_parts(message, role))
    if not parts and not any(name in message for name in ("role", "content", "parts", "type")):
        return None
    return Said(role, parts, first_text(message, "name"))


def _role(message: Mapping[str, JSON], by: Speaker) -> Speaker:
    given = message.get("role")
    if isinstance(given, str):
        return speaker(given)
    path = message.get("lc")
    last = items(path)[-1] if items(path) else None
    kind = last if isinstance(last, str) else message.get("type")
    if isinstance(kind, str):
        known: dict[str, Speaker] = {
            "HumanMessage": "user",
            "AIMessage": "agent",
            "AIMessageChunk": "agent",
            "SystemMessage": "system",
            "ToolMessage": "tool",
            "FunctionMessage": "tool",
            "human": "user",
            "ai": "agent",
            "system": "system",
            "tool": "tool",
            "function_call": "agent",
            "reasoning": "agent",
            "function_call_output": "tool",
        }
        return known.get(kind, by)
    return by


def _parts(message: Mapping[str, JSON], role: Speaker) -> Iterator[Part]:
    reasoning = first(message, "reasoning_content", "reasoning", "thinking")
    if isinstance(reasoning, str):
        yield Reasoning(reasoning)
    if message.get("type") in _CALL | _RESULT and "role" not in message:
        yield from _parts_of(message)
        return
    body = first(message, "parts", "content", "contents", "text", "message")
    if role == "tool":
        yield from _results(message, body)
        return
    yield from parts_of(body)
    extra = fields(message.get("additional_kwargs"))
    calls = items(first(message, "tool_calls", "toolCalls")) or items(extra.get("tool_calls"))
    for call in calls:
        yield _call(fields(call))
    if legacy := fields(message.get("function_call")):
        yield _call(legacy)


def _results(message: Mapping[str, JSON], body: JSON) -> Iterator[Part]:
    """A message by a tool: results in its parts, or the whole body as the result of the call that it names."""
    found = items(body)
    if found and any(fields(each).get("type") in _RESULT or "toolResult" in fields(each) for each in found):
        yield from parts_of(body)
        return
    call_id = first_text(message, "tool_call_id", "toolCallId", "call_id", "id")
    failed = message.get("status") == "error" or message.get("is_error") is True
    yield Result(call_id, first_text(message, "name"), result_of(body), failed)


def bare(answer: JSON) -> tuple[JSON, bool]:
    """A tool's answer, out of the message that a framework has made of it; and whether that says that it failed."""
    found = structure(answer)
    if not is_object(found) or not any(name in found for name in ("tool_call_id", "data", "kwargs")):
        return found, False
    said = said_of(found, "user")
    if said is None or said.by != "tool" or len(said.parts) != 1 or not isinstance(said.parts[0], Result):
        return found, False
    return said.parts[0].content, said.parts[0].is_error


def parts_of(body: JSON) -> Iterator[Part]:
    """The parts of a message's body: a text, a part, or a list of them."""
    if isinstance(body, str):
        if body:
            yield Text(body)
        return
    if is_object(body) or is_list(body):
        for each in items(body):
            if isinstance(each, str):
                yield Text(each)
            else:
                yield from _parts_of(each)


def _is_part(value: JSON) -> bool:
    found = fields(value)
    return bool(found) and "role" not in found and (_kind(found) in _TEXT or set(found) <= {"type", "content", "text"})


def _kind(part: Mapping[str, JSON]) -> str:
    return text(first(part, "type", "part_kind", "kind"))


def _parts_of(value: JSON) -> Iterator[Part]:
    part = fields(value)
    kind = _kind(part)
    call, result = fields(first(part, *_WRAPPED_CALL)), fields(first(part, *_WRAPPED_RESULT))
    if kind in _CALL or call:
        yield _call(call or part)
    elif kind in _RESULT or result:
        yield _result(result or part, kind)
    elif kind in _REASONING or part.get("thought") is True:
        yield Reasoning(_words(first(part, "content", "text", "thinking", "reasoning", "summary")))
    elif kind in _TEXT or (not kind and ("text" in part or "content" in part)):
        yield Text(_words(first(part, "content", "text", "refusal", "value")))
    elif part:
        # A picture, a file, a sound: that it was there is all that a tape of words can hold.
        yield Text(f"[{kind or 'part'}{_label(part)}]")


def _words(value: JSON) -> str:
    if is_list(value):
        return "\n".join(part.text for part in parts_of(value) if isinstance(part, (Text, Reasoning)))
    return text(value)


def _label(part: Mapping[str, JSON]) -> str:
    told = first_text(part, "modality", "mime_type", "media_type", "mimeType", "filename", "file_id", "uri")[:80]
    return f" {told}" if told else ""


def _call(part: Mapping[str, JSON]) -> Call:
    inner = fields(part.get("function")) or fields(part.get("server_tool_call")) or part
    name = first(inner, "name", "tool_name", "toolName") or first(part, "name", "tool_name", "toolName")
    arguments = first(inner, "arguments", "args", "input", "parameters") or first(part, "arguments", "args")
    return call_of(name, arguments, first(part, "id", "tool_call_id", "toolCallId", "call_id", "toolUseId"))


def _result(part: Mapping[str, JSON], kind: str) -> Result:
    body = first(part, "response", "result", "content", "output", "server_tool_call_response")
    failed = part.get("is_error") is True or part.get("isError") is True or part.get("status") == "error"
    wrapped = fields(body)
    if set(wrapped) == {"type", "value"} and wrapped["type"] in _OUTPUTS:  # Vercel says of which type an output is
        failed = failed or text(wrapped["type"]).startswith("error")
        body = wrapped["value"]
    if kind == "tool-error":
        failed = True
        body = first(part, "error", "response", "result", "content", "output")
    call_id = first_text(part, "id", "tool_call_id", "toolCallId", "tool_use_id", "call_id", "toolUseId")
    return Result(call_id, first_text(part, "name", "tool_name", "toolName"), result_of(body), failed)
