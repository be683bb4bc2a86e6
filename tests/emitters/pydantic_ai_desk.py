"""The scene as an agent of Pydantic AI plays it."""

import scene
from pydantic_ai import Agent, InstrumentationSettings, ModelRetry
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from scripted_model import MODEL, scripted_model


def find_order(order_id: str) -> dict[str, object]:
    """Look an order up.

    Args:
        order_id: Its number.
    """
    try:
        return scene.find_order(order_id)
    except ValueError as error:
        raise ModelRetry(str(error)) from error


def serve(settings: InstrumentationSettings) -> None:
    with scripted_model(scene.ACTS) as address:
        model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=address, api_key="none"))
        tools = [find_order, scene.refund_order]
        desk = Agent(model, name="desk", instructions=scene.SYSTEM, tools=tools, retries=2)
        desk.instrument = settings
        desk.run_sync(scene.REQUEST)
