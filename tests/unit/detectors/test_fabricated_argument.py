"""Values that identify something and that nobody had named."""

from collections.abc import Callable

import pytest

from misstep.core.event import Message, ToolCall
from misstep.core.tool import JSON, Tool
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.hallucination.fabricated_argument import fabricated_argument

Read = Callable[..., Trace]


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[fabricated_argument])]


def called(value: JSON, **schema: JSON) -> Trace:
    tools = (
        Tool("act", input_schema={"properties": {"x": schema}, "required": ["x"]}, effect="writes"),
        Tool("find", output_schema={"type": "array", "items": {"properties": {"x": {}}}}, effect="reads"),
    )
    call = ToolCall(actor="agent", call_id="c", tool="act", arguments={"x": value})
    return Trace(id="t", events=(Message(actor="user", role="user", text="Please act."), call), tools=tools)


@pytest.mark.parametrize("value", ["ORD-48213", "blim_7731", "ann@x.org", "83920174", 83920174, "1984-06-17", "K7PQ2Z"])
def test_an_identifier_from_nowhere_is_found(value: JSON) -> None:
    assert places(called(value)) == [(1,)]


@pytest.mark.parametrize(
    "value", ["hello", "JFK", 7, 200, 19.99, True, "", "a kind word for you", "12:30", "3kg", "urgent"]
)
def test_what_identifies_nothing_needs_no_source(value: JSON) -> None:
    assert places(called(value)) == []


def test_an_invented_value_is_one_finding_with_all_its_calls(read: Read) -> None:
    assert places(read('user: Hi.\nlook(x="Z-8841") !! "no Z-8841"\nlook(x="z8841") !! "no"')) == [(1, 3)]


def test_a_word_without_digits_is_found_where_the_schema_holds_it_to_a_pattern() -> None:
    assert places(called("vorkel-quist", pattern="^[a-z]+-[a-z]+$")) == [(1,)]


def test_a_word_without_digits_is_found_where_other_tools_give_it_out() -> None:
    assert places(called("vorkel-quist")) == [(1,)]


def test_a_plain_word_is_the_agents_own_even_where_other_tools_use_the_field() -> None:
    assert places(called("defective")) == []


def test_a_choice_of_the_schema_is_no_invention() -> None:
    assert places(called("EX-2000", enum=["EX-2000"])) == []


def test_what_the_agent_may_choose_freely_is_no_invention() -> None:
    assert places(called("req-88213", description="Any unique key, for idempotency.")) == []


def test_a_new_file_may_have_a_new_name() -> None:
    assert places(called("notes/plan-20431.txt")) == []


def test_a_value_looked_up_before_is_no_invention(read: Read) -> None:
    assert places(read('user: Hi.\nfind() -> [{"id": "Z-8841"}]\nlook(x="Z-8841") -> 1')) == []


def test_a_total_of_what_was_looked_up_is_no_invention(read: Read) -> None:
    assert places(read('user: Pay all.\nfind() -> [{"p": 1200}, {"p": 2311}, {"p": 4000}]\npay(x=7511) -> 1')) == []


def test_a_day_reckoned_from_a_known_one_is_no_invention(read: Read) -> None:
    assert places(read('user: A week after 2024-05-20.\nlook(x="2024-05-27") -> 1')) == []
