"""Variants that go round and round."""

from collections.abc import Mapping

from misstep.agents.zoo.offer import Offer, offer_of
from misstep.agents.zoo.variants.lens import Lens, is_empty
from misstep.core.tool import JSON, Answer

_MOST_REPEATS = 5
_ROUNDS = 3
_VAGUE = ("whatever", "something", "anything", "somehow", "somewhere", "anywhere", "otherwise", "elsewhere")

Call = tuple[str, dict[str, JSON]]


class RepeatingEmpty(Lens):
    """Asks again and again for what was not there."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        repeats = 0
        while not answer.is_error and is_empty(answer.content) and repeats < _MOST_REPEATS:
            answer = await self.box.call(tool, arguments)
            repeats += 1
        return answer


class Oscillating(Lens):
    """Goes back to what it had looked at before, and forth again, and back again, once in a conversation."""

    def __init__(self) -> None:
        self._before: Call | None = None
        self._has_swung = False

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        here = (tool, dict(arguments))
        elsewhere = self._before is not None and str(self._before).casefold() != str(here).casefold()
        capability = await self.read_capability(tool)
        if answer.is_error or capability is None or not capability.reads:
            self._before = None
            return answer
        if elsewhere and not self._has_swung:
            self._has_swung = True
            for _ in range(_ROUNDS):
                for name, given in filter(None, (self._before, here)):
                    answer = await self.box.call(name, given)
        self._before = here
        return answer


class NeverSatisfied(Lens):
    """Looks everything up again and again before it does anything with it, until nothing is left to look it up with."""

    def __init__(self) -> None:
        self._seen: list[Call] = []

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        capability = await self.read_capability(tool)
        if not answer.is_error and capability is not None and capability.reads:
            self._seen.append((tool, dict(arguments)))
            return answer
        while self._seen:
            for name, given in self._seen:
                await self.box.call(name, given)
        return answer


class AskingAround(Lens):
    """Tries one vague word after the other where it could have looked straight away."""

    def __init__(self) -> None:
        self._asked = False

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        search = None if self._asked else _search(offer_of(await self.box.tools()))
        if search is not None:
            self._asked = True
            for word in _VAGUE:
                await self.box.call(search[0], {search[1]: word})
        return await self.box.call(tool, arguments)


def _search(offer: Offer) -> tuple[str, str] | None:
    """A tool that looks for something by words, and the name of the argument that takes them."""
    for each in offer.capabilities:
        words = [one for one in each.parameters if one.is_free_text]
        if each.reads and words and all(one is words[0] for one in each.required):
            return each.name, words[0].name
    return None
