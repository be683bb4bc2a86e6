"""Forty synthesized scenarios as a page, unselected: `uv run python benchmarks/samples.py > docs/samples.md`."""

import asyncio

from misstep.core.scenario import Scenario
from misstep.synthesis.making import Synthesis
from misstep.synthesis.synthesizing import synthesize
from misstep.worlds import world_named

COUNT, SEED = 40, 7

HEAD = f"""# Forty synthesized scenarios

The first {COUNT} that `misstep synthesize --tools world:shop --count {COUNT} --seed {SEED}` gives, none left out, as
`uv run python benchmarks/samples.py` prints them: what the person says first, what they keep for later, and the right
plan. How they are made is told [elsewhere](synthesize.md).
"""


def main() -> None:
    made = asyncio.run(synthesize(world_named("shop").make, count=COUNT, seed=SEED))
    print(HEAD)
    for scenario in made.scenarios:
        print(_told(scenario, made))


def _told(scenario: Scenario, made: Synthesis) -> str:
    user, plan = scenario.user, made.plans[scenario.name]
    lines = [f"## {scenario.name}", "", scenario.summary, "", *(f"> {line}" for line in user.opening.splitlines()), ""]
    later = [goal.ask for goal in user.goals if goal.after]
    if later:
        lines += [f"Later: {' / '.join(later)}", ""]
    kept = [f"{fact.name} {fact.value}" for fact in user.facts if fact.reveal == "asked"]
    if kept:
        lines += [f"On request: {'; '.join(kept)}", ""]
    calls = " → ".join(f"`{step.tool}`" for step in plan.steps) or "no call"
    told = "; ".join(fact.name for fact in scenario.objective.facts) if scenario.objective else ""
    lines += [f"Right: {calls}{f', and telling the {told}' if told else ''}.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
