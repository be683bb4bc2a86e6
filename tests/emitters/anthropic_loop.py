"""An agent's loop by hand over Anthropic's client, for instrumentations that see nothing but the client's calls."""

import json
from typing import Any

import scene
from anthropic import Anthropic
from scripted_model import MODEL

TOOLS: list[Any] = [
    {"name": name, "description": scene.DESCRIPTIONS[name], "input_schema": schema}
    for name, schema in scene.SCHEMAS.items()
]


def serve(address: str) -> list[Any]:
    """The messages, as they would be sent once more."""
    client = Anthropic(base_url=address.removesuffix("/v1"), api_key="none", max_retries=0)
    messages: list[Any] = [{"role": "user", "content": scene.REQUEST}]
    while True:
        asked = {"model": MODEL, "max_tokens": 100, "system": scene.SYSTEM, "tools": TOOLS}
        message = client.messages.create(**asked, messages=list(messages))
        messages.append({"role": "assistant", "content": [block.model_dump(mode="json") for block in message.content]})
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            return messages
        messages.append({"role": "user", "content": [_result(call) for call in calls]})


def _result(call: Any) -> dict[str, Any]:
    answer = scene.carried_out(call.name, call.input)
    failed = isinstance(answer, dict) and "error" in answer
    return {"type": "tool_result", "tool_use_id": call.id, "content": json.dumps(answer), "is_error": failed}
