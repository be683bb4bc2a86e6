"""Trace → the turns that agents took, each with what became of what it ran."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from misstep.core.event import Event, Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.core.words import split_identifier

Outcome = Literal["failed", "empty", "succeeded"]
Kind = Literal["said", "called", "thought", "handed over"]

# What runs other people's code and reports; frameworks give it a seat in the conversation like any agent.
_EXECUTORS = frozenset("terminal executor shell interpreter sandbox environment console".split())
_CODE = re.compile(r"```[^`\n]*\n(.*?)```", re.DOTALL)
_REPORT = re.compile(r"\s{0,20}(?:exit|return)[ _]?(?:code|status)\s{0,20}[:=]?\s{0,20}(-?\d+)", re.IGNORECASE)
_TROUBLE = re.compile(
    r"^Traceback \(most recent call last\)|^[^\S\n]*(?:\w+\.)*\w*(?:Error|Exception)\b\s*:|\berror:|\btimed? ?out\b"
    r"|\b(?:status code|http)\D{0,3}[45]\d\d\b|\b(?:403|404|500|502|503)\b",
    re.IGNORECASE | re.MULTILINE,
)
_NOTHING = re.compile(
    r"\b(?:no (?:results?|matches|match|such|data|information)|not found|could not find|cannot (?:find|open)"
    r"|does not (?:contain|exist)|none found)\b",
    re.IGNORECASE,
)
_EMPTY = frozenset({"", "None", "null", "[]", "{}"})
_SHORT = 400
"""A report of so few characters that says that there is nothing says nothing else."""


class Turn(Struct, frozen=True):
    """One step of an agent: something said, thought, called or handed over."""

    at: int
    actor: str
    kind: Kind
    text: str
    prose: str
    """The text without its code."""
    runs: bool
    """Something was run because of it: a call, or code that was answered with a report."""
    outcome: Outcome | None = None
    """What became of what it ran."""
    report: str = ""
    """What came back, as text."""


def turns(trace: Trace) -> tuple[Turn, ...]:
    """Every step that an agent took, in order; what users, tools and executors say is none."""
    reports = _reports(trace)
    return tuple(_turns(trace, reports))


def _turns(trace: Trace, reports: dict[int, str]) -> Iterator[Turn]:
    results = {exchange.at: exchange.result for exchange in trace.exchanges}
    for at, event in enumerate(trace.events):
        if at in reports:
            continue
        match event:
            case Message(role="agent"):
                yield _said(trace.events, reports, at, event.actor, "said", event.text)
            case Thought():
                yield _said(trace.events, reports, at, event.actor, "thought", event.text)
            case Handoff():
                yield _said(trace.events, reports, at, event.actor, "handed over", event.text)
            case ToolCall():
                result = results.get(at)
                text = " ".join((event.tool, *(f"{name}: {value}" for name, value in event.arguments.items())))
                outcome = _outcome_of_result(result) if result else None
                report = _as_text(result.content) if result else ""
                yield Turn(at, event.actor, "called", text, text, runs=True, outcome=outcome, report=report)
            case _:
                pass


def _said(events: Sequence[Event], reports: dict[int, str], at: int, actor: str, kind: Kind, text: str) -> Turn:
    code = "".join(_CODE.findall(text))
    report = reports.get(at + 1)
    ran = report is not None and (bool(code.strip()) or _REPORT.match(report) is not None)
    outcome = _outcome(report) if ran and report is not None else None
    if ran and isinstance(after := events[at + 1], ToolResult) and after.is_error:
        outcome = "failed"
    return Turn(at, actor, kind, text, _CODE.sub(" ", text), runs=ran, outcome=outcome, report=report or "")


def _reports(trace: Trace) -> dict[int, str]:
    """What executors and tools that no call of the trace names had to say, by place."""
    claimed = {exchange.result_at for exchange in trace.exchanges}
    found: dict[int, str] = {}
    for at, event in enumerate(trace.events):
        if isinstance(event, ToolResult) and at not in claimed:
            found[at] = _as_text(event.content)
        elif isinstance(event, Message) and event.role == "agent" and _is_executor(event):
            found[at] = event.text
    return found


def _as_text(content: JSON) -> str:
    return content if isinstance(content, str) else msgspec.json.encode(content, enc_hook=str).decode()


def _is_executor(message: Message) -> bool:
    return bool(_EXECUTORS.intersection(split_identifier(message.actor))) or _REPORT.match(message.text) is not None


def _outcome_of_result(result: ToolResult) -> Outcome:
    if result.is_error:
        return "failed"
    if result.content in (None, "", [], {}):
        return "empty"
    return _outcome(result.content) if isinstance(result.content, str) else "succeeded"


def _outcome(report: str) -> Outcome:
    code = _REPORT.match(report)
    if code is not None:
        if int(code[1]) != 0:
            return "failed"
        report = re.sub(r"^.*?(?:output:|\n)", "", report, count=1, flags=re.DOTALL)
    body = report.strip()
    if body in _EMPTY:
        return "empty"
    if len(body) > _SHORT:
        return "succeeded"
    if _TROUBLE.search(body):
        return "failed"
    return "empty" if _NOTHING.search(body) else "succeeded"
