# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain==1.4.7",
#   "langchain-openai==1.7.3",
#   "langgraph==1.2.20",
#   "openinference-instrumentation-langchain==0.1.80",
#   "opentelemetry-instrumentation-langchain==0.62.4",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""An agent of LangChain on LangGraph, seen by Traceloop alone, and by Traceloop and OpenInference at the same time."""

import sys
from pathlib import Path

import langgraph_desk
from openinference.instrumentation.langchain import LangChainInstrumentor as OpenInference
from opentelemetry.instrumentation.langchain import LangchainInstrumentor as Traceloop
from recording import recorded
from scene import ACTS
from scripted_model import scripted_model

for name, both in (("traceloop-langgraph", False), ("two-instrumentations-langgraph", True)):
    with recorded(Path(sys.argv[1]) / f"{name}.jsonl.gz") as recording, scripted_model(ACTS) as address:
        instrumentors = [Traceloop(), OpenInference()] if both else [Traceloop()]
        for each in instrumentors:
            each.instrument(tracer_provider=recording.tracers)
        langgraph_desk.serve(address)
        for each in instrumentors:
            each.uninstrument()
