"""The scene with two agents of OpenAI's Agents SDK: the desk hands over to refunds."""

import scene
from agents import Agent, ModelSettings, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool
from openai import AsyncOpenAI
from scripted_model import MODEL

ACTS = [(scene.HANDED, {}), *scene.ACTS]
AGAIN = [*ACTS, scene.KNOWN, scene.ANSWER]


def _told(_context, error):
    return str(error)


def serve(address: str, **config):
    """The result of the run."""
    desk, _ = agents(address)
    return Runner.run_sync(desk, scene.REQUEST, run_config=RunConfig(workflow_name="serve", **config))


def serve_again(address: str):
    """Two runs of which the second is told the first, and one of somebody else."""
    desk, refunds = agents(address)
    before = Runner.run_sync(desk, scene.REQUEST).to_input_list()
    Runner.run_sync(refunds, [*before, {"role": "user", "content": scene.AGAIN}])
    Runner.run_sync(refunds, scene.REQUEST)


def agents(address: str):
    """The desk, and refunds."""
    model = OpenAIChatCompletionsModel(MODEL, AsyncOpenAI(base_url=address, api_key="none", max_retries=0))
    tools = [function_tool(function, failure_error_function=_told) for function in scene.TOOLS.values()]
    refunds = Agent("refunds", instructions=scene.SYSTEM, tools=tools, model=model, model_settings=ModelSettings())
    desk = Agent("desk", instructions="You pass customers on.", handoffs=[refunds], model=model)
    return desk, refunds
