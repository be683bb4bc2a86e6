# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.48.0",
#   "opentelemetry-instrumentation-genai-openai==1.3b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""OpenTelemetry's own instrumentation of OpenAI's client under its new name, with chat completions and responses."""

import os
import sys
from pathlib import Path

os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

from chat_loop import chat, respond
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
from recording import recorded
from scene import ACTS
from scripted_model import scripted_model

for name, ask in (("otel-genai-openai-chat", chat), ("otel-genai-openai-responses", respond)):
    with recorded(Path(sys.argv[1]) / f"{name}.jsonl", logs=True) as recording, scripted_model(ACTS) as address:
        instrumentor = OpenAIInstrumentor()
        instrumentor.instrument(tracer_provider=recording.tracers, logger_provider=recording.loggers)
        with recording.tracers.get_tracer("desk").start_as_current_span("serve"):
            ask(address)
        instrumentor.uninstrument()
