from pathlib import Path

import pytest
from msgspec import structs

from misstep.core.errors import FormatError, UsageError
from misstep.core.finding import Finding, Verdict
from misstep.core.scenario import Person, Scenario
from misstep.core.trace import Trace
from misstep.store.disputes import (
    Dispute,
    dispute,
    lapsed,
    read_disputes,
    set_aside,
    too_many,
    with_dispute,
    without_dispute,
    write_disputes,
)
from misstep.store.trial import Trial

FROZEN = Path(__file__).parent / "disputes-1.toml"


def trial(number: int = 1, outcome: str = "fail", *reasons: str, scenario: str = "late", summary: str = "") -> Trial:
    verdict = Verdict(outcome=outcome, reasons=reasons or ("It was not done.",))  # pyright: ignore[reportArgumentType]
    return Trial(
        scenario=Scenario(name=scenario, summary=summary),
        trial=number,
        seed=0,
        trace=Trace(id=f"{scenario}#{number}"),
        findings=(Finding(mode="false-success", events=(), because="It claims so."),),
        verdict=verdict,
    )


def unfair(of: Trial, by: str = "Ann Lee", because: str = "it was done") -> Dispute:
    return dispute(of, because=because, by=by, on="2026-11-19")


def outcomes(trials: list[Trial], *disputes: Dispute) -> list[str]:
    return [each.verdict.outcome for each in set_aside(trials, disputes)]


def test_a_dispute_holds_for_what_fails_for_the_same_and_for_nothing_else():
    trials = [trial(1), trial(2), trial(3, "fail", "It was not done.", "It lied."), trial(4, "pass")]
    trials += [trial(1, scenario="other"), trial(5, "invalid")]
    assert outcomes(trials, unfair(trials[0])) == ["disputed", "disputed", "fail", "pass", "fail", "invalid"]
    assert outcomes(trials) == ["fail", "fail", "fail", "pass", "fail", "invalid"]


def test_the_order_of_reasons_does_not_matter():
    assert outcomes([trial(2, "fail", "b", "a")], unfair(trial(1, "fail", "a", "b"))) == ["disputed"]


def test_a_dispute_lapses_when_the_scenario_says_something_else():
    old = unfair(trial())
    changed = trial(summary="another")
    assert outcomes([changed], old) == ["fail"]
    assert lapsed([old], [changed.scenario]) == (old,)
    assert lapsed([old], [trial().scenario, Scenario(name="x", user=Person(opening="Hi."))]) == ()


def test_the_label_is_a_finding_with_the_persons_name_and_comes_first():
    (aside,) = set_aside([trial(2)], [unfair(trial(1))])
    label, detected = aside.findings
    assert (label.claimed_by, label.because, label.trace, detected.mode) == (
        "Ann Lee", "it was done", "late#2", "false-success",
    )  # fmt: skip
    assert aside.verdict.reasons == ("It was not done.",)
    assert aside.verdict.blame is None


def test_what_is_written_reads_back_in_order_of_scenarios_and_an_empty_file_goes(tmp_path):
    file = tmp_path / "disputes.toml"
    told = [unfair(trial(2, "fail", 'a "b" \\ \n€')), unfair(trial(1, scenario="early"), because="ü'\"")]
    write_disputes(file, told)
    assert read_disputes(file) == (told[1], told[0])
    write_disputes(file, ())
    assert not file.exists()
    assert read_disputes(file) == ()


def test_a_file_of_the_first_format_is_still_read():
    (kept,) = read_disputes(FROZEN)
    assert (kept.place, kept.on, kept.label.claimed_by) == ("refund-late#2", "2026-11-19", "Ann Lee")


@pytest.mark.parametrize("text", ["x = [", 'format = "misstep.disputes/2"\n', "[[disputes]]\nscenario = 1\n", "\xff"])
def test_a_file_that_cannot_be_read_is_not_taken_for_none(tmp_path, text):
    file = tmp_path / "disputes.toml"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError, match="cannot be read as disputes"):
        read_disputes(file)


@pytest.mark.parametrize("outcome", ["pass", "invalid", "undecided"])
def test_what_did_not_fail_cannot_be_disputed(outcome):
    with pytest.raises(UsageError, match="did not fail"):
        unfair(trial(1, outcome))


def test_a_dispute_says_why_and_who():
    with pytest.raises(UsageError, match="--because"):
        unfair(trial(), because=" ")
    with pytest.raises(UsageError, match="--by"):
        unfair(trial(), by="")


def test_a_second_word_of_the_same_person_replaces_the_first_and_of_another_does_not():
    first, second = unfair(trial()), unfair(trial(), because="really")
    assert with_dispute([first], second) == (second,)
    other = unfair(trial(), by="Bo")
    assert with_dispute([first], other) == (first, other)


def test_one_is_taken_back_by_its_trial_and_a_typo_is_told():
    kept = (unfair(trial(1)), unfair(trial(1, scenario="early")))
    assert without_dispute(kept, "late#1") == kept[1:]
    with pytest.raises(UsageError, match="Did you mean 'late#1'"):
        without_dispute(kept, "lat#1")


def test_more_than_one_in_twenty_is_too_many():
    assert not too_many(1, of=20)
    assert too_many(2, of=39)
    assert not too_many(0, of=0)


def test_a_dispute_of_a_trial_whose_reasons_are_gone_is_another_verdict():
    bare = structs.replace(trial(), verdict=Verdict(outcome="fail"))
    assert outcomes([bare], unfair(trial())) == ["fail"]
