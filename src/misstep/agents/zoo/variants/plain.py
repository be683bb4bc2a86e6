"""Weak agents that were made to show no one mode."""

from misstep.agents.zoo.sound import Sound
from misstep.core.roles import Toolbox


class Guesses:
    """Never asks: takes the first that comes, and goes without what it was not told."""

    def __init__(self, inner: Sound) -> None:
        self._inner = inner

    async def respond(self, message: str, tools: Toolbox) -> str:
        reply = await self._inner.respond(message, tools)
        for _ in range(8):
            if self._inner.pending is None:
                break
            guess = {"confirm": "yes", "choice": "the first one", "facts": "I don't know"}[self._inner.pending.kind]
            reply = await self._inner.respond(guess, tools)
        return reply


class DoesNothing:
    """Answers, and that is all."""

    async def respond(self, message: str, tools: Toolbox) -> str:
        return "Thank you for your message."
