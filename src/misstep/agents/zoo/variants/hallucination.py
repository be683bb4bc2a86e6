"""Variants that make things up."""

import itertools
import re
from collections.abc import Mapping

from misstep.agents.zoo.offer import Offer
from misstep.agents.zoo.variants.lens import Lens
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer
from misstep.core.words import content_stems


class Inventing(Lens):
    """Makes identifiers up where they should have been looked up."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        capability = await self.read_capability(tool)
        named = {each.name for each in capability.parameters if each.identifies} if capability else set[str]()
        invented = {
            name: self._like(value) if name in named and isinstance(value, str) else value
            for name, value in arguments.items()
        }
        return await self.box.call(tool, invented)

    @staticmethod
    def _like(value: str) -> str:
        """The same form, with a number that is as good as any: 9876…"""
        digits = itertools.cycle("9876543210")
        return re.sub(r"\d", lambda _: next(digits), value)


class ClaimsSuccess:
    """Says that it is done, and does nothing."""

    async def respond(self, message: str, tools: Toolbox) -> str:
        offer = Offer(await tools.tools())
        ranked = offer.ranked(content_stems(message), reads=False)
        act = ranked[0][1].spoken if ranked else "your request"
        return f"I have completed {act} for you. Everything has been taken care of."
