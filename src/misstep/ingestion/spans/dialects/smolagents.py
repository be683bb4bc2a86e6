"""What smolagents says in OpenInference's attributes in its own way: rounds, tasks, teams, and calls told as text."""

import ast
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import cast

from msgspec import structs

from misstep.core.tool import JSON, Tool
from misstep.ingestion.decoding import written
from misstep.ingestion.spans.calls import call_of
from misstep.ingestion.spans.said import Call, Result, Said, Text
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Step
from misstep.ingestion.spans.values import fields, is_object, items, text

_ROUND = re.compile(r"Step \d+$")
_ANSWERED = re.compile(r"Call id: (\S+)\n(Observation|Error):\n?")
_CALLING = "Calling tools:\n[{"
_INTERPRETER = "python_interpreter"


def round_of(span: Span, common: Step) -> Step:
    """One round of its loop: what running the model's code gave, or why it could not be run."""
    if _ROUND.match(span.name) is None:
        return common
    answer = span.attributes.get("output.value")
    return structs.replace(common, kind="round", result=answer, answered=answer is not None)


def is_own(role: JSON, content: JSON) -> bool:
    """Whether a message is one in which it tells of calls and answers as text; it may do so in the user's name."""
    if role in ("tool-call", "tool-response"):
        return True
    return isinstance(content, str) and content.startswith((_CALLING, "Call id: ")) and role == "user"


def said_of(content: str) -> Said:
    """A call or an answer that a later prompt tells again. Code that the model wrote is in its message."""
    if content.startswith(_CALLING):
        return Said("agent", _calls(content.partition("\n")[2]))
    told = _ANSWERED.match(content)
    if told is None:
        return Said("tool", (Result(content=content, is_error=content.startswith("Error:\n")),))
    return Said("tool", (Result(told[1], content=content[told.end() :], is_error=told[2] == "Error"),))


@lru_cache(maxsize=1024)
def _calls(listed: str) -> tuple[Call, ...]:
    """Calls as Python writes them: every later prompt tells them in the same words."""
    try:
        found = cast(JSON, ast.literal_eval(listed))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return ()
    told = ((fields(fields(each).get("function")), fields(each).get("id")) for each in items(found))
    calls = (call_of(function.get("name"), written(function.get("arguments")), call_id) for function, call_id in told)
    return tuple(call for call in calls if call.name != _INTERPRETER)


def arguments(given: JSON, parameters: Mapping[str, JSON]) -> JSON:
    """Arguments without the envelope of Python's positional and named ones."""
    envelope = fields(given)
    if not {"args", "kwargs"} <= set(envelope):
        return given
    named = dict(fields(envelope["kwargs"]))
    positional = items(envelope["args"])
    # A dictionary alone is how a model's call is passed on.
    if len(positional) == 1 and not named and is_object(positional[0]):
        return positional[0]
    names = [name for name in parameters if name not in named]
    names += [f"argument {number}" for number in range(len(names), len(positional))]
    return dict(zip(names, positional, strict=False)) | named


def task(given: JSON) -> tuple[Said, ...]:
    told = fields(given).get("task")
    return (Said("user", (Text(told),)),) if isinstance(told, str) and told else ()


def team(attributes: Mapping[str, JSON]) -> tuple[str, ...]:
    prefix, suffix = "smolagents.managed_agents.", ".name"
    return tuple(text(value) for name, value in attributes.items() if name.startswith(prefix) and name.endswith(suffix))


def offered(attributes: Mapping[str, JSON]) -> tuple[Tool, ...]:
    return tuple(Tool(name) for name in _texts(items(attributes.get("smolagents.tools_names"))))


def agent_name(span: Span) -> str:
    """The class of an agent that has no name: its span is called after the method that runs it."""
    return span.name.removesuffix(".run") if span.name.endswith(".run") else ""


def _texts(values: Iterable[JSON]) -> Iterable[str]:
    return (value for value in values if isinstance(value, str))
