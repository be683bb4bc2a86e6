# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.48.0",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""OpenInference sees OpenAI's client, asked with chat completions and with responses, and no span of a tool."""

import sys
from pathlib import Path

from chat_loop import chat, respond
from openinference.instrumentation.openai import OpenAIInstrumentor
from recording import recorded
from scene import ACTS
from scripted_model import scripted_model

for name, ask in (("openinference-openai-chat", chat), ("openinference-openai-responses", respond)):
    with recorded(Path(sys.argv[1]) / f"{name}.jsonl") as recording, scripted_model(ACTS) as address:
        instrumentor = OpenAIInstrumentor()
        instrumentor.instrument(tracer_provider=recording.tracers)
        with recording.tracers.get_tracer("desk").start_as_current_span("serve"):
            ask(address)
        instrumentor.uninstrument()
