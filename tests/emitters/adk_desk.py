"""The scene with two agents of Google's ADK: the desk transfers to refunds; the model acts by the scene."""

from collections import deque

import scene
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

ACTS = deque(enumerate([("transfer_to_agent", {"agent_name": "refunds"}), *scene.ACTS], 1))


class Scripted(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        number, act = ACTS.popleft()
        if isinstance(act, str):
            part = types.Part(text=act)
        else:
            part = types.Part(function_call=types.FunctionCall(id=f"call_{number}", name=act[0], args=act[1]))
        usage = types.GenerateContentResponseUsageMetadata(prompt_token_count=100, candidates_token_count=10)
        yield LlmResponse(content=types.Content(role="model", parts=[part]), usage_metadata=usage)


def spoken_to(callback_context, llm_request):
    """Instead of how ADK explains transfers, at length."""
    told = {"desk": "You pass customers on.", "refunds": scene.SYSTEM}
    llm_request.config.system_instruction = told[callback_context.agent_name]


def told_errors(tool, args, tool_context, error):
    return {"error": str(error)}


async def serve() -> None:
    model = Scripted(model="scripted-1")
    refunds = LlmAgent(
        name="refunds",
        description="Looks orders up and refunds them.",
        model=model,
        before_model_callback=spoken_to,
        tools=list(scene.TOOLS.values()),
        on_tool_error_callback=told_errors,
    )
    desk = LlmAgent(name="desk", model=model, before_model_callback=spoken_to, sub_agents=[refunds])
    runner = InMemoryRunner(desk, app_name="shop")
    session = await runner.session_service.create_session(app_name="shop", user_id="customer")
    message = types.Content(role="user", parts=[types.Part(text=scene.REQUEST)])
    async for _ in runner.run_async(user_id="customer", session_id=session.id, new_message=message):
        pass
