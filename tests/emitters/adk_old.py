# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "google-adk==1.20.0",
#   "opentelemetry-sdk==1.37.0",
#   "opentelemetry-exporter-otlp-proto-common==1.37.0",
# ]
# ///
"""Google's ADK before its second version, which had attributes of its own, as protobuf."""

import asyncio
import os
import sys
from pathlib import Path

from adk_desk import serve
from opentelemetry import trace
from recording import recorded

os.environ["ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS"] = "true"
with recorded(Path(sys.argv[1]) / "adk-1.binpb") as recording:
    trace.set_tracer_provider(recording.tracers)
    asyncio.run(serve())
