"""What must have changed in the end, where records have gaps."""

from misstep.core.objective import ExpectedChange
from misstep.core.state import Change
from misstep.core.tool import JSON
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


def test_what_nobody_mentioned_may_be_filled_in_a_record_that_was_there() -> None:
    after: dict[str, JSON] = {"status": "cancelled", "reason": ""}
    change = Change(table="appointments", key="A-1", before={"status": "booked"}, after=after)
    (expected,) = expected_changes([change], (), frozenset(), ("reason",))
    assert expected == ExpectedChange(table="appointments", key="A-1", fields={"status": "cancelled"})


def test_a_default_is_demanded_where_it_is_all_that_changes() -> None:
    change = Change(table="members", key="M-1", before={"frozen": False}, after={"frozen": True})
    (expected,) = expected_changes([change], (), frozenset(), ("frozen",))
    assert expected.fields == {"frozen": True}


def test_a_sentence_of_the_persons_own_may_be_put_in_other_words_and_a_name_may_not() -> None:
    assert pattern("it was a mistake", ["it was a mistake"]) == {"means": "it was a mistake"}
    assert pattern("Lord of the Rings", ["Lord of the Rings"]) == {"contains": "Lord of the Rings"}
    assert pattern("out of stock", ()) == "out of stock"
