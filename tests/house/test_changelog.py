"""A fragment of the changelog says in a sentence or two what a user can now do."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "changelog.d"
FRAGMENTS = sorted(path for path in FOLDER.iterdir() if path.name != "README.md")
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.(added|changed|fixed|removed)\.md")


@pytest.mark.parametrize("path", FRAGMENTS, ids=lambda path: path.name)
def test_a_fragment_has_the_form_that_its_readme_asks_for(path: Path) -> None:
    assert NAME.fullmatch(path.name), "is not named like `short-name.added.md`"
    text = path.read_text("utf-8").strip()
    assert text.endswith("."), "is no whole sentence"
    assert not text.startswith(("#", "-", "*")), "is a heading or a list"
    assert 4 <= len(text.split()) <= 80, "is not a sentence or two"


def test_the_changelog_has_at_least_one_fragment() -> None:
    assert FRAGMENTS
