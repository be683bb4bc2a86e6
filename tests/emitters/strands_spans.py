# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "strands-agents[openai]==1.62.0",
#   "opentelemetry-sdk==1.44.0",
#   "opentelemetry-exporter-otlp-json-file==0.65b0",
# ]
# ///
"""Strands Agents with its own spans; the model is one of Strands' own kind that acts by the scene."""

import json
import sys
from collections import deque
from pathlib import Path

import scene
from opentelemetry import trace
from recording import recorded
from strands import Agent, tool
from strands.models import Model

ACTS = deque(enumerate(scene.ACTS, 1))


class Scripted(Model):
    def update_config(self, **config): ...

    def get_config(self):
        return {"model_id": "scripted-1"}

    async def structured_output(self, *args, **more):
        raise NotImplementedError
        yield

    async def stream(self, messages, tool_specs=None, system_prompt=None, **more):
        number, act = ACTS.popleft()
        yield {"messageStart": {"role": "assistant"}}
        if isinstance(act, str):
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": act}}}
        else:
            yield {"contentBlockStart": {"start": {"toolUse": {"name": act[0], "toolUseId": f"call_{number}"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(act[1])}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(act, str) else "tool_use"}}
        yield {"metadata": {"usage": {"inputTokens": 100, "outputTokens": 10, "totalTokens": 110}, "metrics": {}}}


with recorded(Path(sys.argv[1]) / "strands.jsonl") as recording:
    trace.set_tracer_provider(recording.tracers)
    tools = [tool(function) for function in scene.TOOLS.values()]
    Agent(Scripted(), name="desk", system_prompt=scene.SYSTEM, tools=tools, callback_handler=None)(scene.REQUEST)
