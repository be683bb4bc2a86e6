"""Labels → a detector that can be saved, used without scikit-learn, and that knows its agent."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import structs

from misstep.calibration import Learned, calibrate, load, save
from misstep.calibration.calibrating import cross_validated
from misstep.calibration.folds import parts, task_of
from misstep.core.errors import FormatError, UsageError
from misstep.core.event import Message, ToolCall
from misstep.core.finding import Finding
from misstep.core.trace import Trace, encode_trace

from .sample_labels import labelled_traces


@pytest.fixture(scope="module")
def learned() -> Learned:
    traces, labels = labelled_traces()
    return calibrate(traces, labels, name="records", precision=0.9)


def test_what_was_labelled_is_claimed_where_it_is(learned: Learned) -> None:
    traces, labels = labelled_traces()
    claimed = {(claim.trace, claim.mode, claim.events[0]) for trace in traces for claim in learned.findings(trace)}
    assert claimed == {(label.trace, label.mode, label.events[0]) for label in labels}


def test_a_claim_names_what_made_it_and_how_sure_it_is(learned: Learned) -> None:
    trace = labelled_traces()[0][0]
    (claim,) = learned.findings(trace)
    assert claim.claimed_by == "learned:records"
    assert 0.5 < claim.confidence <= 1
    assert "8 places" in claim.because


def test_figures_are_of_traces_that_were_left_out(learned: Learned) -> None:
    measures = learned.measures
    assert (measures.traces, measures.tasks, measures.folds, measures.labelled) == (24, 24, 5, 16)
    assert measures.precision.n == measures.claimed
    assert measures.found > 0.8


def test_the_same_seed_gives_the_same_file(learned: Learned, tmp_path: Path) -> None:
    again = calibrate(*labelled_traces(), name="records", precision=0.9)
    for name, each in (("one", learned), ("other", again)):
        save(each, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_a_saved_one_claims_the_same(learned: Learned, tmp_path: Path) -> None:
    save(learned, tmp_path / "learned.json")
    trace = labelled_traces()[0][2]
    assert load(tmp_path / "learned.json").findings(trace) == learned.findings(trace)


def test_using_it_needs_no_scikit_learn(learned: Learned, tmp_path: Path) -> None:
    save(learned, tmp_path / "learned.json")
    _ = (tmp_path / "trace.json").write_bytes(encode_trace(labelled_traces()[0][0]))
    script = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from pathlib import Path\n"
        "from misstep.calibration import load\n"
        "from misstep.core.trace import decode_trace\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "trace = decode_trace((folder / 'trace.json').read_bytes())\n"
        "print(len(load(folder / 'learned.json').findings(trace)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"


def test_another_agent_is_told_of_and_trusted_less(learned: Learned) -> None:
    trace = labelled_traces()[0][0]
    renamed = structs.replace(
        trace,
        events=(
            *(structs.replace(event, actor="planner") if event.actor == "agent" else event for event in trace.events),
            ToolCall(actor="planner", call_id="c9", tool="launch"),
        ),
    )
    assert learned.familiarity(trace).strange == ()
    familiarity = learned.familiarity(renamed)
    assert familiarity.share < 1
    assert "unknown agent 'planner'" in " ".join(familiarity.strange)
    assert "unknown tool 'launch'" in " ".join(familiarity.strange)


def test_no_word_of_a_trace_can_be_read_in_the_weights(learned: Learned) -> None:
    assert not any("suppose" in name or "record" in name for name in learned.weights)


def test_a_mode_with_too_few_labels_is_not_learned_and_said_so() -> None:
    traces, labels = labelled_traces()
    rare = Finding(mode="wrong-tool", events=(1,), because="Once.", trace="t1", claimed_by="Ada")
    learned = calibrate(traces, [*labels, rare])
    assert "wrong-tool" not in learned.modes
    assert learned.measures.too_few == {"wrong-tool": 1}


def test_claims_of_detectors_are_not_learned_from() -> None:
    traces, labels = labelled_traces()
    with pytest.raises(UsageError, match="often enough"):
        _ = calibrate(traces, [structs.replace(label, claimed_by="detector:x") for label in labels])


def test_too_few_tasks_are_an_error_that_says_what_to_do() -> None:
    traces, labels = labelled_traces(3)
    with pytest.raises(UsageError, match="Label more"):
        _ = calibrate(traces, labels)


def test_labels_of_other_traces_are_an_error() -> None:
    traces, labels = labelled_traces()
    with pytest.raises(UsageError, match="other trace ids"):
        _ = calibrate(traces, [structs.replace(label, trace="elsewhere") for label in labels])


def test_two_traces_of_one_id_are_an_error() -> None:
    traces, labels = labelled_traces()
    with pytest.raises(UsageError, match="same id"):
        _ = calibrate([*traces, traces[0]], labels)


def test_each_trace_is_claimed_about_by_a_detector_that_has_not_seen_it() -> None:
    traces, labels = labelled_traces()
    claims = cross_validated(traces, labels, precision=0.9)
    assert len(claims) == len(traces)
    assert {claim.trace for found in claims for claim in found} <= {trace.id for trace in traces}


def test_traces_of_one_task_are_left_out_together() -> None:
    tasks = ["a", "b", "a", "c", "b", "d", "a"]
    drawn = parts(tasks, range(7), 3, seed=1)
    assert sorted(at for part in drawn for at in part) == list(range(7))
    for task in "abcd":
        assert sum(any(tasks[at] == task for at in part) for part in drawn) == 1


def test_a_task_is_known_by_how_its_user_began() -> None:
    def opened(name: str, words: str) -> Trace:
        return Trace(id=name, events=(Message(actor="user", role="user", text=words),))

    assert task_of(opened("x", "Cancel it.")) == task_of(opened("y", "Cancel it."))
    assert task_of(Trace(id="x")) != task_of(Trace(id="y"))


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    _ = (tmp_path / "other.json").write_text('{"format": "misstep.trace/1"}')
    with pytest.raises(FormatError, match="a learned detector"):
        _ = load(tmp_path / "other.json")


def test_what_was_fitted_on_other_features_is_refused(learned: Learned, tmp_path: Path) -> None:
    save(structs.replace(learned, features=0), tmp_path / "old.json")
    with pytest.raises(UsageError, match="Fit it again"):
        _ = load(tmp_path / "old.json")
