"""A run over processes: the same bytes whatever happens, and a verdict even on agents that take their process down."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from misstep.core.errors import UsageError
from misstep.core.event import Message
from misstep.core.objective import ExpectedCall, Objective
from misstep.core.scenario import Fault, Goal, Person, Scenario
from misstep.simulation.pool import Progress
from misstep.simulation.running import Job, run
from misstep.store.run_folder import open_run

CODE = '''
import asyncio, os, random, signal, sys, time, zlib
from pathlib import Path

def look(order: str) -> str:
    """Look at an order."""
    return f"{order} was sent"

tools = [look]

async def sound(message, tools):
    answer = await tools.call("look", {"order": "A1"})
    return f"{answer.content}, luckily {random.random()}"

async def waits(message, tools):
    await tools.call("look", {"order": "A1"})
    await asyncio.Event().wait()

async def spins(message, tools):
    await tools.call("look", {"order": "A1"})
    while True:
        pass

async def shrugs(message, tools):
    while True:
        try:
            await asyncio.Event().wait()
        except BaseException:
            pass

async def ends(message, tools):
    os._exit(3)

async def leaves(message, tools):
    asyncio.get_running_loop().create_task(asyncio.Event().wait())
    print("to nobody")
    return str(sys.stdin.read() == "")

async def dies_once(message, tools):
    mark = Path("died")
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return await sound(message, tools)

async def kills_the_run(message, tools):
    with Path("calls").open("a") as mark:  # appended to: two workers must not count down to five again
        mark.write(".")
    if Path("calls").stat().st_size == 5 and not Path("killed").exists():
        Path("killed").touch()
        os.kill(os.getppid(), signal.SIGKILL)
    return "done"

async def looks(message, tools):
    offered = await tools.tools()
    await tools.call(offered[0].name, {})
    return "done"

def look_out():
    """Look."""
    os._exit(2)

def look_long():
    """Look."""
    while True:
        try:
            time.sleep(60)
        except BaseException:
            pass

exiting, hanging = [look_out], [look_long]

class Slow:
    def __init__(self):
        while Path("made").exists():
            pass
        Path("made").touch()
    async def respond(self, message, tools):
        return "done"

async def forks(message, tools):
    await tools.call("look", {"order": "A1"})
    os.fork()
    return "done"

async def stops_the_loop(message, tools):
    async def raises():
        raise KeyboardInterrupt
    asyncio.get_running_loop().stop()
    await asyncio.sleep(0)
    await asyncio.get_running_loop().create_task(raises())

async def leaves_stubborn(message, tools):
    async def stubborn():
        while True:
            try:
                await asyncio.Event().wait()
            except BaseException:
                pass
    asyncio.get_running_loop().create_task(stubborn())
    await asyncio.sleep(0)
    return str(len(asyncio.all_tasks()))

async def leaves_busy(message, tools):
    async def busy():
        try:
            await asyncio.Event().wait()
        except BaseException:
            while True:
                pass
    asyncio.get_running_loop().create_task(busy())
    await asyncio.sleep(0)
    return str(len(asyncio.all_tasks()))

def interrupting():
    raise KeyboardInterrupt

def exiting_early():
    os._exit(4)

def endless():
    while True:
        pass

class Unlisted:
    async def tools(self):
        1 / 0
    async def call(self, tool, arguments):
        1 / 0

class NeverListed(Unlisted):
    async def tools(self):
        await asyncio.Event().wait()

unlisted, never_listed = Unlisted(), NeverListed()

def broken():
    raise RuntimeError("no key")
'''

SCENARIOS = tuple(
    Scenario(
        name=name,
        user=Person(script=("How far is A1?",)),
        objective=Objective(calls=(ExpectedCall(tool="look", arguments={"order": "A1"}),)),
    )
    for name in ("one", "two")
)


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The code above as a module of a user's own, in the working folder."""
    name = f"own_{tmp_path.name}".replace("-", "_").replace(".", "_")
    (tmp_path / f"{name}.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


def job(module: str, agent: str = "sound", tools: str = "tools", **changes: object) -> Job:
    fields: dict[str, object] = {"trials": 3, "timeout_s": 0.3, "scenarios": SCENARIOS, **changes}
    return Job(agent=f"{module}:{agent}", tools=f"{module}:{tools}", **fields)  # pyright: ignore[reportArgumentType]


def test_any_number_of_workers_gives_the_same_bytes(module: str) -> None:
    first = run(job(module, trials=20), Path("a"), workers=1).traces.read_bytes()
    second = run(job(module, trials=20), Path("b"), workers=3).traces.read_bytes()
    assert first == second
    assert first.count(b"\n") == 40
    assert run(job(module, trials=20, seed=1), Path("c"), workers=1).traces.read_bytes() != first


def test_one_trial_alone_gives_the_bytes_that_it_has_among_others(module: str) -> None:
    together = run(job(module), Path("a"), workers=2).traces.read_bytes().splitlines()
    alone = run(job(module, trial=2, scenarios=SCENARIOS[1:]), Path("b"), workers=2).traces.read_bytes().splitlines()
    assert alone == [together[4]]


def test_a_finished_run_is_not_run_again_and_a_raised_one_goes_on(module: str) -> None:
    told: list[Progress] = []
    run(job(module, trials=2), Path("a"), workers=1)
    run(job(module, trials=2), Path("a"), workers=1, tell=told.append)
    assert told == []
    raised = run(job(module, trials=4), Path("a"), workers=1, tell=told.append)
    assert told[-1] == Progress(total=8, done=8)
    assert raised.traces.read_bytes() == run(job(module, trials=4), Path("b"), workers=2).traces.read_bytes()


@pytest.mark.parametrize(
    ("agent", "end", "events"),
    [
        ("waits", "agent-hung", 3),
        ("spins", "agent-hung", 3),
        ("shrugs", "agent-hung", 0),
        ("ends", "agent-raised", 0),
        ("Slow", "agent-hung", 0),
        ("stops_the_loop", "agent-raised", 1),
    ],
)
def test_an_agent_that_does_not_come_back_is_a_recorded_failure(module: str, agent: str, end: str, events: int) -> None:
    folder = run(job(module, agent, trials=1, scenarios=SCENARIOS[:1]), Path("a"), workers=1)
    (trial,) = folder.trials()
    assert (trial.trace.end, len(trial.trace.events)) == (end, events)
    assert (trial.verdict.outcome, trial.verdict.blame) == ("fail", "agent")


@pytest.mark.parametrize("tools", ["exiting", "hanging"])
def test_a_tool_that_takes_the_process_down_is_not_the_agents_failure(module: str, tools: str) -> None:
    scenarios = (Scenario(name="look", user=Person(script=("Look.",))),)
    (trial,) = run(job(module, "looks", tools, trials=1, scenarios=scenarios), Path("a"), workers=1).trials()
    assert (trial.verdict.outcome, trial.verdict.blame) == ("invalid", "tool")


def test_a_child_that_an_agent_forks_adds_nothing(module: str) -> None:
    told: list[Progress] = []
    folder = run(job(module, "forks"), Path("a"), workers=1, tell=told.append)
    assert [trial.verdict.outcome for trial in folder.trials()] == ["pass"] * 6
    assert told[-1] == Progress(total=6, done=6)


@pytest.mark.parametrize("agent", ["leaves_stubborn", "leaves_busy"])
def test_what_does_not_want_to_end_does_not_reach_the_next_trial(module: str, agent: str) -> None:
    trials = list(run(job(module, agent, trials=1), Path("a"), workers=1).trials())
    assert [trial.trace.events[-1].text for trial in trials if isinstance(trial.trace.events[-1], Message)] == ["2"] * 2


def test_a_worker_that_was_killed_once_is_replaced_and_nothing_is_lost(module: str) -> None:
    folder = run(job(module, "dies_once"), Path("a"), workers=2)
    assert [trial.verdict.outcome for trial in folder.trials()] == ["pass"] * 6


def test_what_an_agent_leaves_running_does_not_reach_the_next_trial(module: str) -> None:
    trials = list(run(job(module, "leaves"), Path("a"), workers=1).trials())
    assert {trial.trace.end for trial in trials} == {"finished"}
    assert len({trial.trace.events[-1] for trial in trials}) == 1


def test_a_run_that_was_killed_goes_on_and_has_every_trial_once(module: str) -> None:
    child = os.fork()
    if child == 0:
        run(job(module, "kills_the_run", trials=8), Path("a"), workers=1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL
    kept = len(list(open_run(Path("a")).trials()))
    assert 3 <= kept < 16
    folder = run(job(module, "kills_the_run", trials=8), Path("a"), workers=2)
    names = [trial.trace.id for trial in folder.trials()]
    assert names == [f"{name}#{number}" for name in ("one", "two") for number in range(1, 9)]
    # Those that were finished were not run again; the one in hand may have been.
    assert len(Path("calls").read_text()) <= 17


def test_an_agent_whose_code_has_changed_is_another_run(module: str) -> None:
    run(job(module), Path("a"), workers=1)
    with Path(f"{module}.py").open("a") as file:
        file.write("\n# better now\n")
    with pytest.raises(UsageError, match="the code of the agent or the tools"):
        run(job(module), Path("a"), workers=1)


def test_without_a_place_every_run_has_its_own(module: str) -> None:
    first = run(job(module), workers=1).path
    assert run(job(module, trials=4), workers=1).path == first
    assert run(job(module, seed=1), workers=1).path != first
    assert first.parent == Path("runs")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"agent": "broken"}, "RuntimeError: no key"),
        ({"agent": "interrupting"}, "KeyboardInterrupt"),
        ({"agent": "exiting_early"}, "ended its process (exit code 4)"),
        ({"agent": "endless"}, "took more than 2.3 seconds"),
        ({"tools": "unlisted"}, "raised when it was called for its tools: ZeroDivisionError"),
        ({"tools": "never_listed"}, "took more than 2.3 seconds"),
        ({"timeout_s": float("inf")}, "--timeout"),
        ({"scenarios": ()}, "no scenario"),
        ({"trials": 0}, "from 1"),
        ({"timeout_s": 0.0}, "--timeout"),
        ({"scenarios": (Scenario(name="x", tools=("loook",)),)}, "Did you mean 'look'?"),
        ({"scenarios": (Scenario(name="x", faults=(Fault(kind="error", tool="loook"),)),)}, "Did you mean 'look'?"),
        ({"scenarios": (Scenario(name="x", faults=(Fault(kind="eror"),)),)}, "Scenario 'x'"),
        ({"scenarios": (Scenario(name="x", objective=Objective(state=())),)}, "state"),
        (
            {"scenarios": (Scenario(name="x", objective=Objective(calls=(ExpectedCall(tool="lok"),))),)},
            "Did you mean 'look'?",
        ),
        ({"scenarios": (Scenario(name="x", aims=("false-sucess",)),)}, "Did you mean 'false-success'?"),
    ],
)
def test_what_cannot_work_is_said_before_the_first_trial(module: str, changes: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError) as raised:
        run(job(module, **changes), Path("a"))  # pyright: ignore[reportArgumentType]
    assert told in str(raised.value)
    assert not Path("a").exists()


def test_a_model_that_takes_its_time_to_speak_for_a_user_is_not_killed_as_stuck(module: str, endpoint: Any) -> None:
    endpoint.stalls()
    Path("misstep.toml").write_text(f'[users]\nname = "{endpoint.address}#m"\ntimeout = 3.0\nretries = 0\n')
    asking = Scenario(name="asks", user=Person(goals=(Goal(ask="Where is my order?"),)))
    wanted = job(module, scenarios=(asking, *SCENARIOS), timeout_s=0.2, user_model="slow")
    trial = next(iter(run(wanted, Path("a"), workers=1).trials()))
    assert trial.verdict.outcome != "invalid"
    assert "did not answer within 3 seconds" in trial.stood_in[0]
