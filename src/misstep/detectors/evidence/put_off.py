"""A trace → what an agent said that it would do next, that the user had asked for, and that it never came back to."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from misstep.core.event import Handoff, Message, ToolCall
from misstep.core.trace import Trace
from misstep.core.words import sentences
from misstep.detectors.evidence.claims import claims
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.look_ups import is_look_up
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.detectors.evidence.turns import said_by_agents
from misstep.objectives.once import once_per_trace
from misstep.objectives.proposals import declines
from misstep.objectives.values import leaves, said
from misstep.objectives.vocabulary import kin, meaning, vocabulary, widened

_I_WILL = (
    r"\b(?:i|we)(?:'ll| will| shall|(?:'m|'re| am| are)(?: \w+)? (?:going|about) to)\b(?! (?:not|never"
    r"|no longer|only|be"
    r"|need|wait|leave|keep|stop|remain|have|get back|stay|see you|miss|let you)\b)"
)
_PUTS_OFF = re.compile(
    rf"{_I_WILL}|\blet me (?!know\b|help\b|assist\b|explain\b|clarify\b|say\b|tell\b|be\b|apolog|summari[sz]e\b)\w+"
    r"|\b(?:i'm|i am|we're|we are) (?:now )?(?:on (?:it|to)|getting on with|working on|starting on|moving on to"
    r"|turning to)\b"
    r"|\b(?:is|are|comes?|up) next\b|\bwill (?:follow|come next|be next)\b"
    r"|\bwill be (?:\w+ )?(?:next|shortly|in a moment|right away|straight away)\b",
    re.IGNORECASE,
)
_WAITS = re.compile(
    r"n't\b|\b(?:not|never|no longer|if|once|when|whenever|after|as soon as|until|till|unless|before|tomorrow"
    r"|later|tonight"
    r"|would|could|might|may|within|in case|should you|(?:mon|tues|wednes|thurs|fri|satur|sun)day|you (?:will"
    r"|can|should)"
    r"|by the time|\d+ (?:hours?|days?|minutes?)|business days?|next (?:week|month|time))\b|\?",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"\b(?:right|straight|just) (?:after|when) (?:this|that)\b|\bnot only\b|\bif that's (?:ok|okay|fine)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"\b(?:it|them|that|those|these|both|this|so)\b", re.IGNORECASE)
_THE_REST = re.compile(r"\b(?:the rest|the others?|remaining|everything else|what(?:'s| is) left)\b", re.IGNORECASE)
_LATEST = 10
_REQUESTS = 20


class PutOff(NamedTuple):
    """Where it was said, and the sentence."""

    at: int
    text: str


@once_per_trace
def put_off(trace: Trace) -> PutOff | None:
    """The first such promise, of the latest things that the agent said."""
    for at, message in said_by_agents(trace)[-_LATEST:]:
        if not _PUTS_OFF.search(message.text.replace("’", "'")):
            continue
        text = _in_own_words(trace, message.text).replace("’", "'")
        if not _PUTS_OFF.search(text) or asks(text) or not _ends_its_turn(trace, at):
            continue
        said_before = ""
        for sentence in sentences(text):
            if _is_promise(sentence) and _was_dropped(trace, at, sentence, said_before):
                return PutOff(at, sentence)
            said_before = sentence
    return None


def _in_own_words(trace: Trace, text: str) -> str:
    """Without what it quotes: a letter that was sent may well promise something."""
    for exchange in trace.exchanges[-_QUOTED:]:
        for _, value in leaves(exchange.call.arguments):
            if isinstance(value, str) and " " in value.strip() and value in text and _PUTS_OFF.search(value):
                text = text.replace(value, " ")
    return _QUOTE.sub(" ", text)


_QUOTED = 100
_QUOTE = re.compile(r"“[^”]{1,400}”|\"[^\"]{1,400}\"")


def _is_promise(sentence: str) -> bool:
    bare = _AT_ONCE.sub(" ", sentence)
    return _PUTS_OFF.search(bare) is not None and not _WAITS.search(bare) and not tells_of_trouble(bare)


def _ends_its_turn(trace: Trace, at: int) -> bool:
    """Nothing is done between it and the next word of the user."""
    for event in trace.events[at + 1 :]:
        if isinstance(event, (ToolCall, Handoff)):
            return False
        if isinstance(event, Message) and event.role == "user":
            return True
    return True


def _was_dropped(trace: Trace, at: int, sentence: str, before: str) -> bool:
    """It was asked for, could be done with a tool on offer, and nothing that was done or said since is about it."""
    requests = heard(trace).recent(at)[-_REQUESTS:]
    if not requests or _is_called_off(trace, at):
        return False
    back = _POINTS_BACK.search(sentence) and not claims(before)
    about = f"{before} {sentence}" if back else sentence
    asked = frozenset(stem for text in requests for stem in meaning(text))
    promised = asked if _THE_REST.search(sentence) else frozenset(meaning(about)) & asked
    left = promised - _done(trace).stems - _spoken_of(trace, at)
    codes = {code for text in requests for code in said(text).codes} & said(about).codes
    return _could_be_done(trace, left) or _is_left(trace, at, sentence, codes - _done(trace).codes)


class _Done(NamedTuple):
    """What all calls that did or tried something say of themselves."""

    stems: frozenset[str]
    codes: frozenset[str]
    tools: frozenset[str]


@once_per_trace
def _done(trace: Trace) -> _Done:
    stems, codes, tools = set[str](), set[str](), set[str]()
    for exchange in trace.exchanges:
        if is_look_up(trace, exchange):
            continue
        tools.add(exchange.call.tool)
        stems.update(meaning(exchange.call.tool), *(meaning(name) for name, _ in leaves(exchange.call.arguments)))
        for part in (exchange.call.arguments, exchange.result.content if exchange.result else None):
            for _, value in leaves(part):
                if isinstance(value, str):
                    stems.update(meaning(value[:_READ]))
                    codes.update((value.casefold().strip(), *said(value[:_READ]).codes))
    return _Done(frozenset(stems), frozenset(codes), frozenset(tools))


_READ = 500


def _could_be_done(trace: Trace, left: frozenset[str]) -> bool:
    """A tool is about one of these things; or does just that, and was never called."""
    tools, called = list(vocabulary(trace).effectful), _done(trace).tools
    acts = frozenset[str]().union(*(widened(each.acts) for each in tools))
    done = frozenset[str]().union(*(widened(each.acts) for each in tools if each.name in called))
    # What most tools are about tells nothing of which is meant.
    about = Counter(stem for tool in tools for stem in tool.all)
    return any(0 < about[thing] <= max(1, len(tools) // 2) for thing in left - acts) or any(
        tool.name not in called and not (left & tool.acts) <= done for tool in tools
    )


def _is_left(trace: Trace, at: int, sentence: str, codes: frozenset[str] | set[str]) -> bool:
    """It names one more thing by its id, and an act that a tool does."""
    verbs = meaning(sentence)
    later = {code for place, message in said_by_agents(trace) if place > at for code in said(message.text).codes}
    return bool(set(codes) - later) and any(
        not kin(verb).isdisjoint(tool.acts) for verb in verbs for tool in vocabulary(trace).effectful
    )


def _spoken_of(trace: Trace, at: int) -> frozenset[str]:
    later: Sequence[str] = [message.text for place, message in said_by_agents(trace) if place > at]
    later = [*later, *heard(trace).between(at, len(trace.events))]
    return frozenset(stem for text in later for stem in meaning(text))


def _is_called_off(trace: Trace, at: int) -> bool:
    return any(declines(text) for text in heard(trace).between(at, len(trace.events)))
