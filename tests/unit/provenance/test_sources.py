"""Where each value of each call first appeared."""

from collections.abc import Callable

import pytest

from misstep.core.event import Message, ToolCall
from misstep.core.policy import Policy
from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.provenance import ArgumentSource, sources

Read = Callable[..., Trace]


def last(trace: Trace) -> dict[str, ArgumentSource]:
    places = sources(trace)
    return {source.path: source for source in places[max(places)]}


def origin(trace: Trace, path: str = "x") -> str:
    return last(trace)[path].origin


def test_a_value_that_the_user_said_points_at_what_they_said(read: Read) -> None:
    found = last(read('agent: Hello.\nuser: It is order ORD-1234.\nshow(x="ORD-1234")'))["x"]
    assert (found.origin, found.event) == ("user", 1)


def test_the_first_place_counts_and_not_the_latest(read: Read) -> None:
    trace = read('find() -> {"id": "ORD-1234"}\nuser: Yes, ORD-1234.\nshow(x="ORD-1234")')
    assert (last(trace)["x"].origin, last(trace)["x"].event) == ("tool", 1)


@pytest.mark.parametrize(
    ("said", "used"),
    [
        ("order #ord-1234", "'ORD-1234'"),
        ("order ORD 1234", "'ORD-1234'"),
        ("number 1234", "'ORD-1234'"),
        ("order ORD-1234", "1234"),
        ("it costs 1,234.50", "1234.5"),
        ("it costs 1.234,50", "1234.5"),
        ("on 24 May 2024", "'2024-05-24'"),
        ("on May 24th", "'2024-05-24'"),
        ("on 24/05/2024", "'2024-05-24'"),
        ("on 2024-05-24", "'24 May 2024'"),
        ("call +1 (555) 010-7788", "'5550107788'"),
        ("I am ann lee", "'Ann Lee'"),
        ("I am Ann Marie Lee", "'Lee'"),
        ("write to Ann@X.org", "'ann@x.org'"),
        ("card 4111222233338821", "'8821'"),
    ],
)
def test_a_value_in_another_form_is_still_the_users(read: Read, said: str, used: str) -> None:
    assert origin(read(f"user: {said}\nshow(x={used})")) in ("user", "derived")


@pytest.mark.parametrize(
    "used", ["'ORD-1243'", "'ORD-9999'", "'eve@x.org'", "987654", "'1999-01-01'", "'K7PQ2Z'", "'5550107789'"]
)
def test_what_nobody_named_comes_from_nowhere(read: Read, used: str) -> None:
    trace = read(f"user: Order ORD-1234 of ann@x.org, ordered on 2024-05-24, phone 5550107788.\nshow(x={used})")
    assert origin(trace) == "nowhere"


def test_an_error_is_a_source_like_any_result(read: Read) -> None:
    assert origin(read('show(x="A") !! "it moved to ORD-1234"\nshow(x="ORD-1234")')) == "tool"


def test_an_error_that_repeats_an_invented_value_does_not_make_it_known(read: Read) -> None:
    trace = read('user: Hi.\nshow(x="ORD-1234") !! "there is no ORD-1234"\nshow(x="ORD-1234")')
    assert origin(trace) == "nowhere"


def test_the_user_can_name_what_the_agent_had_invented(read: Read) -> None:
    trace = read('user: Hi.\nshow(x="ORD-1234") !! "no"\nuser: Oh, it is ORD-1234 indeed.\nshow(x="ORD-1234")')
    assert origin(trace) == "user"


def test_what_the_agent_proposed_and_the_user_took_is_the_agents(read: Read) -> None:
    trace = read('user: Any.\nagent: Shall I take ORD-1234?\nuser: Yes.\nshow(x="ORD-1234")')
    assert (origin(trace), last(trace)["x"].event) == ("agent", 1)


def test_what_the_agent_proposed_and_the_user_turned_down_is_no_source(read: Read) -> None:
    trace = read('user: Any.\nagent: Shall I take ORD-1234?\nuser: No, another.\nshow(x="ORD-1234")')
    assert origin(trace) == "nowhere"


def test_the_rules_are_a_source(read: Read) -> None:
    trace = read('user: Today?\nshow(x="2025-03-01")', policy=Policy("It is 2025-03-01 today."))
    assert origin(trace) == "policy"


@pytest.mark.parametrize("used", ["1599.75", "901.25", "2501", "125.05", "1125.45"])
def test_simple_arithmetic_on_known_numbers_is_derived(read: Read, used: str) -> None:
    trace = read(f'user: 10 percent off?\nfind() -> {{"a": 1250.5, "b": 349.25}}\nshow(x={used})')
    assert origin(trace) == "derived"


def test_a_column_added_up_is_derived(read: Read) -> None:
    trace = read('find() -> [{"p": 10.5}, {"p": 20.25}, {"p": 30.1}]\nshow(x=60.85)')
    assert origin(trace) == "derived"


def test_flags_and_small_counts_need_no_source(read: Read) -> None:
    found = last(read('user: Hi.\nshow(a=True, b=None, c="", d=1, e=50, f=1000)'))
    assert {source.origin for source in found.values()} == {"trivial"}


def test_prose_is_the_agents_own_unless_it_holds_an_unknown_identifier(read: Read) -> None:
    trace = read('user: Hi.\nshow(x="Thank you for waiting, we are on it", y="Your ticket TCK-55821 is closed")')
    assert (origin(trace, "x"), origin(trace, "y")) == ("composed", "nowhere")
    assert last(trace)["y"].unknown == "TCK-55821"


def test_what_the_schema_names_comes_from_the_schema() -> None:
    schema = {"properties": {"x": {"enum": ["EX-2000", "EX-3000"]}, "y": {"description": "Such as ZZ-100."}}}
    call = ToolCall(actor="agent", call_id="c", tool="t", arguments={"x": "EX-2000", "y": "ZZ-100", "z": "QQ-100"})
    trace = Trace(id="t", events=(call,), tools=(Tool("t", input_schema=schema),))
    assert [source.origin for source in sources(trace)[0]] == ["schema", "schema", "nowhere"]


def test_values_inside_lists_and_tables_have_their_paths(read: Read) -> None:
    found = last(read('user: A-100 and B-200.\nshow(x=[{"id": "A-100"}, {"id": "C-300"}])'))
    assert {path: source.origin for path, source in found.items()} == {"x[0].id": "user", "x[1].id": "nowhere"}


def test_ids_that_are_keys_of_a_result_are_known(read: Read) -> None:
    assert origin(read('find() -> {"ways": {"card_8190333": {"last": 1}}}\nshow(x="card_8190333")')) == "tool"


def test_a_trace_without_calls_has_no_sources() -> None:
    assert sources(Trace(id="t", events=(Message(actor="user", role="user", text="Hi"),))) == {}
