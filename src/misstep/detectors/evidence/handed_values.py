"""A trace → ids that one agent handed to another without having looked anything up, and that nobody had named."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from misstep.core.event import Handoff, Message, ToolCall, ToolResult
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.core.words import as_number, sentences
from misstep.detectors.evidence.made_up import made_up_amount
from misstep.detectors.evidence.named import named, stands_before
from misstep.objectives.once import once_per_trace
from misstep.objectives.vocabulary import meaning, vocabulary
from misstep.provenance.reading import canonical, days_in, has_digit, looks_like_identifier, slashed_days, tokens

_LEAST_DIGITS = 3
_READ = 4000
# `GB29 NWBK 6016 1331`, `12-34-56 77700012`: an id that is written in groups.
_GROUPED = re.compile(r"\b[A-Z0-9][A-Z0-9-]{1,9}(?: [A-Z0-9][A-Z0-9-]{0,9}){1,9}\b")
# Who says that it is no more than a guess, or asks to have it checked, has handed over no fact.
_NOT_AS_FACT = re.compile(
    r"\b(?:example|e\.g|placeholder|dummy|format|something like|looks like|such as|for instance)\b", re.IGNORECASE
)


_ROUGHLY = re.compile(
    r"\?|\b(?:about|around|roughly|approximately|estimat\w+|guess\w*|assum\w+|probably|perhaps|maybe|might|would"
    r"|if|up to|between|at least|at most|propos\w+|suggest\w*|let's|offer)\b",
    re.IGNORECASE,
)


class HandedOver(NamedTuple):
    """Where an agent told a colleague a value from nowhere, as it wrote it."""

    at: int
    actor: str
    value: str


@once_per_trace
def handed_over(trace: Trace) -> Mapping[str, HandedOver]:
    """By their letters and digits alone."""
    found: dict[str, HandedOver] = {}
    asked: dict[str, str] = {}
    since: dict[str, int] = {}
    looked, user_at, user_text = -1, -1, ""
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            user_at, user_text = at, event.text
            since.clear()
            continue
        if isinstance(event, (ToolCall, ToolResult)):
            looked = at
            continue
        to = event.to if isinstance(event, (Handoff, Message)) else None
        if not isinstance(event, (Handoff, Message)) or to is None or "user" in (to, event.actor):
            continue
        # Where its own look-ups would stand in the trace, none stands since it was asked.
        began = since.get(event.actor, user_at)
        request = asked[event.actor] if event.actor in since else user_text
        if looked < began and _could_have_looked(trace, request):
            for value in _from_nowhere(trace, at, event):
                found.setdefault(key_of(value), HandedOver(at, event.actor, value))
        asked[to], since[to] = event.text, at
    return found


def key_of(value: JSON) -> str:
    """Letters and digits alone; a figure by what it amounts to, however it is written."""
    number = value if isinstance(value, float) else as_number(str(value)) if _AMOUNT.fullmatch(str(value)) else None
    return canonical(str(value)) if number is None else f"number {number:g}"


_AMOUNT = re.compile(r"\d[\d,]*\.\d+")


def _could_have_looked(trace: Trace, request: str) -> bool:
    """A tool that reads is on offer for what the colleague was asked for."""
    wanted = frozenset(meaning(request[:_READ]))
    return any(tool.effect == "reads" and not wanted.isdisjoint(tool.all) for tool in vocabulary(trace).tools.values())


def _from_nowhere(trace: Trace, at: int, event: Handoff | Message) -> Iterator[str]:
    text = event.text[:_READ]
    if _NOT_AS_FACT.search(text):
        return
    for value in _ids_in(text):
        if not _is_known(trace, at, value, event.actor):
            yield value
    for sentence in sentences(text):
        made_up = None if _ROUGHLY.search(sentence) else made_up_amount(trace, at, event.actor, sentence)
        if made_up is not None and _AMOUNT.fullmatch(made_up.value):
            yield made_up.value


def _ids_in(text: str) -> Iterator[str]:
    for match in _GROUPED.finditer(text):
        groups = match.group().split(" ")
        # `IBAN GB29 …` begins with what it is, `MSKU 704 …` with a part of it.
        while len(groups) > 1 and sum(map(str.isdigit, "".join(groups))) > _LEAST_DIGITS:
            yield " ".join(groups)
            if has_digit(groups[0]):
                break
            groups = groups[1:]
    for token in tokens(text):
        if sum(map(str.isdigit, token)) < _LEAST_DIGITS and "@" not in token:
            continue
        if looks_like_identifier(token) and not any(days_in(token)) and not any(slashed_days(token)):
            yield token


def _is_known(trace: Trace, at: int, value: str, actor: str) -> bool:
    if stands_before(trace, at, value, actor) or named(trace).knows(value, at, actor):
        return True
    parts = [part for part in tokens(value) if has_digit(part) or "@" in part]
    return bool(parts) and all(named(trace).knows(part, at, actor) for part in parts)


def is_confirmed(trace: Trace, handed: HandedOver, before: int) -> bool:
    """A tool gave the same value after all, or the user spoke in between and may have let it stand."""
    key = canonical(handed.value)
    if key_of(handed.value).startswith("number ") and named(trace).knows_number(as_number(handed.value) or 0.0, before):
        # The call that uses it does not count, only what came before that.
        return True
    for event in trace.events[handed.at + 1 : min(before, handed.at + _NEAR)]:
        if isinstance(event, ToolResult) and key in canonical(str(event.content)[:_READ]):
            return True
        if isinstance(event, Message) and event.role == "user":
            return True
    return False


_NEAR = 200
