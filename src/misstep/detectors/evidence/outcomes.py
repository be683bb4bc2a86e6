"""What came of a call: done, refused, to be tried later, or not known; read from its result, whatever its form."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, cast

from misstep.core.event import ToolCall, ToolResult
from misstep.core.tool import JSON, Effect
from misstep.core.trace import Exchange, Trace
from misstep.detectors.evidence.denials import denies
from misstep.effects.guessing import told_effect
from misstep.provenance.reading import leaves

Outcome = Literal["done", "refused", "later", "unknown"]
"""`refused` is for good and nothing happened; `later` is too early or too busy and nothing happened; `unknown` may have
happened: a timeout, a lost connection, an error inside the tool, no answer at all."""

_UNKNOWN = re.compile(
    r"\btim(?:ed?|ing)[\s-]?out\b|\btimeouts?\b|\bno (?:answer|response|reply)\b|\bconnection\b.{0,30}\b(?:lost|reset|"
    r"closed|dropped|aborted|refused)\b|\b(?:lost|dropped|broken)\b.{0,12}\b(?:connection|pipe)\b|\bbad gateway\b|"
    r"\binternal (?:server )?error\b|\bdid(?:n't| not) (?:answer|respond|reply)\b|\bservice unavailable\b|"
    r"\b(?:http|status|code|error)\W{0,4}5\d\d\b|^\W*5\d\d\b|\bdeadline exceeded\b|\b(?:socket|network) error\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\btoo many\b.{0,20}\b(?:requests|calls)\b|\brate[\s-]?limit|\bthrottl|"
    r"\b(?:try|retry) (?:again )?(?:later|after|in)\b|"
    r"\b(?:is|are|was) (?:\w+ )?(?:down|offline|overloaded)\b|"
    r"\btemporar|\bbusy\b|\b(?:http|status|code|error)\W{0,4}429\b|^\W*429\b|\bquota\b|\bunavailable\b",
    re.IGNORECASE,
)
# Who says that it is too busy and when to come back has turned the call away at the door.
_TURNED_AWAY = re.compile(
    r"(?:\b(?:http|status|code|error)\W{0,4})?\b503\b|\bservice (?:is )?(?:temporarily |currently )?unavailable\b",
    re.IGNORECASE,
)
_COME_BACK = re.compile(
    r"\b(?:try|retry) (?:again )?(?:later|after|in|shortly|soon)\b|\bretry-after\b|\boverload|\bbusy\b|\bmaintenance\b",
    re.IGNORECASE,
)
_OPENS_WITH_ERROR = re.compile(
    r"\s*(?:[\[({<]\s*)?(?:[A-Za-z]*(?:error|exception)|failed|failure|fatal|traceback|"
    r"http\W{0,3}[45]\d\d|[45]\d\d\s[A-Z])\b"
    r"|\s*\S+: (?:.{0,80}: )?(?:command not found|permission denied|no such file or directory)\b",
    re.IGNORECASE,
)
_FAILED_WORD = re.compile(
    r"(?:error|errored|fail|failed|failure|failing|declined|denied|rejected|refused|timeout|timed[ _-]out|"
    r"aborted|unsuccessful)$",
    re.IGNORECASE,
)
_SUCCESS_KEYS = frozenset({"ok", "success", "succeeded", "successful"})
_ERROR_KEYS = frozenset({"error", "errors", "exception", "error_message", "errormessage", "fault"})
_CODE_KEYS = frozenset({"status", "code", "status_code", "statuscode", "http_status"})
_EXIT_KEYS = frozenset({"exit_code", "exitcode", "exit_status", "returncode", "return_code", "rc"})
_ENVELOPES = frozenset({"result", "response", "body", "meta", "output"})
_HTTP_ERROR = re.compile(r"\s*[45]\d\d(?!\w|[.,]\d)")
_STATUS_KEYS = frozenset({"status", "outcome", "result", "state"})


def effect_of(trace: Trace, call: ToolCall) -> Effect | None:
    """Of a tool that the trace does not describe, what its name tells, if it tells anything."""
    tool = trace.tool_named.get(call.tool)
    return tool.effect if tool else _named_effect(call.tool)


@lru_cache(maxsize=4096)
def _named_effect(tool: str) -> Effect | None:
    return told_effect(tool)


def failed(result: ToolResult, effect: Effect | None = None) -> bool:
    """Whether the result says that the call failed: by its flag, or in a payload that calls itself a success.

    A record that was read may well have a failed status of its own, so a status word counts only for other effects.
    """
    if result.is_error:
        return True
    content = result.content
    if isinstance(content, str):
        said = _OPENS_WITH_ERROR.match(content) is not None
    elif isinstance(content, dict):
        said = _says_failed(cast(Mapping[str, JSON], content), reads=effect == "reads")
    else:
        return False
    return said or (effect not in (None, "reads") and denies(cast(JSON, content), result.actor))


def _says_failed(content: Mapping[str, JSON], *, reads: bool, wrapped: bool = False) -> bool:
    for key, value in content.items():
        name = key.lower()
        if name in _ERROR_KEYS and value not in (None, False, "", 0, [], {}):
            return True
        if name in _SUCCESS_KEYS and value is False:
            return True
        if name in _CODE_KEYS and _is_http_error(value):
            return True
        if name in _EXIT_KEYS and type(value) is int and value != 0 and _says_no_more(content):
            return True
        if name in _STATUS_KEYS and isinstance(value, str) and not reads and _FAILED_WORD.match(value):
            return True
        if name in _ENVELOPES and isinstance(value, dict) and not wrapped:
            inner = cast(Mapping[str, JSON], value)
            if _says_failed(inner, reads=reads, wrapped=True):
                return True
    return False


def _is_http_error(value: JSON) -> bool:
    if isinstance(value, str):
        return _HTTP_ERROR.match(value) is not None
    return type(value) is int and 400 <= value < 600


def _says_no_more(content: Mapping[str, JSON]) -> bool:
    """A program that ends with a code other than zero but reports on its output has done what it is for."""
    fields = {key.lower(): value for key, value in content.items()}
    return bool(fields.get("stderr")) or not (fields.get("stdout") or fields.get("output"))


def outcome(exchange: Exchange, effect: Effect | None = None) -> Outcome:
    """What came of a call, as far as its result tells."""
    result = exchange.result
    if result is None:
        return "unknown"
    if not failed(result, effect):
        return "done"
    said = told(result)
    if _COME_BACK.search(said):
        said = _TURNED_AWAY.sub(" ", said)
    if _UNKNOWN.search(said):
        return "unknown"
    return "later" if _LATER.search(said) else "refused"


def told(result: ToolResult, limit: int = 4000) -> str:
    """The words and numbers of a result as one text, cut at a limit: errors are short, payloads need not be."""
    content = result.content
    if isinstance(content, str):
        return content[:limit]
    parts: list[str] = []
    size = 0
    for _, leaf in leaves(content):
        part = str(leaf)
        parts.append(part)
        size += len(part) + 1
        if size > limit:
            break
    return " ".join(parts)[:limit]


def sameness(value: JSON) -> JSON:
    """A value in a hashable form that is equal for what means the same: case, outer spaces, 1 and 1.0, empty fields."""
    if isinstance(value, str):
        return " ".join(value.casefold().split())
    if isinstance(value, dict):
        fields = cast(Mapping[str, JSON], value)
        return tuple(sorted((key, sameness(each)) for key, each in fields.items() if each not in (None, "", [], {})))  # pyright: ignore[reportArgumentType, reportUnknownVariableType, reportCallIssue]
    if isinstance(value, (list, tuple)):
        return ("list", *(sameness(each) for each in cast(list[JSON], value)))
    return ("bool", value) if isinstance(value, bool) else value


def call_key(call: ToolCall) -> tuple[str, JSON]:
    """Equal for calls of one tool with the same arguments."""
    return call.tool, call.malformed if call.malformed is not None else sameness(call.arguments)
