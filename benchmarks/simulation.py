"""How fast synthesized conversations run, and how their cost grows with turns, tools and records.

    uv run python benchmarks/simulation.py

Trials a second are of `zoo:sound`, the embedded agent, on scenarios synthesized for the shop: several turns, several
calls, a simulated user, judged and searched for failure modes. Growth is told as the time a unit, relative to the
smallest size: 1.0 all along the line is linear, and a number that doubles with the size is quadratic.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from misstep.core.event import Message
from misstep.core.objective import Limits, Objective
from misstep.core.roles import Toolbox
from misstep.core.scenario import Goal, Person, Scenario
from misstep.core.state import Record, State
from misstep.core.tool import JSON, Answer, Tool
from misstep.exploration.outcomes import outcomes_of
from misstep.simulation.running import Job, run
from misstep.simulation.trial import run_trial
from misstep.synthesis.synthesizing import synthesize
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.worlds import world_named

TURNS = (10, 40, 160)
TOOLS = (10, 40, 160)
RECORDS = (100, 1_000, 10_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="scenarios to synthesize")
    parser.add_argument("--trials", type=int, default=5, help="of each")
    options = parser.parse_args()
    _speed(options.count, options.trials)
    _tell("turn", TURNS, _conversation)
    _tell("tool", TOOLS, _offered)
    _tell("record, a trial", RECORDS, _trial_on)
    _tell("record, finding tasks", RECORDS, _tasks_on)


def _speed(count: int, trials: int) -> None:
    began_s = time.perf_counter()
    made = asyncio.run(synthesize(world_named("shop").make, count=count))
    print(f"synthesize: {len(made.scenarios)} scenarios in {time.perf_counter() - began_s:.1f} s")
    for workers in (1, 2):
        job = Job(agent="zoo:sound", tools="world:shop", scenarios=made.scenarios, trials=trials)
        with tempfile.TemporaryDirectory() as folder:
            began_s = time.perf_counter()
            outcomes = list(outcomes_of(run(job, Path(folder) / "run", workers=workers)))
            took_s = time.perf_counter() - began_s
        turns = sum(outcome.turns for outcome in outcomes) / len(outcomes)
        calls = sum(outcome.calls for outcome in outcomes) / len(outcomes)
        told = f"{turns:.1f} turns and {calls:.1f} calls each"
        print(
            f"run, {workers} worker{'s' if workers > 1 else ''}: {len(outcomes) / took_s:,.0f} trials a second ({told})"
        )


def _tell(unit: str, sizes: Sequence[int], measure: Callable[[int], float]) -> None:
    measure(sizes[0])  # once for what is made on the first use
    each = [min(measure(size) for _ in range(3)) / size for size in sizes]
    shown = "  ".join(f"{size:,}: {cost / each[0]:.2f}" for size, cost in zip(sizes, each, strict=True))
    print(f"time a {unit}, relative: {shown}")


class _Table:
    """Records that can be read, listed by a field and changed, under as many tools as one likes."""

    def __init__(self, records: int, tools: int = 3) -> None:
        self._records: dict[str, Record] = {
            f"R-{10_000 + at}": {
                "record_id": f"R-{10_000 + at}",
                "owner": f"owner{at // 5}@example.org",
                "colour": "red",
            }
            for at in range(records)
        }
        text = {"type": "string"}
        own = [
            _tool("show_record", {"record_id": text}, "reads"),
            _tool("list_records", {"owner": text}, "reads"),
            _tool("paint_record", {"record_id": text, "colour": {"type": "string", "enum": ["red", "blue"]}}, "writes"),
        ]
        others = [_tool(f"idle_{at}", {"thing": text}, "reads") for at in range(tools - len(own))]
        self._tools = (*own, *others)

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool == "list_records":
            owned = [record for record in self._records.values() if record["owner"] == arguments.get("owner")]
            return Answer({"records": owned}, served_by="simulated")
        key = str(arguments.get("record_id"))
        if key not in self._records:
            return Answer(f"There is no record {key}.", is_error=True, served_by="simulated")
        if tool == "paint_record":
            self._records = {**self._records, key: {**self._records[key], "colour": str(arguments.get("colour"))}}
        return Answer(dict(self._records[key]), served_by="simulated")

    def snapshot(self) -> State:
        return {"records": self._records}

    def restore(self, state: State) -> None:
        self._records = dict(state["records"])


def _tool(name: str, fields: dict[str, JSON], effect: str) -> Tool:
    schema: dict[str, JSON] = {"type": "object", "properties": fields, "required": list(fields)}
    return Tool(
        name, f"{name.replace('_', ' ').capitalize()}.", schema, effect="reads" if effect == "reads" else "writes"
    )


class _Listening:
    """Hears everything out, and never says the same again, which nobody would put up with for long."""

    def __init__(self) -> None:
        self._heard = 0

    async def respond(self, message: str, tools: Toolbox) -> str:
        self._heard += 1
        return f"It is done: your case is closed, as note {self._heard} says."


def _conversation(turns: int) -> float:
    asides = tuple(f"By the way, it rained on day {at}." for at in range(turns))
    person = Person(goals=(Goal(ask="close my case"),), asides=asides, patience=turns * 2)
    limits = Objective(limits=Limits(turns=turns * 2, calls=turns * 2))
    return _timed(Scenario(name="turns", user=person, objective=limits), lambda seed: _Table(3), _Listening)


def _offered(tools: int) -> float:
    person = Person(script=("Close my case.",))
    return _timed(Scenario(name="tools", user=person), lambda seed: _Table(3, tools), _Listening, times=20)


def _trial_on(records: int) -> float:
    person = Person(script=("Close my case.",))
    return _timed(Scenario(name="records", user=person), lambda seed: _Table(records), _Listening, times=5)


def _timed(
    scenario: Scenario, make: Callable[[int], _Table], agent: Callable[[], _Listening], *, times: int = 1
) -> float:
    async def go() -> float:
        began_s = time.perf_counter()
        for number in range(1, times + 1):
            trial = await run_trial(scenario, number, seed=0, make_agent=lambda **given: agent(), make_toolbox=make)
            said = [event for event in trial.trace.events if isinstance(event, Message)]
            assert trial.trace.end == "finished", (trial.trace.end, trial.trace.error, said[-2:])
        return time.perf_counter() - began_s

    return asyncio.run(go())


def _tasks_on(records: int) -> float:
    began_s = time.perf_counter()
    found = asyncio.run(tasks_of(lambda seed: _Table(records), count=20))
    assert found.tasks
    return time.perf_counter() - began_s


if __name__ == "__main__":
    main()
