# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-adk==2.13.0",
#   "opentelemetry-sdk==1.44.0",
#   "opentelemetry-exporter-otlp-json-file==0.65b0",
# ]
# ///
"""Google's ADK with its own spans, one agent transferring to another."""

import asyncio
import os
import sys
from pathlib import Path

from adk_desk import serve
from opentelemetry import trace
from recording import recorded

os.environ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"] = "SPAN_ONLY"
with recorded(Path(sys.argv[1]) / "adk.jsonl") as recording:
    trace.set_tracer_provider(recording.tracers)
    asyncio.run(serve())
