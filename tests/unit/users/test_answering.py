"""How a person does on labelled exchanges by authors who knew nothing of it: the figures, in both manners."""

import runpy
from pathlib import Path

import pytest

from misstep.users import MANNERS

HERE = Path(__file__).parent
counts = runpy.run_path(str(HERE / "answering.py"))["counts"]
BLIND = tuple(HERE / "phrasings" / f"seventy-{name}.toml" for name in ("sixth", "seventh", "eighth", "ninth"))

both = pytest.mark.parametrize("manner", MANNERS)


@both
def test_chat_models_get_what_they_ask_for_and_no_wrong_act_gets_a_plain_yes(manner: str) -> None:
    found = counts([HERE / "phrasings" / "proposals.toml"], manner)
    assert found["tells: at once"] + found["tells: second time"] >= 145  # of 150
    assert found["puts right: at once"] >= 95  # of 100
    assert found["objects: at once"] >= 96  # of 100 wrong acts
    assert found["agrees: at once"] >= 97  # of 100
    assert found["settled: at once"] == 50


@both
def test_of_plain_and_oblique_words_most_are_answered(manner: str) -> None:
    found = counts([HERE / "phrasings" / "plain.toml", *BLIND], manner)
    assert found["tells: at once"] >= 265  # of 380
    assert found["agrees: at once"] >= 88  # of 112
    assert found["puts right: at once"] >= 60  # of 76
    assert found["settled: at once"] == 156


@both
def test_no_report_of_a_step_or_an_end_is_answered_with_a_no(manner: str) -> None:
    found = counts([HERE / "phrasings" / f"{name}.toml" for name in ("endings-one", "steps-one")], manner)
    assert found["settled: wrong"] + found["settled: second time"] <= 3
