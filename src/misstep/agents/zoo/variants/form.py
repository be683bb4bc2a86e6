"""Variants that get the form wrong: of what they write, or of how they were told to go about it."""

import json

from msgspec import structs

from misstep.agents.zoo.variants.drift import WithheldError, Withholding
from misstep.core.policy import Policy
from misstep.core.roles import Agent, Toolbox


class WritesCallsDown:
    """Spells out in a message what it should have called, and takes it for called."""

    def __init__(self, inner: Agent) -> None:
        self._inner = inner
        self._lens = Withholding()
        self._written = False

    async def respond(self, message: str, tools: Toolbox) -> str:
        if self._written:
            return "Is there anything else that I can do for you?"
        self._lens.box = tools
        try:
            return await self._inner.respond(message, self._lens)
        except WithheldError as withheld:
            self._written = True
            call = {"name": withheld.capability.name, "arguments": dict(withheld.arguments)}
            return json.dumps(call, ensure_ascii=False)


def without_follow_ups(policy: Policy | None) -> Policy | None:
    """The rules, less those that want something done after something else."""
    if policy is None:
        return None
    return structs.replace(policy, rules=tuple(rule for rule in policy.rules if rule.kind != "afterwards"))
