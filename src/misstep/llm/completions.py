"""An address that speaks OpenAI chat completions → a source of replies; plain HTTP, and nothing is sent on the side."""

import asyncio
import json
import os
import re
import ssl
from functools import cache
from ipaddress import ip_address
from typing import cast
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from misstep.core.errors import UsageError
from misstep.core.tool import JSON
from misstep.llm.errors import ModelError
from misstep.llm.exchange import Function, Reply, Request, Said, Tokens, ToolRequest

_LARGEST_ANSWER = 32_000_000
_LONGEST_QUOTE = 300
_TOO_LONG = re.compile(r"context.{0,20}(length|window|size)|too many tokens|(prompt|input) is too long", re.IGNORECASE)


class _CalledFunction(Struct):
    name: str
    arguments: JSON = None


class _Call(Struct):
    function: _CalledFunction
    id: str | None = None


class _Answer(Struct):
    content: JSON = None
    tool_calls: list[_Call] | None = None
    refusal: str | None = None
    reasoning_content: JSON = None
    reasoning: JSON = None


class _Choice(Struct):
    message: _Answer


class _Usage(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class Completions:
    """Each request is a POST of its own on a connection of its own: nothing is left open between trials."""

    def __init__(
        self, address: str, *, key_variable: str | None = None, timeout_s: float = 60.0, with_seed: bool = True
    ) -> None:
        """`key_variable` names the environment variable that holds the key; without it, none is sent."""
        self._address = address.rstrip("/")
        parts = urlsplit(self._address)
        if parts.hostname is None:
            raise UsageError(f"{address!r} is no web address: write one such as 'http://127.0.0.1:8000/v1'.")
        if "@" in parts.netloc or parts.query:
            # Not shown: an address is told in errors and kept with runs, and what stands there is a secret as a rule.
            raise UsageError(
                f"The address of the model at {parts.hostname} has a password or a query in it. Leave it out, put the "
                "key into an environment variable, and name that as `key` in misstep.toml."
            )
        self._key_variable = key_variable
        self._key = _key_in(key_variable) if key_variable else None
        self._timeout_s = timeout_s
        self._with_seed = with_seed

    async def reply(self, request: Request) -> Reply:
        import httpx2  # noqa: PLC0415 (a door: slow to import, and needed only where a model is named)

        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            async with (
                asyncio.timeout(self._timeout_s),
                # A proxy is for what lies outside; certificates are read once.
                httpx2.AsyncClient(
                    timeout=None, trust_env=not _is_loopback(self._address), verify=_certificates()
                ) as client,
                client.stream(
                    "POST", f"{self._address}/chat/completions", headers=headers, content=self._body(request)
                ) as response,
            ):
                data = bytearray()
                async for chunk in response.aiter_bytes():
                    data += chunk
                    if len(data) > _LARGEST_ANSWER:
                        raise self._garbage(f"is larger than {_LARGEST_ANSWER} bytes")
                status, wait = response.status_code, response.headers.get("Retry-After", "")
        except TimeoutError:
            raise ModelError("timeout", f"{self._address} did not answer within {self._timeout_s:g} seconds.") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            said = self._without_key(str(error)) or type(error).__name__
            raise ModelError(
                "unreachable", f"{self._address} cannot be reached: {said}. Is it running, and is the address right?"
            ) from None
        if status != 200:
            raise self._refused(status, bytes(data), request.model, wait)
        return self._read(bytes(data), request)

    def _body(self, request: Request) -> bytes:
        body: dict[str, JSON] = {
            **request.parameters,
            "model": request.model.rpartition("#")[2],
            "messages": [_message(each) for each in request.messages],
        }
        if request.tools:
            body["tools"] = [_function(each) for each in request.tools]
        if request.schema is not None:
            form = {"name": "answer", "schema": request.schema, "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        if self._with_seed:
            body["seed"] = request.seed
        return json.dumps(body).encode()

    def _read(self, data: bytes, request: Request) -> Reply:
        try:
            completion = msgspec.json.decode(data, type=_Completion)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise self._garbage(f"is no chat completion: {error}") from None
        if not completion.choices:
            raise self._garbage("is a chat completion without a choice")
        answer, usage = completion.choices[0].message, completion.usage or _Usage()
        return Reply(
            text=_text(answer.content),
            tool_calls=_requests(answer.tool_calls or [], len(request.messages)),
            usage=Tokens(usage.prompt_tokens or 0, usage.completion_tokens or 0),
            refusal=answer.refusal,
            thought=_text(answer.reasoning_content or answer.reasoning),
        )

    def _without_key(self, text: str) -> str:
        """Some services say it back."""
        return text.replace(self._key, "(the key)") if self._key else text

    def _garbage(self, why: str) -> ModelError:
        return ModelError("garbage", f"What {self._address} answered {why}. Does it speak OpenAI chat completions?")

    def _refused(self, status: int, data: bytes, model: str, wait: str) -> ModelError:
        said = self._without_key(_complaint(data))
        opening = f"{self._address} answered {status}{f' ({said})' if said else ''}"
        if status in (401, 403):
            advice = (
                f"It does not take the key in {self._key_variable}."
                if self._key_variable
                else "It wants a key: put it into an environment variable, and name that as `key` in misstep.toml."
            )
            return ModelError("key", f"{opening}. {advice}")
        if status == 429:
            return ModelError("rate", f"{opening}: too many requests.", wait_s=_seconds(wait))
        if status >= 500 or status == 408:
            return ModelError("server", f"{opening}.", wait_s=_seconds(wait))
        if status == 413 or _TOO_LONG.search(said):
            return ModelError("too-long", f"{opening}: the conversation is more than {model!r} can read.")
        if status == 404:
            return ModelError("not-found", f"{opening}: is there a model {model!r} at that address?")
        return ModelError("refused", f"{opening}.")


def _key_in(variable: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not key:
        raise UsageError(f"The key is to be in the environment variable {variable}, which is not set.")
    return key


def _is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@cache
def _certificates() -> ssl.SSLContext:
    import httpx2  # noqa: PLC0415 (a door)

    return httpx2.create_ssl_context()


def _message(said: Said) -> dict[str, JSON]:
    if said.role == "tool":
        return {"role": "tool", "tool_call_id": said.call_id, "content": said.text}
    message: dict[str, JSON] = {"role": said.role, "content": said.text}
    if said.tool_calls:
        message["content"] = said.text or None
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _as_object(call.arguments)},
            }
            for call in said.tool_calls
        ]
    return message


def _as_object(arguments: str) -> str:
    """Arguments that can be said back: some servers break on a history that holds what their own model wrote."""
    try:
        read = json.loads(arguments)
    except (ValueError, RecursionError):
        read = None
    return arguments if isinstance(read, dict) else json.dumps({"malformed": arguments})


def _function(function: Function) -> dict[str, JSON]:
    schema: dict[str, JSON] = {"type": "object", "properties": {}, **function.schema}
    return {
        "type": "function",
        "function": {"name": function.name, "description": function.description, "parameters": schema},
    }


def _requests(calls: list[_Call], asked: int) -> tuple[ToolRequest, ...]:
    """With ids of our own where there are none, or the same one twice."""
    requests: list[ToolRequest] = []
    for number, call in enumerate(calls):
        arguments = call.function.arguments
        if not isinstance(arguments, str):
            arguments = "{}" if arguments is None else json.dumps(arguments)
        taken = any(each.id == call.id for each in requests)
        name = f"call_{asked}_{number}" if not call.id or taken else call.id
        requests.append(ToolRequest(name, call.function.name, arguments.strip() or "{}"))
    return tuple(requests)


def _text(content: JSON) -> str:
    """A text, or the texts among several parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [cast("dict[str, JSON]", part) for part in cast("list[JSON]", content) if isinstance(part, dict)]
    return "".join(text for part in parts if isinstance(text := part.get("text"), str))


def _complaint(data: bytes) -> str:
    """What an error says of itself, in short."""
    text = data.decode("utf-8", "replace").strip()
    try:
        error = msgspec.json.decode(data, type=dict[str, JSON]).get("error", text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        error = text
    if isinstance(error, dict):
        table = cast("dict[str, JSON]", error)
        error = " ".join(str(table[key]) for key in ("code", "message") if table.get(key))
    return " ".join(str(error).split())[:_LONGEST_QUOTE]


def _seconds(text: str) -> float | None:
    try:
        return max(0.0, float(text))
    except ValueError:
        return None
