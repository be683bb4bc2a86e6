# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "traceloop-sdk==0.62.4",
#   "httpx==0.28.1",
#   "openai==3.48.0",
#   "opentelemetry-sdk==1.44.0",
#   "opentelemetry-exporter-otlp-json-file==0.65b0",
# ]
# ///
"""Traceloop's SDK: its decorators around an agent and its tools, and its instrumentation of OpenAI's client inside."""

import sys
from pathlib import Path

import chat_loop
import scene
from recording import recorded
from scripted_model import scripted_model
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import agent, tool
from traceloop.sdk.instruments import Instruments

with recorded(Path(sys.argv[1]) / "traceloop-sdk.jsonl") as recording, scripted_model(scene.ACTS) as address:
    Traceloop.init(
        app_name="shop-desk",
        exporter=recording.spans,
        disable_batch=True,
        telemetry_enabled=False,
        instruments={Instruments.OPENAI},
    )
    tools = {name: tool(name=name)(function) for name, function in scene.TOOLS.items()}

    def carried_out(name, arguments):
        try:
            return tools[name](**arguments)
        except ValueError as error:
            return {"error": str(error)}

    scene.carried_out = carried_out

    @agent(name="desk")
    def desk(request: str) -> str:
        return chat_loop.chat(address)

    desk(scene.REQUEST)
