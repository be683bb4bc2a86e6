"""An address on this machine where a model is asked in any of three ways, and acts by a script.

It speaks OpenAI's chat completions and responses and Anthropic's messages. Each turn is a text or a call, as in the
scene; calls are numbered `call_1`, `call_2`, … When the script runs out, it answers 500.
"""

import json
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = str | tuple[str, dict[str, object]]
MODEL = "scripted-1"


@contextmanager
def scripted_model(acts: Iterable[Act]) -> Iterator[str]:
    """Its address, with `/v1`."""
    script = deque(enumerate(acts, 1))
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Post", (_Post,), {"script": script}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Post(BaseHTTPRequestHandler):
    script: deque[tuple[int, Act]]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        speak = next((each for path, each in _WAYS.items() if self.path.endswith(path)), None)
        ready = speak is not None and bool(self.script)
        body = json.dumps(speak(*self.script.popleft()) if ready else {"error": {"message": "no such turn"}}).encode()
        self.send_response(200 if ready else 500)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as the server calls it)
        """Emitters say what they have to say by themselves."""


def _completion(number: int, act: Act) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": act if isinstance(act, str) else None}
    if not isinstance(act, str):
        function = {"name": act[0], "arguments": json.dumps(act[1])}
        message["tool_calls"] = [{"id": f"call_{number}", "type": "function", "function": function}]
    choice = {"index": 0, "finish_reason": "stop" if isinstance(act, str) else "tool_calls", "message": message}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    head = {"id": f"chat_{number}", "object": "chat.completion", "created": 1_700_000_000, "model": MODEL}
    return {**head, "choices": [choice], "usage": usage}


def _response(number: int, act: Act) -> dict[str, Any]:
    if isinstance(act, str):
        content = [{"type": "output_text", "text": act, "annotations": []}]
        item = {"id": f"m_{number}", "type": "message", "role": "assistant", "status": "completed", "content": content}
    else:
        item = {"id": f"f_{number}", "type": "function_call", "call_id": f"call_{number}", "status": "completed"}
        item |= {"name": act[0], "arguments": json.dumps(act[1])}
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    head = {"id": f"resp_{number}", "object": "response", "created_at": 1_700_000_000, "model": MODEL, "tools": []}
    settings = {"parallel_tool_calls": False, "tool_choice": "auto", "status": "completed", "error": None}
    return {**head, **settings, "output": [item], "usage": usage}


def _message(number: int, act: Act) -> dict[str, Any]:
    if isinstance(act, str):
        block: dict[str, Any] = {"type": "text", "text": act}
    else:
        block = {"type": "tool_use", "id": f"call_{number}", "name": act[0], "input": act[1]}
    head = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": MODEL, "stop_sequence": None}
    usage = {"input_tokens": 100, "output_tokens": 10}
    return {
        **head,
        "content": [block],
        "usage": usage,
        "stop_reason": "end_turn" if block["type"] == "text" else "tool_use",
    }


_WAYS = {"/chat/completions": _completion, "/responses": _response, "/messages": _message}
