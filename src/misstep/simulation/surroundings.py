"""The toolboxes that a trial puts around the one under test: what is on offer, and when it is enough."""

import asyncio
import re
import traceback
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, cast

from misstep.core.errors import BudgetSpentError, InvalidTrialError, UnknownToolError, suggestion
from misstep.core.roles import Stateful, Toolbox
from misstep.core.scenario import Given
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.simulation.watch import AGENT, TOOL, Hung, Watch
from misstep.tools.plain import clean, described

_PATIENCE = 100
_LONGEST = 2000

T = TypeVar("T")


class TrialOver(BaseException):
    """The agent goes on calling though the trial is long over."""


async def set_scene(toolbox: Toolbox, given: Sequence[Given]) -> None:
    """Make the calls that a scenario wants made before anybody speaks."""
    for each in given:
        try:
            answer = await toolbox.call(each.tool, each.arguments)
        except UnknownToolError as error:
            raise InvalidTrialError("scenario", f"The scene cannot be set: {error}") from None
        if answer.is_error:
            raise InvalidTrialError(
                "scenario", f"The scene cannot be set: {each.tool} said {described(answer.content)[:200]!r}."
            )


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
    """Remembers what ended the calls, for an agent may swallow it, and ends one that does not want to hear it.

    Whatever comes out of the tools beside an answer is their fault, and the watch is told when they are at work.
    """

    def __init__(self, toolbox: Toolbox, watch: Watch) -> None:
        self._toolbox = toolbox
        self._watch = watch
        self._open = 0
        self._refused = 0
        self.stopped: BudgetSpentError | InvalidTrialError | None = None
        self.hung: str | None = None
        """What the watch ended, where it was a tool."""

    async def tools(self) -> Sequence[Tool]:
        return await self._served(self._toolbox.tools(), "Listing the tools")

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if self._refused >= _PATIENCE:
            raise TrialOver
        return await self._served(self._toolbox.call(tool, arguments), "Tool {!r}", tool)

    async def _served(self, work: Awaitable[T], what: str, tool: object = None) -> T:
        self._open += 1
        self._watch.tell(TOOL)
        try:
            return await work
        except (BudgetSpentError, InvalidTrialError) as error:
            self._refuse(error)
            raise
        except GeneratorExit:  # the agent lets go of the call
            raise
        except BaseException as error:
            if isinstance(error, Hung) or (self._watch.struck and isinstance(error, asyncio.CancelledError)):
                self.hung = self.hung or what.format(described(tool))
                raise
            if self._watch.spares(error) or _is_cancelled(error):
                raise
            broken = InvalidTrialError("tool", f"{what.format(described(tool))} raised {told(error)}.")
            self._refuse(broken)
            raise broken from None
        finally:
            self._open -= 1
            if not self._open:
                self._watch.tell(AGENT)

    def _refuse(self, error: BudgetSpentError | InvalidTrialError) -> None:
        self.stopped = self.stopped or error
        self._refused += 1


def _is_cancelled(error: BaseException) -> bool:
    """Does an agent cancel the call, and not the tool itself?"""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def told(error: BaseException) -> str:
    """What was raised and where, without what differs from run to run; of foreign code, so nothing in it is trusted."""
    try:
        text = clean(str(error)[:_LONGEST])
    except Hung:
        raise
    except BaseException:  # noqa: BLE001 - the text of an exception may raise anything
        text = ""
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return _ADDRESS.sub("", said[:_LONGEST]) + _where(error)


def _where(error: BaseException) -> str:
    try:
        frames = traceback.extract_tb(error.__traceback__)
    except Exception:  # noqa: BLE001 - an exception that hides where it comes from
        return ""
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
