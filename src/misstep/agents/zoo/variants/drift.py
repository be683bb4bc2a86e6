"""Variants that lose sight of what was asked."""

from misstep.agents.zoo.reading import restricts
from misstep.core.roles import Agent, Toolbox
from misstep.core.words import sentences


class ForgetsConstraints:
    """Loses every sentence that limits how a request may be met."""

    def __init__(self, inner: Agent) -> None:
        self._inner = inner

    async def respond(self, message: str, tools: Toolbox) -> str:
        kept = [each for each in sentences(message) if not restricts(each)]
        return await self._inner.respond(" ".join(kept) or "Please go on.", tools)
