"""Variants that use the right tools wrongly."""

from collections.abc import Mapping

from misstep.agents.zoo.variants.lens import Lens
from misstep.core.tool import JSON, Answer


class RetryingWrites(Lens):
    """Repeats a write that brought no answer, without a look at what it did."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        capability = await self.read_capability(tool)
        if answer.is_error and capability is not None and not capability.reads:
            answer = await self.box.call(tool, arguments)
        return answer
