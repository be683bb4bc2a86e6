# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "langchain==1.4.7",
#   "langchain-openai==1.7.3",
#   "langgraph==1.2.20",
#   "openinference-instrumentation-langchain==0.1.80",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""An agent of LangChain on LangGraph, seen by OpenInference; and its messages as LangGraph itself gives them."""

import json
import sys
from pathlib import Path

import langgraph_desk
from langchain_core.load import dumpd
from langchain_core.messages import messages_to_dict
from openinference.instrumentation.langchain import LangChainInstrumentor
from recording import recorded, save
from scene import ACTS
from scripted_model import scripted_model

out = Path(sys.argv[1])
with recorded(out / "openinference-langgraph.jsonl") as recording, scripted_model(ACTS) as address:
    LangChainInstrumentor().instrument(tracer_provider=recording.tracers)
    messages = langgraph_desk.serve(address)
save(out / "langgraph-messages.json", json.dumps({"messages": messages_to_dict(messages)}, indent=1).encode())
save(out / "langgraph-dumped.json", json.dumps(dumpd(messages), indent=1).encode())
