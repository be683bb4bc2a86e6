"""Rules in prose → what is to be done after each act of a kind, and the acts after which it never was."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from misstep.core.once import once_per_text
from misstep.core.trace import Exchange, Trace
from misstep.core.words import sentences
from misstep.detectors.evidence.steps import Step, was_declined
from misstep.detectors.evidence.support import did_its_job
from misstep.objectives.once import once_per_trace
from misstep.objectives.vocabulary import ToolWords, lemma, meaning, vocabulary, widened

_EACH = r"(?:every|each|any|all|an?|the|you|having)\b"
_MUST = (
    r"(?:you|the agent|agents|we|staff|it|there)?\s*(?:must|should|shall|always|have to|has to|need to|are to|is to)"
)
# "After every refund, write a note", "Whenever you close a file you must tell the owner", "Once a lot is sold, log it".
_FIRST_THE_ACT = re.compile(
    rf"^\W{{0,20}}(?:(?:immediately|right|directly|always)\s{{1,20}})?(?:after\s+(?={_EACH}|\w+ing\b)|following\s+(?={_EACH})"
    r"|when(?:ever)?\s{1,20}(?=you|an?\b|the\b|any\b)|once\s+(?=you|an?\b|the\b)|as soon as\s+|(?:every"
    r"|each)\s{1,20}time\s+)"
    rf"(?P<act>[^.,;:]{{3,90}}?)(?:,\s{{0,20}}|(?<!\s)\s{{1,20}}(?={_MUST}\b))(?P<step>[^.;]{{4,200}})",
    re.IGNORECASE,
)
# "Write a note after every refund", "A note is to be written after each refund", "log it whenever you close a file".
_FIRST_THE_STEP = re.compile(
    r"^\W{0,20}(?P<step>[^.;,]{4,120}?)(?:,|(?<!\s))\s{1,20}(?:(?:immediately|right|directly|always)\s{1,20})?"
    r"(?:after\s+(?:every|each|any)\b|following\s+(?:every|each|any)\b|whenever\s+you\b|(?:every|each)\s{1,20}time\s+you\b)"
    r"(?P<act>[^.;,]{3,90})",
    re.IGNORECASE,
)
# "Every refund must be followed by a note", "each refund has to be logged".
_IS_FOLLOWED = re.compile(
    r"^\W*(?:every|each|any|all)\s{1,20}(?P<act>[^.,;]{3,60}?)\s{1,20}(?:must|should|shall|has to|have to"
    r"|needs? to|is to|are to"
    r"|is|are)\s{1,20}(?:always\s+|then\s+|also\s+)*(?:be\s+)?(?:always\s+|then\s+)*(?:followed\s+by\s+)?"
    r"(?P<step>\w[^.;]{3,160})",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:if|unless|except|only|above|over|below|under|more than|less than|at least|exceed\w*|larger|greater|before"
    r"|first|where|until|within|may|can|could|not|never|no)\b|n't\b|\d",
    re.IGNORECASE,
)
_NEGATES = re.compile(r"\b(?:not|never|no|may|can|could|unless|except|if|before)\b|n't\b", re.IGNORECASE)
_FILLER = frozenset(
    lemma(word)
    for word in """successful successfully complete completed finish finished new make made kind such time carry carried
    customer client user patient guest member immediately always must should need followed follow""".split()
)
_LONG, _SHARED, _FEW = 20_000, 2, 40


class FollowUp(NamedTuple):
    """The words for an act, those for what is to follow it, and the sentence that wants it."""

    act: str
    step: str
    text: str


@once_per_text
def follow_ups(text: str) -> tuple[FollowUp, ...]:
    """What a text wants done after each act of a kind; what holds only in some cases is left out."""
    found: list[FollowUp] = []
    for sentence in sentences(text[:_LONG]):
        for form in (_FIRST_THE_ACT, _FIRST_THE_STEP, _IS_FOLLOWED):
            match = form.match(sentence)
            if match is not None:
                if not _BOUND.search(match["act"]) and not _NEGATES.search(match["step"]):
                    found.append(FollowUp(match["act"], match["step"], sentence))
                break
    return tuple(found[:_FEW])


class _Wanted(NamedTuple):
    since: int
    text: str
    step: str


def missed_follow_ups(trace: Trace) -> Iterator[Step]:
    """Acts that worked, after which the tool that the rules want was never called, nor in the same turn before."""
    wanted = _wanted(trace)
    if not wanted or trace.end not in ("finished", "unknown"):
        return
    called: dict[str, list[int]] = {}
    for exchange in trace.exchanges:
        called.setdefault(exchange.call.tool, []).append(exchange.at)
    users = [at for at, message in trace.messages if message.role == "user"]
    for exchange in trace.exchanges:
        for rule in wanted.get(exchange.call.tool, ()):
            if rule.since >= exchange.at or not did_its_job(trace, exchange) or was_declined(trace, rule.step):
                continue
            asked = bisect_left(users, exchange.at)
            turn = users[asked - 1] if asked else -1
            if not any(at > turn for at in called.get(rule.step, ())[-1:]) and _has_ended(trace, exchange):
                yield Step(rule.text, rule.step, exchange)


def _has_ended(trace: Trace, exchange: Exchange) -> bool:
    """The agent spoke after it: a log that ends in the middle proves nothing."""
    return bool(trace.messages) and trace.messages[-1][0] > exchange.at


@once_per_trace
def _wanted(trace: Trace) -> dict[str, list[_Wanted]]:
    """By the tool whose act it is, what is to follow."""
    prose = [(-1, trace.policy.text)] if trace.policy is not None and not trace.policy.rules else []
    prose += [(at, message.text) for at, message in trace.messages if message.role in ("system", "user")]
    found: dict[str, list[_Wanted]] = {}
    for since, text in prose:
        for each in follow_ups(text):
            step = _step_meant(trace, each.step)
            for tool in _acts_meant(trace, each.act) if step is not None else ():
                if step is not None and tool.name != step.name:
                    found.setdefault(tool.name, []).append(_Wanted(since, each.text.strip(), step.name))
    return found


def _acts_meant(trace: Trace, act: str) -> list[ToolWords]:
    """The tools that do just that: by the verb, and by what it is done to."""
    stems = frozenset(meaning(act)) - _FILLER
    found: list[ToolWords] = []
    for tool in vocabulary(trace).effectful:
        verbs = {each for each in stems if any(_akin(each, mine) for mine in widened(tool.acts))}
        things = {each for each in stems - verbs if any(_akin(each, mine) for mine in tool.all)}
        unknown = stems - verbs - things
        if verbs and len(unknown) <= 1 and (things or not unknown):
            found.append(tool)
    return found


def _step_meant(trace: Trace, step: str) -> ToolWords | None:
    """The one tool that the step is made with: it shares more of its name than any other, and two words at least."""
    low, stems = step.casefold(), frozenset(meaning(step))
    tools = list(vocabulary(trace).tools.values())
    spelt = [tool for tool in tools if tool.name.casefold() in low and len(tool.name) > _SHARED]
    if len(spelt) == 1:
        return spelt[0]
    scores = sorted(((_shared(tool, stems), tool.name) for tool in tools), reverse=True)
    if not scores or scores[0][0] < _SHARED or (len(scores) > 1 and scores[1][0] >= scores[0][0]):
        return None
    return vocabulary(trace).tools[scores[0][1]]


def _shared(tool: ToolWords, stems: frozenset[str]) -> int:
    """How many words of its name, and of its act, are said; none where nothing of its name is."""
    named = sum(any(_akin(each, mine) for each in stems) for mine in tool.named)
    acts = any(_akin(each, mine) for each in stems for mine in widened(tool.acts))
    return named + acts if named else 0


def _akin(one: str, other: str) -> bool:
    """The same word, or one made from the other: close and closure, remove and removal."""
    if one == other:
        return True
    least = min(len(one), len(other))
    return least >= _STEM and one[:least] == other[:least] and abs(len(one) - len(other)) <= _ENDING


_STEM, _ENDING = 4, 3
