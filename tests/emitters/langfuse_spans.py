# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langfuse==5.0.4",
#   "openai==3.48.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""Langfuse's SDK, with its own OpenAI client and decorators around an agent and its tools, exported as spans."""

import sys
from pathlib import Path

import chat_loop
import scene
from langfuse import Langfuse, observe
from langfuse.openai import OpenAI
from recording import recorded
from scripted_model import scripted_model

chat_loop.OpenAI = OpenAI
with recorded(Path(sys.argv[1]) / "langfuse-spans.jsonl") as recording, scripted_model(scene.ACTS) as address:
    Langfuse(
        public_key="none",
        secret_key="none",
        host="http://127.0.0.1:9",
        tracer_provider=recording.tracers,
        span_exporter=recording.spans,
    )
    tools = {name: observe(as_type="tool")(function) for name, function in scene.TOOLS.items()}

    def carried_out(name, arguments):
        try:
            return tools[name](**arguments)
        except ValueError as error:
            return {"error": str(error)}

    scene.carried_out = carried_out

    @observe(as_type="agent")
    def desk(request: str) -> str:
        return chat_loop.chat(address)

    desk(scene.REQUEST)
    recording.tracers.force_flush()
