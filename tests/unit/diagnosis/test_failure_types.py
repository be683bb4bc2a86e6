"""failure_types: in what way a trace falls short of its objective."""

from misstep.core.event import Event, Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.objective import ExpectedCall, ExpectedFact, Forbidden, Objective
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.diagnosis.failure_types import failure_types

ROOM: dict[str, JSON] = {"guest": "g-1", "nights": 2, "room": "blue"}
OBJECTIVE = Objective(
    calls=(
        ExpectedCall(id="room", tool="book_room", arguments=ROOM),
        ExpectedCall(id="table", tool="book_table", arguments={"seats": 4}),
    ),
    forbidden=(
        Forbidden(tool="cancel_room"),
        *(Forbidden(tool="book_room", arguments={name: {"not": value}}) for name, value in ROOM.items()),
        Forbidden(tool="book_table", arguments={"seats": {"not": 4}}),
    ),
)


def did(*calls: tuple[str, dict[str, JSON]], failing: tuple[str, ...] = ()) -> Trace:
    events: list[Event] = [Message(actor="user", role="user", text="Please.")]
    for at, (tool, arguments) in enumerate(calls):
        events.append(ToolCall(actor="agent", call_id=f"c{at}", tool=tool, arguments=arguments))
        events.append(ToolResult(actor=tool, call_id=f"c{at}", content="x", is_error=tool in failing))
    return Trace(id="t", events=tuple(events))


def types(trace: Trace, objective: Objective = OBJECTIVE) -> list[str]:
    return [each.type for each in failure_types(trace, objective)]


def test_a_run_that_does_what_is_needed_has_no_type() -> None:
    assert types(did(("book_room", ROOM), ("look_up", {"q": 1}), ("book_table", {"seats": 4}))) == []


def test_a_needed_call_with_another_value_is_a_wrong_argument() -> None:
    assert types(did(("book_room", {**ROOM, "nights": 3}), ("book_table", {"seats": 4}))) == ["wrong-argument"]


def test_a_call_that_differs_in_everything_is_an_extra_one_and_the_needed_one_is_missing() -> None:
    assert types(did(("book_room", ROOM), ("book_table", {"seats": 5}))) == ["extra-call", "missing-call"]


def test_doing_more_than_was_needed_is_an_extra_call() -> None:
    trace = did(("book_room", ROOM), ("book_table", {"seats": 4}), ("cancel_room", {}))
    [extra] = failure_types(trace, OBJECTIVE)
    assert (extra.type, extra.events) == ("extra-call", (5,))


def test_doing_only_a_part_is_a_missing_call() -> None:
    assert types(did(("book_room", ROOM))) == ["missing-call"]


def test_doing_nothing_is_no_write() -> None:
    assert types(did(("look_up", {"q": 1}))) == ["no-write"]


def test_handing_over_undone_work_is_a_transfer() -> None:
    assert types(did(("transfer_to_human", {"why": "too hard"}))) == ["transferred"]


def test_handing_over_what_is_done_is_no_failure() -> None:
    assert types(did(("book_room", ROOM), ("book_table", {"seats": 4}), ("transfer_to_human", {}))) == []


def test_the_right_call_that_did_not_succeed_is_a_failed_call() -> None:
    trace = did(("book_room", ROOM), ("book_table", {"seats": 4}), failing=("book_table",))
    assert types(trace) == ["failed-call"]


def test_what_was_not_told_is_untold() -> None:
    assert types(did(), Objective(facts=(ExpectedFact("price", ("12",)),))) == ["untold"]


def test_a_type_names_the_modes_found_at_its_events() -> None:
    trace = did(("book_room", {**ROOM, "nights": 3}), ("book_table", {"seats": 4}))
    there = Finding(mode="wrong-argument", events=(1,), because="Three nights.")
    elsewhere = Finding(mode="repeated-call", events=(3,), because="Again.")
    [wrong] = failure_types(trace, OBJECTIVE, (there, elsewhere))
    assert wrong.modes == ("wrong-argument",)
