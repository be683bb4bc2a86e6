"""Variants in which one bad step spoils the next."""

from collections.abc import Mapping

from misstep.agents.zoo.calling import error_text
from misstep.agents.zoo.variants.lens import Lens
from misstep.core.tool import JSON, Answer


class CarryingErrors(Lens):
    """Puts what an error said where words of its own or of the user's should stand, in all that it calls afterwards."""

    def __init__(self) -> None:
        self._carried: str | None = None

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        capability = await self.read_capability(tool)
        given = dict(arguments)
        if self._carried is not None and capability is not None:
            words = [each.name for each in capability.parameters if each.is_free_text and each.name in given]
            given |= dict.fromkeys(words, self._carried)
        answer = await self.box.call(tool, given)
        if answer.is_error:
            self._carried = error_text(answer.content)
        return answer
