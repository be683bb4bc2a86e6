"""The table between our modes and TRAIL's categories."""

from misstep.taxonomy import modes
from misstep.taxonomy.trail import categories, category_of, category_spelt, mode_for, table


def test_the_table_is_one_to_one_and_of_our_modes() -> None:
    assert set(table()) <= set(modes())
    assert len(set(table().values())) == len(table())
    assert len(set(categories())) == len(categories())


def test_there_and_back_is_the_same_mode() -> None:
    assert all(mode_for(category) == mode for mode, category in table().items())


def test_variants_of_spelling_are_one_category() -> None:
    assert category_spelt(" Task Orchestration Error ") == "Task Orchestration"
    assert mode_for("instruction non-compliance") == "instruction-not-followed"


def test_what_trail_does_not_tell_apart_is_counted_together() -> None:
    assert category_of("malformed-argument") == category_of("malformed-output") == "Formatting Errors"


def test_a_category_of_the_surroundings_has_no_mode() -> None:
    assert mode_for("Rate Limiting") is None
    assert category_of("duplicate-effect") is None
