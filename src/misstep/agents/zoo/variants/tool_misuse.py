"""Variants that use the right tools wrongly."""

from collections.abc import Mapping, Sequence
from typing import cast

from msgspec import structs

from misstep.agents.zoo.calling import error_text, leaves_open
from misstep.agents.zoo.sound import Sound
from misstep.agents.zoo.variants.lens import Lens
from misstep.core.policy import Policy, Rule
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer

Call = tuple[str, dict[str, JSON]]


class RetryingWrites(Lens):
    """Repeats a write that brought no answer, without a look at what it did."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        capability = await self.read_capability(tool)
        open_still = answer.is_error and leaves_open(error_text(answer.content))
        if open_still and capability is not None and not capability.reads:
            answer = await self.box.call(tool, arguments)
        return answer


class Misshaping(Lens):
    """Gives each tool its first arguments in the wrong form, and in the right one once it has been told."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in self._known and arguments:
            self._known.add(tool)
            await self.box.call(tool, {name: [value] for name, value in arguments.items()})
        return await self.box.call(tool, arguments)


class PuttingOff(Lens):
    """Puts off what the rules want first until the call that needs it was refused."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._policy = Policy(rules=tuple(rule for rule in rules if rule.kind == "requires"))
        self._put_off: list[Call] = []

    async def forgets(self, rule: Rule) -> bool:
        """Whether what a rule wants first can be made good from the call that needs it: it takes nothing else."""
        first = await self.read_capability(str(rule.parameters.get("tool")))
        alike = rule.parameters.get("same")
        return first is not None and isinstance(alike, list) and all(each.name in alike for each in first.required)

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        for rule in self._policy.rules:
            if rule.parameters.get("tool") == tool and not await self.forgets(rule):
                self._put_off.append((tool, dict(arguments)))
                return Answer({"result": "ok"})
        answer = await self.box.call(tool, arguments)
        capability = await self.read_capability(tool)
        rules = self._policy.of_kind("requires", tool, capability.tool.effect) if capability else ()
        was_put_off, self._put_off = (self._put_off, []) if rules else ([], self._put_off)
        if answer.is_error:
            was_put_off += [_first_of(rule, arguments) for rule in rules if await self.forgets(rule)]
        for name, given in was_put_off:
            await self.box.call(name, given)
        return await self.box.call(tool, arguments) if was_put_off and answer.is_error else answer


def _first_of(rule: Rule, arguments: Mapping[str, JSON]) -> Call:
    alike = rule.parameters.get("same")
    names = cast("list[str]", alike) if isinstance(alike, list) else []
    return str(rule.parameters.get("tool")), {name: arguments[name] for name in names if name in arguments}


class PutsOffLookUps:
    """Acts first, and looks or checks only when it has been told to."""

    def __init__(self, policy: Policy | None) -> None:
        self._policy = policy or Policy()
        self._lens = PuttingOff(self._policy.rules)
        self._inner: Sound | None = None

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._lens.box = tools
        if self._inner is None:
            kept = [
                each for each in self._policy.rules if each.kind != "requires" or not await self._lens.forgets(each)
            ]
            self._inner = Sound(structs.replace(self._policy, rules=tuple(kept)))
        return await self._inner.respond(message, self._lens)
