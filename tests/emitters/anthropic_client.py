# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "anthropic==2.7.0",
#   "httpx==0.28.1",
#   "openinference-instrumentation-anthropic==3.1.0",
#   "opentelemetry-instrumentation-anthropic==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""Anthropic's client, seen by OpenInference and by Traceloop; and its messages themselves."""

import json
import sys
from pathlib import Path

import scene
from anthropic_loop import TOOLS, serve
from openinference.instrumentation.anthropic import AnthropicInstrumentor as OpenInference
from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor as Traceloop
from recording import recorded, save
from scripted_model import MODEL, scripted_model

out = Path(sys.argv[1])
for name, instrumentor in (("openinference-anthropic", OpenInference()), ("traceloop-anthropic", Traceloop())):
    with recorded(out / f"{name}.jsonl") as recording, scripted_model(scene.ACTS) as address:
        instrumentor.instrument(tracer_provider=recording.tracers)
        with recording.tracers.get_tracer("desk").start_as_current_span("serve"):
            messages = serve(address)
        instrumentor.uninstrument()
whole = {"model": MODEL, "system": scene.SYSTEM, "tools": TOOLS, "messages": messages}
save(out / "anthropic-messages.json", json.dumps(whole, indent=1).encode())
