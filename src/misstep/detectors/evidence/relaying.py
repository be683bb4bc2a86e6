"""A trace of several agents → acts on what one of them passed on as the user's wish, and the user had never said."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from misstep.core.event import Handoff, Message, ToolResult
from misstep.core.once import once_per_text
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.evidence.crew import crew
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.named import named, stands_before
from misstep.detectors.evidence.outcomes import effect_of
from misstep.detectors.evidence.support import did_its_job
from misstep.objectives.once import once_per_trace
from misstep.objectives.values import leaves
from misstep.provenance.reading import canonical, has_digit, tokens

_LONG = 2000
_NEAR = 40
_SHORTEST, _SHORTEST_NAME, _LONG_ID = 2, 4, 8
_PERSON = r"(?:Mr|Mrs|Ms|Dr)?\.? ?[A-Z][\w'-]{1,20}(?: (?:[A-Z]\.|[A-Z][\w'-]{1,20}|van|von|de|der|da|di|el|al)){0,3}"
# How people say who they are, to somebody whom they ask for something.
_INTRODUCES = (
    re.compile(rf"(?:^|[.!,;\n]\s{{0,20}})(?P<name>{_PERSON}) (?:here|speaking)\b"),
    re.compile(rf"\b(?:[Tt]his is|[Ii]t's|[Ii]t is|I am|I'm|[Mm]y name is|[Nn]ame's|[Cc]alled) (?P<name>{_PERSON})"),
    re.compile(rf"^\W*(?:[Hh]ello|[Hh]i|[Gg]ood \w+),? (?P<name>{_PERSON}),? (?:from|at|of|in)\b"),
    re.compile(
        rf"\b(?:[Rr]egards|[Bb]est|[Tt]hanks|[Tt]hank you|[Cc]heers|[Yy]ours|[Ss]incerely|[Gg]reetings),?\s{{1,20}}"
        rf"(?P<name>{_PERSON})\s{{0,20}}[.!]?\s{{0,20}}$"
    ),
    re.compile(rf"(?:\n|[.!?]\s)\s{{0,20}}[–—-]+\s{{0,20}}(?P<name>{_PERSON})\s{{0,20}}[.!]?\s{{0,20}}$"),
)
_NO_NAMES = frozenset(
    "good morning hello hi hey dear the this that it please thanks mr mrs ms dr miss sir madam from in at on for and "
    "i we you calling looking trying still yes no ok okay customer user room".split()
)
# Whom an agent works for, whatever the trade calls them.
_ROLES = (
    "user|customer|client|guest|patient|caller|tenant|member|passenger|travell?er|subscriber|buyer|requester|human"
    "|resident|applicant|student|account holder|boss|manager|supervisor"
)
_SAYS = (
    r"(?:(?:has|had|have|'s) )?(?:just |also |now |already |since |again |personally )*"
    r"(?:says?|said|asks?|asked|wants?|wanted|writes?|wrote|wishes|wished|tells? me|told me|confirms?|confirmed"
    r"|approves?"
    r"|approved|agrees?|agreed|authori[sz]e[sd]?|okayed|signed off|instructs?|instructed|requests?|requested|orders?"
    r"|ordered|decided|would like|needs|is asking|is happy|called|rang|gave (?:the|their|his|her|me)|given)"
)
_PASSED_ON = (
    r"(?:fwd?|forward(?:ing|ed)?|pass(?:ing|ed)|relay(?:ing|ed)?|messages?|note|word|request|instructions?|orders?"
    r"|mail|e-?mail|text|call|voicemail|news|update|approval|confirmation|go-ahead)\b"
    r"(?:[^.!?\n\"“:]|\.(?=\w)){0,60}?\b(?:from|by|of|for)"
)
_ASKS_USER = re.compile(
    r"\b(?:ask|check with|contact|confirm with|call|ring|phone|write to|reach|clarify|find out|get (?:\w+ ){0,3}from"
    r"|talk to|speak (?:to|with)|consult)\b",
    re.IGNORECASE,
)


class Relayed(NamedTuple):
    """What was done, whose word it was done on, and where that was passed on."""

    at: int
    relayed_at: int
    claimed: str
    text: str


def acts_on_relayed(trace: Trace) -> Iterator[Relayed]:
    """One for each message: the first act, before the user speaks again, that rests on a value from it alone."""
    if not heard(trace).places or not trace.exchanges or not crew(trace).words:
        return
    for at, event in enumerate(trace.events):
        if not isinstance(event, (Handoff, Message)) or (isinstance(event, Message) and event.role != "agent"):
            continue
        if not heard(trace).spoke(at) or _took_it_up(trace, at, event.actor):
            continue
        claimed = _claimed(event.text, _names_of_user(trace))
        if claimed and not _was_to_ask(trace, at, event.actor):
            done = _acted_on(trace, at, event.text, event.actor)
            if done is not None:
                yield Relayed(done.at, at, claimed, event.text)


@once_per_trace
def _names_of_user(trace: Trace) -> tuple[str, ...]:
    """How the users call themselves: the whole name, and its last and first part."""
    found: dict[str, None] = {}
    for text in heard(trace).texts[:_NEAR]:
        for name in _introduced(text):
            found.update(dict.fromkeys((name, name.split()[-1], name.split()[0])))
    return tuple(found)


@once_per_text
def _introduced(text: str) -> tuple[str, ...]:
    read = text[:_LONG].replace("’", "'")
    names = (match["name"].rstrip(".'-") for form in _INTRODUCES for match in form.finditer(read))
    bare = (" ".join(part for part in name.split() if part.casefold().strip(".") not in _NO_NAMES) for name in names)
    return tuple(name for name in bare if len(name) >= _SHORTEST_NAME - 1 and not has_digit(name))


@once_per_text
def _form(names: str) -> re.Pattern[str]:
    own = "|".join(re.escape(each) for each in names.split("\n") if each)
    titled = rf"(?:(?:[Mm]rs?|[Mm]s|[Dd]r|[Mm]iss|[Pp]rof)\.? )?(?:{own})\b" if own else r"(?!)"
    who = rf"(?P<{{}}>(?:[Tt]he \w+,? )?{titled}|(?:[Tt]he |[Yy]our |[Oo]ur |[Mm]y )?(?:{_ROLES})\b(?:,? {titled})?)"
    return re.compile(
        rf"(?:^|[.!?:\n\"“]\s*|\b(?:and|but|that|because|as|so|,)\s+){who.format('one')}(?:,? via \w+)? {_SAYS}\b"
        rf"|(?i:{_PASSED_ON})(?: (?:on )?behalf of)? {who.format('two')}"
        rf"|\b(?:[Oo]n behalf of|[Ii]n the name of|[Aa]s per|[Pp]er|[Aa]ccording to"
        rf"|[Bb]y order of) {who.format('three')}"
        rf"|(?:^|\n)\W{{0,3}}(?:[Ff]rom:? )?{who.format('four')}\s?:\s"
    )


def _claimed(text: str, names: tuple[str, ...]) -> str:
    """In whose name a text speaks, where that is the user."""
    match = _form("\n".join(names)).search(text[:_LONG].replace("’", "'"))
    return next(filter(None, match.groups())) if match is not None else ""


def _took_it_up(trace: Trace, at: int, actor: str) -> bool:
    """Whoever is the first to act on what the user said has heard it, and may put it in words of its own."""
    place = heard(trace).last_at(at)
    since = trace.events[place[0] + 1 : place[0] + 1 + _NEAR] if place is not None else ()
    first = next((event for event in since if not isinstance(event, ToolResult)), None)
    return first is None or first.actor == actor


def _was_to_ask(trace: Trace, at: int, actor: str) -> bool:
    """Somebody had asked this agent, or sent it to the user, and what it knows from there is in no trace."""
    before = trace.events[max(0, at - _NEAR) : at]
    return any(
        isinstance(event, (Handoff, Message))
        and event.to == actor
        and ("?" in event.text or _ASKS_USER.search(event.text))
        for event in before
    )


def _acted_on(trace: Trace, at: int, text: str, author: str) -> Exchange | None:
    """The first act that passes on a value which nobody had named before this text."""
    first = bisect_left(trace.exchanges, at, key=lambda each: each.at)
    for exchange in trace.exchanges[first : first + _NEAR]:
        if heard(trace).between(at, exchange.at):
            return None
        if effect_of(trace, exchange.call) == "reads" or not did_its_job(trace, exchange):
            continue
        if any(_is_first_here(trace, at, text, author, value) for _, value in leaves(exchange.call.arguments)):
            return exchange
    return None


def _is_first_here(trace: Trace, at: int, text: str, author: str, value: JSON) -> bool:
    if isinstance(value, bool) or value is None:
        return False
    bare = str(value).strip()
    if has_digit(bare):
        keys = {canonical(bare), canonical(bare.removesuffix(".0"))}
        known = any(named(trace).knows(key, at, "") for key in keys) or heard(trace).says(value, at)
        inside = not keys.isdisjoint(_keys(text)) or (
            len(canonical(bare)) >= _LONG_ID and canonical(bare) in _bare(text)
        )
        return max(map(len, keys)) >= _SHORTEST and inside and not known
    if len(bare) < _SHORTEST_NAME or " ".join(bare.casefold().split()) not in " ".join(text.casefold().split()):
        return False
    return bare[:1].isupper() and not stands_before(trace, at, bare, "") and not heard(trace).says(bare, at)


@once_per_text
def _keys(text: str) -> frozenset[str]:
    return frozenset(canonical(token) for token in tokens(text[:_LONG]))


@once_per_text
def _bare(text: str) -> str:
    return canonical(text[:_LONG])
