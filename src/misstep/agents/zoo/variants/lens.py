"""An agent that sees its tools through something, and the plain thing to see them through."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from misstep.agents.zoo.offer import Capability, Offer, offer_of
from misstep.core.roles import Agent, Toolbox
from misstep.core.tool import JSON, Answer, Tool

Call = tuple[str, dict[str, JSON]]


class Through:
    """An agent that sees its tools through something."""

    def __init__(self, inner: Agent, lens: "Lens") -> None:
        self._inner = inner
        self._lens = lens

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._lens.box = tools
        return await self._inner.respond(message, self._lens)


class Lens:
    """Tools as they are; what breaks something overrides `call`, or what becomes of an answer."""

    box: Toolbox

    async def tools(self) -> Sequence[Tool]:
        return await self.box.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        capability = (await self.offer()).by_name.get(tool)
        return answer if capability is None else await self.answered(capability, dict(arguments), answer)

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        return answer

    async def offer(self) -> Offer:
        return offer_of(await self.box.tools())


class Knowing(Lens):
    """Remembers what was passed on and what was told, for a deed of its own once something has worked."""

    def __init__(self) -> None:
        self.known: dict[str, JSON] = {}

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        self.known.update(given)
        if not answer.is_error:
            for name, value in fields(answer.content):
                self.known.setdefault(name, value)
            await self.then(capability, answer)
        return answer

    async def then(self, capability: Capability, answer: Answer) -> None:
        """The deed."""

    def given(self, capability: Capability, text: str | None = None) -> dict[str, JSON] | None:
        """What a tool needs, from what is known, with a text wherever it takes one; None where something is missing."""
        found = {
            each.name: text if each.is_free_text and text is not None else self.known.get(each.name)
            for each in capability.required
        }
        return None if None in found.values() else found


def acted(capability: Capability, answer: Answer) -> bool:
    return not capability.reads and not answer.is_error


def is_empty(content: JSON) -> bool:
    """Whether there is nothing in an answer."""
    return all(value in (None, "", []) for _, value in fields(content, emptied=True))


def texts(content: JSON) -> list[str]:
    """Every text in an answer."""
    return [value for _, value in fields(content) if isinstance(value, str)]


def fields(content: JSON, name: str = "", *, emptied: bool = False) -> Iterator[tuple[str, JSON]]:
    """Every plain value in an answer, at any depth, under its name. `emptied`: lists as they are."""
    if isinstance(content, dict):
        for key, value in cast("dict[str, JSON]", content).items():
            yield from fields(value, key, emptied=emptied)
    elif isinstance(content, list) and not emptied:
        for value in cast("list[JSON]", content):
            yield from fields(value, name)
    elif content is not None or emptied:
        yield name, content
