# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "agent-framework-core==1.23.0",
#   "agent-framework-openai==1.17.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""Microsoft's Agent Framework with its own spans."""

import asyncio
import sys
from pathlib import Path

import scene
from agent_framework import observability
from agent_framework.openai import OpenAIChatCompletionClient
from opentelemetry import trace
from recording import recorded
from scripted_model import MODEL, scripted_model

with recorded(Path(sys.argv[1]) / "agent-framework.jsonl") as recording, scripted_model(scene.ACTS) as address:
    trace.set_tracer_provider(recording.tracers)
    observability.enable_instrumentation(enable_sensitive_data=True)
    client = OpenAIChatCompletionClient(model=MODEL, base_url=address, api_key="none")
    desk = client.as_agent(name="desk", instructions=scene.SYSTEM, tools=list(scene.TOOLS.values()))
    asyncio.run(desk.run(scene.REQUEST))
