"""Variants that go round and round."""

from collections.abc import Mapping

from misstep.agents.zoo.variants.lens import Lens, is_empty
from misstep.core.tool import JSON, Answer

_MOST_REPEATS = 5


class RepeatingEmpty(Lens):
    """Asks again and again for what was not there."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        repeats = 0
        while not answer.is_error and is_empty(answer.content) and repeats < _MOST_REPEATS:
            answer = await self.box.call(tool, arguments)
            repeats += 1
        return answer
