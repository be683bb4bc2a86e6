# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "openai-agents==0.24.0",
#   "opentelemetry-instrumentation-genai-openai==1.3b0",
#   "opentelemetry-instrumentation-genai-openai-agents==1.3b0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""OpenAI's Agents SDK with a handoff, seen by OpenTelemetry's own instrumentations of it and of the client inside."""

import os
import sys
from pathlib import Path

os.environ["OTEL_SEMCONV_STABILITY_OPT_IN"] = "gen_ai_latest_experimental"
os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"

import agents_sdk_desk
from agents import set_trace_processors
from opentelemetry.instrumentation.genai.openai import OpenAIInstrumentor
from opentelemetry.instrumentation.genai.openai_agents import OpenAIAgentsInstrumentor
from recording import recorded
from scripted_model import scripted_model

set_trace_processors([])  # else it would send traces to OpenAI
path = Path(sys.argv[1]) / "otel-agents-sdk.jsonl"
with recorded(path, logs=True) as recording, scripted_model(agents_sdk_desk.ACTS) as address:
    for each in (OpenAIAgentsInstrumentor(), OpenAIInstrumentor()):
        each.instrument(tracer_provider=recording.tracers, logger_provider=recording.loggers)
    agents_sdk_desk.serve(address)
