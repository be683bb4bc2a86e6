# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.48.0",
#   "opentelemetry-instrumentation-openai==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""Traceloop (OpenLLMetry) sees OpenAI's client; since 0.5x in the conventions of OpenTelemetry."""

import sys
from pathlib import Path

from chat_loop import chat
from opentelemetry.instrumentation.openai import OpenAIInstrumentor
from recording import recorded
from scene import ACTS
from scripted_model import scripted_model

with recorded(Path(sys.argv[1]) / "traceloop-openai.jsonl") as recording, scripted_model(ACTS) as address:
    OpenAIInstrumentor().instrument(tracer_provider=recording.tracers)
    with recording.tracers.get_tracer("desk").start_as_current_span("serve"):
        chat(address)
