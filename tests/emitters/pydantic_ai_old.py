# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "pydantic-ai-slim[openai]==1.20.0",
#   "opentelemetry-sdk==1.37.0",
#   "opentelemetry-exporter-otlp-proto-common==1.37.0",
# ]
# ///
"""Pydantic AI's own spans in the first version of its format: messages as events in an attribute, as protobuf."""

import sys
from pathlib import Path

from pydantic_ai import InstrumentationSettings
from pydantic_ai_desk import serve
from recording import recorded

with recorded(Path(sys.argv[1]) / "pydantic-ai-1.binpb") as recording:
    serve(InstrumentationSettings(version=1, event_mode="attributes", tracer_provider=recording.tracers))
