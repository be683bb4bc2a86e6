# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "smolagents[openai]==1.26.0",
#   "openinference-instrumentation-smolagents==0.1.43",
#   "opentelemetry-sdk==1.45.2",
#   "opentelemetry-exporter-otlp-json-file==0.66b1",
# ]
# ///
"""smolagents, seen by OpenInference: an agent that calls tools, one that writes code, and one that leads another."""

import sys
from pathlib import Path

import scene
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from recording import recorded
from scripted_model import MODEL, scripted_model
from smolagents import CodeAgent, OpenAIServerModel, ToolCallingAgent, tool

# Its own prompts are long, and not ours to pass on.
PROMPTS = {
    "system_prompt": scene.SYSTEM,
    "planning": dict.fromkeys(
        ("initial_plan", "update_plan_pre_messages", "update_plan_post_messages"), "Plan what to do."
    ),
    "managed_agent": {
        "task": "You are called {{name}}.\nYour task:\n{{task}}\nGive back all that your colleague must know.",
        "report": "This is what {{name}} found:\n{{final_answer}}",
    },
    "final_answer": {"pre_messages": "Answer now.", "post_messages": "Answer: {{task}}"},
}
FINAL = ("final_answer", {"answer": scene.ANSWER})


def agent(kind, address, **more):
    model = OpenAIServerModel(model_id=MODEL, api_base=address, api_key="none")
    tools = [tool(function) for function in scene.TOOLS.values()]
    return kind(tools=tools, model=model, prompt_templates=PROMPTS, verbosity_level=0, **more)


def record(name, acts, play):
    with recorded(Path(sys.argv[1]) / f"smolagents-{name}.jsonl") as recording, scripted_model(acts) as address:
        instrumentor = SmolagentsInstrumentor()
        instrumentor.instrument(tracer_provider=recording.tracers)
        play(address)
        instrumentor.uninstrument()


def code(text):
    return f"Thought: I go on.\n<code>\n{text}\n</code>"


record("tools", [*scene.ACTS[:-1], FINAL], lambda address: agent(ToolCallingAgent, address).run(scene.REQUEST))


def asked_again(address):
    serving = agent(ToolCallingAgent, address)
    serving.run(scene.REQUEST)
    serving.run(scene.AGAIN, reset=False)
    agent(ToolCallingAgent, address).run(scene.REQUEST)  # of somebody else


AGAIN = [*scene.ACTS[1:-1], FINAL, ("final_answer", {"answer": scene.KNOWN}), FINAL]
record("again", AGAIN, asked_again)
record(
    "code",
    [
        code('print(find_order(order_id="A-71"))'),
        code('order = find_order(order_id="A-17")\nrefund_order(order_id="A-17", amount=order["total"])'),
        code(f"final_answer({scene.ANSWER!r})"),
    ],
    lambda address: agent(CodeAgent, address).run(scene.REQUEST),
)


def led(address):
    told = {"name": "refunds", "description": "Looks orders up and refunds them."}
    refunds = agent(ToolCallingAgent, address, **told, provide_run_summary=False)
    model = OpenAIServerModel(model_id=MODEL, api_base=address, api_key="none")
    settings = {"name": "desk", "prompt_templates": PROMPTS, "verbosity_level": 0}
    desk = ToolCallingAgent(tools=[], model=model, managed_agents=[refunds], **settings)
    desk.run(scene.REQUEST)


task = ("refunds", {"task": "Refund order A-17, which came broken."})
record("team", [task, *scene.ACTS[:-1], ("final_answer", {"answer": "Order A-17 is paid back."}), FINAL], led)
