"""Trace → calls with an argument that identifies something and that nobody had ever named."""

import re
from collections.abc import Iterator, Mapping
from typing import cast

from msgspec import Struct

from misstep.core.event import ToolCall
from misstep.core.finding import Finding
from misstep.core.tool import JSON, Tool
from misstep.core.trace import Trace
from misstep.core.words import split_identifier
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.flow import argument_sources, saying_calls, told_by_agents
from misstep.detectors.evidence.named import named
from misstep.detectors.evidence.ranges import lies_in_a_named_range
from misstep.objectives.once import once_per_trace
from misstep.provenance import ArgumentSource
from misstep.provenance.reading import PHONE, canonical, days_in, leaves, looks_like_identifier, slashed_days
from misstep.provenance.schemas import property_at

# How much of something, or how finely: a number that sets this up identifies nothing.
_SETTINGS = frozenset(
    "limit timeout dpi width height size max min resolution quality depth tokens seed interval seconds ms bytes".split()
)
_FILE_NAME = re.compile(r"[\w./\\ ~-]*(?:[/\\]|\.[A-Za-z]{1,5}$)")
_FREELY_CHOSEN = re.compile(
    r"\b(?:unique|new|any|arbitrary|random|idempoten\w*|generated?|choose|chosen|optional|correlation|free[- ]?text)\b",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"\w\([^)\n]*\)|[{}]\s*$|^[^\S\n]*(?:import|from|def|class|#include|<\w+)\b|[=;{]\s*\n|=>|</\w+>", re.MULTILINE
)
_LONE_WORD = re.compile(r"[^\W_]+(?:[-_][^\W_]+)+|[A-Z]{5,}")


@detector("fabricated-argument", version=5, needs="conversation")
def fabricated_argument(trace: Trace) -> Iterator[Finding]:
    """Each invented value once, with every call that used it."""
    for invention in inventions(trace):
        source = invention.source
        value = source.unknown or str(source.value)
        yield Finding(
            mode="fabricated-argument",
            events=invention.places,
            because=f"{invention.tool} was called with {source.path} = {value[:80]!r}, which neither the user nor a "
            "tool nor the rules had named.",
        )


class Invention(Struct, frozen=True):
    """A value from nowhere, and the calls that used it."""

    source: ArgumentSource
    tool: str
    """That first used it."""
    places: tuple[int, ...]


@once_per_trace
def inventions(trace: Trace) -> tuple[Invention, ...]:
    """Each invented value once, in the order in which they came up."""
    used: dict[str, list[int]] = {}
    first: dict[str, tuple[ArgumentSource, str]] = {}
    for at, found in argument_sources(trace).items():
        call = cast(ToolCall, trace.events[at])
        tool = trace.tool_named.get(call.tool)
        for source in found:
            value = _invented(trace, tool, source)
            if value and not _has_another_source(trace, at, value):
                key = canonical(value)
                first.setdefault(key, (source, call.tool))
                used.setdefault(key, []).append(at)
    return tuple(Invention(*first[key], tuple(dict.fromkeys(places))) for key, places in used.items())


def _has_another_source(trace: Trace, at: int, value: str) -> bool:
    """Another agent had named it before; or the call does nothing but say it, which is another mode."""
    told = told_by_agents(trace).get(canonical(value))
    by_another = told is not None and told < at and trace.events[told].actor != trace.events[at].actor
    if by_another or at in saying_calls(trace):
        return True
    # What a tool's own description tells to pass on may be a trap, but the agent has not made it up.
    return lies_in_a_named_range(trace, value) or value.casefold() in _described(trace)


@once_per_trace
def _described(trace: Trace) -> str:
    """What the tools on offer say of themselves."""
    return "\n".join(f"{tool.description} {_texts_in(tool.input_schema)}" for tool in trace.tools).casefold()


def _texts_in(schema: JSON) -> str:
    return " ".join(value for _, value in leaves(schema) if isinstance(value, str))


def _invented(trace: Trace, tool: Tool | None, source: ArgumentSource) -> str:
    """The part of a value that is made up and identifies something; empty where there is none."""
    value = source.unknown
    if source.origin in ("composed", "nowhere") and _is_a_phone_number(source.value):
        return str(source.value).strip()
    if source.origin == "composed":
        return str(source.value) if _should_come_from_a_tool(trace, tool, source) else ""
    if source.origin != "nowhere" or not _identifies(value):
        return ""
    if tool is not None and tool.effect == "reads" and _begins_a_search(trace, tool, source.path, value):
        return ""
    if value != str(source.value) and (tool is None or tool.effect == "reads"):
        return ""  # a word in a query of its own: one may search for what one knows from elsewhere
    if isinstance(source.value, (int, float)) and _SETTINGS.intersection(split_identifier(source.path)):
        return ""
    described = property_at(tool, source.path)
    if _FREELY_CHOSEN.search(str(described.get("description", ""))) or described.get("format") in ("uuid", "password"):
        return ""
    if value != str(source.value) and _PROGRAM.search(str(source.value)):
        return ""  # a program has names and forms of its own
    if _FILE_NAME.fullmatch(value) and (tool is None or tool.effect == "writes"):
        return ""  # whoever writes a new file may name it
    return value


def _is_a_phone_number(value: JSON) -> bool:
    """Written in groups, so that it cannot be one token; a day or a span of numbers is none."""
    text = value.strip() if isinstance(value, str) else ""
    grouped = " " in text and PHONE.fullmatch(text) is not None and len(canonical(text)) >= _PHONE_DIGITS
    return grouped and not _is_a_day(text) and not re.search(r"\s-\s|\d\.\d", text)


_PHONE_DIGITS = 9


def _begins_a_search(trace: Trace, tool: Tool, path: str, value: str) -> bool:
    """A search has to begin somewhere: on any day, where none has to be named, or on a day of a year that was named."""
    if _COMPACT_DAY.fullmatch(value) or _is_a_day(value):
        return not _is_required(tool, path) or named(trace).knows_number(float(canonical(value)[:4]), len(trace.events))
    return False


_COMPACT_DAY = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")


def _identifies(value: str) -> bool:
    return (looks_like_identifier(value) and not _YEAR.fullmatch(value)) or _is_a_day(value)


_YEAR = re.compile(r"(?:19|20)\d\d")


def _is_a_day(value: str) -> bool:
    return any(days_in(value)) or any(slashed_days(value))


def _is_required(tool: Tool, name: str) -> bool:
    required = tool.input_schema.get("required")
    return isinstance(required, list) and name in required


def _should_come_from_a_tool(trace: Trace, tool: Tool | None, source: ArgumentSource) -> bool:
    """A word without digits in a required field that the schema holds to a pattern, or that other tools give out."""
    value, name = str(source.value), source.path
    if tool is None or not _LONE_WORD.fullmatch(value):
        return False
    described = property_at(tool, name)
    if "enum" in described or not _is_required(tool, name):
        return False
    return "pattern" in described or any(
        name in _fields(other.output_schema) for other in trace.tools if other is not tool and other.output_schema
    )


def _fields(schema: JSON) -> set[str]:
    """The names of all fields in a schema."""
    names: set[str] = set()
    waiting = [schema]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            inner = cast(Mapping[str, JSON], here)
            fields = inner.get("properties")
            names.update(cast(Mapping[str, JSON], fields) if isinstance(fields, dict) else ())
            waiting.extend(inner.values())
        elif isinstance(here, list):
            waiting.extend(cast(list[JSON], here))
    return names
