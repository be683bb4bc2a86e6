"""A run folder keeps what is finished, whatever happens to the processes that write it."""

from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path

import pytest
from msgspec import structs

from misstep.core.errors import UsageError
from misstep.core.event import Message
from misstep.core.finding import Finding, Verdict
from misstep.core.scenario import Scenario
from misstep.core.trace import Trace
from misstep.store.journal import Index, Journal, trials_in
from misstep.store.manifest import Manifest, Plan, digest_of
from misstep.store.run_folder import Locked, RunFolder, Writing, open_run
from misstep.store.trial import Trial, encode_trial

SCENARIOS = (Scenario(name="late"), Scenario(name="early"))


def manifest(trials: int = 2, **changes: object) -> Manifest:
    made = Manifest(
        agent="a:b", tools="c:d", seed=7, scenarios=("late", "early"), digest=digest_of(SCENARIOS), trials=trials
    )
    return structs.replace(made, **changes)


def trial(scenario: Scenario, number: int, *, modes: tuple[str, ...] = ()) -> Trial:
    name = f"{scenario.name}#{number}"
    return Trial(
        scenario=scenario,
        trial=number,
        seed=7,
        trace=Trace(id=name, events=(Message(actor="user", role="user", text=f"hello {name}"),)),
        findings=tuple(Finding(mode=mode, events=(0,), because="seen", trace=name) for mode in modes),
        verdict=Verdict(outcome="pass", modes=modes),
    )


def write(writing: Writing, *trials: Trial) -> Path:
    path = writing.new_journal()
    journal = Journal(path)
    for each in trials:
        journal.add(each)
    journal.close()
    return path


def all_trials(trials: int = 2) -> Iterator[Trial]:
    for scenario in SCENARIOS:
        for number in range(1, trials + 1):
            yield trial(scenario, number, modes=("repeated-call",) * (number - 1))


def ids(folder: RunFolder) -> list[str]:
    return [each.trace.id for each in folder.trials()]


def test_trials_come_back_in_the_order_of_scenarios_whoever_wrote_them(tmp_path: Path) -> None:
    late_1, late_2, early_1, early_2 = all_trials()
    with Locked(tmp_path, manifest(), SCENARIOS) as writing:
        write(writing, early_2, late_2)
        write(writing, early_1, late_1)
        folder = writing.finish()
    assert list(folder.trials()) == [late_1, late_2, early_1, early_2]
    assert list(open_run(tmp_path).trials()) == [late_1, late_2, early_1, early_2]
    assert not (tmp_path / "journal").exists()


def test_a_torn_last_line_is_run_again_and_nothing_else(tmp_path: Path) -> None:
    late_1, late_2, early_1, early_2 = all_trials()
    with Locked(tmp_path, manifest(), SCENARIOS) as writing:
        path = write(writing, late_1, late_2)
        with path.open("ab") as file:
            file.write(encode_trial(early_1)[:-9])
    with Locked(tmp_path, manifest(), SCENARIOS) as writing:
        assert [writing.plan.trial_at(place) for place in writing.missing()] == [(1, 1), (1, 2)]
        write(writing, early_1, early_2)
        assert ids(writing.finish()) == ["late#1", "late#2", "early#1", "early#2"]


@pytest.mark.parametrize("cut", [1, 2, 40, 200])
def test_a_line_cut_anywhere_is_no_trial(tmp_path: Path, cut: int) -> None:
    first, second = encode_trial(trial(SCENARIOS[0], 1)), encode_trial(trial(SCENARIOS[0], 2))
    (tmp_path / "j").write_bytes(first + second[:-cut])
    assert [place for _, _, place in trials_in(tmp_path / "j")] == [("late", 1)]


def test_a_trial_that_two_processes_wrote_is_there_once(tmp_path: Path) -> None:
    with Locked(tmp_path, manifest(), SCENARIOS) as writing:
        write(writing, *all_trials())
        write(writing, *all_trials())
        assert len(ids(writing.finish())) == 4


def test_raising_the_trials_keeps_what_was_there(tmp_path: Path) -> None:
    with Locked(tmp_path, manifest(), SCENARIOS) as writing:
        write(writing, *all_trials())
        writing.finish()
    with Locked(tmp_path, manifest(trials=3), SCENARIOS) as writing:
        assert [writing.plan.trial_at(place) for place in writing.missing()] == [(0, 3), (1, 3)]
        write(writing, trial(SCENARIOS[1], 3), trial(SCENARIOS[0], 3))
        folder = writing.finish()
    assert ids(folder) == ["late#1", "late#2", "late#3", "early#1", "early#2", "early#3"]
    assert [len(each.findings) for each in folder.trials()] == [0, 1, 0, 0, 1, 0]


def test_a_half_done_run_can_be_read(tmp_path: Path) -> None:
    with Locked(tmp_path, manifest(), SCENARIOS) as writing:
        write(writing, trial(SCENARIOS[1], 1))
    assert ids(open_run(tmp_path)) == ["early#1"]


def test_a_finish_that_was_killed_between_its_renames_is_completed(tmp_path: Path) -> None:
    with Locked(tmp_path, manifest(), SCENARIOS) as writing:
        write(writing, *all_trials())
        writing.finish()
    # As a kill would leave it: everything lies ready, the first file is in its place, the manifest says so.
    (tmp_path / "findings.jsonl").rename(tmp_path / "findings.jsonl.new")
    (tmp_path / "verdicts.jsonl").rename(tmp_path / "verdicts.jsonl.new")
    text = (tmp_path / "run.json").read_text()
    (tmp_path / "run.json").write_text(text.replace('"finished"', '"placing"').replace('"kept": 2', '"kept": 0'))
    with Locked(tmp_path, manifest(), SCENARIOS) as writing:
        assert writing.manifest.phase == "finished"
    assert list(open_run(tmp_path).trials()) == list(all_trials())


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"agent": "x:y"}, "agent (a:b there, x:y here)"),
        ({"seed": 8}, "seed (7 there, 8 here)"),
        ({"digest": "else"}, "what the scenarios say"),
        ({"code": "else"}, "the code of the agent or the tools"),
        ({"scenarios": ("late",)}, "scenarios"),
    ],
)
def test_another_run_is_refused_with_what_differs(tmp_path: Path, changes: dict[str, object], told: str) -> None:
    with Locked(tmp_path, manifest(), SCENARIOS):
        pass
    with pytest.raises(UsageError) as raised, Locked(tmp_path, manifest(**changes), SCENARIOS):
        pass
    assert told in str(raised.value)
    assert "--fresh" in str(raised.value)


def test_starting_over_forgets_the_old_run(tmp_path: Path) -> None:
    with Locked(tmp_path, manifest(), SCENARIOS) as writing:
        write(writing, *all_trials())
        writing.finish()
    with Locked(tmp_path, manifest(seed=8), SCENARIOS, fresh=True) as writing:
        assert len(list(writing.missing())) == 4
    assert ids(open_run(tmp_path)) == []


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    for fresh in (False, True):
        with pytest.raises(UsageError, match="not empty"), Locked(tmp_path, manifest(), SCENARIOS, fresh=fresh):
            pass
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_place_that_cannot_be_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="--out"), Locked(tmp_path / "file" / "run", manifest(), SCENARIOS):
        pass


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"run\.json"):
        open_run(tmp_path)


def test_every_trial_has_its_own_place_and_comes_back_from_it() -> None:
    plan = Plan(manifest(trials=5, first=3))
    places = [plan.place(name, number) for name in ("late", "early") for number in range(3, 8)]
    assert places == list(range(10))
    assert [plan.trial_at(place) for place in range(10)] == [(s, n) for s in (0, 1) for n in range(3, 8)]
    assert plan.place("late", 2) is None
    assert plan.place("late", 8) is None
    assert plan.place("unknown", 3) is None


def test_an_index_holds_no_trial_that_the_plan_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "j").write_bytes(encode_trial(trial(SCENARIOS[0], 9)) + encode_trial(trial(SCENARIOS[1], 2)))
    index = Index(Plan(manifest()))
    index.read(tmp_path / "j")
    assert [place for place in range(4) if place in index] == [3]


def _second_run(path: Path, answer: "SimpleQueue[str]") -> None:
    try:
        with Locked(path, manifest(), SCENARIOS):
            answer.put("went in")
    except UsageError as error:
        answer.put(str(error))


def test_a_second_process_is_refused_while_the_first_is_at_work(tmp_path: Path) -> None:
    context = get_context("fork")
    answer: SimpleQueue[str] = context.SimpleQueue()
    with Locked(tmp_path, manifest(), SCENARIOS):
        second = context.Process(target=_second_run, args=(tmp_path, answer))
        second.start()
        assert "Another process is at work" in answer.get()
        second.join()
    third = context.Process(target=_second_run, args=(tmp_path, answer))
    third.start()
    assert answer.get() == "went in"
    third.join()
