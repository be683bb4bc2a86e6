# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai-agents==0.24.0",
#   "openinference-instrumentation-openai-agents==2.6.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""OpenAI's Agents SDK with a handoff, seen by OpenInference; and the items of its run."""

import json
import sys
from pathlib import Path

import agents_sdk_desk
from agents import set_trace_processors
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
from recording import recorded, save
from scripted_model import scripted_model

out = Path(sys.argv[1])


def record(name, acts, play):
    with recorded(out / f"openinference-agents-sdk{name}.jsonl") as recording, scripted_model(acts) as address:
        instrumentor = OpenAIAgentsInstrumentor()
        instrumentor.instrument(tracer_provider=recording.tracers)
        result = play(address)
        instrumentor.uninstrument()
    return result


set_trace_processors([])  # else it would send traces to OpenAI
result = record("", agents_sdk_desk.ACTS, agents_sdk_desk.serve)
save(out / "agents-sdk-items.json", json.dumps(result.to_input_list(), indent=1).encode())
record("-again", agents_sdk_desk.AGAIN, agents_sdk_desk.serve_again)
