"""Trace → what an agent tells as a fact, or writes down as a tool's answer, and what nothing in the trace ever said."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from misstep.core.event import Handoff, Message, Thought, ToolCall, ToolResult
from misstep.core.finding import Finding
from misstep.core.trace import Exchange, Trace
from misstep.core.words import sentences
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.claims import spoken
from misstep.detectors.evidence.emptiness import is_empty
from misstep.detectors.evidence.flow import argument_sources, saying_calls
from misstep.detectors.evidence.gaps import filled_in, gaps_in, left_open
from misstep.detectors.evidence.guesswork import guesses_told
from misstep.detectors.evidence.made_up import (
    MadeUp,
    made_up_amount,
    made_up_code,
    made_up_figures,
    made_up_value,
)
from misstep.detectors.evidence.outcomes import effect_of, failed, told
from misstep.detectors.evidence.trouble import tells_of_trouble
from misstep.detectors.evidence.unresearched import resting_on
from misstep.objectives.once import once_per_trace
from misstep.objectives.vocabulary import vocabulary
from misstep.provenance.reading import looks_like_identifier


class _Turn(Struct):
    """What the agent had looked at since the user last spoke."""

    looks: list[Exchange]
    answered: bool = False

    def hears(self, trace: Trace, exchange: Exchange) -> None:
        result = exchange.result
        if result is None:
            return
        self.looks.append(exchange)
        if not failed(result, effect_of(trace, exchange.call)) and not is_empty(result.content):
            self.answered = True


@detector("fabricated-result", version=4)
def fabricated_result(trace: Trace) -> Iterator[Finding]:
    """One finding for each message that tells what nobody could know; then at the look-up that gave nothing."""
    yield from results_made_up(trace)


@once_per_trace
def results_made_up(trace: Trace) -> tuple[Finding, ...]:
    """What the detector finds, for others to look up."""
    found = {finding.events[0]: finding for finding in _found(trace)}
    for guess in guesses_told(trace):
        found.setdefault(
            guess.at,
            Finding(
                mode="fabricated-result",
                events=(guess.at, guess.since),
                because=f"The agent says “{' '.join(guess.sentence.split())[:120]}”, but {guess.figure!r} was a guess "
                "of its own: nobody had given it.",
                confidence=0.75,
            ),
        )
    for finding in _from_memory(trace):
        found.setdefault(finding.events[0], finding)
    return tuple(found[at] for at in sorted(found))


def _from_memory(trace: Trace) -> Iterator[Finding]:
    """It had planned to look something up, looked at nothing, and answers with what it believes to know."""
    for at, planned_at, sentence in resting_on(trace, "memory"):
        yield Finding(
            mode="fabricated-result",
            events=(at, planned_at),
            because=f"The agent says “{sentence[:120]}”; its plan was to look that up, and it looked at nothing.",
            confidence=0.7,
        )


@once_per_trace
def places_made_up(trace: Trace) -> frozenset[int]:
    """Where something made up is told."""
    return frozenset(finding.events[0] for finding in results_made_up(trace))


def _found(trace: Trace) -> Iterator[Finding]:
    turn = _Turn([])
    ever = False
    answers = {exchange.result_at: exchange for exchange in trace.exchanges if exchange.result_at is not None}
    for at, event in enumerate(trace.events):
        if isinstance(event, ToolResult) and at in answers:
            turn.hears(trace, answers[at])
            ever = ever or turn.answered
        elif isinstance(event, Message) and event.role == "user":
            turn = _Turn([])
        elif isinstance(event, ToolCall) and at in saying_calls(trace):
            if (finding := _answered(trace, at, event)) is not None:
                yield finding
        elif isinstance(event, (Message, Thought)) and event.text and _is_from_an_agent(event):
            finding = _written_by_itself(trace, at, event) or _pretended(at, event)
            if finding is None and isinstance(event, Message):
                finding = _made_up(trace, at, event, turn, ever=ever)
            if finding is not None:
                yield finding


def _answered(trace: Trace, at: int, call: ToolCall) -> Finding | None:
    """A final answer that is given by way of a call, with a value from nowhere."""
    for source in argument_sources(trace).get(at, ()):
        if source.origin == "nowhere" and looks_like_identifier(source.unknown):
            return Finding(
                mode="fabricated-result",
                events=(at,),
                because=f"The agent gives {source.unknown[:80]!r} as its answer, which came from no tool, no user and "
                "no rule.",
                confidence=0.7,
            )
    return None


_PRETENCE = re.compile(
    r"\b(?:simulat\w+|pretend\w*|mak(?:e|ing) up|made-?up|hypothetical\w*|mock(?:ed|ing)?|fictional|dummy|placeholder"
    r"|for (?:this |the sake of )?(?:demonstration|illustration|simplicity)"
    r"|assum(?:e|ing) (?:that )?(?:the|our|we|it|a))\b"
    r"[^.\n]{0,80}\b(?:results?|returned|returns|responses?|output|retrieved|verified|search(?:es)?|values?|data)\b",
    re.IGNORECASE,
)
# One of these is in all that the form matches, and is quickly looked for.
_SIGNS_OF_PRETENCE = (
    "simulat", "pretend", "make up", "making up", "made", "hypothetical", "mock", "fictional", "dummy", "placeholder",
    "demonstration", "illustration", "simplicity", "assum",
)  # fmt: skip
_PROPOSES = re.compile(r"\?\W*$|\b(?:can|could|may|might|would|if|alternatively|instead of|not|never)\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:i|we|i'll|let's|let me|i've)\b", re.IGNORECASE)


def _pretended(at: int, event: Message | Thought) -> Finding | None:
    """An agent that says itself that it makes a result up."""
    low = event.text.lower()
    pretends = any(map(low.__contains__, _SIGNS_OF_PRETENCE)) and _PRETENCE.search(low)
    for sentence in sentences(event.text) if pretends else ():
        said = _PRETENCE.search(sentence)
        if said is not None and _FIRST_PERSON.search(sentence[: said.end()]) and not _PROPOSES.search(sentence):
            return Finding(
                mode="fabricated-result",
                events=(at,),
                because=f"The agent itself says that it makes a result up: “{' '.join(sentence.split())[:140]}”.",
                confidence=0.75,
            )
    return None


def _is_from_an_agent(event: Message | Thought) -> bool:
    return event.role == "agent" if isinstance(event, Message) else event.actor != "user"


def _made_up(trace: Trace, at: int, message: Message, turn: _Turn, *, ever: bool) -> Finding | None:
    if not any(map(str.isdigit, message.text)) or not _is_for_the_user(trace, message):
        return None
    # With nothing answered yet, there is nothing from which a value could have been worked out.
    in_vain = bool(turn.looks) and not turn.answered
    blindly = (in_vain or not ever) and not tells_of_trouble(message.text)
    for sentence in told_as_fact(message.text):
        found = None
        if blindly and (in_vain or _is_about_a_look_up(trace, sentence)):
            found = made_up_value(trace, at, message.actor, sentence)
        found = found or made_up_code(trace, at, message.actor, sentence)
        found = found or made_up_amount(trace, at, message.actor, sentence)
        if found is None and turn.answered:
            found = made_up_figures(trace, at, message.actor, sentence)
        if found is not None:
            return _finding(at, found, sentence, turn.looks if in_vain else [])
    return _filled_in(trace, at, message, turn)


def _filled_in(trace: Trace, at: int, message: Message, turn: _Turn) -> Finding | None:
    """A figure for the one of several things of which the look-up had given nothing."""
    gaps = left_open(gaps_in(trace, turn.looks), sentences(message.text)) if turn.looks else []
    for sentence in told_as_fact(message.text) if gaps else ():
        found = filled_in(trace, at, message.actor, sentence, gaps)
        if found is not None:
            made_up, gap = found
            return structs.replace(_finding(at, made_up, sentence, ()), events=(at, gap.at))
    return None


def _is_for_the_user(trace: Trace, message: Message) -> bool:
    """Among themselves agents may speak of what is in no trace; what a user is told is told on good grounds."""
    return message.to == "user" or (message.to is None and _speakers(trace) == 1)


@once_per_trace
def _speakers(trace: Trace) -> int:
    """How many agents speak or are handed something."""
    named = {message.actor for _, message in trace.messages if message.role == "agent"}
    return len(named.union(*({event.actor, event.to} for event in trace.events if isinstance(event, Handoff))))


_NO_FACT = re.compile(
    r"\?\s*$|(?<![.@-])\bexample\b|\b(?:e\.g|i\.e|for instance|such as|format|something like|looks like|placeholder"
    r"|if|would|could|should|might|may|unless|suppose|assum\w+|let's say|approximately|about|around|roughly|estimated?"
    r"|between|up to|at least|at most|within|typically|usually|generally)\b",
    re.IGNORECASE,
)


def told_as_fact(text: str) -> Iterator[str]:
    """The sentences of a message that state something plainly: no questions, examples, estimates or conditions."""
    for sentence in sentences(text):
        if any(map(str.isdigit, sentence)) and not _NO_FACT.search(sentence):
            yield sentence


def _is_about_a_look_up(trace: Trace, sentence: str) -> bool:
    """It speaks of what a tool on offer would have to be asked for."""
    stems = spoken(sentence)
    return any(
        tool.effect == "reads" and not (tool.named - tool.acts).isdisjoint(stems)
        for tool in vocabulary(trace).tools.values()
    )


def _finding(at: int, found: MadeUp, sentence: str, looks: Sequence[Exchange]) -> Finding:
    asked = looks[-1] if looks else None
    events = (at,) if asked is None or asked.result_at is None else (at, asked.result_at)
    said = " ".join(sentence.split())
    said = said if len(said) <= 120 else f"{said[:117]}…"
    return Finding(
        mode="fabricated-result",
        events=events,
        because=f"The agent says “{said}”, but {found.value!r} came from no tool, no user and no rule.",
        confidence=found.sure,
    )


_ACTION = re.compile(
    r"^\W{0,20}(?:action|action input|tool call|calling tool|function call|tool)\W{0,20}:", re.I | re.M
)
_OBSERVATION = re.compile(
    r"^\W{0,20}(?:observations?|(?:tool|function) (?:output|result|response))\W{0,20}:[*\s]*(?P<what>\S.+)",
    re.IGNORECASE | re.MULTILINE,
)
_OBSERVED = ("observation", " output", " result", " response")
_NEAR = 6


def _written_by_itself(trace: Trace, at: int, event: Message | Thought) -> Finding | None:
    """An agent that writes both the call and what came of it, where no such answer was ever given."""
    low = event.text.lower()
    if ":" not in low or not any(map(low.__contains__, _OBSERVED)):
        return None
    action = _ACTION.search(event.text)
    observed = _OBSERVATION.search(event.text, action.end()) if action else None
    if observed is None:
        return None
    words = " ".join(observed["what"].split()).casefold()[:60]
    around = trace.events[max(0, at - _NEAR) : at + _NEAR]
    if any(words in " ".join(told(each).split()).casefold() for each in around if isinstance(each, ToolResult)):
        return None
    return Finding(
        mode="fabricated-result",
        events=(at,),
        because=f"The agent wrote the tool's answer itself: “{observed.group().strip()[:100]}”.",
        confidence=0.8,
    )
