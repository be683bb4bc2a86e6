"""Variants that lose sight of what was asked."""

from collections.abc import Mapping

from misstep.agents.zoo import talking
from misstep.agents.zoo.offer import Capability, Parameter, offer_of
from misstep.agents.zoo.reading import restricts
from misstep.agents.zoo.variants.lens import Lens, is_empty
from misstep.core.roles import Agent, Toolbox
from misstep.core.tool import JSON, Answer
from misstep.core.words import content_stems, sentences


class ForgetsConstraints:
    """Loses every sentence that limits how a request may be met."""

    def __init__(self, inner: Agent) -> None:
        self._inner = inner

    async def respond(self, message: str, tools: Toolbox) -> str:
        kept = [each for each in sentences(message) if not restricts(each)]
        return await self._inner.respond(" ".join(kept) or "Please go on.", tools)


class WithheldError(Exception):
    """An act that was about to be done."""

    def __init__(self, capability: Capability, arguments: Mapping[str, JSON]) -> None:
        super().__init__(capability.name)
        self.capability = capability
        self.arguments = arguments


class Withholding(Lens):
    """Looks things up, and does nothing."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        capability = await self.read_capability(tool)
        if capability is not None and not capability.reads:
            raise WithheldError(capability, arguments)
        return await self.box.call(tool, arguments)


class StopsEarly:
    """Finds out all that it needs, says that it will act, and leaves it at that."""

    def __init__(self, inner: Agent) -> None:
        self._inner = inner
        self._lens = Withholding()
        self._stopped = False

    async def respond(self, message: str, tools: Toolbox) -> str:
        if self._stopped:
            return "Is there anything else that I can do for you?"
        self._lens.box = tools
        try:
            return await self._inner.respond(message, self._lens)
        except WithheldError as withheld:
            self._stopped = True
            return f"I will now {withheld.capability.spoken} ({talking.told(withheld.arguments)})."


class Drifts:
    """Takes up something that has nothing to do with the request, where there is such a thing, and tells of that."""

    def __init__(self, inner: Agent) -> None:
        self._inner = inner
        self._heard: set[str] = set()
        self._taken_up: set[str] = set()
        self._told = ""
        self._stays = False

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._heard |= {*content_stems(message)}
        told = None if self._stays else await self._digression(tools)
        self._told = told or self._told
        self._stays = self._stays or not self._told
        return await self._inner.respond(message, tools) if self._stays else self._told

    async def _digression(self, tools: Toolbox) -> str | None:
        for capability in offer_of(await tools.tools()).capabilities:
            arguments = _any_arguments(capability)
            about = capability.name_stems | capability.text_stems
            if arguments is not None and capability.name not in self._taken_up and about.isdisjoint(self._heard):
                self._taken_up.add(capability.name)
                answer = await tools.call(capability.name, arguments)
                told = talking.found(answer.content, frozenset())
                fine = not answer.is_error and not is_empty(answer.content)
                return told if fine and self._heard.isdisjoint(content_stems(told)) else None
        return None


def _any_arguments(capability: Capability) -> dict[str, JSON] | None:
    """Arguments that nobody needs to be asked for, for something that only looks."""
    if not capability.reads or any(_any_value(each) is None for each in capability.required):
        return None
    filled = {each.name: value for each in capability.parameters if (value := _any_value(each)) is not None}
    wanted = max(capability.least, len(capability.required))
    return dict(list(filled.items())[:wanted]) if len(filled) >= wanted else None


def _any_value(parameter: Parameter) -> JSON | None:
    if parameter.options:
        return parameter.options[0]
    return 50 if parameter.kind in ("number", "integer") else None
