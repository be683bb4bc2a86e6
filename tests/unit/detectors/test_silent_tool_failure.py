"""Answers that were none, and what was made of them."""

from collections.abc import Callable

from msgspec import structs

from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_failure.silent_tool_failure import silent_tool_failure

Read = Callable[..., Trace]
TOOLS = "* show reads: Show a record.\n* change writes: Change a record.\n"
ACT = 'change(id="R-101") -> "ok"\nagent: Changed as you wished.'


def places(trace: Trace) -> list[tuple[int, ...]]:
    return [found.events for found in detect(trace, detectors=[silent_tool_failure])]


def test_to_act_on_an_empty_record_is_found_at_the_act(read: Read) -> None:
    assert places(read(f'{TOOLS}user: Go.\nshow(id="R-101") -> {{}}\n{ACT}')) == [(3, 2)]
    assert places(read(f'{TOOLS}user: Go.\nshow(id="R-101") -> {{"name": "", "mail": null}}\n{ACT}')) == [(3, 2)]


def test_an_answer_that_breaks_off_is_found(read: Read) -> None:
    assert places(read(f'{TOOLS}user: Go.\nshow(id="R-101") -> "{{\\"name\\": \\"An"\n{ACT}')) == [(3, 2)]
    assert places(read(f'{TOOLS}user: Go.\nshow(id="R-101") -> "{{\\"name\\": \\"Ann\\"}}"\n{ACT}')) == []


def test_an_answer_without_what_was_promised_is_found(read: Read) -> None:
    schema: dict[str, object] = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    trace = read(f'user: Go.\nshow(id="R-101") -> {{"other": 1}}\n{ACT}')
    tools = (Tool("show", "Show.", {}, schema, "reads"), Tool("change", "Change.", {}, None, "writes"))
    assert places(structs.replace(trace, tools=tools)) == [(3, 2)]


def test_an_empty_list_a_full_record_and_a_search_without_an_id_are_answers(read: Read) -> None:
    assert places(read(f'{TOOLS}user: Go.\nshow(id="R-101") -> []\n{ACT}')) == []
    assert places(read(f'{TOOLS}user: Go.\nshow(id="R-101") -> {{"count": 0}}\n{ACT}')) == []
    assert places(read(f'{TOOLS}user: Go.\nshow(word="any") -> {{}}\n{ACT}')) == []


def test_a_second_look_a_question_or_saying_so_is_right(read: Read) -> None:
    empty = f'{TOOLS}user: Go.\nshow(id="R-101") -> {{}}\n'
    assert places(read(f'{empty}show(id="R-101") -> {{"a": 1}}\n{ACT}')) == []
    assert places(read(f"{empty}agent: There is nothing under R-101.")) == []
    assert places(read(f"{empty}agent: Which record do you mean?")) == []
