"""Calls → what they answer and change, tried on a toolbox that is put back each time."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import cast

import msgspec
from msgspec import Struct, structs

from misstep.core.policy import Policy
from misstep.core.roles import Governed, Irrevocable, Stateful, Toolbox
from misstep.core.scenario import Given
from misstep.core.state import Change, State, difference
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.checked import problem

MakeToolbox = Callable[[int], Toolbox]
Renew = Callable[[], Awaitable[Toolbox]]

_BREATH = 32
"""So many calls between two chances to be interrupted."""
_encoder = msgspec.json.Encoder(order="deterministic")


class Call(Struct, frozen=True):
    """A tool and what it is called with."""

    tool: str
    arguments: dict[str, JSON]

    @property
    def text(self) -> bytes:
        return _encoder.encode((self.tool, self.arguments))


class Played(Struct, frozen=True):
    """What a row of calls answered, and what had changed after the last."""

    answers: tuple[Answer, ...]
    changes: tuple[Change, ...]

    @property
    def worked(self) -> bool:
        return not any(answer.is_error for answer in self.answers)

    @property
    def last(self) -> Answer:
        return self.answers[-1]


class Bench:
    """A toolbox to try calls on. What has been tried is remembered; each try starts from the same state.

    Without a state that can be put back, only tools that say that they read are called; others are taken to have done
    what they were asked to. With one, those that do more than that are not called, and are taken to refuse.
    """

    def __init__(
        self, toolbox: Toolbox, tools: Sequence[Tool], *, seed: int, given: Sequence[Given], renew: Renew | None
    ) -> None:
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}
        self.seed = seed
        self.given = tuple(given)
        self.stateful = isinstance(toolbox, Stateful)
        self.policy = toolbox.policy if isinstance(toolbox, Governed) else Policy()
        self.irrevocable = irrevocable_in(toolbox)
        self.start: State = toolbox.snapshot() if isinstance(toolbox, Stateful) else {}
        self.calls = 0
        self.changed_by: dict[str, set[str]] = {}
        """The tables that a tool was seen to change, called alone."""
        self._toolbox = toolbox
        self._renew = renew
        """Where putting the state back does not put everything back, a new toolbox for each try."""
        self._known: dict[tuple[bytes, ...], Played] = {}

    async def play(self, *calls: Call) -> Played:
        """From the first state; the toolbox is back in it afterwards."""
        key = tuple(call.text for call in calls)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = await self._played(calls)
        return known

    async def _played(self, calls: Sequence[Call]) -> Played:
        if self.calls % _BREATH == 0:
            await asyncio.sleep(0)  # in process nothing else ever waits, and an interrupt would not be heard
        toolbox = await self._renew() if self._renew is not None else self._toolbox
        answers = tuple([await self._answer(toolbox, call) for call in calls])
        if not isinstance(toolbox, Stateful):
            return Played(answers, ())
        try:
            changes = difference(self.start, toolbox.snapshot())
        except Exception as error:  # noqa: BLE001 - the state of anybody's code
            toolbox.restore(self.start)
            unseen = Answer(f"What it did cannot be seen: {type(error).__name__}: {error}", is_error=True)
            return Played((*answers[:-1], unseen), ())
        if changes and self._renew is None:
            toolbox.restore(self.start)
        if changes and len(calls) == 1:
            self.changed_by.setdefault(calls[0].tool, set()).update(change.table for change in changes)
        return Played(answers, changes)

    async def _answer(self, toolbox: Toolbox, call: Call) -> Answer:
        tool = self.tools[call.tool]
        if self.stateful or tool.effect == "reads":
            self.calls += 1
        return await answer(toolbox, tool, call)


def irrevocable_in(toolbox: Toolbox) -> Mapping[str, str]:
    """The tools that are not to be tried out, and why."""
    return toolbox.irrevocable() if isinstance(toolbox, Irrevocable) else {}


async def answer(toolbox: Toolbox, tool: Tool | None, call: Call) -> Answer:
    """What foreign code raises is an error that the call answers with. What could not be taken back is not done."""
    if tool is not None and tool.effect != "reads":
        if not isinstance(toolbox, Stateful):
            wrong = problem(tool, call.arguments)
            return Answer(wrong, is_error=True) if wrong else Answer(None)
        if (why := irrevocable_in(toolbox).get(tool.name)) is not None:
            return Answer(why, is_error=True)
    try:
        given = await toolbox.call(call.tool, call.arguments)
    except Exception as error:  # noqa: BLE001 - a tool may be anybody's code
        return Answer(f"{type(error).__name__}: {error}", is_error=True)
    return structs.replace(given, is_error=True) if _says_no(given.content) else given


def _says_no(content: JSON) -> bool:
    """Many tools do not raise: they return `{"error": …}`, or that it was no success."""
    if not isinstance(content, Mapping):
        return False
    told = cast("Mapping[str, JSON]", content)
    return bool(told.get("error")) or any(told.get(name) is False for name in ("ok", "success"))


async def bench_for(
    make_toolbox: MakeToolbox, *, seed: int, given: Sequence[Given] = (), renewed: bool = False
) -> Bench:
    """A fresh toolbox with its scene set; `renewed`: another one for each try."""

    async def made() -> Toolbox:
        toolbox = make_toolbox(seed)
        named = {tool.name: tool for tool in await toolbox.tools()}
        for each in given:
            await answer(toolbox, named.get(each.tool), Call(each.tool, each.arguments))
        return toolbox

    toolbox = await made()
    return Bench(toolbox, await toolbox.tools(), seed=seed, given=given, renew=made if renewed else None)
