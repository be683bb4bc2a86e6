# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==1.109.1",
#   "opentelemetry-instrumentation-openai==0.47.0",
#   "opentelemetry-sdk==1.37.0",
#   "opentelemetry-exporter-otlp-proto-common==1.37.0",
# ]
# ///
"""Traceloop (OpenLLMetry) as long as it had conventions of its own: prompts in attributes with numbers, as protobuf."""

import sys
from pathlib import Path

from chat_loop import chat
from opentelemetry.instrumentation.openai import OpenAIInstrumentor
from recording import recorded
from scene import ACTS
from scripted_model import scripted_model

with recorded(Path(sys.argv[1]) / "traceloop-openai-old.binpb") as recording, scripted_model(ACTS) as address:
    OpenAIInstrumentor().instrument(tracer_provider=recording.tracers)
    with recording.tracers.get_tracer("desk").start_as_current_span("serve"):
        chat(address)
