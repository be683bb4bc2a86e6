"""malformed-output: what the agent wrote could not be read by whoever it was for, or not in the form asked for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.complaints import says_syntax, says_unreadable
from misstep.detectors.evidence.demands import Demand, demands
from misstep.detectors.evidence.forms import BRIEF, departs_from, form_wanted
from misstep.detectors.evidence.outcomes import told
from misstep.detectors.evidence.payloads import are_json_lines, broken_json, calls_written_out, json_in
from misstep.detectors.evidence.spelling import spells_out
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.detectors.evidence.turns import Turn, said_by_agents, turns
from misstep.objectives.values import leaves


@detector("malformed-output", version=5)
def malformed_output(trace: Trace) -> Iterator[Finding]:
    """One finding for each output that nobody could read; one a trace for a form that was asked for and not given."""
    found: set[int] = set()
    for at, because, sure in (
        *_refused(trace),
        *_written_out(trace),
        *_does_not_parse(trace),
        *_not_json(trace),
        *_in_another_form(trace),
        *_left_open(trace),
    ):
        if at not in found:
            found.add(at)
            yield Finding(mode="malformed-output", events=(at,), because=because, confidence=sure)
    yield from _not_run(trace)
    yield from _letter_by_letter(trace)


Claimed = tuple[int, str, float]


def _refused(trace: Trace) -> Iterator[Claimed]:
    """What a reader says that it could not parse: the latest output before, or the code of the call that it answers."""
    latest: int | None = None
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "agent":
            latest = at
        elif isinstance(event, Message) and latest is not None and says_unreadable(event.text, by_person=True):
            yield latest, f"The reader answered that it could not be parsed: “{_opening(event.text)}”.", 0.85
            latest = None
    for exchange in trace.exchanges:
        result = exchange.result
        if result is not None and exchange.call.malformed is None and (why := _of_code(exchange.call, result)):
            yield exchange.at, f"The code that was passed on could not be parsed: “{_opening(why)}”.", 0.8


def _not_run(trace: Trace) -> Iterator[Finding]:
    """Code in a message that its surroundings could not parse: where its agent learns so, for there people look for it.

    Whoever runs the code in a message answers it with a result that no call had asked for.
    """
    answers = {exchange.result_at for exchange in trace.exchanges}
    written: int | None = None
    why = ""
    for at, event in enumerate(trace.events):
        if isinstance(event, ToolResult):
            said = told(event, 1500) if event.is_error and at not in answers else ""
            why = said if says_unreadable(said) or says_syntax(said) else ""
        elif isinstance(event, Message) and event.role == "agent":
            if why and written is not None:
                yield _unparsed((at, written), why)
            written, why = at, ""
    if why and written is not None:
        yield _unparsed((written,), why)


def _letter_by_letter(trace: Trace) -> Iterator[Finding]:
    """Code that took a text for a list and printed its letters one by one: where its agent has to read that."""
    written: int | None = None
    spelt: int | None = None
    for at, event in enumerate(trace.events):
        if isinstance(event, ToolResult):
            spelt = at if isinstance(event.content, str) and spells_out(event.content) else None
        elif isinstance(event, Message) and event.role == "agent":
            if spelt is not None and written is not None:
                yield Finding(
                    mode="malformed-output",
                    events=(at, written),
                    because=f"What was written in event {written} prints a text letter by letter, as if a list.",
                    confidence=0.75,
                )
            written, spelt = at, None


def _unparsed(events: tuple[int, ...], why: str) -> Finding:
    because = f"What was written in event {events[-1]} could not be parsed: “{_opening(why)}”."
    return Finding(mode="malformed-output", events=events, because=because, confidence=0.8)


def _of_code(call: ToolCall, result: ToolResult) -> str:
    """The complaint of a result about the code, or the format, that the call passed on."""
    if not result.is_error and not isinstance(result.content, str):
        return ""
    text = told(result, 1500)
    # A tool that reports on the code of others does so in its output, not as an error at its beginning.
    if says_unreadable(text) and (result.is_error or _OPENS.match(text)):
        return text
    return text if says_syntax(text) and (result.is_error or _OPENS.match(text)) and _passes_code(call) else ""


_OPENS = re.compile(r"\W*(?:error|exception|traceback|code|invalid|failed|syntax|parse|\w+error\b)", re.IGNORECASE)
_CODE = re.compile(r"\n|[=(){};]|\bimport\b|\bdef\b|\bprint\b")


def _passes_code(call: ToolCall) -> bool:
    return any(isinstance(value, str) and _CODE.search(value) for _, value in leaves(call.arguments))


def _written_out(trace: Trace) -> Iterator[Claimed]:
    """A call that was spelt out in a message, and that nobody made."""
    offered = frozenset(trace.tool_named)
    if not offered:
        return
    told: set[str] = set()
    for at, message in said_by_agents(trace):
        if "{" not in message.text or message.text in told:
            continue
        told.add(message.text)
        name = next(calls_written_out(message.text, offered), None)
        if name is not None and not _is_carried_out(trace, at, name):
            yield at, f"The call of {name} was written into a message, where nothing carries it out.", 0.85


_NEAR = 6
_OBSERVES = re.compile(
    r"\W*(?:observation|tool (?:result|output|response)|results?|output|function|response)\b", re.IGNORECASE
)


def _is_carried_out(trace: Trace, at: int, tool: str) -> bool:
    """The call is made next, or whoever reads such messages answers with what came of it."""
    for event in trace.events[at + 1 : at + 1 + _NEAR]:
        if isinstance(event, ToolCall) and event.tool == tool:
            return True
        if isinstance(event, ToolResult):
            return True
        if isinstance(event, Message) and event.role != "agent":
            return _OBSERVES.match(event.text) is not None or event.text.lstrip()[:1] in ("{", "[")
    return False


# Near relatives of JSON, and pieces of it that are shown to people.
_ANOTHER_KIND = re.compile(
    r"\bjson ?lines\b|\b(?:jsonl|ndjson|json5|jsonc|hjson|comments?|examples?|samples?|templates?|schemas?|snippets?"
    r"|placeholders?|broken|invalid|malformed|wrong|python|dict)\b",
    re.IGNORECASE,
)


# A form for the answer, and not a file that is spoken of.
_WANTS_JSON = re.compile(
    r"\b(?:as|in|into|with|only|valid|an?|one|single|strict|pure|plain)\s+(?:\w+\s+){0,2}?json\b"
    r"(?![-.]\w|\s*-?ld\b| files?\b)|(?<![.\w-])json (?:only|objects?|please|arrays?|lists?|format|output)\b",
    re.IGNORECASE,
)


def _does_not_parse(trace: Trace) -> Iterator[Claimed]:
    """JSON was asked for, and an answer that is all meant as JSON is none."""
    wanted = trace.policy is not None and _rules_want_json(trace.policy.text)
    request = ""
    for at, message in trace.messages:
        if message.role != "agent":
            wants = _wants_json if message.role == "user" else _rules_want_json
            wanted = wanted or wants(message.text)
            request = message.text if message.role == "user" else request
        elif wanted and message.to in (None, "user") and not _ANOTHER_KIND.search(request):
            why = broken_json(message.text)
            if why:
                yield at, f"JSON was asked for, and the answer does not parse as such: {_opening(why)}.", 0.85


def _wants_json(text: str) -> bool:
    return "json" in text.lower() and _WANTS_JSON.search(text) is not None


def _rules_want_json(text: str) -> bool:
    """Long prompts speak of many things: only what demands it of answers counts."""
    return "json" in text.lower() and any(each.kind == "json" and _holds(each) for each in demands(text))


def _not_json(trace: Trace) -> Iterator[Claimed]:
    for demand, meant in _asked_for_json(trace):
        for turn in meant:
            wrong = _is_not_as_asked(demand, turn.answer)
            if wrong and turn.answer_at is not None:
                yield turn.answer_at, wrong, 0.85
                return


def _in_another_form(trace: Trace) -> Iterator[Claimed]:
    """The user wants CSV, a table or the like, and the answer is none."""
    for turn in turns(trace):
        form = form_wanted(turn.request) if turn.asked_at >= 0 else None
        if (
            form is None
            or form.kind in BRIEF
            or turn.answer_at is None
            or asks(turn.answer)
            or tells_of_trouble(turn.answer)
        ):
            continue
        if wrong := departs_from(form, turn.answer):
            yield turn.answer_at, f"“{_opening(form.text)}” was what the user had asked for, and {wrong}.", 0.8


def _is_not_as_asked(demand: Demand, answer: str) -> str:
    if asks(answer) or (tells_of_trouble(answer) and not demand.exactly):
        return ""
    value = json_in(answer)
    if value is None and are_json_lines(answer):
        return ""
    if value is None:
        return f"JSON was asked for (“{_opening(demand.text)}”), and the answer holds none."
    missing = _missing(value, demand)
    return f"The JSON that was asked for must have {missing!r}, and it has not." if missing else ""


def _asked_for_json(trace: Trace) -> Iterator[tuple[Demand, Sequence[Turn]]]:
    """What asks for JSON, and the turns whose answers it is for: all of them, or its own."""
    listed = turns(trace)
    # Of two that ask for the same all answers are held to one: a prompt may be there as often as there are steps.
    asked: set[tuple[bool, tuple[str, ...]]] = set()
    for _, message in trace.messages:
        if message.role == "system" and "json" in message.text.lower():
            wanted = [each for each in demands(message.text) if each.kind == "json" and _holds(each)]
            yield from ((each, listed) for each in wanted[:1] if (each.exactly, each.keys) not in asked)
            asked.update((each.exactly, each.keys) for each in wanted[:1])
    for turn in listed:
        if turn.asked_at >= 0 and "json" in turn.request.lower():
            yield from ((each, (turn,)) for each in demands(turn.request) if each.kind == "json")


def _holds(demand: Demand) -> bool:
    """For every answer: by a word for that, or because all that the system says of answers is this one order."""
    return demand.lasting or _ORDERS.match(demand.text) is not None


_ORDERS = re.compile(r"\W*(?:return|answer|reply|respond|output)\b", re.IGNORECASE)


def _missing(value: JSON, demand: Demand) -> str:
    if not isinstance(value, dict):
        return ""
    fields = cast("Mapping[str, JSON]", value)
    return next((key for key in demand.keys if key not in fields), "")


_FENCE_LINE = re.compile(r"^[ \t]*```", re.MULTILINE)


def _left_open(trace: Trace) -> Iterator[Claimed]:
    """The very last answer opens a code fence and never closes it."""
    last = next(reversed(said_by_agents(trace)), None)
    if last is None or last[0] != len(trace.events) - 1 or trace.end not in ("finished", "unknown"):
        return
    fences = _FENCE_LINE.findall(last[1].text)
    if len(fences) % 2:
        yield last[0], "The last answer opens a code fence and never closes it.", 0.6


def _opening(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else f"{flat[:117]}…"
