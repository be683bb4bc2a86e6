"""Variants that take the failures of tools badly."""

from collections.abc import Mapping

from misstep.agents.zoo.variants.lens import Lens
from misstep.core.tool import JSON, Answer


class Unheeding(Lens):
    """Takes every error for a success."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        return Answer(content={"result": "ok"}) if answer.is_error else answer
