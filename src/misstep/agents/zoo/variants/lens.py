"""An agent that sees its tools through something, and the plain thing to see them through."""

from collections.abc import Mapping, Sequence
from typing import cast

from misstep.agents.zoo.offer import Capability, offer_of
from misstep.core.roles import Agent, Toolbox
from misstep.core.tool import JSON, Answer, Tool


class Through:
    """An agent that sees its tools through something."""

    def __init__(self, inner: Agent, lens: "Lens") -> None:
        self._inner = inner
        self._lens = lens

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._lens.box = tools
        return await self._inner.respond(message, self._lens)


class Lens:
    """Tools as they are."""

    box: Toolbox

    async def tools(self) -> Sequence[Tool]:
        return await self.box.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return await self.box.call(tool, arguments)

    async def read_capability(self, tool: str) -> Capability | None:
        """What is on offer under that name."""
        return offer_of(await self.box.tools()).by_name.get(tool)


def is_empty(content: JSON) -> bool:
    """Whether there is nothing in an answer."""
    if isinstance(content, dict):
        return all(is_empty(value) for value in cast("dict[str, JSON]", content).values())
    return content in (None, "", [])


def texts(content: JSON) -> list[str]:
    """Every text in an answer."""
    if isinstance(content, dict):
        return [text for value in cast("dict[str, JSON]", content).values() for text in texts(value)]
    if isinstance(content, list):
        return [text for value in cast("list[JSON]", content) for text in texts(value)]
    return [content] if isinstance(content, str) else []
