"""Answers that a fault wants garbled, as bytes: nothing else is touched, and nobody can read them."""

import asyncio
import json
from typing import Any, get_args

import pytest

from misstep.tools.mcp.garbling import Garbler
from misstep.tools.wire import Form

RESULT: dict[str, object] = {"content": [{"type": "text", "text": "first {second} ünd third"}]}
forms = pytest.mark.parametrize("form", get_args(Form))


def message(result: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()


def test_what_is_not_marked_goes_out_as_it_is() -> None:
    garbler = Garbler()
    garbler.marked(RESULT, "noise")
    line = message(RESULT)
    assert garbler.garbled(line) is line
    foreign = message(Garbler().marked(RESULT, "noise"))
    assert garbler.garbled(foreign) is foreign


@forms
@pytest.mark.parametrize(("before", "after"), [(b"", b"\n"), (b"event: message\r\ndata: ", b"\r\n\r\n")])
def test_what_is_marked_cannot_be_read_and_its_frame_stays(form: Form, before: bytes, after: bytes) -> None:
    garbler = Garbler()
    sent = garbler.garbled(before + message(garbler.marked(RESULT, form)) + after)
    assert sent.startswith(before)
    assert sent.endswith(after)
    body = sent[len(before) : -len(after)]
    assert b"\n" not in body
    with pytest.raises(json.JSONDecodeError):
        json.loads(body.decode("utf-8", "replace"))


@forms
def test_no_mark_reaches_the_client(form: Form) -> None:
    garbler = Garbler()
    assert b"misstep" not in garbler.garbled(message(garbler.marked(RESULT, form)))
    kept = garbler.garbled(message(garbler.marked({**RESULT, "_meta": {"mine": 1}}, "encoding")))
    assert b'"_meta":{"mine":1}' in kept


def test_only_one_form_is_no_text_in_utf8() -> None:
    def is_text(form: Form) -> bool:
        garbler = Garbler()
        try:
            garbler.garbled(message(garbler.marked(RESULT, form))).decode()
        except UnicodeDecodeError:
            return False
        return True

    assert [form for form in get_args(Form) if not is_text(form)] == ["encoding"]


@pytest.mark.parametrize("marked", [True, False])
def test_a_length_is_announced_only_where_it_holds(marked: bool) -> None:
    garbler = Garbler()
    body = message(garbler.marked(RESULT, "cut") if marked else RESULT)
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def answered() -> None:
        await garbler.before(app)({"type": "http"}, None, send)

    asyncio.run(answered())
    start, end = sent
    assert (b"content-length" in dict(start["headers"])) is not marked
    assert (end["body"] == body) is not marked
