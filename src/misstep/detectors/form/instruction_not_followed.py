"""instruction-not-followed: an answer, or the way to it, goes against what somebody had said that it must be like."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, cast

from misstep.core.event import Message, ToolResult
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.core.words import sentences, words
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.demands import Demand, demands
from misstep.detectors.evidence.follow_ups import missed_follow_ups
from misstep.detectors.evidence.forms import BRIEF, departs_from, form_wanted
from misstep.detectors.evidence.hearing import prompted
from misstep.detectors.evidence.helpings import Helping, helping
from misstep.detectors.evidence.languages import written_in
from misstep.detectors.evidence.lasting import asks_for_another_text, by_far, is_lifted
from misstep.detectors.evidence.payloads import json_in, stands_alone
from misstep.detectors.evidence.steps import followed_up, left_out_steps
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.detectors.evidence.turns import Turn, said_by_agents, turns


@detector("instruction-not-followed", version=6)
def instruction_not_followed(trace: Trace) -> Iterator[Finding]:
    """One finding for each demand on answers that is not met, and one for each step that was to follow and did not."""
    yield from _unmet_prompts(trace)
    yield from _unmet_demands(trace)
    yield from _read_too_much(trace)
    yield from _said_more(trace)
    missed = [(step, 0.85) for step in left_out_steps(trace) if not followed_up(trace, step)]
    for step, sure in (*missed, *((each, 0.75) for each in missed_follow_ups(trace))):
        yield Finding(
            mode="instruction-not-followed",
            events=(step.after.at,),
            because=f"“{_shortened(step.rule)}” was an instruction; {step.after.call.tool} worked, and {step.tool} was "
            "never called after it.",
            confidence=sure,
        )


def _unmet_prompts(trace: Trace) -> Iterator[Finding]:
    """Tags that the very prompt of an answer demands: one finding for each demand, where it is first unmet."""
    reported: set[str] = set()
    for at, prompts in prompted(trace):
        answer = cast("Message", trace.events[at]).text
        for prompt_at in prompts if answer.strip() else ():
            for demand in demands(cast("Message", trace.events[prompt_at]).text):
                unmet = demand.kind == "tag" and demand.text not in reported and _unmet(demand, answer)
                if (why := unmet) and (not demand.exactly or _is_ever_met(trace, demand, at)):
                    reported.add(demand.text)
                    yield Finding(
                        mode="instruction-not-followed",
                        events=(at, prompt_at),
                        because=f"The instruction was “{_shortened(demand.text)}”, and {why}.",
                        confidence=_sureness(demand),
                    )


def _is_ever_met(trace: Trace, demand: Demand, at: int) -> bool:
    """Whoever stops a model at the tag that ends an answer never gets to see it: then none of them has it."""
    actor = trace.events[at].actor
    return any(event.actor == actor and not _unmet(demand, event.text) for _, event in said_by_agents(trace))


def _said_more(trace: Trace) -> Iterator[Finding]:
    """A yes or no, or a number, was asked for and nothing else; the answer is a text."""
    for turn in turns(trace):
        form = form_wanted(turn.request) if turn.asked_at >= 0 else None
        if form is None or form.kind not in BRIEF or turn.answer_at is None:
            continue
        if (wrong := departs_from(form, turn.answer)) and not asks(turn.answer) and not tells_of_trouble(turn.answer):
            yield Finding(
                mode="instruction-not-followed",
                events=(turn.answer_at, turn.asked_at),
                because=f"The instruction was “{_shortened(form.text)}”, and {wrong}.",
                confidence=0.75,
            )


_MANY_TIMES = 4
"""More than so many helpings in one answer is no longer helping by helping."""


def _read_too_much(trace: Trace) -> Iterator[Finding]:
    """Steps that go on from far more at once than somebody had said may be read at a time."""
    limit: Helping | None = None
    limit_at, dumped = -1, -1
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role != "agent":
            if (said := helping(event.text)) is not None:
                limit, limit_at = said, at
        elif isinstance(event, ToolResult):
            dumped = at if limit is not None and limit.size(event.content) > _MANY_TIMES * limit.number else -1
        elif dumped >= 0 and limit is not None:
            size = limit.size(cast("ToolResult", trace.events[dumped]).content)
            yield Finding(
                mode="instruction-not-followed",
                events=(at, dumped, limit_at),
                because=f"The instruction was “{_shortened(limit.text)}”, and it goes on from {size} {limit.unit} at "
                "once.",
                confidence=0.7,
            )
            dumped = -1


class _Told(NamedTuple):
    at: int
    demand: Demand
    by_system: bool


def _unmet_demands(trace: Trace) -> Iterator[Finding]:
    answered = [turn for turn in turns(trace) if turn.answer_at is not None]
    reported: set[str] = set()
    for told in _told(trace):
        for turn in _answers_meant(told, answered):
            why = _unmet(told.demand, turn.answer)
            if why and turn.asked_at > told.at and not told.by_system and not _is_far_off(told.demand, turn.answer):
                continue
            if why and turn.answer_at is not None and told.demand.text not in reported:
                reported.add(told.demand.text)
                yield Finding(
                    mode="instruction-not-followed",
                    events=(turn.answer_at, told.at) if told.at >= 0 else (turn.answer_at,),
                    because=f"The instruction was “{_shortened(told.demand.text)}”, and {why}.",
                    confidence=_sureness(told.demand),
                )


def _told(trace: Trace) -> Iterator[_Told]:
    if trace.policy is not None and not trace.policy.rules:
        yield from (_Told(-1, each, True) for each in demands(trace.policy.text) if each.lasting)
    answered = {prompt for _, prompts in prompted(trace) for prompt in prompts}
    for at, message in trace.messages:
        if message.role == "system" and at not in answered:
            yield from (_Told(at, each, True) for each in demands(message.text) if each.lasting)
    for turn in turns(trace):
        if turn.asked_at >= 0:
            yield from (_Told(turn.asked_at, each, False) for each in demands(turn.request))


_SO_MANY = 30
"""A lasting demand is held against so many answers: one that is broken is broken early."""


def _answers_meant(told: _Told, answered: Sequence[Turn]) -> Iterator[Turn]:
    """The answers that a demand is for: the next one, or all that follow; a question back is no answer yet."""
    first = bisect_right(answered, told.at, key=lambda turn: turn.answer_at or 0)
    holds_on = told.by_system or told.demand.standing
    for turn in answered[first : first + (_SO_MANY if holds_on else 1)]:
        if not told.by_system and turn.asked_at > told.at:
            if is_lifted(told.demand, turn.request):
                return
            if asks_for_another_text(told.demand, turn.request):
                continue
        if told.demand.kind == "tag" and told.by_system and turn is not answered[-1]:
            continue  # what the last answer is to be wrapped in
        unready = asks(turn.answer) or (tells_of_trouble(turn.answer) and len(turn.answer) < _SHORT)
        always = told.demand.kind == "length" and told.demand.lasting and not told.demand.exactly
        if not unready or always or told.demand.kind in ("language", "style", "no-phrase"):
            yield turn


_SHORT = 400


def _is_far_off(demand: Demand, answer: str) -> bool:
    return by_far(demand, answer, _COUNTS[demand.value](answer) if demand.kind == "length" else 0)


def _unmet(demand: Demand, answer: str) -> str:
    """What is wrong with an answer, as the end of a sentence; empty where nothing is."""
    match demand.kind:
        case "json":
            wrong = demand.exactly and not stands_alone(answer) and json_in(answer) is not None
            return "the answer has other text beside the JSON" if wrong else ""
        case "tag":
            return f"the answer has no {demand.value}" if demand.value.lower() not in answer.lower() else ""
        case "opening":
            return "the answer does not begin with it" if not _bare(answer).startswith(_bare(demand.value)) else ""
        case "ending":
            return "the answer does not end with it" if not _bare(answer).endswith(_bare(demand.value)) else ""
        case "phrase":
            return f"the answer lacks “{demand.value}”" if _bare(demand.value) not in _bare(answer) else ""
        case "no-phrase":
            said = re.search(rf"(?<!\w){re.escape(_bare(demand.value))}(?!\w)", _bare(answer))
            return f"the answer says “{demand.value}”" if said else ""
        case "length":
            return _too_long(demand, answer)
        case "language":
            used = written_in(answer)
            return f"the answer is in {used.title()}" if used not in (None, demand.value) else ""
        case "style":
            return _STYLE_CHECKS[demand.value](answer)


def _bare(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!*_\"'`")


def _too_long(demand: Demand, answer: str) -> str:
    count = _COUNTS[demand.value](answer)
    # Counting is a matter of taste at the edges: where a hyphen or an abbreviation stands, one more is none.
    spare = max(1, demand.number // 10) if demand.value in ("word", "sentence", "character") else 0
    spare = 0 if demand.number == 1 else spare
    fewer = demand.exactly and count < demand.number - spare
    if count <= demand.number + spare and not fewer:
        return ""
    return f"the answer has {count} {demand.value}{'s' if count != 1 else ''}"


def _sentence_count(text: str) -> int:
    return sum(len(words(each)) > 2 for each in sentences(text))


_BULLET = re.compile(r"^[^\S\n]*(?:[-*•–+]|\d+[.)])\s+\S", re.MULTILINE)
_NUMBERED = re.compile(r"^[^\S\n]*\d+[.)]\s+\S", re.MULTILINE)
_MARKDOWN = re.compile(r"^#{1,6} \S|\*\*[^*\n]+\*\*|^[^\S\n]*\|.+\|\s*$|```", re.MULTILINE)
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]")
_COUNTS: dict[str, Callable[[str], int]] = {
    "word": lambda text: len(text.split()),
    "sentence": _sentence_count,
    "character": len,
    "line": lambda text: sum(bool(line.strip()) for line in text.splitlines()),
    "paragraph": lambda text: len([part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]),
    "bullet": lambda text: len(_BULLET.findall(text)),
}


def _has_letters(text: str) -> bool:
    return sum(map(str.isalpha, text)) >= 8


_STYLE_CHECKS: dict[str, Callable[[str], str]] = {
    "bullets": lambda text: "" if _BULLET.search(text) else "the answer has no bullet points",
    "numbered": lambda text: "" if _NUMBERED.search(text) else "the answer has no numbered list",
    "lowercase": lambda text: "the answer has capital letters" if _has_letters(text) and text != text.lower() else "",
    "uppercase": lambda text: "the answer has small letters" if _has_letters(text) and text != text.upper() else "",
    "no-markdown": lambda text: "the answer is in Markdown" if _MARKDOWN.search(text) else "",
    "no-emoji": lambda text: "the answer has an emoji" if _EMOJI.search(text) else "",
    "no-exclamation": lambda text: "the answer has an exclamation mark" if "!" in text else "",
}


def _sureness(demand: Demand) -> float:
    if demand.kind == "tag" and demand.exactly:
        return 0.45  # whoever stops a model at this very tag never gets to see it
    return 0.7 if demand.kind in ("phrase", "opening", "ending") else 0.8


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 160 else f"{flat[:157]}…"
