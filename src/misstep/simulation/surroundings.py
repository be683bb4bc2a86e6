"""The toolboxes that a trial puts around the one under test: what is on offer, and when it is enough."""

from collections.abc import Mapping, Sequence
from typing import cast

from misstep.core.errors import BudgetSpentError, InvalidTrialError, UnknownToolError, suggestion
from misstep.core.roles import Stateful, Toolbox
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool

_PATIENCE = 100


class TrialOver(BaseException):
    """The agent goes on calling though the trial is long over."""


def restricted(toolbox: Toolbox, names: Sequence[str]) -> "Restricted":
    """Only the tools that a scenario names; with a state where the toolbox has one."""
    return _RestrictedStateful(toolbox, names) if isinstance(toolbox, Stateful) else Restricted(toolbox, names)


class Restricted:
    """Only some of a toolbox's tools."""

    def __init__(self, toolbox: Toolbox, names: Sequence[str]) -> None:
        self._toolbox = toolbox
        self._names = frozenset(names)

    async def tools(self) -> Sequence[Tool]:
        offered = await self._toolbox.tools()
        known = {tool.name for tool in offered}
        for name in sorted(self._names - known):
            raise InvalidTrialError(
                "scenario", f"The scenario offers a tool {name!r}, which is not there.{suggestion(name, known)}"
            )
        return tuple(tool for tool in offered if tool.name in self._names)

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in self._names:
            raise UnknownToolError(tool, self._names)
        return await self._toolbox.call(tool, arguments)


class _RestrictedStateful(Restricted):
    def __init__(self, toolbox: Toolbox, names: Sequence[str]) -> None:
        super().__init__(toolbox, names)
        self._stateful = cast("Stateful", toolbox)

    def snapshot(self) -> State:
        return self._stateful.snapshot()

    def restore(self, state: State) -> None:
        self._stateful.restore(state)


class Attended:
    """Remembers what ended the calls, for an agent may swallow it, and ends one that does not want to hear it."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self._refused = 0
        self.stopped: BudgetSpentError | InvalidTrialError | None = None

    async def tools(self) -> Sequence[Tool]:
        return await self._toolbox.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if self._refused >= _PATIENCE:
            raise TrialOver
        try:
            return await self._toolbox.call(tool, arguments)
        except (BudgetSpentError, InvalidTrialError) as error:
            self.stopped = self.stopped or error
            self._refused += 1
            raise
