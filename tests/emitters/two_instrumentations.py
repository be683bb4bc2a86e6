# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.48.0",
#   "opentelemetry-instrumentation-openai==0.62.4",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""OpenInference and Traceloop see the same calls of OpenAI's client: every question to the model is there twice."""

import sys
from pathlib import Path

from chat_loop import chat
from openinference.instrumentation.openai import OpenAIInstrumentor as OpenInference
from opentelemetry.instrumentation.openai import OpenAIInstrumentor as Traceloop
from recording import recorded
from scene import ACTS
from scripted_model import scripted_model

with recorded(Path(sys.argv[1]) / "two-instrumentations.jsonl") as recording, scripted_model(ACTS) as address:
    OpenInference().instrument(tracer_provider=recording.tracers)
    Traceloop().instrument(tracer_provider=recording.tracers)
    with recording.tracers.get_tracer("desk").start_as_current_span("serve"):
        chat(address)
