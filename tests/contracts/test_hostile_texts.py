"""No text, however dull or long, may keep a detector or the culprit busy: patterns that backtrack would."""

import pytest

from misstep.core.event import Handoff, Message, ToolCall, ToolResult
from misstep.core.trace import Origin, Trace
from misstep.detectors import detect_with_errors
from misstep.diagnosis.culprit import culprit

LENGTH = 20_000
"""So long that what is quadratic in it would run into the limit, and what is linear takes a moment."""
DULL = {
    "line ends": "\n",
    "spaces": " ",
    "mixed space": "\t \n",
    "one letter": "a",
    "letters": "a ",
    "brackets": "[",
    "keys": '{"a":',
    "quotes": '"',
    "apostrophes": "' ",
    "digits": "9",
    "dots": ".",
    "stops": ". ",
    "dashes": "-",
    "nots": "not ",
    "orders": "you must ",
    "fences": "```",
    "stars": "**a ",
    "items": "\n1. a",
    "lists": "a, ",
    "names": "Abc ",
    "days": "2024-01-01 ",
    "amounts": "5 euros ",
    "prohibitions": "do not touch a ",
    "promises": "I will do a. ",
    "addresses": "a@",
    "links": "http://a.b/",
    "paths": "a/b/",
    "tags": "<a>",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", DULL.values(), ids=DULL)
def test_a_dull_text_is_read_in_a_moment(piece: str) -> None:
    text = (piece * LENGTH)[:LENGTH]
    trace = Trace(
        id="dull",
        events=(
            Message(actor="user", role="user", text=f"Please cancel order A-1. {text}"),
            ToolCall(actor="agent", call_id="c1", tool="cancel_order", arguments={"id": "A-1", "note": text}),
            ToolResult(actor="cancel_order", call_id="c1", content={"error": "no", "note": text}, is_error=True),
            Message(actor="agent", role="agent", text=f"It is cancelled. {text}"),
            Handoff(actor="agent", to="other", text=text),
            Message(actor="other", role="agent", text=f"{text} Done."),
        ),
        origin=Origin(failed=True),
    )
    findings, errors = detect_with_errors(trace)
    assert errors == ()
    assert culprit(trace, findings) is not None
