"""The front door opens on every word, quickly, and type checkers see the same ones."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import misstep


@pytest.mark.parametrize("word", dir(misstep))
def test_every_word_leads_to_a_thing(word: str) -> None:
    assert getattr(misstep, word).__name__ == word if word != "Event" else misstep.Event


def test_type_checkers_see_the_same_words() -> None:
    stub = Path(str(misstep.__file__)).with_suffix(".pyi").read_text()
    assert sorted(re.findall(r" as (\w+)", stub)) == dir(misstep)


def test_a_word_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'runn'"):
        _ = misstep.runn  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def test_opening_the_door_imports_nothing_behind_it() -> None:
    code = "import sys, misstep; print([each for each in sys.modules if each.startswith('misstep.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
