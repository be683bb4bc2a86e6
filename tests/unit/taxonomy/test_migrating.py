"""Labels outlive versions of the taxonomy."""

import pytest

from misstep.core.finding import Finding
from misstep.taxonomy import VERSION, modes
from misstep.taxonomy.migrating import OutdatedLabelError, Version, migrated, versions

HISTORY = (
    Version("1"),
    Version("2", renamed={"looping": "repeated-call", "spinning": "repeated-call"}),
    Version("3", split={"misuse": ("wrong-tool", "wrong-argument")}, retired={"odd": "It named nothing."}),
    Version("4", renamed={"repeated-call": "same-call"}),
)


def label(mode: str, taxonomy: str) -> Finding:
    return Finding(mode=mode, events=(3,), because="I saw it.", claimed_by="Ann", taxonomy=taxonomy)


def test_the_last_version_is_the_one_that_findings_are_stamped_with() -> None:
    assert versions()[-1].id == VERSION


def test_a_label_is_carried_through_every_version_in_between() -> None:
    carried = migrated(label("looping", "1"), HISTORY)
    assert (carried.mode, carried.taxonomy, carried.claimed_by, carried.events) == ("same-call", "4", "Ann", (3,))


def test_two_modes_can_become_one() -> None:
    assert migrated(label("spinning", "1"), HISTORY).mode == migrated(label("looping", "1"), HISTORY).mode


def test_a_mode_that_was_split_needs_a_person() -> None:
    with pytest.raises(OutdatedLabelError, match="wrong-tool or wrong-argument in version 3: label it anew"):
        migrated(label("misuse", "2"), HISTORY)


def test_a_mode_that_is_no_more_says_why() -> None:
    with pytest.raises(OutdatedLabelError, match="It named nothing"):
        migrated(label("odd", "1"), HISTORY)


def test_a_label_made_after_the_change_is_left_as_it_is() -> None:
    assert migrated(label("misuse", "3"), HISTORY).mode == "misuse"


def test_a_label_of_a_version_from_the_future_is_refused() -> None:
    with pytest.raises(OutdatedLabelError, match="Update Misstep"):
        migrated(label("looping", "2031.1"), HISTORY)


def test_a_label_without_a_version_is_taken_to_be_new() -> None:
    assert migrated(label("looping", ""), HISTORY).taxonomy == "4"


@pytest.mark.parametrize("mode", [*modes()])
def test_every_mode_of_the_first_version_has_a_place_in_this_one(mode: str) -> None:
    assert migrated(label(mode, "2026.1")).mode in modes()
