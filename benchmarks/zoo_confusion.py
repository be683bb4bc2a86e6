"""Which failure modes are found in the runs of each planted variant, beside what was planted; and in sound runs.

A row is a variant. It counts the runs in which the planted failure did show, which is told without any detector by
holding a run against the sound agent's (or crew's) run of the same scenario and seed: `planted_failure_shown`,
which the tests share, says for each variant what must be called, said or changed otherwise. Of those runs, `found`
have the planted mode among their findings, and `alone` no other mode; the others are listed by their share of them.

Before the rows stands what is found in the runs of the sound agent and the sound crew, which should be nothing; after
them the same worlds with every tool, field, id and phrase renamed to nonsense words, which should change nothing.

    python benchmarks/zoo_confusion.py --worlds shop,desk --variants oscillates,bad-arguments
"""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path

from msgspec import Struct

from misstep.agents.zoo import PLANTED
from misstep.catalog import agent_named, toolbox_named
from misstep.core.event import ToolCall
from misstep.simulation.trial import run_trial
from misstep.store.trial import Trial
from misstep.worlds import world_named

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "sharing"))
from planted_failure_shown import showed

Told = tuple[object, ...]


class Row(Struct, frozen=True):
    """What became of one variant in some worlds."""

    variant: str
    shown: int
    found: int
    alone: int
    others: dict[str, int]
    missed: tuple[str, ...]
    renamed: tuple[str, ...]
    """The runs that come out otherwise once everything is renamed."""

    def told(self) -> str:
        share = f"{self.found / self.shown:.0%}" if self.shown else "–"
        others = ", ".join(f"{mode} {count / self.shown:.0%}" for mode, count in sorted(self.others.items()))
        cells = (self.variant, PLANTED[self.variant], f"{self.found}/{self.shown}", share, str(self.alone), others)
        return f"| {' | '.join((*cells, ', '.join(self.missed[:4])))} |"


@cache
def _runs(agent: str, world: str) -> tuple[Trial, ...]:
    """One trial of each scenario of a world."""
    made, tools = agent_named(f"zoo:{agent}"), toolbox_named(f"world:{world}")

    async def run_all() -> tuple[Trial, ...]:
        scenarios = world_named(world).scenarios()
        trials = [run_trial(each, 1, seed=0, make_agent=made.make, make_toolbox=tools.make) for each in scenarios]
        return tuple([await trial for trial in trials])

    return asyncio.run(run_all())


def _modes(trial: Trial) -> set[str]:
    return {finding.mode for finding in trial.findings}


def row_of(variant: str, worlds: Sequence[str]) -> Row:
    base, mode = "crew" if variant.startswith("crew") else "sound", PLANTED[variant]
    pairs = [pair for world in worlds for pair in zip(_runs(variant, world), _runs(base, world), strict=True)]
    shown = [trial for trial, sound in pairs if showed(variant, trial.trace, sound.trace)]
    others = Counter(each for trial in shown for each in _modes(trial) if each != mode)
    return Row(
        variant,
        len(shown),
        sum(mode in _modes(trial) for trial in shown),
        sum(_modes(trial) == {mode} for trial in shown),
        dict(others),
        tuple(trial.scenario.name for trial in shown if mode not in _modes(trial)),
        _differing(variant, worlds),
    )


def _differing(agent: str, worlds: Sequence[str]) -> tuple[str, ...]:
    pairs = [
        pair for world in worlds for pair in zip(_runs(agent, world), _runs(agent, f"{world}-renamed"), strict=True)
    ]
    return tuple(here.scenario.name for here, there in pairs if _told(here) != _told(there))


def _told(trial: Trial) -> Told:
    """Verdict and findings, places counted in calls: how many turns it takes to be understood is the user's English."""
    events = trial.trace.events
    calls = [sum(isinstance(each, ToolCall) for each in events[: at + 1]) for at in range(len(events))]
    found = sorted((each.mode, sorted(calls[at] for at in each.events)) for each in trial.findings)
    return trial.verdict.outcome, trial.trace.end, found


def sound_row(agent: str, worlds: Sequence[str]) -> str:
    trials = [trial for world in worlds for trial in _runs(agent, world)]
    passed = sum(each.verdict.outcome == "pass" for each in trials)
    found = dict(Counter(mode for trial in trials for mode in _modes(trial)))
    renamed = ", ".join(_differing(agent, worlds)) or "none"
    return f"{agent}: {len(trials)} runs, {passed} passed, found in all of them: {found}; other once renamed: {renamed}"


def main() -> None:
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--worlds", default="shop,desk")
    reading.add_argument("--variants", default=",".join(PLANTED))
    given = reading.parse_args()
    worlds, variants = given.worlds.split(","), given.variants.split(",")
    with ProcessPoolExecutor(2) as pool:
        print(*pool.map(sound_row, ("sound", "crew"), repeat(worlds)), sep="\n")
        print("\n| variant | planted | found | share | alone | others | missed |\n|---|---|---|---|---|---|---|")
        rows: list[Row] = []
        for row in pool.map(row_of, variants, repeat(worlds)):
            rows.append(row)
            print(row.told(), flush=True)
    found, shown, alone = (sum(getattr(row, name) for row in rows) for name in ("found", "shown", "alone"))
    print(f"\nDiagonal: {found}/{shown} = {found / max(1, shown):.1%}", end="; ")
    print(f"with nothing beside it {alone / max(1, shown):.1%}")
    low = [f"{row.variant} {row.found}/{row.shown}" for row in rows if row.found < 0.95 * row.shown]
    print(f"Rows below 95%: {', '.join(low) or 'none'}")
    other = [f"{row.variant} ({', '.join(row.renamed)})" for row in rows if row.renamed]
    print(f"Other once everything is renamed: {', '.join(other) or 'none'}")


if __name__ == "__main__":
    main()
