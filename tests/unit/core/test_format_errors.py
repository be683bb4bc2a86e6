"""What cannot be read, or written, is answered by a sentence that says why and what to do."""

import pytest

from misstep.core.errors import FormatError
from misstep.core.event import Message, ToolResult
from misstep.core.scenario import scenario_from
from misstep.core.trace import Trace, decode_trace, encode_trace

START = b'{"format":"misstep.trace/1","id":"a"'
DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"", "not a trace: Input data was truncated"),
        (START, "not a trace: Input data was truncated"),
        (b"hello", "not a trace: JSON is malformed"),
        (b"[]", "not a trace: Expected `object`, got `array`"),
        (b"\xff\xfe{", "not a trace"),
        (START[:-2] + b'\xff"}', "'utf-8' codec can't decode byte 0xff"),
        ('{"format":"misstep.trace/1","id":"\ud800"}', "surrogates not allowed"),
        (START + b'} {"second":1}', "trailing characters"),
        (b'{"id":"a"}', "no 'format' field that says 'misstep.trace/1'"),
        (b'{"format":"","id":"a"}', "The format '' is not one that Misstep reads"),
        (b'{"format":3,"id":"a"}', "The format 3 is not one that Misstep reads"),
        (b'{"format":"misstep.scenario/1"}', "The format 'misstep.scenario/1' is not one that Misstep reads here"),
        (b'{"format":"misstep.trace/2","id":"a","more":1}', "'misstep.trace/2'; this version .* Update Misstep"),
        (START + b',"colour":"red"}', "'misstep.trace/1', but Object contains unknown field `colour`"),
        (START + b',"events":[{"type":"dance","actor":"a"}]}', r"Invalid value 'dance' - at `\$.events\[0\].type`"),
        (START + b',"events":[{"type":"thought","actor":"a","text":"b","mood":1}]}', "unknown field `mood`"),
        (START + b',"usage":{"turns":"many"}}', r"Expected `int`, got `str` - at `\$.usage.turns`"),
        (START + b',"events":' + DEEP, r"not a trace|Expected `object`"),
        (START + b',"policy":{"rules":[{"id":"a","kind":"once","text":"","parameters":{"a":' + DEEP, "recursion depth"),
    ],
)
def test_an_unreadable_trace_is_answered_by_a_clear_sentence(line: bytes | str, sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence):
        decode_trace(line)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(object(), "unsupported"), ("\ud800", "surrogates not allowed"), ({1: 2}, "str keys")],
    ids=["an object", "half a character", "a key that is no text"],
)
def test_a_trace_that_json_cannot_hold_is_answered_by_a_clear_sentence(content: object, sentence: str) -> None:
    trace = Trace(id="odd/0", events=(ToolResult(actor="tool", call_id="c1", content=content),))
    with pytest.raises(FormatError, match=f"'odd/0' cannot be written as JSON: .*{sentence}"):
        encode_trace(trace)


def test_endless_nesting_cannot_be_written_and_does_not_crash() -> None:
    content: list[object] = []
    for _ in range(100_000):
        content = [content]
    with pytest.raises(FormatError, match="recursion depth"):
        encode_trace(Trace(id="deep/0", events=(ToolResult(actor="tool", call_id="c1", content=content),)))


def test_text_from_every_script_is_written_as_it_is() -> None:
    trace = Trace(id="a", events=(Message(actor="user", role="user", text="naïve 订单 \u0000 😀 </script>"),))
    assert decode_trace(encode_trace(trace)) == trace


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"name": "a", "colour": "red"}, "here.toml is no scenario: Object contains unknown field `colour`"),
        ({}, "here.toml is no scenario: Object missing required field `name`"),
        ({"name": "a/b"}, "a scenario's name must be there and have no '/'"),
        ({"format": "misstep.scenario/2", "name": "a"}, "'misstep.scenario/2'; this version .* Update Misstep"),
        ({"format": "misstep.trace/1", "name": "a"}, "'misstep.trace/1'; this version .* 'misstep.scenario/1'.$"),
        (["a"], "here.toml is no scenario: Expected `object`, got `array`"),
    ],
)
def test_an_unreadable_scenario_is_answered_by_a_clear_sentence(data: object, sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence):
        scenario_from(data, place="here.toml")


def test_a_scenario_written_by_hand_need_not_name_its_format() -> None:
    assert scenario_from({"name": "a"}, place="here.toml").name == "a"
