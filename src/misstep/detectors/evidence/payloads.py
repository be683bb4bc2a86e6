"""What an agent wrote → the JSON value in it, and the calls that it wrote down in place of making them."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import cast

from misstep.core.tool import JSON

_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)\n?[ \t]{0,20}```", re.DOTALL)
_CALL_TAG = re.compile(
    r"<\s*(?:tool_call|tool_use|function_call|invoke|function|call)\b[^>]{0,80}>(.{0,4000}?)(?:<\s*/|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_NAMING = ("name", "tool", "tool_name", "function", "function_name", "action", "recipient_name")
_PASSING = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "kwargs", "params")
_LONGEST = 200_000


@lru_cache(maxsize=1024)
def _values(text: str) -> tuple[JSON, ...]:
    """The JSON objects and lists in a text: alone, in fences, or between other words."""
    bare = text.strip()
    candidates = [bare, *(match.strip() for match in _FENCE.findall(text))]
    for opening, closing in (("{", "}"), ("[", "]")):
        start, end = text.find(opening), text.rfind(closing)
        if 0 <= start < end:
            candidates.append(text[start : end + 1])
    found: list[JSON] = []
    for candidate in candidates:
        if candidate[:1] in ("{", "[") and len(candidate) <= _LONGEST:
            try:
                found.append(cast("JSON", json.loads(candidate)))
            except (ValueError, RecursionError):
                continue
    return tuple(found)


def json_in(text: str) -> JSON:
    """The JSON object or list that a text holds; None where it holds none."""
    found = _values(text)
    return found[0] if found else None


def stands_alone(text: str) -> bool:
    """The text is JSON and nothing else, but for a code fence around it."""
    bare = text.strip()
    whole = _FENCE.fullmatch(bare)
    inner = whole[1].strip() if whole else bare
    try:
        json.loads(inner)
    except (ValueError, RecursionError):
        return False
    return True


_OPENS_AS_JSON = re.compile(r"\{\s*[\"'][^\"'\n]{0,80}[\"']\s*:|\[\s*(?:\{\s*[\"']|\[|\")")
_OPEN_FENCE = re.compile(r"```[\w+-]*[ \t]*\n")


def broken_json(text: str) -> str:
    """Why a text that is all meant as one JSON value is none; empty where it is one, or is meant as something else."""
    bare = text.strip()
    opened = _OPEN_FENCE.match(bare)
    inner = (bare[opened.end() :].removesuffix("```") if opened else bare).strip()
    if len(inner) > _LONGEST or not _OPENS_AS_JSON.match(inner) or are_json_lines(inner):
        return ""
    try:
        json.loads(inner, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        return str(error)
    return ""


def _refuse(name: str) -> JSON:
    """Python reads NaN and Infinity; JSON has neither."""
    raise ValueError(f"{name} is no JSON value")


def are_json_lines(text: str) -> bool:
    """Each of several lines is a JSON object or list by itself."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return len(lines) > 1 and all(line[:1] in ("{", "[") and stands_alone(line) for line in lines)


def calls_written_out(text: str, offered: frozenset[str]) -> Iterator[str]:
    """The names of tools on offer for which a text spells out a call as data, or in the tags that models call with."""
    pieces = [text, *_CALL_TAG.findall(text)] if "<" in text else [text]
    for piece in pieces:
        for value in _values(piece):
            for each in value if isinstance(value, list) else [value]:  # pyright: ignore[reportUnknownVariableType]
                name = _named(cast("JSON", each))
                if name in offered:
                    yield name


def _named(value: JSON) -> str:
    if not isinstance(value, dict):
        return ""
    fields = cast("Mapping[str, JSON]", value)
    inner = fields.get("function")
    if isinstance(inner, dict):
        return _named(cast("JSON", inner))
    if not any(key in fields for key in _PASSING):
        return ""
    return next((name for key in _NAMING if isinstance(name := fields.get(key), str)), "")
