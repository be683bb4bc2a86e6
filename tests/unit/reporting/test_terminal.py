import io

import pytest
from rich.console import Console

from misstep.reporting.counting import summarize
from misstep.reporting.terminal import findings_table, summary_text


def printed(renderable, width=80):
    out = io.StringIO()
    Console(file=out, width=width).print(renderable)
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


@pytest.mark.parametrize("width", [80, 100, 200])
def test_no_line_is_wider_than_the_terminal(mixed, width):
    assert max(len(line) for line in printed(summary_text(mixed, report="r.html"), width).splitlines()) <= width


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


def test_findings_come_worst_mode_first_with_three_examples_each(make_finding):
    findings = [make_finding("mild", trace=f"t{n}", severity="low") for n in range(9)]
    findings += [make_finding("grave", 2, trace="t1", severity="critical")]
    text = printed(findings_table(findings, traces=10))
    assert text.index("grave") < text.index("mild")
    assert text.count("It shows mild.") == 3
    assert "and 6 more traces" in text
    assert "t1 #2" in text


def test_that_nothing_was_found_is_said(make_finding):
    assert "Nothing was found in 4 traces." in printed(findings_table([make_finding(present=False)], traces=4))
