"""Which failure modes are found in the runs of each planted variant, beside what was planted; and in sound runs.

A row is a variant, a column a mode; a cell is the share of the variant's runs in which the mode is found. Only runs
that come out otherwise than those of the sound agent (or crew) on the same scenario count: in the others the variant
had no occasion. What is found in runs of the sound agents themselves is listed first, and should be nothing.

    python benchmarks/zoo_confusion.py --worlds shop,desk --variants oscillates,bad-arguments
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from functools import cache

from misstep.agents.zoo import PLANTED, SHOWN_AT
from misstep.catalog import agent_named, toolbox_named
from misstep.simulation.trial import run_trial
from misstep.store.trial import Trial
from misstep.worlds import world_named


@cache
def _runs(agent: str, world: str, most: int) -> tuple[Trial, ...]:
    """One trial of each scenario of a world, up to so many."""
    made, tools = agent_named(f"zoo:{agent}"), toolbox_named(f"world:{world}")

    async def run_all() -> tuple[Trial, ...]:
        scenarios = world_named(world).scenarios()[:most]
        trials = [run_trial(each, 1, seed=0, make_agent=made.make, make_toolbox=tools.make) for each in scenarios]
        return tuple([await trial for trial in trials])

    return asyncio.run(run_all())


def _modes(trial: Trial) -> set[str]:
    return {finding.mode for finding in trial.findings}


def _is_otherwise(trial: Trial, sound: Trial) -> bool:
    return trial.trace.events != sound.trace.events


def _base(variant: str) -> str:
    return "crew" if variant.startswith("crew") else "sound"


def _planted_runs(variant: str, worlds: Sequence[str], most: int) -> list[Trial]:
    shown = [SHOWN_AT[variant]] if variant in SHOWN_AT else worlds
    return [
        trial
        for world in shown
        for trial, sound in zip(_runs(variant, world, most), _runs(_base(variant), world, most), strict=True)
        if _is_otherwise(trial, sound)
    ]


def _sound_rows(worlds: Sequence[str], most: int) -> list[str]:
    lines: list[str] = []
    for agent in ("sound", "crew"):
        for world in worlds:
            trials = _runs(agent, world, most)
            passed = [each for each in trials if each.verdict.outcome == "pass"]
            found = Counter(mode for trial in passed for mode in _modes(trial))
            lines.append(f"{agent} at {world}: {len(trials)} runs, {len(passed)} passed, found in those: {dict(found)}")
    return lines


def _row(variant: str, worlds: Sequence[str], most: int) -> tuple[int, int, str]:
    mode, trials = PLANTED[variant], _planted_runs(variant, worlds, most)
    found = Counter(mode for trial in trials for mode in _modes(trial))
    hit = found.pop(mode, 0)
    others = ", ".join(f"{name} {count / len(trials):.0%}" for name, count in found.most_common())
    share = f"{hit / len(trials):.0%}" if trials else "–"
    return hit, len(trials), f"| {variant} | {mode} | {hit}/{len(trials)} | {share} | {others} |"


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--worlds", default="shop,desk")
    reading.add_argument("--variants", default=",".join(PLANTED))
    reading.add_argument("--scenarios", type=int, default=10_000, help="at most so many of each world")
    given = reading.parse_args()
    worlds, variants = given.worlds.split(","), given.variants.split(",")
    print("\n".join(_sound_rows(worlds, given.scenarios)))
    print("\n| variant | planted | found | share | others, by share of the same runs |\n|---|---|---|---|---|")
    hits = runs = 0
    for variant in variants:
        hit, count, line = _row(variant, worlds, given.scenarios)
        hits, runs = hits + hit, runs + count
        print(line, flush=True)
    print(f"\nDiagonal: {hits}/{runs} = {hits / max(1, runs):.1%}")


if __name__ == "__main__":
    main()
