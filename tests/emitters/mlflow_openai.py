# /// script
# requires-python = ">=3.11"
# dependencies = ["mlflow==3.17.2", "openai==3.48.0"]
# ///
"""MLflow's tracing of OpenAI's client inside an agent and tools of one's own, exported as its JSON of a trace."""

import json
import os
import sys
import tempfile
from pathlib import Path

import chat_loop
import mlflow
import scene
from recording import save, trimmed
from scripted_model import scripted_model

os.environ["MLFLOW_ENABLE_ASYNC_TRACE_LOGGING"] = "false"
tools = {name: mlflow.trace(span_type="TOOL")(function) for name, function in scene.TOOLS.items()}


def carried_out(name, arguments):
    try:
        return tools[name](**arguments)
    except ValueError as error:
        return {"error": str(error)}


scene.carried_out = carried_out
with tempfile.TemporaryDirectory() as folder, scripted_model(scene.ACTS) as address:
    mlflow.set_tracking_uri(f"sqlite:///{folder}/runs.db")
    mlflow.openai.autolog()

    @mlflow.trace(span_type="AGENT")
    def desk(request: str) -> str:
        return chat_loop.chat(address)

    desk(scene.REQUEST)
    trace = mlflow.get_trace(mlflow.get_last_active_trace_id())
    whole = trimmed(trace.to_dict())
    for told in ("trace_metadata", "tags"):  # who ran it, and where
        private = ("mlflow.user", "mlflow.source", "mlflow.git", "mlflow.artifactLocation")
        kept = {key: value for key, value in whole["info"][told].items() if not key.startswith(private)}
        whole["info"][told] = kept
    save(Path(sys.argv[1]) / "mlflow.json", json.dumps(whole, indent=1).encode())
