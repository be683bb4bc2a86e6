# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai==3.48.0",
#   "httpx==0.28.1",
#   "opentelemetry-util-genai==0.4b0",
#   "opentelemetry-instrumentation-openai-v2==2.4b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""OpenTelemetry's own instrumentation of OpenAI's client, in its old conventions (log records) and in the latest."""

import os
import sys
from pathlib import Path

from chat_loop import chat
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from recording import recorded
from scene import ACTS
from scripted_model import scripted_model

# The conventions are chosen once a process: the emitter is run for one of them at a time.
name = sys.argv[2] if len(sys.argv) > 2 else "old"
if name == "old":
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "true"
else:
    os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
    os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = name
file = {"old": "otel-openai-logs", "SPAN_ONLY": "otel-openai-spans", "EVENT_ONLY": "otel-openai-events"}[name]
with recorded(Path(sys.argv[1]) / f"{file}.jsonl", logs=True) as recording, scripted_model(ACTS) as address:
    OpenAIInstrumentor().instrument(tracer_provider=recording.tracers, logger_provider=recording.loggers)
    with recording.tracers.get_tracer("desk").start_as_current_span("serve"):
        chat(address)
