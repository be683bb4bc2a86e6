"""How often an agent that has the plan and only has to talk passes, by voice, before the sieve and after it.

    uv run python benchmarks/voices.py [--tools world:shop] [--voice prose] [--count 100] [--seed 0] [--show 3]

`--show N` prints N conversations that failed in each voice, before the sieve.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from misstep.catalog import toolbox_named
from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.statistics import wilson
from misstep.proving.agent_voice import voice_named, voice_names
from misstep.proving.proof import Made, Proof, planned
from misstep.simulation.running import cores
from misstep.simulation.trial import run_trial
from misstep.store.trial import Trial
from misstep.synthesis.making import Synthesis, Wish
from misstep.synthesis.synthesizing import fulfilled

TOOLS = ("world:shop", "world:desk", "clinic_desk:tools")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", action="append")
    parser.add_argument("--voice", action="append")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--no-sieve", action="store_true", help="only what comes before it")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    for spec in options.tools or TOOLS:
        for sieve in (False,) if options.no_sieve else (False, True):
            began_s = time.monotonic()
            made = _made(spec, options.count, options.seed, sieve=sieve)
            took_s = time.monotonic() - began_s
            print(f"\n{spec}, {'after' if sieve else 'before'} the sieve: {len(made.scenarios)} made in {took_s:.1f} s")
            for why, count in made.figures.unproven.items():
                print(f"  dropped {count}: {why}")
            for voice in options.voice or voice_names():
                _tell(voice, _played(spec, made, voice, options.seed), 0 if sieve else options.show)


def _made(spec: str, count: int, seed: int, *, sieve: bool) -> Synthesis:
    make = toolbox_named(spec).make
    proof = Proof(make_toolbox=make, seed=seed, workers=cores()) if sieve else None
    return asyncio.run(fulfilled(Wish(prove=proof), make, count=count, seed=seed))


def _played(spec: str, made: Synthesis, voice: str, seed: int) -> list[Trial]:
    pairs = [(scenario, made.plans[scenario.name]) for scenario in made.scenarios]
    with ProcessPoolExecutor(cores(), mp_context=get_context("fork")) as pool:
        return list(pool.map(partial(_trial, spec, voice, seed), pairs, chunksize=8))


def _trial(spec: str, voice: str, seed: int, made: Made) -> Trial:
    agent = planned(*made, voice_named(voice))
    return asyncio.run(run_trial(made[0], 1, seed=seed, make_agent=agent, make_toolbox=toolbox_named(spec).make))


def _tell(voice: str, trials: Sequence[Trial], show: int) -> None:
    passed = sum(trial.verdict.outcome == "pass" for trial in trials)
    interval = wilson(passed, len(trials))
    strained = sum(trial.strained for trial in trials)
    share = f"{passed} of {len(trials)} ({interval.low:.0%} to {interval.high:.0%}), {strained} strained"
    failed = [trial for trial in trials if trial.verdict.outcome != "pass"]
    whys = Counter(_why(trial) for trial in failed)
    print(f"  {voice:12} {share}  {'; '.join(f'{count} {why}' for why, count in whys.most_common(4))}")
    for trial in failed[:show]:
        _show(trial)


def _why(trial: Trial) -> str:
    return f"{trial.verdict.outcome}, {trial.trace.end}: {' '.join(trial.verdict.reasons[:1])[:80]}"


def _show(trial: Trial) -> None:
    person = trial.scenario.user
    print(f"\n    ── {trial.scenario.name}, patience {person.patience}")
    for fact in person.facts:
        wrong = f", at first {fact.at_first!r}" if fact.at_first is not None else ""
        print(f"       {fact.name}: {fact.value!r} ({fact.reveal}{wrong})")
    for event in trial.trace.events:
        match event:
            case Message():
                print(f"    {event.role:>5}: {event.text}".replace("\n", "\n           "))
            case ToolCall():
                print(f"           → {event.tool} {event.arguments}")
            case ToolResult() if event.is_error:
                print(f"           ← error: {str(event.content)[:200]}")
            case _:
                pass
    for reason in trial.verdict.reasons:
        print(f"       unmet: {reason}")


if __name__ == "__main__":
    main()
