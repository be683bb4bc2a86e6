"""A trace → the answers out of nowhere of agents that had planned to find and read something, and read none of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import cast

from msgspec import Struct

from misstep.core.event import Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.tool import JSON, Tool
from misstep.core.trace import Trace
from misstep.detectors.evidence.plans import Plan, plan_in, plan_on_one_line, plan_told_in
from misstep.detectors.evidence.records import records_in
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.detectors.evidence.unresearched import Unresearched
from misstep.objectives.matching import plain
from misstep.objectives.once import once_per_trace
from misstep.objectives.values import leaves, says
from misstep.objectives.vocabulary import effect_of, meaning, vocabulary

_SUBSTANCE = 10
_READ = 300
_READS = re.compile(
    r"\b(?:open|read|go(?:ing)? (?:through|over)|stud(?:y|ying)|review|inspect|examin\w+|compar\w+|look (?:at"
    r"|into|through)"
    r"|pull up|view|consult|check|load|fetch|retriev\w+|get|analy[sz]e|summari[sz]e)(?:ing)?\b",
    re.IGNORECASE,
)
_OPENS = frozenset(meaning("open read show get fetch view retrieve load display see"))
# Said by somebody who answers out of the head.
_OWN = re.compile(
    r"\bfrom (?:what i (?:know|remember|recall)|memory|(?:my )?(?:general |own )?(?:knowledge|experience))\b"
    r"|\bin my experience\b"
    r"|\boff the top of my head\b|\boffhand\b|\bi (?:already )?know (?:this|that|the|enough|about|plenty|a lot|all)\b"
    r"|\bgeneral knowledge\b|\bas (?:far as i|everybody|everyone|is (?:well|generally)) know\w*\b"
    r"|\b(?:don't|do not|no) (?:really )?need to (?:read|open|look|search|check|consult)\b|\bwithout (?:reading"
    r"|opening|looking)"
    r"|\b(?:skip|never mind) (?:the )?(?:reading|documents|sources|rest)|\bi(?:'ll| will| can) just (?:write"
    r"|answer|say|tell"
    r"|summari[sz]e|explain|go with)\b|\bgenerally speaking\b|\bwell enough\b|\bi (?:believe|recall|remember)\b",
    re.IGNORECASE,
)


class _Work(Struct):
    """A plan under way: what was asked, what was listed, and what the agent thought of last."""

    at: int
    plan: Plan
    known: set[str]
    """The stems of the request and of the plan."""
    listed_by: str = ""
    records: Sequence[Mapping[str, JSON]] = ()
    values: set[str] = set()
    shown: list[JSON] = []
    thought: str = ""


@once_per_trace
def unread(trace: Trace) -> tuple[Unresearched, ...]:
    """One for each plan, at the answer."""
    return tuple(_unread(trace))


def _unread(trace: Trace) -> Iterator[Unresearched]:
    work: dict[str, _Work] = {}
    request: tuple[str, ...] = ()
    calls: dict[str, ToolCall] = {}
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            request = meaning(event.text[:4000])
        elif isinstance(event, (ToolCall, Handoff)):
            own = work.get(event.actor)
            if isinstance(event, Handoff) or (own is not None and _goes_on(trace, event, own)):
                _ = work.pop(event.actor, None)
            elif own is not None:
                calls[event.call_id] = event
        elif isinstance(event, ToolResult) and event.call_id in calls:
            call = calls[event.call_id]
            if call.actor in work:
                _note(work[call.actor], call.tool, event)
        elif isinstance(event, Thought) or (isinstance(event, Message) and event.role == "agent"):
            plan = _plan_in(event.text)
            if plan is not None:
                work[event.actor] = _Work(at, plan, {*request, *meaning(event.text[:4000])}, values=set(), shown=[])
            elif event.actor in work:
                own = work[event.actor]
                if isinstance(event, Thought):
                    own.thought = event.text
                    continue
                del work[event.actor]
                if _is_from_nowhere(trace, event.text, own):
                    yield Unresearched(at, own.at, own.plan)


def _plan_in(text: str) -> Plan | None:
    plan = plan_in(text) or plan_on_one_line(text) or plan_told_in(text)
    return plan if plan is not None and sum(_READS.search(step) is not None for step in plan.steps) > 1 else None


def _goes_on(trace: Trace, call: ToolCall, work: _Work) -> bool:
    """It does something, or takes up one of the things that were listed."""
    if effect_of(trace, call.tool) != "reads":
        return True
    return any(plain(str(value)) in work.values for _, value in leaves(call.arguments))


def _note(work: _Work, tool: str, result: ToolResult) -> None:
    if result.is_error:
        return
    work.shown.append(result.content)
    records = records_in(result.content)
    if records:
        work.listed_by, work.records = tool, records
        work.values = {plain(str(value)) for record in records[:50] for _, value in leaves(cast("JSON", record))}


def _is_from_nowhere(trace: Trace, answer: str, work: _Work) -> bool:
    spoken = answer.replace("’", "'")
    if asks(spoken) or tells_of_trouble(spoken) or len(set(meaning(spoken))) < _SUBSTANCE or not work.shown:
        return False
    if any(_tells_of(spoken, content, work.known) for content in work.shown[-20:]):
        return False
    admits = _OWN.search(spoken) is not None or _OWN.search(work.thought.replace("’", "'")) is not None
    left = bool(work.records) and any(_opens(trace, tool, work) for tool in trace.tools)
    return admits or (left and not work.plan.in_prose)


def _tells_of(answer: str, content: JSON, known: set[str]) -> bool:
    """Some value of a result, or two words that only the result had, are in the answer."""
    said = set(meaning(answer))
    own: set[str] = set()
    for _, value in islice(leaves(content), _READ):
        if isinstance(value, bool) or value == "":
            continue
        stems = {stem for stem in meaning(str(value)[:2000]) if stem not in known}
        if stems and (isinstance(value, str) or abs(value) > 1) and says(answer, value):
            return True
        own |= stems & said
    return len(own) > 1


def _opens(trace: Trace, tool: Tool, work: _Work) -> bool:
    """A tool that takes one of the things that were listed, and tells more of it."""
    if tool.effect != "reads" or tool.name == work.listed_by:
        return False
    fields = {name.casefold() for record in work.records[:5] for name in record}
    properties = tool.input_schema.get("properties")
    if isinstance(properties, Mapping):
        taken = {str(name).casefold() for name in cast("Mapping[str, JSON]", properties)}
        return any(
            one == other or one.endswith(f"_{other}") or other.endswith(f"_{one}") for one in taken for other in fields
        )
    return not _OPENS.isdisjoint(vocabulary(trace).tools[tool.name].acts)
