import io

import pytest
from msgspec import structs
from rich.console import Console

from misstep.reporting.counting import summarize
from misstep.reporting.disputed import UNDECIDED
from misstep.reporting.examples import digest
from misstep.reporting.summary import Modelled
from misstep.reporting.terminal import summary_text
from misstep.store.disputes import dispute, set_aside


def printed(renderable, width=80, **options):
    out = io.StringIO()
    Console(file=out, width=width).print(renderable, **options)
    return out.getvalue()


@pytest.fixture
def mixed(manifest, make_trial, make_finding):
    trials = [make_trial(f"s{n}", k, "pass" if (n + k) % 3 else "fail") for n in range(5) for k in (1, 2, 3)]
    trials += [make_trial("hard-one", k, "fail", make_finding(severity="high")) for k in (1, 2)]
    trials.append(make_trial("hard-one", 3, "invalid", reasons=("The user did not understand.",)))
    return summarize(manifest, trials)


def test_a_person_finds_the_result_what_failed_who_is_to_blame_and_what_to_do_next(mixed):
    text = printed(summary_text(mixed, report="out/report.html"))
    for part in ("zoo:sound on world:shop", "Success", "pass^k", "false-success", "reply", "high"):
        assert part in text
    assert "The user did not understand." in text
    assert "hard-one" in text
    assert "out/report.html" in text
    assert mixed.command in " ".join(text.split())


@pytest.mark.parametrize("width", [24, 40, 60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal(mixed, width):
    assert max(len(line) for line in printed(summary_text(mixed, report="r.html"), width).splitlines()) <= width


@pytest.mark.parametrize("width", [40, 60])
def test_a_name_is_never_broken_on_a_narrow_terminal(mixed, width):
    text = printed(summary_text(mixed), width)
    for name in ("hard-one", "false-success", "What failed", "user-simulator"):
        assert name in text


def test_no_line_ends_with_a_space(mixed):
    for width in (40, 80, 120):
        assert not [line for line in printed(summary_text(mixed), width).splitlines() if line != line.rstrip()]


def test_what_a_person_copies_stays_on_one_line_in_a_file(mixed):
    where = "a/very/long/path/" * 9 + "report.html"
    lines = printed(summary_text(mixed, report=where, whole=True), 40, crop=False).splitlines()
    assert f"Report  {where}" in lines
    assert f"Again   {mixed.command}" in lines
    assert max(len(line) for line in lines[:-2]) <= 40


def test_trials_that_failed_without_a_finding_say_why_and_which(manifest, make_trial):
    raised = [
        make_trial(f"s{n}", 1, "fail", end="agent-raised", error=f"KeyError: 'W-{n}'", reasons=(f"Raised: 'W-{n}'",))
        for n in range(3)
    ]
    hung = make_trial("slow", 2, "fail", end="agent-hung", reasons=("The agent did not answer in time.",))
    text = printed(summary_text(summarize(manifest, [*raised, hung])))
    assert "No failure mode was found." in text
    (row,) = [line for line in text.splitlines() if "Raised: '…'" in line]
    assert row.split() == ["Raised:", "'…'", "3", "s0#1"]
    assert "the agent raised KeyError" in text
    assert "the agent hung" in text


def test_what_failed_is_listed_most_frequent_first_and_the_rest_is_counted(manifest, make_trial, make_finding):
    kinds = ["a"] * 4 + ["b"] * 2 + ["c", "d"]
    trials = [make_trial("s", n, "fail", reasons=(f"It was {kind}.",)) for n, kind in enumerate(kinds)]
    trials += [make_trial("t", n, "fail", make_finding()) for n in range(3)]
    text = printed(summary_text(summarize(manifest, trials), most=4))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    starts = [line for line in lines if line.startswith(("It was", "false-success", "and 1 more"))]
    assert starts == [
        "It was a. 4 s#0",
        "false-success 3 27% medium reply",
        "It was b. 2 s#4",
        "It was c. 1 s#6",
        "and 1 more",
    ]


def test_a_reader_is_told_what_to_read_first_and_what_to_do_next_before_the_other_tables(
    manifest, make_trial, make_finding
):
    trials = [make_trial("s", n, "fail", make_finding()) for n in (1, 2)]
    summary = digest(manifest, trials).summary
    text = printed(summary_text(summary, report="out/report.html", whole=True), 120, crop=False)
    lines = [line.strip() for line in text.splitlines()]
    at = lines.index("Read    s#1  It shows false-success.")
    assert lines[at + 1 : at + 4] == [
        "out/report.html#false-success-1-1",
        "Next    misstep run --agent zoo:sound --tools world:shop --only s --trial 1 --seed 3",
        "Unfair? misstep dispute out 's#1' --because \"…\"",
    ]
    assert at < next(number for number, line in enumerate(lines) if line.startswith("Weakest scenarios"))


def test_success_is_shown_with_and_without_strained_trials(manifest, make_trial):
    trials = [structs.replace(make_trial("s", n, "fail" if n < 2 else "pass"), strained=n < 1) for n in range(4)]
    text = " ".join(printed(summary_text(summarize(manifest, trials))).split())
    assert "Success 50.0%" in text
    assert "Strained 1 of 4, 25% (5% to 70%); success without them 66.7%" in text
    assert "Strained" not in printed(summary_text(summarize(manifest, [make_trial("s")])))


def test_success_is_shown_without_trials_in_which_a_demanded_question_was_not_needed(manifest, make_trial, make_asking):
    trials = [make_asking(n, "pass", not_needed=("order",) if n < 3 else ()) for n in range(4)]
    summary = summarize(manifest, [*trials, *(make_trial("s", n, "fail") for n in range(2))])
    assert (summary.not_needed.trials, summary.not_needed.share.n, summary.success.n) == (3, 4, 6)
    text = " ".join(printed(summary_text(summary), 200).split())
    assert "Not needed 3 of 4 that demand a question (the person had said it unasked), 75%" in text
    assert "success without them 33.3%" in text
    assert "Not needed" not in printed(summary_text(summarize(manifest, [make_asking(1)])))


def test_what_is_noted_is_counted_and_quoted(manifest, make_asking):
    trials = [make_asking(n, "pass", notes=("The user was not told why.",) if n < 2 else ()) for n in range(3)]
    summary = summarize(manifest, trials)
    assert (summary.noted, summary.notes) == (2, {"The user was not told why.": 2})
    text = " ".join(printed(summary_text(summary), 200).split())
    assert "Noted something about 2 trials, and no failure 2: The user was not told why." in text


def test_what_is_set_aside_and_what_has_lapsed_is_told_with_who_and_why(manifest, make_trial):
    trials = [make_trial("s", n, "fail", reasons=("It was not done.",)) for n in (1, 2)]
    unfair = dispute(trials[0], because="it was done", by="Ann Lee", on="2026-11-19")
    old = structs.replace(unfair, scenario="gone")
    summary = digest(manifest, set_aside(trials, [unfair]), lapsed=[old]).summary
    text = " ".join(printed(summary_text(summary), 120).split())
    assert "0 failed 0 invalid 2 disputed" in text
    assert "s 2 Ann Lee: it was done" in text
    assert "gone lapsed Ann Lee: it was done" in text
    assert UNDECIDED in text


def test_traces_of_trials_that_passed_are_told_apart(manifest, make_trial, make_finding):
    trials = [make_trial("a", n, "pass" if n else "fail", make_finding()) for n in range(5)]
    text = " ".join(printed(summary_text(summarize(manifest, trials))).split())
    assert "false-success 1 4 100%" in text
    assert "4 of 5 traces with a failure mode passed all the same" in text


def test_one_scenario_is_not_said_to_speak_for_others(manifest, make_trial):
    assert "this scenario only" in printed(summary_text(summarize(manifest, [make_trial("a", n) for n in (1, 2)])))


def test_nothing_but_text_is_written_where_there_is_no_terminal(mixed):
    assert "\x1b" not in printed(summary_text(mixed))


def test_hostile_names_neither_colour_nor_move_anything(manifest, make_trial, make_finding):
    hostile = "[red]x[/red]\x1b[2J\x07\u202e"
    trial = make_trial(hostile.replace("/", "|"), 1, "fail", make_finding(hostile))
    out = io.StringIO()
    Console(file=out, width=200, force_terminal=True, color_system=None).print(
        summary_text(summarize(manifest, [trial, make_trial("b", 1, "invalid", reasons=(hostile,))]), report=hostile)
    )
    text = out.getvalue()
    assert "[red]x[/red]\\x1b[2J\\x07\\u202e" in text
    assert "\x1b[2J" not in text
    assert not {"\x07", "\u202e"} & set(text)


def test_an_empty_run_and_one_that_passed_have_something_to_say(manifest, make_trial):
    assert "No trial has finished yet." in printed(summary_text(summarize(manifest, ())))
    text = printed(summary_text(summarize(manifest, [make_trial("a", 1), make_trial("b", 1)])))
    assert "No failure mode was found." in text
    assert "Weakest" not in text


def test_who_spoke_for_the_users_is_told_where_a_model_was_to(mixed):
    modelled = Modelled(model="http://here/v1#tiny", turns=80, stood_in={"It was down.": 12})
    text = " ".join(printed(summary_text(structs.replace(mixed, modelled=modelled)), 120).split())
    assert "http://here/v1#tiny in 68 of 80 turns, the plain person in 12" in text
    assert "12: It was down." in text
    assert "plain person" not in printed(summary_text(mixed))
