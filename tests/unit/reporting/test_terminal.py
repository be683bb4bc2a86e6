import io

import pytest
from rich.console import Console

from misstep.reporting.counting import summarize
from misstep.reporting.terminal import summary_text


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
    assert row.split() == ["Raised:", "'…'", "3", "s0,", "trial", "1"]
    assert "the agent raised KeyError" in text
    assert "the agent hung" in text


def test_only_the_three_most_frequent_reasons_are_listed_and_the_others_are_counted(manifest, make_trial):
    kinds = ["a"] * 4 + ["b"] * 3 + ["c"] * 2 + ["d", "e"]
    trials = [make_trial("s", n, "fail", reasons=(f"It was {kind}.",)) for n, kind in enumerate(kinds)]
    lines = [" ".join(line.split()) for line in printed(summary_text(summarize(manifest, trials))).splitlines()]
    assert "It was c. 2 s, trial 7" in lines
    assert "other reasons 2" in lines
    assert not [line for line in lines if line.startswith("It was d.")]


def test_traces_of_trials_that_passed_are_told_apart(manifest, make_trial, make_finding):
    trials = [make_trial("a", n, "pass" if n else "fail", make_finding()) for n in range(5)]
    text = " ".join(printed(summary_text(summarize(manifest, trials))).split())
    assert "false-success 5 4 100%" in text
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
