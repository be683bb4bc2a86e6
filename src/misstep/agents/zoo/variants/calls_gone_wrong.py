"""Variants whose calls go wrong: made again and again, in the wrong form or order, or after a failure unheeded."""

from collections.abc import Mapping, Sequence
from typing import cast

from msgspec import structs

from misstep.agents.zoo.calling import error_text, leaves_open, may_pass
from misstep.agents.zoo.offer import Capability, Offer
from misstep.agents.zoo.sound import Sound
from misstep.agents.zoo.variants.lens import Call, Lens, is_empty
from misstep.core.policy import Policy, Rule
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer

_MOST_REPEATS = 5
_ROUNDS = 3
_VAGUE = ("whatever", "something", "anything", "somehow", "somewhere", "anywhere", "otherwise", "elsewhere")


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

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        here, before = (capability.name, given), self._before
        self._before = here if capability.reads and not answer.is_error else None
        elsewhere = before is not None and str(before).casefold() != str(here).casefold()
        if self._before is not None and elsewhere and not self._has_swung:
            self._has_swung = True
            for name, arguments in _ROUNDS * [before or here, here]:
                answer = await self.box.call(name, arguments)
        return answer


class NeverSatisfied(Lens):
    """Looks everything up again and again before it does anything with it, until nothing is left to look it up with."""

    def __init__(self) -> None:
        self._seen: list[Call] = []

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        if not answer.is_error and capability.reads:
            self._seen.append((capability.name, given))
            return answer
        while self._seen:
            for name, arguments in self._seen:
                await self.box.call(name, arguments)
        return answer


class AskingAround(Lens):
    """Tries one vague word after the other where it could have looked straight away."""

    def __init__(self) -> None:
        self._asked = False

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        search = None if self._asked else _search(await self.offer())
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


class RetryingWrites(Lens):
    """Repeats a write that brought no answer, without a look at what it did."""

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        lost = answer.is_error and leaves_open(error_text(answer.content)) and not capability.reads
        return await self.box.call(capability.name, given) if lost else answer


class Misshaping(Lens):
    """Gives each tool its first arguments in the wrong form, and in the right one once it has been told."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in self._known and arguments:
            self._known.add(tool)
            await self.box.call(tool, {name: [value] for name, value in arguments.items()})
        return await self.box.call(tool, arguments)


class CallingUnknown(Lens):
    """Tries a tool that it would like to have before it uses the one that there is."""

    def __init__(self) -> None:
        self._tried: set[str] = set()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in self._tried:
            self._tried.add(tool)
            await self.box.call(f"{tool}_at_once", arguments)
        return await self.box.call(tool, arguments)


class Unheeding(Lens):
    """Takes every error for a success."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        return Answer(content={"result": "ok"}) if answer.is_error else answer


class BuildingOnWreckage(Lens):
    """Takes an answer that is empty or cut off for a full one."""

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        promised = (capability.tool.output_schema or {}).get("type") == "object"
        wrecked = promised and (isinstance(answer.content, str) or answer.content in (None, {}))
        return Answer(content=cast("JSON", given)) if wrecked and not answer.is_error else answer


class RetryingBlindly(Lens):
    """Makes every call that was refused for good once more."""

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        why = error_text(answer.content)
        passes = not answer.is_error or may_pass(capability, why) or leaves_open(why)
        return answer if passes else await self.box.call(capability.name, given)


class GivingUp(Lens):
    """Takes an error that would pass for the last word."""

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        passes = answer.is_error and may_pass(capability, error_text(answer.content))
        return Answer("It is not possible.", is_error=True) if passes else answer


class CarryingErrors(Lens):
    """Puts what an error said where words of its own or of the user's should stand, in all that it calls afterwards."""

    def __init__(self) -> None:
        self._carried: str | None = None

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        capability = (await self.offer()).by_name.get(tool)
        given = dict(arguments)
        if self._carried is not None and capability is not None:
            words = [each.name for each in capability.parameters if each.is_free_text and each.name in given]
            given |= dict.fromkeys(words, self._carried)
        answer = await self.box.call(tool, given)
        if answer.is_error:
            self._carried = error_text(answer.content)
        return answer


class PuttingOff(Lens):
    """Puts off what the rules want first until the call that needs it was refused."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._policy = Policy(rules=tuple(rule for rule in rules if rule.kind == "requires"))
        self._put_off: list[Call] = []

    async def forgets(self, rule: Rule) -> bool:
        """Whether what a rule wants first can be made good from the call that needs it: it takes nothing else."""
        first = (await self.offer()).by_name.get(str(rule.parameters.get("tool")))
        return first is not None and all(each.name in _alike(rule) for each in first.required)

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        for rule in self._policy.rules:
            if rule.parameters.get("tool") == tool and not await self.forgets(rule):
                self._put_off.append((tool, dict(arguments)))
                return Answer({"result": "ok"})
        return await super().call(tool, arguments)

    async def answered(self, capability: Capability, given: dict[str, JSON], answer: Answer) -> Answer:
        rules = self._policy.of_kind("requires", capability.name, capability.tool.effect)
        was_put_off, self._put_off = (self._put_off, []) if rules else ([], self._put_off)
        for rule in rules if answer.is_error else ():
            if await self.forgets(rule):
                first = {name: given[name] for name in _alike(rule) if name in given}
                was_put_off.append((str(rule.parameters.get("tool")), first))
        for name, arguments in was_put_off:
            await self.box.call(name, arguments)
        return await self.box.call(capability.name, given) if was_put_off and answer.is_error else answer


def _alike(rule: Rule) -> list[str]:
    alike = rule.parameters.get("same")
    return cast("list[str]", alike) if isinstance(alike, list) else []


class PutsOffLookUps:
    """Acts first, and looks or checks only when it has been told to."""

    def __init__(self, policy: Policy | None) -> None:
        self._policy = policy or Policy()
        self._lens = PuttingOff(self._policy.rules)
        self._inner: Sound | None = None

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._lens.box = tools
        if self._inner is None:
            rules = self._policy.rules
            kept = [each for each in rules if each.kind != "requires" or not await self._lens.forgets(each)]
            self._inner = Sound(structs.replace(self._policy, rules=tuple(kept)))
        return await self._inner.respond(message, self._lens)
