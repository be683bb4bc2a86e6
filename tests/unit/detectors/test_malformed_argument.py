"""Arguments in a wrong form, by the schema or by what the tool says."""

from collections.abc import Callable
from typing import cast

import pytest

from misstep.core.event import Event, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.tool import JSON, Tool
from misstep.core.trace import Trace
from misstep.detectors import detect
from misstep.detectors.tool_misuse.malformed_argument import malformed_argument

Read = Callable[..., Trace]
SCHEMA: dict[str, JSON] = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "pattern": "^A-"},
        "count": {"type": "integer"},
        "size": {"enum": ["small", "large"]},
        "note": {"type": "string"},
    },
    "required": ["id"],
    "additionalProperties": False,
}


def found(*calls: dict[str, JSON] | str, failed: bool = True, schema: dict[str, JSON] = SCHEMA) -> list[Finding]:
    events: list[Event] = []
    for at, given in enumerate(calls):
        bare = given if isinstance(given, dict) else {}
        broken = given if isinstance(given, str) else None
        events.append(ToolCall(actor="agent", call_id=str(at), tool="t", arguments=bare, malformed=broken))
        events.append(ToolResult(actor="t", call_id=str(at), content="no" if failed else "ok", is_error=failed))
    trace = Trace(id="t", events=tuple(events), tools=(Tool("t", "", schema),))
    return list(detect(trace, detectors=[malformed_argument]))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "id is missing"),
        ({"id": "B-1"}, "id does not fit"),
        ({"id": "A-1", "count": "two"}, "count does not fit"),
        ({"id": "A-1", "size": "huge"}, "size does not fit"),
        ({"id": "A-1", "colour": "red"}, "no field colour"),
        ({"id": ["A-1"]}, "id does not fit"),
        ("{not json", "no JSON object"),
    ],
)
def test_what_does_not_fit_is_named(given: dict[str, JSON] | str, said: str) -> None:
    (finding,) = found(given)
    assert said in finding.because
    assert finding.events == (0,)


def test_what_fits_is_left_alone() -> None:
    assert found({"id": "A-1", "count": 2, "size": "small"}) == []


def test_each_such_call_is_a_finding_of_its_own() -> None:
    assert [each.events for each in found({"id": "B-1"}, {"id": "A-1"}, {"id": "B-2"}, {})] == [(0,), (4,), (6,)]


@pytest.mark.parametrize("given", [{"id": "A-1", "note": None}, {"id": "A-1", "count": "2"}, {"id": "A-1", "note": 5}])
def test_what_a_tool_takes_without_a_word_may_pass(given: dict[str, JSON]) -> None:
    assert found(given, failed=False) == []
    assert len(found(given)) == 1


def test_what_calls_itself_a_schema_and_is_none_finds_nothing() -> None:
    assert found({"a": 1}, schema={"type": "object", "properties": {"a": {"type": "any"}}}) == []
    assert found({"a": 1}, schema={"a": {"type": "string", "description": "A thing."}}) == []
    assert found({"a": 1}, schema={"$ref": "https://example.org/schema.json"}) == []


def test_without_a_schema_only_what_the_tool_says_counts(read: Read) -> None:
    told = read("look(x=1) !! \"TypeError: look() got an unexpected keyword argument 'x'\"\nlook(y=1) -> 1")
    assert [each.events for each in detect(told, detectors=[malformed_argument])] == [(0,)]
    assert detect(read('look(x=1) !! "no such thing"'), detectors=[malformed_argument]) == ()


def test_a_record_that_speaks_of_missing_fields_is_no_complaint(read: Read) -> None:
    trace = read('look(x=1) -> {"text": "missing required argument"}')
    assert detect(trace, detectors=[malformed_argument]) == ()
    assert cast("ToolCall", trace.events[0]).malformed is None
