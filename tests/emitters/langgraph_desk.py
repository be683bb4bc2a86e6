"""The scene as an agent of LangChain on LangGraph plays it."""

import json

import scene
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain.tools import tool
from langchain_core.messages import ToolMessage
from langchain_openai import ChatOpenAI
from scripted_model import MODEL


@wrap_tool_call
def told_errors(request, carry_out):
    """Tell the model of an error, as LangChain itself does not."""
    try:
        return carry_out(request)
    except ValueError as error:
        call = request.tool_call
        return ToolMessage(str(error), tool_call_id=call["id"], name=call["name"], status="error")


def serve(address: str) -> list:
    """The messages of the state that the graph leaves."""
    tools = [tool(_told(function)) for function in scene.TOOLS.values()]
    model = ChatOpenAI(model=MODEL, base_url=address, api_key="none", max_retries=0)
    agent = create_agent(model, tools, system_prompt=scene.SYSTEM, middleware=[told_errors], name="desk")
    asked = {"messages": [{"role": "user", "content": scene.REQUEST}]}
    return agent.invoke(asked)["messages"]


def _told(function):
    """As a tool of LangChain gives it: JSON text rather than the text of Python."""

    def run(*args, **kwargs):
        return json.dumps(function(*args, **kwargs))

    run.__name__, run.__doc__, run.__annotations__ = function.__name__, function.__doc__, function.__annotations__
    run.__wrapped__ = function
    return run
