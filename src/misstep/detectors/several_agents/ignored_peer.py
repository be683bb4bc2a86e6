"""ignored-peer: an agent goes on as if another agent's answer, objection or correction had not been given."""

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from misstep.core.event import Message, ToolCall
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.core.words import atoms, split_identifier, stem
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.claims import claims
from misstep.detectors.evidence.constraint import Constraint
from misstep.detectors.evidence.constraints import constraints
from misstep.detectors.evidence.crew import Crew, Word, crew
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.outcomes import effect_of
from misstep.detectors.evidence.setbacks import forbidden_acts, glossed_over, names_act, out_of_use
from misstep.detectors.evidence.uncorrected import unheeded
from misstep.objectives.asking import is_question
from misstep.objectives.denials import says_impossible, says_none
from misstep.objectives.matching import plain
from misstep.objectives.values import leaves
from misstep.objectives.vocabulary import meaning, vocabulary, widened
from misstep.provenance.reading import canonical, has_digit

_LONG, _BRIEF = 4000, 1500
_VALUE = r"[\"'“”‘’`*]?(?P<{}>[A-Za-z]{{0,20}}[-_#/]?\d[\w./#:-]{{0,40}}\w|\d)[\"'“”‘’`*]?"
_NOT_THAT = re.compile(
    rf"(?:{_VALUE.format('right')},?(?: and)? (?:not|rather than|instead of) (?:the )?{_VALUE.format('wrong')}"
    rf"|\bnot (?:the )?{_VALUE.format('wrong2')},? (?:but|it (?:is|should be)|use) {_VALUE.format('right2')})",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:should|must|ought to|wrong|incorrect|mistaken|mistake|correct(?:ion)?|actually|error|use|is|check)\b",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"\b(?:go ahead|proceed|agreed|approved|you(?:'re| are) right|never ?mind|that's fine|all right|okay)\b",
    re.IGNORECASE,
)
_FEW = 2
_LATELY = 4
"""So many of the user's messages say what the user is waiting for."""


class _Said(Struct, frozen=True):
    """What a peer said against something: an act that it forbids, or a value that it puts right."""

    word: Word
    forbidden: Constraint | None = None
    right: str = ""
    wrong: str = ""


@detector("ignored-peer", version=4)
def ignored_peer(trace: Trace) -> Iterator[Finding]:
    """Points at what went against the peer's words, then at those words."""
    team = crew(trace)
    if not team.words:
        return
    passed_over: set[int] = set()
    for read in (_denied, _overridden, _glossed_over, _in_spite_of, _unheeded):
        for finding in read(trace, team):
            if finding.events[0] not in passed_over:
                passed_over.add(finding.events[0])
                yield finding


def _denied(trace: Trace, team: Crew) -> Iterator[Finding]:
    """The user is told that nothing was found or done, though a peer had just answered with what was."""
    for end in (*team.user_at[1:], len(trace.events)):
        reply_at = next((at for at in range(end - 1, -1, -1) if isinstance(trace.events[at], Message)), -1)
        reply = trace.events[reply_at] if reply_at >= 0 else None
        if not isinstance(reply, Message) or reply.role != "agent" or not _says_no(reply.text):
            continue
        asked_at = team.turn(reply_at)[0]
        # What is said to all may be part of a longer talk; only a report to the one who answers is an answer.
        told = [word for word in team.between(asked_at, reply_at) if word.actor != reply.actor == word.to]
        if not told or asked_at < 0 or is_question(reply.text):
            continue
        asked = "\n".join(heard(trace).recent(reply_at)[-_LATELY:])
        answers = _answers(told[-1].text, asked) or _answers_plainly(team, asked_at, told[-1])
        if answers and not _keys(told[-1].text) & _keys(reply.text):
            yield Finding(
                mode="ignored-peer",
                events=(reply_at, told[-1].at),
                because=f"The user is told that there is nothing, while {told[-1].actor} had answered "
                f"“{_short(told[-1].text)}”.",
                confidence=0.75,
            )


def _says_no(text: str) -> bool:
    return len(text) <= _LONG and (says_none(text) or says_impossible(text))


def _answers(told: str, asked: str) -> bool:
    """It says something in particular that bears on what the user wanted, and does not say no itself."""
    text = told[:_LONG]
    if says_none(text) or says_impossible(text) or text.rstrip().endswith("?"):
        return False
    shared, fresh = _keys(text) & _keys(asked), _keys(text) - _keys(asked)
    bears = bool(shared) or len(set(meaning(text)) & set(meaning(asked))) >= _FEW
    done = any(claim.kind == "act" for claim in claims(text))
    return bears and (len(fresh) >= _FEW or bool(shared and fresh) or done)


# What is there but does not do may well come to nothing.
_QUALIFIED = re.compile(
    r"\b(?:but|only|however|above|over|too|not|no|none|already|full|beyond|more|than|later|expired|except|although|if"
    r"|unless|earliest|cheapest|closest|nearest|next|maybe|perhaps|might|could|checked|searched|tried|looked)\b|n't\b|\?",
    re.IGNORECASE,
)


def _answers_plainly(team: Crew, since: int, told: Word) -> bool:
    """Asked by the one who speaks to the user, the peer gave a name or a figure, with no ifs and buts."""
    asked = [word for word in team.between(since, told.at) if word.to == told.actor and word.actor == told.to]
    if not asked or "?" not in asked[-1].text or _QUALIFIED.search(told.text[:_LONG]):
        return False
    return bool(_keys(told.text) - _keys(asked[-1].text))


def _keys(text: str) -> frozenset[str]:
    return frozenset(canonical(atom.text) for atom in atoms(text[:_LONG]) if atom.kind != "quoted")


def _overridden(trace: Trace, team: Crew) -> Iterator[Finding]:
    """A call does what a peer had objected to in the same turn, with nobody having taken that back."""
    if not trace.exchanges:
        return
    standing: deque[Word] = deque(maxlen=_KEPT)
    words = {word.at: word for word in team.words}
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            standing.clear()
        elif (word := words.get(at)) is not None:
            if _TAKES_BACK.search(word.text[:_LONG]):
                kept = [each for each in standing if each.actor != word.actor]
                standing = deque(kept, maxlen=_KEPT)
            standing.append(word)
        elif isinstance(event, ToolCall) and standing:
            against = next((each for each in standing if _goes_against_any(trace, event, each)), None)
            if against is not None:
                standing.remove(against)
                yield Finding(
                    mode="ignored-peer",
                    events=(at, against.at),
                    because=f"{event.tool} was called against what {against.actor} had said: “{_short(against.text)}”.",
                    confidence=0.75,
                )


def _glossed_over(trace: Trace, team: Crew) -> Iterator[Finding]:
    """The user is told that it is done by one whose colleague had just reported that it is not."""
    for end in (*team.user_at[1:], len(trace.events)):
        reply = trace.events[end - 1] if end else None
        if not isinstance(reply, Message) or reply.role != "agent" or reply.to not in (None, "user"):
            continue
        told = [word for word in team.between(team.turn(end - 1)[0], end - 1) if word.actor != reply.actor == word.to]
        if not told or any(isinstance(each, ToolCall) for each in trace.events[told[-1].at : end]):
            continue
        claim = glossed_over(told[-1].text, reply.text)
        if claim is not None:
            yield Finding(
                mode="ignored-peer",
                events=(end - 1, told[-1].at),
                because=f"The user is told “{_short(claim.text)}”, while {told[-1].actor} had reported "
                f"“{_short(told[-1].text)}”.",
                confidence=0.75,
            )


def _in_spite_of(trace: Trace, team: Crew) -> Iterator[Finding]:
    """The next thing that an agent does is what a colleague had just told it not to do, or takes what is out of use."""
    said: dict[str, Word] = {}
    words = {word.at: word for word in team.words}
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            said.clear()
        elif (word := words.get(at)) is not None and word.to is not None:
            # Whoever answers may have seen to it, or have settled it between them.
            said.pop(word.actor, None)
            said[word.to] = word
        elif isinstance(event, ToolCall) and event.actor in said and effect_of(trace, event) != "reads":
            word = said.pop(event.actor)
            if word.text and _is_in_spite_of(trace, at, event, word):
                yield Finding(
                    mode="ignored-peer",
                    events=(at, word.at),
                    because=f"{event.tool} was called against what {word.actor} had said: “{_short(word.text)}”.",
                    confidence=0.75,
                )


def _unheeded(trace: Trace, team: Crew) -> Iterator[Finding]:
    """What goes out with a value that a colleague had put right, or though one had just said to wait."""
    for each in unheeded(trace, team):
        yield Finding(
            mode="ignored-peer",
            events=(each.at, each.word.at),
            because=f"{each.what} as if {each.word.actor} had not said “{_short(each.word.text)}”.",
            confidence=0.75,
        )


def _is_in_spite_of(trace: Trace, at: int, call: ToolCall, word: Word) -> bool:
    if forbidden_acts(word.text) and names_act(call.tool, forbidden_acts(word.text)):
        return True
    for out in out_of_use(word.text):
        for name, value in leaves(call.arguments):
            same = canonical(str(value)) == out.value and not isinstance(value, bool)
            kind = out.kind in {stem(part) for part in split_identifier(name)} or not out.value.isdigit()
            if same and kind and out.others and len(call.arguments) > 1 and not heard(trace).says(value, at):
                return True
    return False


def _goes_against_any(trace: Trace, call: ToolCall, word: Word) -> bool:
    """Only words that name a value of the call are read: reading them all would cost too much."""
    if len(word.text) > _BRIEF:
        return False
    text = _bare(word.text)
    values = (canonical(str(value)) for _, value in leaves(call.arguments))
    if not any(value in text for value in values if value and has_digit(value)):
        return False
    return any(_goes_against(trace, call, each) for each in _objections(word))


@lru_cache(maxsize=256)
def _bare(text: str) -> str:
    return canonical(text)


_KEPT = 20


def _objections(word: Word) -> Iterator[_Said]:
    text = word.text
    for match in _NOT_THAT.finditer(text):
        right, wrong = match["right"] or match["right2"], match["wrong"] or match["wrong2"]
        if canonical(right) != canonical(wrong) and _CORRECTS.search(text):
            yield _Said(word, right=canonical(right), wrong=canonical(wrong))
    for each in constraints(text):
        # What names no thing may be meant for some other act.
        if each.kind in ("act", "thing") and each.codes and not each.unless_asked:
            yield _Said(word, forbidden=each)


def _goes_against(trace: Trace, call: ToolCall, said: _Said) -> bool:
    values = {canonical(str(value)) for _, value in leaves(call.arguments)}
    if said.forbidden is None:
        return said.wrong in values and said.right not in values
    if effect_of(trace, call) == "reads":
        return False
    if not any(canonical(plain(code)) in values for code in said.forbidden.codes):
        return False
    tool = vocabulary(trace).tools.get(call.tool)
    if said.forbidden.kind == "thing" or tool is None:
        return said.forbidden.kind == "thing"
    return not widened(tool.acts).isdisjoint(said.forbidden.stems)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else f"{flat[:117]}…"
