"""Turns of a failed conversation → what speaks against each, in weights and words."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from misstep.core.event import Message, ToolCall
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.core.words import content_stems, split_identifier
from misstep.diagnosis.reading import Reading, answers_in, plain, read, values_in, weight
from misstep.diagnosis.turns import Turn, turns
from misstep.effects.guessing import guess_effect

_READ = 6000
"""So much of what a tool gave back is read."""
STATES = 2.0
"""So much that is new must a turn state to have done something, where it ran nothing."""
_ON_TASK = 0.3
"""A turn that opens the work and has less than this share of the request's words is about something else."""

_MUCH = 15
"""So many words with a meaning make a task of one's own; a greeting has fewer."""

WEIGHTS: Mapping[str, float] = {
    "off-task": 1.5,
    "first-act": 2.0,
    "act": 1.2,
    "failed": 0.6,
    "assumes": 0.5,
    "by-hand": 0.5,
    "answer": 0.6,
    "early": 0.5,
    "agrees": -0.6,
    "closes": -1.0,
    "opens": -0.5,
    "finding": 1.5,
}
"""Round numbers set by hand, in the order in which the evidence was thought to count; not fitted."""


class Evidence(Struct, frozen=True):
    """One thing that speaks for or against a turn's being where it went wrong."""

    kind: str
    amount: float
    """From 0 to 1."""
    because: str = ""
    """A clause whose subject is the turn; empty for what excuses it."""


class Accused(Struct, frozen=True):
    """A turn and all that was found about it."""

    turn: Turn
    evidence: tuple[Evidence, ...]


def evidence(trace: Trace, findings: Sequence[Finding] = ()) -> tuple[Accused, ...]:
    """Every turn with its evidence; two passes over the turns."""
    taken = turns(trace)
    readings = [_read(turn) for turn in taken]
    acts = _acts(trace, taken, readings)
    astray = several(taken) and _opens(taken, 0) and _is_off_task(trace, taken[0])
    if astray or (several(taken) and not any(acts)):
        acts[0] = True  # Where nobody else adds anything, what the first one brought stands.
    claims = _claims(taken, findings)
    origin = _origin_of_the_answer(trace, taken, readings)
    accused: list[Accused] = []
    earlier = 0
    for at, (turn, reading) in enumerate(zip(taken, readings, strict=True)):
        marks = [
            *(
                [Evidence("off-task", 1.0, "it sets out on something else than was asked")]
                if astray and at == 0
                else ()
            ),
            *([Evidence("opens", 1.0)] if _opens(taken, at) and not acts[at] else ()),
            *_of_acting(turn, act=acts[at], earlier=earlier),
            *(() if _opens(taken, at) and not turn.runs else _of_words(turn, reading)),
            *([Evidence("answer", 1.0, "the answer given in the end first stood in it")] if at == origin else ()),
            *claims.get(turn.at, ()),
        ]
        accused.append(Accused(turn, tuple(marks)))
        earlier += acts[at]
    return tuple(accused)


def _read(turn: Turn) -> Reading:
    """Of a call nothing counts but the values that it makes known."""
    if turn.kind == "called":
        return Reading(values_in(turn.text[:_READ]), frozenset())
    return read(turn.text, turn.prose)


def several(taken: Sequence[Turn]) -> bool:
    """More than one agent took part."""
    return len({turn.actor for turn in taken}) > 1


def _opens(taken: Sequence[Turn], at: int) -> bool:
    """The first of several turns, in words, mostly passes on what was asked."""
    return at == 0 and len(taken) > 1 and taken[0].kind != "called"


def _acts(trace: Trace, taken: Sequence[Turn], readings: Sequence[Reading]) -> list[bool]:
    """Which turns did something, judged by what had been said or shown before each."""
    known = set(values_in(_request(trace)))
    known.update(word for turn in taken for word in split_identifier(turn.actor))
    acts: list[bool] = []
    for at, (turn, reading) in enumerate(zip(taken, readings, strict=True)):
        told = weight(frozenset(reading.stated - known))
        acts.append(turn.runs if _opens(taken, at) else _does_something(trace, turn, reading, told))
        known |= reading.values | values_in(turn.report[:_READ])
    return acts


def _does_something(trace: Trace, turn: Turn, reading: Reading, told: float) -> bool:
    """Runs something, or tells others what they did not know; a thought, an order to others or a plan is neither.

    A look-up that succeeded did nothing yet: what is made of it may be wrong.
    """
    if turn.kind == "called":
        return turn.outcome == "failed" or not _only_reads(trace, turn)
    if turn.runs:
        return True
    return turn.kind == "said" and not reading.closes and ("```" in turn.text or told >= STATES)


def _only_reads(trace: Trace, turn: Turn) -> bool:
    call = trace.events[turn.at]
    if not isinstance(call, ToolCall):
        return False
    known = trace.tool_named.get(call.tool)
    return (known.effect if known else guess_effect(call.tool)) == "reads"


def _of_acting(turn: Turn, *, act: bool, earlier: int) -> Iterator[Evidence]:
    if act:
        yield Evidence("act", 1.0, _what_it_did(turn))
        if not earlier:
            yield Evidence("first-act", 1.0, "it is the first that does anything")
    yield Evidence("early", 1 / (1 + earlier))
    if turn.outcome == "failed":
        yield Evidence("failed", 1.0, "what it ran failed")
    elif turn.outcome == "empty":
        yield Evidence("failed", 0.5, "what it ran brought nothing back")


def _what_it_did(turn: Turn) -> str:
    return (
        "it runs something" if turn.runs or "```" in turn.text else "it states things that nothing before it had shown"
    )


def _of_words(turn: Turn, reading: Reading) -> Iterator[Evidence]:
    if reading.assumes and turn.kind != "called":
        yield Evidence("assumes", 1.0, f"it takes something for granted (“{reading.assumes}”)")
    if reading.by_hand and not turn.runs and turn.kind == "said":
        yield Evidence("by-hand", 1.0, f"it claims to have looked (“{reading.by_hand}”), and ran nothing")
    if reading.closes:
        yield Evidence("closes", 1.0)
    elif reading.agreeing:
        yield Evidence("agrees", reading.agreeing)


def _claims(taken: Sequence[Turn], findings: Sequence[Finding]) -> dict[int, list[Evidence]]:
    """The surest finding in each turn: at its cause, once attributed, or else where its guilt is.

    What is found in an answer, or in what somebody said, is laid to the turn before it.
    """
    places = [turn.at for turn in taken]
    surest: dict[int, Finding] = {}
    for finding in findings:
        at = finding.cause if finding.cause is not None else next(iter(finding.events), None)
        if at is None or not finding.present or not places:
            continue
        turn = places[max(0, bisect_right(places, at) - 1)]
        if turn not in surest or finding.confidence > surest[turn].confidence:
            surest[turn] = finding
    return {
        at: [Evidence("finding", finding.confidence, f"{finding.mode} was found in it")]
        for at, finding in surest.items()
    }


def _request(trace: Trace) -> str:
    return next((event.text for event in trace.events if isinstance(event, Message) and event.role == "user"), "")


def _is_off_task(trace: Trace, turn: Turn) -> bool:
    """It says a good deal, and little of it is what was asked for."""
    asked, told = set(content_stems(_request(trace))), set(content_stems(turn.text[:_READ]))
    return bool(asked) and len(told) >= _MUCH and len(asked & told) / len(asked) < _ON_TASK


def _origin_of_the_answer(trace: Trace, taken: Sequence[Turn], readings: Sequence[Reading]) -> int | None:
    """The first turn after the opening one that has what was put forward in the end, and was not in the request."""
    last = next((at for at in reversed(range(len(taken))) if not readings[at].closes), 0)
    if last == 0:
        return None
    given = f" {plain(_request(trace))} {plain(taken[0].text)} "
    answers = [answer for answer in answers_in(taken[last].text, taken[last].prose) if f" {answer} " not in given]
    for at in range(1, last + 1):
        text = f" {plain(taken[at].text)} "
        if any(f" {answer} " in text for answer in answers):
            return at
    return None
