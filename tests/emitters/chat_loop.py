"""An agent's loop by hand over OpenAI's client, for instrumentations that see nothing but the client's calls."""

import json
from typing import Any

import scene
from openai import OpenAI
from scripted_model import MODEL


def chat(address: str) -> str:
    """With chat completions."""
    client = OpenAI(base_url=address, api_key="none", max_retries=0)
    messages: list[Any] = [{"role": "system", "content": scene.SYSTEM}, {"role": "user", "content": scene.REQUEST}]
    while True:
        completion = client.chat.completions.create(model=MODEL, messages=messages, tools=scene.DEFINITIONS)
        message = completion.choices[0].message
        if not message.tool_calls:
            return message.content or ""
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            answer = scene.carried_out(call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(answer)})


def respond(address: str) -> str:
    """With the responses API."""
    client = OpenAI(base_url=address, api_key="none", max_retries=0)
    items: list[Any] = [{"role": "user", "content": scene.REQUEST}]
    tools: list[Any] = [{"type": "function", **each["function"], "strict": False} for each in scene.DEFINITIONS]
    while True:
        response = client.responses.create(model=MODEL, instructions=scene.SYSTEM, input=items, tools=tools)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return response.output_text
        for call in calls:
            items.append(call.model_dump(exclude_none=True))
            answer = scene.carried_out(call.name, json.loads(call.arguments))
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": json.dumps(answer)})
