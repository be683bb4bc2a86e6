"""The difference between two states is what changed, by table and key, and nothing else."""

from hypothesis import given, settings
from hypothesis import strategies as st

from misstep.core.state import Change, State, difference

RECORDS = st.dictionaries(st.sampled_from("abc"), st.integers(0, 2) | st.none(), max_size=3)
STATES = st.dictionaries(
    st.sampled_from("xy"), st.dictionaries(st.sampled_from("123"), RECORDS, max_size=3), max_size=2
)


def test_created_changed_and_deleted_records_are_told_apart() -> None:
    before: State = {"orders": {"1": {"status": "open"}, "2": {"status": "open"}, "3": {"status": "open"}}}
    after: State = {"orders": {"1": {"status": "open"}, "2": {"status": "shut"}, "4": {"status": "new"}}}
    assert difference(before, after) == (
        Change("orders", "2", {"status": "open"}, {"status": "shut"}),
        Change("orders", "3", {"status": "open"}, None),
        Change("orders", "4", None, {"status": "new"}),
    )


def test_a_record_without_fields_is_still_created() -> None:
    assert difference({}, {"notes": {"1": {}}}) == (Change("notes", "1", None, {}),)


def test_the_fields_that_differ_are_listed_by_name() -> None:
    change = Change("orders", "1", {"same": 1, "was": 2, "gone": None}, {"same": 1, "was": 3, "new": None})
    assert change.fields == ("gone", "new", "was")


@given(before=STATES, after=STATES)
@settings(deadline=None, derandomize=True)
def test_the_changes_turn_one_state_into_the_other(before: State, after: State) -> None:
    state = {table: dict(records) for table, records in before.items()}
    for change in difference(before, after):
        records = state.setdefault(change.table, {})
        assert records.get(change.key) == change.before
        if change.after is None:
            del records[change.key]
        else:
            records[change.key] = change.after
    assert _filled(state) == _filled(after)


@given(state=STATES)
@settings(deadline=None, derandomize=True)
def test_a_state_does_not_differ_from_its_copy(state: State) -> None:
    assert difference(state, {table: dict(records) for table, records in state.items()}) == ()


def _filled(state: State) -> State:
    return {table: records for table, records in state.items() if records}
