"""An address on this machine that speaks chat completions by a script: no model, no network, always the same.

    endpoint.says("Hello")                        answers with a text
    endpoint.calls(("look", {"order": "A1"}))     asks for tools; arguments that are a text are sent as they are
    endpoint.fails(429, "slow down")              an error, with headers where wanted
    endpoint.sends(b"<html>")                     any bytes
    endpoint.stalls()                             no answer at all

Answers are given in the order of the script; when it runs out, the endpoint answers 500 and says so. `requests` keeps
what it was asked, `headers` with which headers.
"""

import json
import threading
from collections import deque
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, cast


class _Step(NamedTuple):
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}
    stalls: bool = False


class ScriptedEndpoint:
    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._steps: deque[_Step] = deque()
        self._closed = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def says(self, text: object, **more: object) -> None:
        self._completes({"role": "assistant", "content": text, **more})

    def calls(self, *calls: tuple[str, object], text: str | None = None, ids: bool = True) -> None:
        made = [
            {
                **({"id": f"t{len(self._steps)}-{number}"} if ids else {}),
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for number, (name, given) in enumerate(calls)
        ]
        self._completes({"role": "assistant", "content": text, "tool_calls": made})

    def fails(self, status: int, message: str = "no", *, code: str = "", **headers: str) -> None:
        body = {"error": {"message": message, "code": code, "type": "scripted"}}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._steps.append(_Step(status, json.dumps(body).encode(), named))

    def sends(self, body: bytes) -> None:
        self._steps.append(_Step(200, body))

    def stalls(self) -> None:
        self._steps.append(_Step(stalls=True))

    def close(self) -> None:
        self._closed.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, request: dict[str, Any], headers: dict[str, str]) -> _Step:
        self.requests.append(request)
        self.headers.append(headers)
        if not self._steps:
            return _Step(500, b'{"error": "the script has run out"}')
        step = self._steps.popleft()
        if step.stalls:
            self._closed.wait()
        return step

    def _completes(self, message: Mapping[str, object]) -> None:
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        completion = {"id": "x", "object": "chat.completion", "created": 0, "model": "scripted"}
        self._steps.append(_Step(body=json.dumps({**completion, "choices": [choice], "usage": usage}).encode()))


class _Server(ThreadingHTTPServer):
    block_on_close = True

    def __init__(self, endpoint: ScriptedEndpoint) -> None:
        super().__init__(("127.0.0.1", 0), _Post)
        self.endpoint = endpoint

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that left in the middle is no news."""


class _Post(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        step = cast("_Server", self.server).endpoint.answer(request, dict(self.headers))
        if step.stalls or self.path != "/v1/chat/completions":
            self.close_connection = True
            return
        self.send_response(step.status)
        for name, value in {"Content-Type": "application/json", **step.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(step.body)))
        self.end_headers()
        self.wfile.write(step.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as the server calls it)
        """Tests say what they have to say by themselves."""
