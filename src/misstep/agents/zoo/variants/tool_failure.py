"""Variants that take the failures of tools badly."""

from collections.abc import Mapping

from misstep.agents.zoo.calling import error_text, leaves_open, may_pass
from misstep.agents.zoo.variants.lens import Lens
from misstep.core.tool import JSON, Answer


class Unheeding(Lens):
    """Takes every error for a success."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        return Answer(content={"result": "ok"}) if answer.is_error else answer


class BuildingOnWreckage(Lens):
    """Takes an answer that is empty or cut off for a full one."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        capability = await self.read_capability(tool)
        promised = capability is not None and (capability.tool.output_schema or {}).get("type") == "object"
        wrecked = promised and (isinstance(answer.content, str) or answer.content in (None, {}))
        return Answer(content={**arguments}) if wrecked and not answer.is_error else answer


class RetryingBlindly(Lens):
    """Makes every call that was refused for good once more."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        capability = await self.read_capability(tool)
        if not answer.is_error or capability is None:
            return answer
        why = error_text(answer.content)
        passes = may_pass(capability, why) or leaves_open(why)
        return answer if passes else await self.box.call(tool, arguments)


class GivingUp(Lens):
    """Takes an error that would pass for the last word."""

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        capability = await self.read_capability(tool)
        if answer.is_error and capability is not None and may_pass(capability, error_text(answer.content)):
            return Answer("It is not possible.", is_error=True)
        return answer
