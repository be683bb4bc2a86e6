"""What must have changed in the end, where records have gaps."""

from misstep.core.state import Change
from misstep.synthesis.tasks.expecting import expected_changes, pattern


def test_a_field_that_is_emptied_must_be_nothing_in_the_end() -> None:
    change = Change(table="books", key="B-1", before={"lent_to": "M-3"}, after={"lent_to": None})
    (expected,) = expected_changes([change], (), frozenset(), ())
    assert expected.fields == {"lent_to": {"is": "nothing"}}


def test_what_a_new_record_does_not_hold_is_not_asked_for() -> None:
    change = Change(table="loans", key="L-9", before=None, after={"book": "B-1", "returned": None})
    (expected,) = expected_changes([change], (), frozenset(), ())
    assert expected.fields == {"book": "B-1"}


def test_a_value_with_a_gap_in_it_may_be_anything() -> None:
    assert pattern({"from": 9, "to": None}, ()) == {"is": "anything"}
    assert pattern({"days": [1, None]}, ()) == {"is": "anything"}
