# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "pydantic-ai-slim[openai]==2.66.0",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""Pydantic AI with its own spans, and OpenInference's of the client that it uses inside them."""

import sys
from pathlib import Path

from openinference.instrumentation.openai import OpenAIInstrumentor
from pydantic_ai import InstrumentationSettings
from pydantic_ai_desk import serve
from recording import recorded

with recorded(Path(sys.argv[1]) / "two-instrumentations-nested.jsonl") as recording:
    OpenAIInstrumentor().instrument(tracer_provider=recording.tracers)
    serve(InstrumentationSettings(tracer_provider=recording.tracers))
