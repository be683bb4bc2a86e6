"""A trace and an expected question → whether the agent asked it in time, or need not, for the user said it unasked."""

from misstep.core.event import Message
from misstep.core.objective import ExpectedQuestion
from misstep.core.trace import Trace
from misstep.core.words import sentences, words
from misstep.objectives.answering import answers, mumbles, offers_several, picks, tells
from misstep.objectives.asking import asking_parts, is_fragment, points_back
from misstep.objectives.values import says

_CHOICE = frozenset({"which", "which one", "choice", "option"})
"""Words of a question that any choice between several answers to."""


_ASKED_BY = {
    "why": frozenset({"reason", "cause"}),
    "where": frozenset({"city", "town", "place", "address", "street", "country"}),
    "who": frozenset({"name", "person", "customer"}),
    "when": frozenset({"date", "day", "time"}),
}
"""What the words that open a question ask for without naming it."""


def asked(trace: Trace, question: ExpectedQuestion) -> bool:
    """The agent asked about it before the first success of the calls that it must come before."""
    said = _before(trace, question)
    for place, message in enumerate(said):
        if message.role == "agent":
            following = said[place + 1] if place + 1 < len(said) else None
            reply = following.text if following is not None and following.role == "user" else ""
            if _asks(message.text, reply, question.about) or _led_to(message.text, reply, question):
                return True
    return False


def volunteered(trace: Trace, question: ExpectedQuestion) -> bool:
    """It was not asked, and the user said the answer all the same: after the opening, and in time."""
    if not question.answers or asked(trace, question):
        return False
    heard = "\n".join([each.text for each in _before(trace, question) if each.role == "user"][1:])
    return all(says(heard, value) for value in question.answers)


def _before(trace: Trace, question: ExpectedQuestion) -> list[Message]:
    """What was said before the calls that the question must come before."""
    deadline = min(
        (each.at for each in trace.exchanges if each.succeeded and each.call.tool in question.before),
        default=len(trace.events),
    )
    return [message for at, message in trace.messages if at < deadline and message.role in ("agent", "user")]


def _led_to(text: str, reply: str, question: ExpectedQuestion) -> bool:
    """It asked for something, and the wanted value came in reply: then that was what it asked for."""
    return any(says(reply, value) for value in question.answers) and bool(asking_parts(text)) and not mumbles(text)


def _asks(text: str, reply: str, about: tuple[str, ...]) -> bool:
    """The words of the question show it, or the user's answer does."""
    parts = asking_parts(text)
    if any(_speaks(part, about) or _asks_by_word(part, about) for part in parts):
        return True
    if _lets_choose(text, reply, parts, about):
        return True
    if parts:
        # "Two orders fit. Which one?": the question is about what stands before it.
        return any(points_back(part) for part in parts) and _speaks(text, about)
    return any(_speaks(part, about) and _was_answered(part, reply, about) for part in sentences(text))


def _speaks(text: str, about: tuple[str, ...]) -> bool:
    return any(says(text, word) for word in about)


def _asks_by_word(part: str, about: tuple[str, ...]) -> bool:
    return any(not _ASKED_BY.get(word, frozenset()).isdisjoint(about) for word in words(part))


def _was_answered(part: str, reply: str, about: tuple[str, ...]) -> bool:
    """A reply that tells the thing, right after a statement that speaks of it, shows that it was asked for."""
    return tells(part, reply) or (answers(reply) and (is_fragment(part) or _speaks(reply, about)))


def _lets_choose(text: str, reply: str, parts: tuple[str, ...], about: tuple[str, ...]) -> bool:
    """Several were named, and the user was asked to take one, or took one."""
    if _CHOICE.isdisjoint(about) or not offers_several(text):
        return False
    return any(points_back(part) or says(part, "which") for part in parts) or picks(text, reply)
