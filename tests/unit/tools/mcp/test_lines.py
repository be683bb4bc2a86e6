"""What comes over a wire, cut into lines and read as messages."""

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage

from misstep.tools.mcp.lines import Lines, message_in, refusal


@given(st.lists(st.binary(max_size=8).map(lambda each: each.replace(b"\n", b"")), max_size=8), st.integers(1, 5))
def test_lines_come_out_as_they_went_in_however_they_are_cut(lines: list[bytes], piece: int) -> None:
    data = b"".join(line + b"\n" for line in lines)
    reader = Lines(100)
    pieces = [data[start : start + piece] for start in range(0, len(data), piece)]
    assert [each for part in pieces for each in reader.feed(part)] == [(line, True) for line in lines]


def test_of_a_line_that_is_too_long_only_the_ends_are_kept_and_the_next_is_whole() -> None:
    reader = Lines(2000)
    found = [each for piece in [b"a" * 500] * 9 + [b"z" * 500 + b"\nnext\n"] for each in reader.feed(piece)]
    assert found == [(b"a" * 400 + b"z" * 400, False), (b"next", True)]


@pytest.mark.parametrize(
    ("start", "end", "answered"),
    [
        (b'{"jsonrpc":"2.0","id":7,"result":{"text":"', b'"}}', 7),
        (b'{"result":{"id": 3, "text":"', b'"},"jsonrpc":"2.0","id":"a1"}', "a1"),
        (b'{"result":{"text":"', b'"}, "id": 12, "jsonrpc": "2.0"}', 12),
    ],
)
def test_an_answer_that_is_too_large_is_an_error_for_the_call_that_asked(
    start: bytes, end: bytes, answered: int
) -> None:
    ends = start + b"x" * (800 - len(start) - len(end)) + end
    message = refusal(ends, "It is too large.")
    assert message is not None
    assert isinstance(message.message, types.JSONRPCError)
    assert message.message.id == answered
    assert message.message.error.message == "It is too large."


def test_a_long_line_that_is_no_answer_answers_nobody() -> None:
    assert refusal(b"x" * 800, "It is too large.") is None


def test_what_utf8_cannot_hold_is_spelt_out() -> None:
    line = b'{"jsonrpc":"2.0","id":1,"result":{"\\udcff":["\\ud800 odd", 1, null]}}'
    message = message_in(line)
    assert isinstance(message, SessionMessage)
    assert isinstance(message.message, types.JSONRPCResponse)
    assert message.message.result == {"\\udcff": ["\\ud800 odd", 1, None]}
    assert b"\\\\ud800 odd" in message.message.model_dump_json().encode()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"jsonrpc":"2.0","id":1,"result":{"x":' + b"[" * 3000 + b"]" * 3000 + b"}}", "it is nested too deeply"),
        (
            b'{"jsonrpc":"2.0","id":1,"result":{"x":' + b"[" * 180 + b'"\\ud800"' + b"]" * 180 + b"}}",
            "it is nested too deeply",
        ),
        (b'{"jsonrpc":"2.0","id":1,"result":{"x"', "it is no JSON"),
        (b"\xff\xfe", "it is no JSON"),
        (b"[1, 2]", "it is no message of JSON-RPC"),
    ],
)
def test_a_line_that_is_no_message_says_why(line: bytes, why: str) -> None:
    assert message_in(line) == why
