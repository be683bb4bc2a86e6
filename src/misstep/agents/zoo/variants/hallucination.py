"""Variants that make things up."""

import itertools
import re
from collections.abc import Mapping

from misstep.agents.zoo.offer import offer_of
from misstep.agents.zoo.sound import Sound
from misstep.agents.zoo.variants.lens import Lens, is_empty
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer
from misstep.core.words import content_stems

_FIGURE = re.compile(r"(?<![\w.-])\d+\.\d\d(?![\w.]*\d)|\b[A-Z]+-\d{3,}\b")


def _like(value: str) -> str:
    """The same form, with a number that is as good as any: 9876…"""
    digits = itertools.cycle("9876543210")
    return re.sub(r"\d", lambda _: next(digits), value)


class Inventing(Lens):
    """Makes identifiers up where they should have been looked up."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        capability = await self.read_capability(tool)
        named = {each.name for each in capability.parameters if each.identifies} if capability else set[str]()
        invented = {
            name: _like(value) if name in named and isinstance(value, str) else value
            for name, value in arguments.items()
        }
        return await self.box.call(tool, invented)


class CallingUnknown(Lens):
    """Tries a tool that it would like to have before it uses the one that there is."""

    def __init__(self) -> None:
        self._tried: set[str] = set()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in self._tried:
            self._tried.add(tool)
            await self.box.call(f"{tool}_at_once", arguments)
        return await self.box.call(tool, arguments)


class ReadingOnly(Lens):
    """Tools as they are, with a note of whether anything was found and anything done since it was last asked."""

    found = acted = False

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        capability = await self.read_capability(tool)
        answer = await self.box.call(tool, arguments)
        self.acted = self.acted or capability is None or not capability.reads
        self.found = not answer.is_error and not is_empty(answer.content)
        return answer


class InventsResults:
    """Looks things up, and tells figures and ids of its own making."""

    def __init__(self, inner: Sound) -> None:
        self._inner = inner
        self._lens = ReadingOnly()

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._lens.box, self._lens.acted, self._lens.found = tools, False, False
        reply = await self._inner.respond(message, self._lens)
        if self._inner.pending is not None or self._lens.acted or not self._lens.found:
            return reply
        return _FIGURE.sub(lambda figure: _like(figure.group()), reply)


class ClaimsSuccess:
    """Says that it is done, and does nothing."""

    async def respond(self, message: str, tools: Toolbox) -> str:
        offer = offer_of(await tools.tools())
        ranked = offer.ranked(content_stems(message), reads=False)
        act = ranked[0][1].spoken if ranked else "your request"
        return f"I have completed {act} for you. Everything has been taken care of."
