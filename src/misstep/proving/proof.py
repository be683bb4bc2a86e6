"""Scenarios with their plans → why each is not proven by play: its planned agent fails, or an idle one passes."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random
from typing import cast

from msgspec import Struct

from misstep.agents.calling import MakeAgent
from misstep.core.errors import UnknownToolError
from misstep.core.policy import Policy
from misstep.core.progress import Stage, Tell, nobody
from misstep.core.roles import Agent, Governed, Stateful, Toolbox
from misstep.core.scenario import Scenario
from misstep.core.tape import Recorder
from misstep.core.tool import JSON, Answer, Tool
from misstep.proving.agent_voice import Voice, voice_named, voice_names
from misstep.proving.planned import Planned
from misstep.simulation.judging import Held, verdict_on
from misstep.simulation.trial import MakeToolbox, hold_trial
from misstep.simulation.watch import Watch
from misstep.synthesis.merging import Plan
from misstep.synthesis.tasks.executing import Call, answer

VOICES = 3
"""So many are drawn for each scenario."""
IDLE = {
    "does nothing": "I see.",
    "only claims success": "Done! Everything you asked for has been taken care of.",
}
_GLANCE_S = 0.02

Made = tuple[Scenario, Plan]


class Proof(Struct, frozen=True, kw_only=True):
    """Plays scenarios with these tools, in so many processes where the system can fork."""

    make_toolbox: MakeToolbox
    seed: int = 0
    workers: int = 1
    tell: Tell = nobody

    async def __call__(self, made: Sequence[Made]) -> tuple[str, ...]:
        """Why each cannot be kept; nothing where it is proven."""
        whys = [""] * len(made)
        done = 0
        async for at, why in self._played(made):
            whys[at] = why
            done += 1
            self.tell(Stage("scenarios played", done, len(made)))
        return tuple(whys)

    async def _played(self, made: Sequence[Made]) -> AsyncIterator[tuple[int, str]]:
        workers = min(self.workers, len(made))
        if workers < 2 or "fork" not in multiprocessing.get_all_start_methods():
            for at, each in enumerate(made):
                yield at, await self.why_not(*each)
            return
        left = set(range(len(made)))
        with _Forked(self, made, workers) as forked:
            async for at, why in forked.results():
                left.discard(at)
                yield at, why
        for at in sorted(left):  # of a process that has died
            yield at, await self.why_not(*made[at])

    async def why_not(self, scenario: Scenario, plan: Plan) -> str:
        for name, reply in IDLE.items():
            if _passed(await self._held(scenario, _idle(reply))):
                return f"one that {name} would have passed"
        for voice in drawn(scenario.name, self.seed):
            held = await self._held(scenario, planned(scenario, plan, voice))
            if held.trace.end == "agent-raised":
                return f"the agent that was to pass it broke: {held.trace.error}"
            if not _passed(held):
                return f"one that only has to talk did not pass, talking as in {voice.name!r}"
        return ""

    async def _held(self, scenario: Scenario, make_agent: MakeAgent) -> Held:
        make = self._untouched
        return await hold_trial(scenario, 1, seed=self.seed, make_agent=make_agent, make_toolbox=make, watch=Watch())

    def _untouched(self, seed: int) -> Toolbox:
        toolbox = self.make_toolbox(seed)
        return toolbox if isinstance(toolbox, Stateful) else _Untouched(toolbox)


def _passed(held: Held) -> bool:
    return verdict_on(held).outcome == "pass"


def drawn(name: str, seed: int) -> Iterator[Voice]:
    """The voices in which a scenario of that name is played."""
    names = voice_names()
    return map(voice_named, Random(f"voices/{seed}/{name}").sample(names, min(VOICES, len(names))))


def planned(scenario: Scenario, plan: Plan, voice: Voice) -> MakeAgent:
    def make(*, policy: Policy | None, tape: Recorder, seed: int) -> Agent:
        return Planned(scenario, plan, voice, seed=seed)

    return make


class _Untouched:
    """A toolbox without a state is not written to: what would write is taken to have worked, as in making the plan."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self.policy = toolbox.policy if isinstance(toolbox, Governed) else None

    async def tools(self) -> Sequence[Tool]:
        return await self._toolbox.tools()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        named = {each.name: each for each in await self._toolbox.tools()}
        if tool not in named:
            raise UnknownToolError(tool, named)
        return await answer(self._toolbox, named[tool], Call(tool, dict(arguments)))


class _Idle:
    """Says the same whatever is said to it."""

    def __init__(self, reply: str) -> None:
        self._reply = reply

    async def respond(self, message: str, tools: Toolbox) -> str:
        return self._reply


def _idle(reply: str) -> MakeAgent:
    def make(*, policy: Policy | None, tape: Recorder, seed: int) -> Agent:
        return _Idle(reply)

    return make


class _Forked:
    """Processes that have everything already, each with every n-th scenario; they end with the block."""

    def __init__(self, proof: Proof, made: Sequence[Made], workers: int) -> None:
        context = multiprocessing.get_context("fork")
        self._lines: list[Connection] = []
        self._processes: list[BaseProcess] = []
        for first in range(workers):
            ours, theirs = cast("tuple[Connection, Connection]", context.Pipe(duplex=False))
            process = context.Process(target=_work, args=(proof, made, range(first, len(made), workers), theirs))
            process.daemon = True
            process.start()
            theirs.close()
            self._lines.append(ours)
            self._processes.append(process)

    def __enter__(self) -> "_Forked":
        return self

    def __exit__(self, *exception: object) -> None:
        for process in self._processes:
            process.kill()
            process.join()

    async def results(self) -> AsyncIterator[tuple[int, str]]:
        """As they come, with a moment in between in which an interrupt is heard."""
        while self._lines:
            await asyncio.sleep(_GLANCE_S)
            for line in list(self._lines):
                try:
                    while line.poll():
                        yield line.recv()
                except EOFError:
                    self._lines.remove(line)


def _work(proof: Proof, made: Sequence[Made], places: Sequence[int], line: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and decides

    async def played() -> None:
        for at in places:
            line.send((at, await proof.why_not(*made[at])))

    try:
        with suppress(OSError):
            asyncio.run(played())
    finally:
        line.close()
        os._exit(0)  # tools may have left threads behind that would never let this process end
