# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "pydantic-ai-slim[openai]==2.66.0",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""Pydantic AI's own spans, in the versions of its format that it still writes."""

import sys
import warnings
from pathlib import Path

from pydantic_ai import InstrumentationSettings
from pydantic_ai_desk import serve
from recording import recorded

warnings.simplefilter("ignore")
for version in (2, 5, 6):
    with recorded(Path(sys.argv[1]) / f"pydantic-ai-{version}.jsonl") as recording:
        serve(InstrumentationSettings(version=version, tracer_provider=recording.tracers))
