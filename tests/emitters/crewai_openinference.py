# /// script
# requires-python = ">=3.11,<3.14"
# dependencies = [
#   "crewai==1.15.30",
#   "openinference-instrumentation-crewai==1.1.21",
#   "openinference-instrumentation-openai==0.1.66",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""CrewAI, seen by OpenInference's instrumentations of it and of the client inside."""

import os
import sys
from pathlib import Path

import scene
from recording import recorded
from scripted_model import MODEL, scripted_model

# What it reports to its makers is settled at import.
os.environ |= {"CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false"}

from crewai import LLM, Agent, Crew, Task
from crewai.tools import tool
from openinference.instrumentation.crewai import CrewAIInstrumentor
from openinference.instrumentation.openai import OpenAIInstrumentor

with recorded(Path(sys.argv[1]) / "openinference-crewai.jsonl") as recording, scripted_model(scene.ACTS) as address:
    CrewAIInstrumentor().instrument(tracer_provider=recording.tracers)
    OpenAIInstrumentor().instrument(tracer_provider=recording.tracers)
    model = LLM(model=f"openai/{MODEL}", base_url=address, api_key="none")
    tools = [tool(name)(function) for name, function in scene.TOOLS.items()]
    desk = Agent(role="desk", goal="Serve customers.", backstory=scene.SYSTEM, llm=model, tools=tools)
    task = Task(description=scene.REQUEST, expected_output="What was done.", agent=desk)
    Crew(agents=[desk], tasks=[task]).kickoff()
