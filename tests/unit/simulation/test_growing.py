"""Runs that grow as they go."""

from pathlib import Path

import pytest

from misstep.core.errors import UsageError
from misstep.core.scenario import Scenario
from misstep.simulation.running import Job, More, run_growing
from misstep.store.run_folder import RunFolder, open_run
from misstep.worlds import world_named

_SCENARIOS = world_named("shop").scenarios()[:6]
_JOB = Job(agent="zoo:does-nothing", tools="world:shop", scenarios=_SCENARIOS[:2])


class _Steps:
    """Asks for one step after another, and remembers what it was shown."""

    def __init__(self, *steps: More) -> None:
        self._steps = list(steps)
        self.seen: list[int] = []

    def __call__(self, folder: RunFolder) -> More | None:
        self.seen.append(sum(1 for _ in folder.trials()))
        return self._steps.pop(0) if self._steps else None


def _ids(folder: RunFolder) -> list[str]:
    return [trial.trace.id for trial in folder.trials()]


def _names(scenarios: tuple[Scenario, ...], trials: int) -> list[str]:
    return [f"{scenario.name}#{number}" for scenario in scenarios for number in range(1, trials + 1)]


def test_scenarios_are_added_until_no_more_are_wanted(tmp_path: Path) -> None:
    steps = _Steps(More(_SCENARIOS[2:4]), More(_SCENARIOS[4:5]))
    folder = run_growing(_JOB, steps, tmp_path / "a", workers=1)
    assert steps.seen == [2, 4, 5]
    assert _ids(folder) == _ids(open_run(tmp_path / "a")) == _names(_SCENARIOS[:5], 1)


def test_trials_are_added_until_no_more_are_wanted(tmp_path: Path) -> None:
    steps = _Steps(More(trials=2), More(trials=5))
    folder = run_growing(_JOB, steps, tmp_path / "a", workers=2)
    assert steps.seen == [2, 4, 10]
    assert _ids(folder) == _names(_SCENARIOS[:2], 5)


def test_the_same_again_runs_nothing_and_shows_the_same(tmp_path: Path) -> None:
    def steps() -> _Steps:
        return _Steps(More(_SCENARIOS[2:4]), More(trials=2))

    run_growing(_JOB, steps(), tmp_path / "a", workers=1)
    before = (tmp_path / "a" / "traces.jsonl").read_bytes()
    again = steps()
    run_growing(_JOB, again, tmp_path / "a", workers=1)
    assert (tmp_path / "a" / "traces.jsonl").read_bytes() == before
    assert again.seen[-1] == 8


def test_a_finished_one_grows_on(tmp_path: Path) -> None:
    run_growing(_JOB, _Steps(More(_SCENARIOS[2:4])), tmp_path / "a", workers=1)
    folder = run_growing(
        _JOB, _Steps(More(_SCENARIOS[2:4]), More(_SCENARIOS[4:6]), More(trials=3)), tmp_path / "a", workers=1
    )
    clean = run_growing(_JOB, _Steps(More(_SCENARIOS[2:6], trials=3)), tmp_path / "b", workers=1)
    assert _ids(folder) == _names(_SCENARIOS, 3)
    assert folder.traces.read_bytes() == clean.traces.read_bytes()


def test_what_was_begun_goes_on_where_it_was(tmp_path: Path) -> None:
    def dies(folder: RunFolder) -> More | None:
        if len(folder.scenarios) < 4:
            return More(_SCENARIOS[2:4])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_growing(_JOB, dies, tmp_path / "a", workers=1)
    assert len(_ids(open_run(tmp_path / "a"))) == 4
    folder = run_growing(_JOB, _Steps(More(_SCENARIOS[2:4]), More(_SCENARIOS[4:5])), tmp_path / "a", workers=1)
    assert _ids(folder) == _names(_SCENARIOS[:5], 1)


def test_another_scenario_under_the_same_name_is_another_run(tmp_path: Path) -> None:
    run_growing(_JOB, _Steps(), tmp_path / "a", workers=1)
    other = Scenario(name=_SCENARIOS[0].name)
    with pytest.raises(UsageError, match="is another one"):
        run_growing(_JOB, _Steps(More((other,))), tmp_path / "a", workers=1)
