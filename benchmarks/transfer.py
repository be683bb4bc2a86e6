"""The embedded agent and the yardsticks on synthesized scenarios: Misstep's own worlds, and tools written by others.

    uv run --with agentdojo python benchmarks/transfer.py [--count 60] [--servers FOLDER] [--only banking]

AgentDojo's suites need its package; the filesystem, memory and git servers need FOLDER, which
tests/flow/install_mcp_servers.sh makes. What is not there is left out, and said so.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path

from misstep.catalog import toolbox_named
from misstep.core.statistics import wilson
from misstep.exploration.outcome import Outcome
from misstep.exploration.outcomes import outcomes_of
from misstep.simulation.running import Job, run
from misstep.synthesis.making import Synthesis
from misstep.synthesis.synthesizing import synthesize

AGENTS = ("zoo:sound", "zoo:guesses", "zoo:claims-success", "zoo:does-nothing")
FACTORS = {"wording": ("close", "synonym", "foreign"), "register": ("plain", "formal", "terse", "chatty")}
"""The others stay as they usually are: this asks whether tools are found and used, not how trouble is met."""
WORLDS = {"shop": "world:shop", "desk": "world:desk"}
SUITES = ("banking", "slack", "travel", "workspace")
SERVERS = ("filesystem", "memory", "git")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--servers", type=Path, default=os.environ.get("MISSTEP_MCP_SERVERS"))
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    servers = Path(options.servers).resolve() if options.servers else None
    with tempfile.TemporaryDirectory() as scratch, chdir(scratch):
        for name, spec in _sets(servers, Path(scratch)):
            if options.only and name not in options.only:
                continue
            began_s = time.monotonic()
            make = toolbox_named(spec).make
            made = asyncio.run(synthesize(make, count=options.count, seed=options.seed, factors=FACTORS))
            _tell_set(name, made, time.monotonic() - began_s)
            if made.scenarios:
                outcomes = {
                    agent: _outcomes(agent, spec, made, Path(scratch) / f"{name}-{agent[4:]}") for agent in AGENTS
                }
                _tell_agents(outcomes)
                _tell_wording(outcomes["zoo:sound"])


def _sets(servers: Path | None, scratch: Path) -> Iterator[tuple[str, str]]:
    yield from WORLDS.items()
    for name in SERVERS:
        if servers is None:
            print(f"\n{name}: left out, for --servers names no folder")
        else:
            yield name, _server_file(name, servers, scratch)
    for name in SUITES:
        if find_spec("agentdojo") is None:
            print(f"\n{name}: left out, for the package agentdojo is not there")
        else:
            yield name, f"agentdojo_tools:{name}"


def _server_file(name: str, servers: Path, scratch: Path) -> str:
    """An mcpServers file; the routing is the one that nobody has accepted yet, so that all of it is simulated."""
    folder = scratch / "work"
    folder.mkdir(exist_ok=True)
    if name == "git":
        entry: Mapping[str, object] = {"command": f"{servers}/venv/bin/mcp-server-git"}
    else:
        script = f"{servers}/node_modules/@modelcontextprotocol/server-{name}/dist/index.js"
        entry = {"command": f"{servers}/node/node", "args": [script, *([str(folder)] if name == "filesystem" else [])]}
    file = scratch / f"{name}.json"
    file.write_text(json.dumps({"mcpServers": {name: entry}}), "utf-8")
    return str(file)


def _outcomes(agent: str, spec: str, made: Synthesis, out: Path) -> list[Outcome]:
    return list(outcomes_of(run(Job(agent=agent, tools=spec, scenarios=made.scenarios), out)))


def _tell_set(name: str, made: Synthesis, took_s: float) -> None:
    figures = made.figures
    steps = [step for plan in made.plans.values() for step in plan.steps]
    looked = sum(step.role == "look-up" for step in steps)
    chained = sum(any(step.after for step in plan.steps) for plan in made.plans.values())
    known = len(figures.reached) + len(figures.unreached)
    print(f"\n{name}: {figures.scenarios} scenarios of {figures.tasks} tasks in {took_s:.1f} s")
    print(f"  tools reached {len(figures.reached)} of {known}; plan lengths {dict(figures.plan_lengths)}")
    if steps:
        share = chained / len(made.plans)
        print(f"  look-ups {looked / len(steps):.0%} of all steps; plans with dependent steps {share:.0%}")
    for tool, why in figures.unreached.items():
        print(f"  not reached: {tool}: {why}")


def _tell_agents(outcomes: Mapping[str, Sequence[Outcome]]) -> None:
    for agent, told in outcomes.items():
        print(f"  {agent:20} {_rate(told)}")


def _tell_wording(told: Sequence[Outcome]) -> None:
    by_wording: defaultdict[object, list[Outcome]] = defaultdict(list)
    for outcome in told:
        by_wording[outcome.factors.get("wording")].append(outcome)
    for wording, group in sorted(by_wording.items(), key=lambda item: str(item[0])):
        print(f"    wording {wording!s:10} {_rate(group)}")


def _rate(told: Sequence[Outcome]) -> str:
    counts = Counter(outcome.passed for outcome in told)
    n = counts[True] + counts[False]
    interval = wilson(counts[True], n)
    invalid = f", {counts[None]} invalid" if counts[None] else ""
    return f"{counts[True]:3} of {n:3}  {interval.low:4.0%} to {interval.high:4.0%}{invalid}"


if __name__ == "__main__":
    main()
