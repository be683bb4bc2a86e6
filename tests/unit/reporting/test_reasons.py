import pytest

from misstep.reporting.reasons import OTHERS, Reasons, alike, in_a_few_words


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("orders W-28723 should have changed.", "orders … should have changed."),
        ("KeyError: 'order 12' (agent.py, line 6)", "KeyError: 'order …' (agent.py, line 6)"),
        ("The user was never told the day (2026-05-23).", "The user was never told the day (…)."),
        ("The agent did not answer in time.", "The agent did not answer in time."),
    ],
)
def test_ids_and_numbers_do_not_make_another_reason(reason, kind):
    assert alike(reason) == kind


def test_a_reason_that_is_always_the_same_is_told_word_for_word(make_trial):
    reasons = Reasons()
    for number in (1, 2):
        reasons.add(make_trial("a", number, "fail", reasons=("Order W-1 is not cancelled.",)))
    reasons.add(make_trial("b", 1, "fail", reasons=("The note N-1 is missing.",)))
    reasons.add(make_trial("b", 2, "fail", reasons=("The note N-2 is missing.",)))
    reasons.add(make_trial("b", 3, "fail", reasons=("The note N-2 is missing.",)))
    told = [(row.reason, row.trials, row.scenario, row.trial) for row in reasons.rows()]
    assert told == [("The note … is missing.", 3, "b", 1), ("Order W-1 is not cancelled.", 2, "a", 1)]


def test_reasons_that_never_repeat_are_counted_together_past_a_bound(make_trial):
    reasons = Reasons()
    for number in range(200):
        reasons.add(make_trial("a", number, "fail", reasons=("x" * (1 + number),)))
    rows = reasons.rows()
    assert len(rows) < 60
    assert rows[-1].reason == OTHERS
    assert sum(row.trials for row in rows) == reasons.trials == 200
    assert len(reasons.of("a")) < 10


def test_how_it_ended_goes_before_what_was_not_met(make_trial):
    raised = make_trial("a", 1, "fail", end="agent-raised", error="KeyError: 'x'", reasons=("It raised.",))
    assert in_a_few_words(raised) == "the agent raised KeyError"
    assert (
        in_a_few_words(make_trial("a", 1, "fail", reasons=("refund was never called.",))) == "refund was never called"
    )
    assert in_a_few_words(make_trial("a", 1, "fail")) == "No reason was given"


def test_what_was_not_done_is_told_before_the_limit_that_was_reached_meanwhile(make_trial):
    reasons = Reasons()
    reasons.add(make_trial("a", 1, "fail", end="gave-up", reasons=("Patience was spent.", "refund was never called.")))
    reasons.add(make_trial("b", 1, "fail", end="gave-up", reasons=("Patience was spent.",)))
    reasons.add(make_trial("c", 1, "fail", end="agent-hung", reasons=("It hung.", "refund was never called.")))
    assert {row.reason for row in reasons.rows()} == {"refund was never called.", "Patience was spent.", "It hung."}
