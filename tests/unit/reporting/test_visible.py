import pytest

from misstep.reporting.visible import json_text, literal, one_line, pieces, visible


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("a\x00b", "a\\x00b"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("safe\u202egpj.exe", "safe\\u202egpj.exe"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("in\u200bvisible\ufeff", "in\\u200bvisible\\ufeff"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
        ("line\u2028end", "line\\u2028end"),
        ("back\rspace\x08", "back\\x0dspace\\x08"),
    ],
)
def test_what_cannot_be_seen_is_spelled_out(hostile, shown):
    assert visible(hostile) == shown
    assert "".join(run for _, run in pieces(hostile)) == shown


@pytest.mark.parametrize("text", ["plain", "zwei\nZeilen\tund ein Tab", "日本語 עברית العربية", "👩\u200d💻 naïve €"])
def test_what_people_write_is_left_alone(text):
    assert visible(text) == text
    assert pieces(text) == [(False, text)]


def test_an_escape_that_was_typed_is_told_from_one_that_was_made():
    assert pieces("\\x1b\x1b") == [(False, "\\x1b"), (True, "\\x1b")]


def test_a_cell_has_one_line_and_a_bound():
    assert one_line("a\n b\t c") == "a b c"
    assert len(one_line("x" * 10_000, 50)) == 50


def test_small_values_stay_on_one_line_and_deep_ones_do_not_break():
    assert json_text({"a": 1}) == '{"a": 1}'
    assert json_text({"a": "x" * 100}).count("\n") == 2
    lines = json_text({"lines": [{"n": n, "title": "coat hook"} for n in range(4)], "id": 1}).splitlines()
    assert lines[2] == '    {"n": 0, "title": "coat hook"},'
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert "nested too deep" in json_text(deep)
    assert literal(deep) == "…"
