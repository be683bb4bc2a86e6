"""What requests of plain logs list, what texts must mention, and what a command line changes."""

from misstep.detectors.evidence.commands import touched_by
from misstep.detectors.evidence.items import items
from misstep.detectors.evidence.mentions import mentions, speaks_of


def test_a_numbered_list_of_errands_has_its_items() -> None:
    found = items("Please: 1) cancel my class, 2) invite Tess, 3) delete the list.")
    assert [each.text for each in found] == ["cancel my class", "invite Tess", "delete the list."]


def test_a_list_of_facts_has_no_items() -> None:
    assert items("What I saw: 1) a red light, 2) a green light.") == ()


def test_what_must_not_be_mentioned_is_told_from_what_must() -> None:
    wished = mentions("It must mention the price of 2,250 crowns and must not mention the delay.")
    assert [(each.banned, each.values) for each in wished] == [(True, ()), (False, ("2,250",))]


def test_saying_that_it_was_left_out_does_not_speak_of_it() -> None:
    (ban,) = mentions("Do not mention the strike.")
    assert speaks_of(ban, "After the strike we are open again.")
    assert not speaks_of(ban, "I did not mention the strike.")


def test_a_command_line_touches_what_it_writes_and_not_what_it_runs() -> None:
    assert touched_by("python -m pytest tests/a.py > out.log 2>&1") == "out.log"
    assert "tests/a.py" in touched_by("cd repo && sed -i 's/4/5/' tests/a.py")
    assert "main" in touched_by("git push origin main")
