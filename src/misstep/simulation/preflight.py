"""Somebody else's factories, called once in a process of their own → what would end every trial, told before the first.

A factory that hangs, ends its process or raises what ends a program does so there, and comes back as a StartError.
"""

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Literal, cast

from msgspec import Struct

from misstep.catalog import NamedAgent, NamedTools
from misstep.core.errors import MisstepError, StartError, UsageError
from misstep.core.roles import Toolbox
from misstep.core.scenario import Scenario
from misstep.core.tape import Tape
from misstep.core.tool import Tool
from misstep.core.waiting import awaited
from misstep.simulation.checking import check_scenario
from misstep.simulation.pen import Pen
from misstep.simulation.surroundings import told
from misstep.simulation.trial import policy_of

_EMBEDDED = ("zoo:", "world:")
_OURS = (*_EMBEDDED, "cmd:", "cmd-text:", "http:", "https:")
"""Names that no module of somebody's own is imported for."""

Tell = Callable[[str | None], None]
"""Says what is at work, so that it can be named; None for what is ours, and may take its time."""


class _Message(Struct, frozen=True):
    kind: Literal["step", "usage", "start", "error"]
    text: str | None = None


def try_names(*names: tuple[str, Callable[[str], object]], timeout_s: float) -> None:
    """Find what is somebody's own module in a process apart first: importing it may hang, or end the process."""
    own = [(spec, find) for spec, find in names if not spec.startswith(_OURS) and not spec.endswith(".json")]

    def find_all(tell: Tell) -> None:
        for spec, find in own:
            tell(f"Importing {spec}")
            find(spec)

    if own:
        _apart(find_all, timeout_s)


def try_parts(agent: NamedAgent, tools: NamedTools, scenarios: Sequence[Scenario], *, timeout_s: float) -> None:
    """Make an agent and the tools once, and hold every scenario against them."""
    if agent.spec.startswith(_EMBEDDED) and tools.spec.startswith(_EMBEDDED):
        _try(agent, tools, scenarios, _nobody)
    else:
        _apart(lambda tell: _try(agent, tools, scenarios, tell), timeout_s)


def _apart(work: Callable[[Tell], None], timeout_s: float) -> None:
    """Do something in a process of its own, where there can be one."""
    if "fork" not in multiprocessing.get_all_start_methods():
        work(_nobody)
        return
    context = multiprocessing.get_context("fork")
    here, there = cast("tuple[Connection, Connection]", context.Pipe(duplex=False))
    process = context.Process(target=_at_work, args=(work, there), daemon=True)
    process.start()
    there.close()
    try:
        # More than a trial has: whatever is slow the first time is slow here.
        _listen(here, process, timeout_s + max(2.0, timeout_s))
    finally:
        process.kill()
        process.join()
        here.close()


def _nobody(step: str | None) -> None:
    """Nobody listens."""


def _listen(line: Connection, process: BaseProcess, timeout_s: float) -> None:
    step: str | None = None
    while True:
        if not line.poll(timeout_s if step else None):
            raise StartError(
                f"{step} took more than {timeout_s:g} seconds. Call it alone to see where it waits, or give it more "
                "time with --timeout."
            )
        try:
            message = cast("_Message", line.recv())
        except (EOFError, OSError):
            break
        if message.kind in ("usage", "start"):
            raise (StartError if message.kind == "start" else UsageError)(message.text)
        if message.kind == "error":
            raise MisstepError(f"The check before the first trial broke:\n{message.text}")
        if message.text == "":
            return
        step = message.text
    process.join()
    raise StartError(
        f"{step or 'The check before the first trial'} ended its process (exit code {process.exitcode}). "
        "Call it alone to see where."
    )


def _at_work(work: Callable[[Tell], None], line: Connection) -> None:
    """The main function of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it too, and decides
    os.dup2(2, 1)  # stdout is the parent's data
    try:
        work(lambda step: line.send(_Message("step", step)))
        line.send(_Message("step", ""))
    except UsageError as error:
        line.send(_Message("start" if isinstance(error, StartError) else "usage", str(error)))
    except BaseException:  # noqa: BLE001 - the edge of a process
        line.send(_Message("error", traceback.format_exc()))
    finally:
        os._exit(0)  # whatever a factory has started does not hold it


def _try(agent: NamedAgent, tools: NamedTools, scenarios: Sequence[Scenario], tell: Tell) -> None:
    tell(f"Making the tools of {tools.spec}")
    toolbox, listed = _tools_of(tools, scenarios[0].seed)
    tell(None)
    for scenario in scenarios:
        check_scenario(scenario, toolbox, listed, tools.spec)
    policy = scenarios[0].policy or policy_of(toolbox)
    tell(f"Making an agent with {agent.spec}")
    try:
        agent.make(policy=policy, tape=Pen(Tape()), seed=0)
    except UsageError as error:
        raise UsageError(f"{agent.spec} makes no agent: {error}.") from None
    except BaseException as error:
        raise StartError(
            f"{agent.spec} raised when it was called to make an agent: {told(error)}. "
            "Call it alone to see where, and run again."
        ) from error


def _tools_of(tools: NamedTools, seed: int) -> tuple[Toolbox, Sequence[Tool]]:
    try:
        toolbox = tools.make(seed)
        return toolbox, awaited(toolbox.tools())  # pyright: ignore[reportArgumentType]
    except MisstepError:
        raise
    except BaseException as error:
        raise StartError(
            f"{tools.spec} raised when it was called for its tools: {told(error)}. Call it alone to see where."
        ) from error
