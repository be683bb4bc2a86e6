"""lost-in-handoff: part of what the user asked for is not in what was handed over, and is then not done."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from misstep.core.event import Message, ToolCall
from misstep.core.finding import Finding
from misstep.core.trace import Exchange, Trace
from misstep.core.words import atoms, content_stems, sentences, stem, words
from misstep.detectors.declaring import detector
from misstep.detectors.drift.dropped_constraint import broken_by
from misstep.detectors.evidence.crew import Word, crew
from misstep.detectors.evidence.lost_wishes import is_marked, is_spoken_of, needs, things_wanted
from misstep.detectors.evidence.mentions import delivered, lacks, mentions, passes_on, speaks_of
from misstep.detectors.evidence.orders import Order, orders
from misstep.detectors.evidence.support import did_its_job
from misstep.objectives.asking import is_question, requests
from misstep.objectives.values import leaves, said, says
from misstep.objectives.vocabulary import Vocabulary, effect_of, meaning, vocabulary, widened
from misstep.provenance.reading import canonical

_DIGIT = re.compile(r"\d")
_LEAST_DIGITS = 4
"""A shorter number says nothing that could not come up by itself."""
_TURNS = 4
_FEW = 2
_READ = 400
"""So many events after a request are looked at for what became of it."""


class _Request(Struct, frozen=True):
    """What the user asked for at a place, what was handed over of it, and where the matter came up again or ended."""

    at: int
    text: str
    handed: tuple[Word, ...]
    end: int


@detector("lost-in-handoff", version=4, needs="conversation")
def lost_in_handoff(trace: Trace) -> Iterator[Finding]:
    """At most one finding for each request: points at the handoff, then at the request."""
    if not crew(trace).words:
        return
    for request in _handed_over(trace):
        lost = _lost_value(trace, request) or _lost_act(trace, request) or _lost_limit(trace, request)
        lost, word = lost or _lost_need(trace, request) or _lost_thing(trace, request), request.handed[0]
        if not lost:
            lost, word = _lost_mention(trace, request), request.handed[-1]  # by then at the latest
        if lost:
            yield Finding(
                mode="lost-in-handoff",
                events=(word.at, request.at),
                because=f"The user had said {lost[0]}, which is missing in what was handed over to "
                f"{word.to}, and {lost[1]}.",
                confidence=0.8,
            )


def _handed_over(trace: Trace) -> Iterator[_Request]:
    """Requests that somebody passed on in words of their own; with none, the next one may have heard it all."""
    team = crew(trace)
    for index, at in enumerate(team.user_at):
        end = team.user_at[index + 1] if index + 1 < len(team.user_at) else len(trace.events)
        handed = [word for word in team.between(at, end) if word.hands_over]
        first = handed[0].actor if handed else ""
        passed = tuple(word for word in handed if word.actor == first)
        message = trace.events[at]
        if passed and all(word.text.strip() for word in passed) and isinstance(message, Message):
            yield _Request(at, message.text, passed, end)


def _lost_value(trace: Trace, request: _Request) -> tuple[str, str] | None:
    """A value that the user had given and had to give again, when asked, because it had not been passed on."""
    handed, lead = "\n".join(word.text for word in request.handed), request.handed[0].actor
    for at, end in pairwise(_next_of_user(trace, request)):
        again, reply = trace.events[at], _reply(trace, at)
        if not isinstance(again, Message) or not _asks(reply):
            continue
        repeated = _values(again.text)
        for key, value in _values(request.text).items():
            offered = key in canonical(reply) and not _is_one_of_several(key, reply)
            if key in repeated and key not in canonical(handed) and not offered:
                return f"“{value}”", "had to say it again when asked for it"
        if said_again := _said_again(request.text, handed, reply, again.text):
            return f"“{said_again}”", "had to say it again when asked for it"
        passed = (word for word in crew(trace).between(at, end) if word.hands_over and word.actor == lead)
        handed += "".join(f"\n{word.text}" for word in passed)
    return None


def _is_one_of_several(key: str, reply: str) -> bool:
    """The reply only asks which of several of that form it is."""
    form = _DIGIT.sub("0", key)
    return sum(_DIGIT.sub("0", each) == form for each in _values(reply)) > 1


def _next_of_user(trace: Trace, request: _Request) -> Sequence[int]:
    """Where the user speaks next, as long as the same matter is likely to be meant, and where that ends."""
    users = (*crew(trace).user_at, len(trace.events))
    first = bisect_left(users, request.end)
    return users[first : first + _TURNS + 1]


def _said_again(request: str, handed: str, asked: str, again: str) -> str:
    """The words of an answer that say just what the request had said, and that nobody had passed on or asked with."""
    answer = [word for word in words(again) if stem(word) not in content_stems(asked) and content_stems(word)]
    known, passed = set(content_stems(request)), set(content_stems(handed))
    repeated = [word for word in answer if stem(word) in known]
    lost = repeated and not any(stem(word) in passed for word in repeated)
    return " ".join(repeated) if lost and len(repeated) * 2 >= len(answer) else ""


def _reply(trace: Trace, before: int) -> str:
    event = next((each for each in reversed(trace.events[:before]) if isinstance(each, Message)), None)
    return event.text if event is not None and event.role == "agent" else ""


def _asks(text: str) -> bool:
    return any(is_question(part) or requests(part) for part in sentences(text))


def _values(text: str) -> dict[str, str]:
    """Ids, addresses and long numbers in a text, by their letters and digits."""
    found = {canonical(atom.text): atom.text for atom in atoms(text) if atom.kind in ("code", "email", "url", "number")}
    return {key: value for key, value in found.items() if sum(map(str.isdigit, key)) >= _LEAST_DIGITS or "@" in value}


def _lost_act(trace: Trace, request: _Request) -> tuple[str, str] | None:
    """Something that a tool on offer does was ordered, was not passed on, and neither done nor spoken of again."""
    wishes = [each for each in orders(request.text) if each.firm]
    if len(wishes) < 2:
        return None
    known = vocabulary(trace)
    handed = widened(meaning("\n".join(word.text for word in request.handed)))
    for order in wishes:
        tools = _tools_for(order, known)
        if not tools or not widened({order.verb}).isdisjoint(handed):
            continue
        if _came_up_again(trace, request, order, tools):
            continue
        return f"“{' '.join(order.text.split())[:100]}”", "nobody did it or spoke of it afterwards"
    return None


def _lost_mention(trace: Trace, request: _Request) -> tuple[str, str] | None:
    """What the text was to speak of, or not to, was not passed on, and what was delivered goes against it."""
    wishes = mentions(request.text)
    if not wishes:
        return None
    handed = "\n".join(word.text for word in request.handed)
    texts = [each.text for each in delivered(trace, request.handed[0].at, request.end)]
    for wish in wishes if texts else ():
        if passes_on(wish, handed):
            continue
        if wish.banned and any(speaks_of(wish, text) for text in texts):
            return f"“{' '.join(wish.text.split())}”", "the text that came of it speaks of it all the same"
        missing = lacks(wish, "\n".join(texts))
        if missing is not None and lacks(wish, handed) is not None:
            return f"“{' '.join(wish.text.split())}”", f"{missing} is not in the text that came of it"
    return None


def _lost_limit(trace: Trace, request: _Request) -> tuple[str, str] | None:
    """A limit of the user's was not passed on, and something was then done against it."""
    handed = "\n".join(word.text for word in request.handed)
    for exchange in _acts(trace, request):
        broken = broken_by(trace, exchange)
        if broken is None or not broken.by_user or broken.at != request.at:
            continue
        limit = broken.constraint
        known = frozenset(limit.stems).difference(*(tool.all for tool in vocabulary(trace).tools.values()))
        told = not known.isdisjoint(meaning(handed)) or any(says(handed, code) for code in limit.codes)
        if not told and not (limit.kind == "limit" and says(handed, limit.number)) and (known or limit.codes):
            return f"“{' '.join(limit.text.split())[:100]}”", f"{exchange.call.tool} was called all the same"
    return None


def _lost_need(trace: Trace, request: _Request) -> tuple[str, str] | None:
    """Whoever acted was not told what the user needs or cannot have, and nobody ever speaks of it."""
    handed = "\n".join(word.text for word in request.handed)
    if is_marked(handed) or not _restates(handed, request.text) or not any(_acts(trace, request)):
        return None
    later = trace.events[request.handed[0].at : request.end]
    for wish in needs(request.text):
        if not is_spoken_of(wish.stems - frozenset(meaning(handed)), later) and wish.stems.isdisjoint(meaning(handed)):
            return f"“{wish.text[:100]}”", "nothing that was done or said afterwards speaks of it"
    return None


def _lost_thing(trace: Trace, request: _Request) -> tuple[str, str] | None:
    """A thing that a tool is there for was wanted, was not passed on, and never comes up again."""
    handed = "\n".join(word.text for word in request.handed)
    if not _restates(handed, request.text) or not any(_acts(trace, request)):
        return None
    later = trace.events[request.handed[0].at : request.end]
    for tool, text, things in things_wanted(request.text, vocabulary(trace)):
        used = any(isinstance(event, ToolCall) and event.tool == tool for event in later)
        if not used and not is_spoken_of(things, later) and not is_spoken_of(_kin_of(trace, tool), later):
            return f"“{text[:100]}”", "nobody did it or spoke of it afterwards"
    return None


def _kin_of(trace: Trace, tool: str) -> frozenset[str]:
    return widened(vocabulary(trace).tools[tool].acts)


def _restates(handed: str, request: str) -> bool:
    """The handoff tells the request anew, so that what it leaves out is left out."""
    return len(frozenset(meaning(handed)) & frozenset(meaning(request))) > _FEW


def _acts(trace: Trace, request: _Request) -> Iterator[Exchange]:
    """What was done after the handoff, until the user spoke again."""
    first = bisect_left(trace.exchanges, request.handed[0].at, key=lambda each: each.at)
    for exchange in trace.exchanges[first : first + _READ]:
        if exchange.at >= request.end:
            break
        if effect_of(trace, exchange.call.tool) != "reads" and did_its_job(trace, exchange):
            yield exchange


def _tools_for(order: Order, known: Vocabulary) -> frozenset[str]:
    return frozenset(tool.name for tool in known.effectful if order.verb in widened(tool.acts))


def _came_up_again(trace: Trace, request: _Request, order: Order, tools: frozenset[str]) -> bool:
    """A later call does it, a later handoff or reply speaks of it; the user's asking once more ends the search."""
    verbs, codes = widened({order.verb}), said(order.text).codes
    for event in trace.events[request.handed[0].at + 1 : request.handed[0].at + _READ]:
        if isinstance(event, ToolCall):
            if event.tool in tools and _fits(event, codes):
                return True
        elif isinstance(event, Message) and event.role == "user":
            if not verbs.isdisjoint(meaning(event.text)):
                return False
        elif isinstance(text := getattr(event, "text", None), str) and not verbs.isdisjoint(meaning(text)):
            return True
    return False


def _fits(call: ToolCall, codes: Sequence[str] | frozenset[str]) -> bool:
    """The call is about what was named, where something was."""
    if not codes:
        return True
    values = {canonical(str(value)) for _, value in leaves(call.arguments)}
    return any(canonical(code) in values for code in codes)
