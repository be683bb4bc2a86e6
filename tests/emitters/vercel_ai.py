# /// script
# requires-python = ">=3.11"
# dependencies = ["opentelemetry-sdk==1.45.2"]
# ///
"""Vercel's AI SDK with its own telemetry; Node and npm must be there."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import scene
from recording import save_lines
from scripted_model import scripted_model

PACKAGES = (
    "ai@6.0.326",
    "@ai-sdk/openai-compatible@2.0.87",
    "@opentelemetry/api@1.9.1",
    "@opentelemetry/otlp-transformer@0.223.1",
    "@opentelemetry/resources@2.12.0",
    "@opentelemetry/sdk-trace-node@2.12.0",
    "zod@4.6.7",
)
told = {"system": scene.SYSTEM, "request": scene.REQUEST, "order": scene.ORDER, "refund": scene.REFUND}
with tempfile.TemporaryDirectory() as folder, scripted_model(scene.ACTS) as address:
    shutil.copy(Path(__file__).with_suffix(".mjs"), folder)
    subprocess.run(["npm", "install", "--silent", "--prefix", folder, *PACKAGES], check=True)
    written = Path(folder) / "spans.json"
    play = ["node", "vercel_ai.mjs", address, str(written), json.dumps(told)]
    subprocess.run(play, cwd=folder, check=True)
    save_lines(Path(sys.argv[1]) / "vercel-ai.jsonl", [json.loads(written.read_text("utf-8"))])
