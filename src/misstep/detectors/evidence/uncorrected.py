"""A trace of several agents → what goes out with a value that a colleague had put right, or though one said to wait."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from misstep.core.event import Blocked, Event, Handoff, Memory, Message, Thought, ToolCall, ToolResult
from misstep.core.once import once_per_text
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import sentences, split_identifier
from misstep.detectors.evidence.corrections import Correction, corrections_in, holds, speaks_of
from misstep.detectors.evidence.crew import Crew, Word
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.outcomes import effect_of
from misstep.detectors.evidence.support import did_its_job
from misstep.objectives.once import once_per_trace
from misstep.objectives.values import leaves, said
from misstep.objectives.vocabulary import lemma, meaning, vocabulary, widened
from misstep.provenance.reading import canonical, has_digit

_NEAR = 60
"""So many events before and after a correction are looked at."""
_LONGEST = 3000
_SEEN_TO = re.compile(
    r"\b(?:i(?:'ve| have)?|already|now|has been|was) (?:\w+ )?(?:corrected|fixed|changed|updated|amended|adjusted"
    r"|put (?:it|that|this) right)\b",
    re.IGNORECASE,
)
# Whoever says why, or that it is still to be done, has not passed over it.
_WEIGHED = re.compile(
    r"\b(?:despite|in spite|although|even though|disagree\w*|not convinced|nevertheless|nonetheless|kept|keeping"
    r"|objection|objected|sen[dt] (?:it |this )?back|returned it|overrul\w+|afterwards|erratum|will (?:be )?correct\w*"
    r"|still (?:to be|needs?|has to)|warned|advised|asked (?:me|us) to|wanted (?:me|us) to)\b",
    re.IGNORECASE,
)
_UNDOES = re.compile(
    r"\b(?:not|no longer|instead|rather|remov\w+|chang\w+|correct\w*|wrong\w*|mistak\w+|typo|error|used to|previous\w*"
    r"|earlier|before|from|was|were|had|fix\w*|out of date|old)\b|n't\b",
    re.IGNORECASE,
)
_SENDS_OUT = frozenset(
    lemma(word)
    for word in """publish send submit approve release sign print file post pay book confirm issue launch deploy
    dispatch ship order place finalize finalise schedule lodge register execute commit push merge transfer mail email
    message notify deliver broadcast upload announce start fire run charge reserve administer prescribe invoice bill
    accept close complete produce cut""".split()
)
_TAKES_OUT = widened({lemma(word) for word in "delete cancel withdraw return reject retract recall undo hold".split()})
_WAIT = re.compile(
    r"\bnot (?:yet|just yet|for now|ready)\b|\bhold (?:off|on|it|that|fire|back|this)\b|\bon hold\b"
    r"|\bplease wait\b|\bwait (?:until|till|for|with|before)\b|\bstand by\b|\bstop\b"
    r"|\b(?:i|we)(?: would|'d) (?:rather )?not\b|\bi wouldn't\b|\b(?:advise|recommend|strongly) against\b"
    r"|\bbetter not\b"
    r"|\bnot (?:safe|cleared|allowed|permitted|advisable) to\b|\b(?:i|we) (?:object|veto)\b"
    r"|\b(?:do not|don't|must not|should not|shouldn't|mustn't|never)\b[^.;!?\n]{1,60}?\b(?:until|till|before|yet"
    r"|unless|without)\b",
    re.IGNORECASE,
)
_ALLOWS = re.compile(
    r"\b(?:go ahead|fine|okay|ok|approved|all clear|you (?:may|can)|cleared|good to go|no objections?|proceed)\b", re.I
)


class Unheeded(NamedTuple):
    """What was done or said, and the word that it passes over."""

    at: int
    word: Word
    what: str


def unheeded(trace: Trace, team: Crew) -> Iterator[Unheeded]:
    """At most one for each word of a colleague."""
    for word in team.words:
        if corrections_in(word.text) and not _SEEN_TO.search(word.text):
            found = next((each for each in _of_corrections(trace, word) if each is not None), None)
            if found is not None:
                yield found
        elif _says_to_wait(word.text) and (hasty := _hasty(trace, team, word)) is not None:
            yield hasty
        elif (taken := _taken_all_the_same(trace, word)) is not None:
            yield taken


def _says_to_wait(text: str) -> bool:
    return len(text) <= _LONGEST and _WAIT.search(text) is not None


def _of_corrections(trace: Trace, word: Word) -> Iterator[Unheeded | None]:
    for each in corrections_in(word.text):
        before = trace.events[max(0, word.at - _NEAR) : word.at]
        if any(holds(_content(event), each.wrong) for event in before):
            yield _passed_over(trace, word, each)


def _passed_over(trace: Trace, word: Word, each: Correction) -> Unheeded | None:
    """The old value goes out, and the new one comes up nowhere after it was given."""
    found: Unheeded | None = None
    calls, told = _calls(trace), None
    for at in range(word.at + 1, min(word.at + 1 + _NEAR, len(trace.events))):
        event = trace.events[at]
        if isinstance(event, Message) and event.role == "user":
            break
        if isinstance(event, Thought):
            continue
        if speaks_of(_content(event), each.right):
            return None
        if isinstance(event, (Message, Handoff)):
            if event.actor == word.actor or _WEIGHED.search(event.text):
                return None
            told = at
        elif isinstance(event, ToolCall) and found is None and event.actor != word.actor:
            exchange = calls.get(at)
            if exchange is not None and _goes_out(trace, word, exchange, each):
                found = Unheeded(at, word, f"{event.tool} was called")
    if found is None and told is not None and _states(trace.events[told], each.wrong):
        return Unheeded(told, word, f"{each.wrong!r} was told")
    return found


def _goes_out(trace: Trace, word: Word, exchange: Exchange, each: Correction) -> bool:
    """The call sends something off or settles it, and the old value is in it, in its answer or in what it is about."""
    tool = vocabulary(trace).tools.get(exchange.call.tool)
    acts = tool.acts if tool is not None else frozenset(map(lemma, split_identifier(exchange.call.tool)))
    effect = effect_of(trace, exchange.call)
    if effect == "reads" or not acts.isdisjoint(_TAKES_OUT) or not did_its_job(trace, exchange):
        return False
    settles = effect in ("reaches-outside", "destroys") or not acts.isdisjoint(_SENDS_OUT)
    if holds(exchange.call.arguments, each.wrong):
        return True
    answer = exchange.result.content if exchange.result is not None else None
    return settles and (holds(answer, each.wrong) or _stands_in(trace, word, exchange, each.wrong))


def _stands_in(trace: Trace, word: Word, exchange: Exchange, wrong: str) -> bool:
    """What the call names had the old value when it was last read, and nothing was done since the correction."""
    named = _ids(exchange.call.arguments)
    for at in range(exchange.at - 1, max(-1, word.at - _NEAR), -1):
        earlier = _calls(trace).get(at)
        if earlier is None:
            continue
        if effect_of(trace, earlier.call) != "reads" and at > word.at:
            return False  # that may have put it right, in whatever way
        if named.isdisjoint(_ids(earlier.call.arguments)):
            continue
        return earlier.result is not None and holds(earlier.result.content, wrong)
    return False


def _ids(content: JSON) -> frozenset[str]:
    return frozenset(canonical(str(value)) for _, value in leaves(content) if has_digit(str(value)))


def _states(event: Event, wrong: str) -> bool:
    """The user is told the old value as if it held."""
    if not isinstance(event, Message) or event.role != "agent" or event.to not in (None, "user"):
        return False
    return any(holds(each, wrong) and not _UNDOES.search(each) for each in sentences(event.text))


def _hasty(trace: Trace, team: Crew, word: Word) -> Unheeded | None:
    """The very next thing is the act that was to wait: nothing can have come about in between."""
    exchange = _calls(trace).get(word.at + 1)
    if exchange is None or exchange.call.actor == word.actor or effect_of(trace, exchange.call) == "reads":
        return None
    later = (event for event in trace.events[exchange.at : exchange.at + _NEAR] if isinstance(event, Message))
    if not did_its_job(trace, exchange) or any(_WEIGHED.search(event.text) for event in later):
        return None
    held = _held_back(word.text)
    asked = next((each for each in reversed(team.between(-1, word.at)) if each.to == word.actor), None)
    about = f"{held}\n{asked.text}" if asked is not None and asked.actor == (word.to or asked.actor) else held
    codes, named = said(held).codes, {canonical(str(value)) for _, value in leaves(exchange.call.arguments)}
    if not held or (codes and named.isdisjoint(map(canonical, codes))):
        return None
    tool = vocabulary(trace).tools.get(exchange.call.tool)
    acts = tool.acts if tool is not None else frozenset(map(lemma, split_identifier(exchange.call.tool)))
    # Who names the very thing need not say what is to be done with it.
    meant = not named.isdisjoint(map(canonical, codes)) or not widened(acts).isdisjoint(meaning(about))
    if not acts.isdisjoint(_TAKES_OUT) or not meant:
        return None
    return Unheeded(exchange.at, word, f"{exchange.call.tool} was called")


_OUT = re.compile(
    r"\b(?P<who>[A-Z][\w'-]{1,24}(?: [A-Z][\w'-]{0,24}){0,3})(?:'s| is| are| will be| has been)"
    r"(?: (?:currently|still|now|already|also|unfortunately))? (?:on (?:leave|holiday|vacation|sick leave)|away|off|ill"
    r"|sick|out of (?:office|order|service|use|stock|town)|unavailable|not (?:available|free|working|licensed|certified"
    r"|qualified|cleared|suitable|safe)|(?:fully |double-?)?booked|taken|closed|suspended|recalled|broken|blocked"
    r"|occupied|discontinued|expired|sold out|full)\b"
)


def _taken_all_the_same(trace: Trace, word: Word) -> Unheeded | None:
    """The very next act takes somebody or something that a colleague had just said cannot be had."""
    exchange = _calls(trace).get(word.at + 1)
    if exchange is None or exchange.call.actor == word.actor or effect_of(trace, exchange.call) == "reads":
        return None
    out = {match["who"].casefold() for match in _OUT.finditer(word.text[:_LONG])}
    if not out or len(exchange.call.arguments) < _FEW or not did_its_job(trace, exchange):
        return None
    for _, value in leaves(exchange.call.arguments):
        if isinstance(value, str) and value.casefold() in out and not heard(trace).says(value, word.at):
            return Unheeded(exchange.at, word, f"{exchange.call.tool} was called")
    return None


_FEW = 2
_LONG = 1500


@once_per_text
def _held_back(text: str) -> str:
    """The sentences that tell to wait, where nothing else in the text gives leave."""
    parts = sentences(text.replace("’", "'"))
    held = [each for each in parts if _WAIT.search(each)]
    given = [each for each in parts if each not in held and _ALLOWS.search(each)]
    return "" if given else "\n".join(held)


@once_per_trace
def _calls(trace: Trace) -> dict[int, Exchange]:
    return {exchange.at: exchange for exchange in trace.exchanges}


def _content(event: Event) -> JSON:
    match event:
        case Message(text=text) | Handoff(text=text) | Thought(text=text) | Blocked(reason=text):
            return text
        case ToolCall(arguments=content):
            return content
        case ToolResult(content=content) | Memory(content=content):
            return content
