"""Variants whose words are wrong: they claim, invent, agree or stop short; and those that do next to nothing."""

import itertools
import json
import re
from collections.abc import Mapping

from msgspec import structs

from misstep.agents.zoo import talking
from misstep.agents.zoo.english import restricts
from misstep.agents.zoo.offer import Capability, Parameter, offer_of
from misstep.agents.zoo.sound import Sound
from misstep.agents.zoo.variants.lens import Lens, is_empty
from misstep.core.policy import Policy
from misstep.core.roles import Agent, Toolbox
from misstep.core.tool import JSON, Answer
from misstep.core.words import atoms, content_stems, sentences

_FIGURE = re.compile(r"(?<![\w.-])\d+\.\d\d(?![\w.]*\d)|\b[A-Z]+-\d{3,}\b")
_DISPUTES = re.compile(
    r"\b(?:wrong|mistaken|am (?:sure|certain)|definitely|not (?:right|true|correct))\b", re.IGNORECASE
)
_CLOSING = "Is there anything else that I can do for you?"


def _like(value: str) -> str:
    """The same form, with a number that is as good as any: 9876…"""
    digits = itertools.cycle("9876543210")
    return re.sub(r"\d", lambda _: next(digits), value)


class Inventing(Lens):
    """Makes identifiers up where they should have been looked up."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        capability = (await self.offer()).by_name.get(tool)
        named = {each.name for each in capability.parameters if each.identifies} if capability else set[str]()
        invented = {
            name: _like(value) if name in named and isinstance(value, str) else value
            for name, value in arguments.items()
        }
        return await self.box.call(tool, invented)


class ReadingOnly(Lens):
    """Tools as they are, with a note of whether anything was found and anything done since it was last asked."""

    found = acted = False

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        self.acted = self.acted or not capability.reads
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
        ranked = offer_of(await tools.tools()).ranked(content_stems(message), reads=False)
        act = ranked[0][1].spoken if ranked else "your request"
        return f"I have completed {act} for you. Everything has been taken care of."


class AgreesWithAnything:
    """Takes over whatever figure or date the user insists on."""

    def __init__(self, inner: Agent) -> None:
        self._inner = inner
        self._has_told = False

    async def respond(self, message: str, tools: Toolbox) -> str:
        claimed = _figures(message)
        if self._has_told and claimed and _DISPUTES.search(message):
            return f"You are right, I apologise. It is {claimed[-1]}."
        reply = await self._inner.respond(message, tools)
        self._has_told = self._has_told or bool(_figures(reply))
        return reply


def _figures(text: str) -> list[str]:
    return [atom.text for atom in atoms(text) if atom.kind in ("number", "date")]


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
        self.arguments = dict(arguments)


class Withholding(Lens):
    """Looks things up, and does nothing."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        capability = (await self.offer()).by_name.get(tool)
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
            return _CLOSING
        self._lens.box = tools
        try:
            return await self._inner.respond(message, self._lens)
        except WithheldError as withheld:
            self._stopped = True
            return self._instead(withheld)

    def _instead(self, withheld: WithheldError) -> str:
        return f"I will now {withheld.capability.spoken} ({talking.told(withheld.arguments)})."


class WritesCallsDown(StopsEarly):
    """Spells out in a message what it should have called, and takes it for called."""

    def _instead(self, withheld: WithheldError) -> str:
        return json.dumps({"name": withheld.capability.name, "arguments": withheld.arguments}, ensure_ascii=False)


def without_follow_ups(policy: Policy | None) -> Policy | None:
    """The rules, less those that want something done after something else."""
    if policy is None:
        return None
    return structs.replace(policy, rules=tuple(rule for rule in policy.rules if rule.kind != "afterwards"))


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


class DoesNothing:
    """Answers, and that is all."""

    async def respond(self, message: str, tools: Toolbox) -> str:
        return "Thank you for your message."


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


class Mumbles:
    """Asks for nothing by name: lets people go on until it was told enough, then does as the sound agent does."""

    def __init__(self, policy: Policy | None) -> None:
        self._policy = policy
        self._inner = Sound(policy)
        self._heard: list[str] = []
        self._has_enough = False
        self._mumbled = 0

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._heard.append(message)
        if self._has_enough:
            return self._unless_asked(await self._inner.respond(message, tools))
        told = " ".join(self._heard)
        self._has_enough = await self._is_enough(told, tools)
        return self._unless_asked(await self._inner.respond(told, tools)) if self._has_enough else self._mumble()

    async def _is_enough(self, told: str, tools: Toolbox) -> bool:
        """Whether the sound agent would have nothing to ask if it had been told all that at once."""
        tried, lens = Sound(self._policy), Withholding()
        lens.box = tools
        try:
            await tried.respond(told, lens)
        except WithheldError:
            return True
        return tried.pending is None or tried.pending.kind == "confirm"

    def _unless_asked(self, reply: str) -> str:
        pending = self._inner.pending
        return reply if pending is None or pending.kind == "confirm" else self._mumble()

    def _mumble(self) -> str:
        self._mumbled += 1
        return "OK?" if self._mumbled % 2 else "Please go on."
