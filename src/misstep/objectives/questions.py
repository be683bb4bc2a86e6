"""A trace and an expected question → whether the agent asked it, in time."""

from misstep.core.objective import ExpectedQuestion
from misstep.core.trace import Trace
from misstep.core.words import sentences
from misstep.objectives.proposals import is_question, requests
from misstep.objectives.values import says


def asked(trace: Trace, question: ExpectedQuestion) -> bool:
    """The agent asked about it before the first success of the calls that it must come before."""
    deadline = min(
        (each.at for each in trace.exchanges if each.succeeded and each.call.tool in question.before),
        default=len(trace.events),
    )
    return any(
        _asks(message.text, question.about)
        for at, message in trace.messages
        if at < deadline and message.role == "agent"
    )


def _asks(text: str, about: tuple[str, ...]) -> bool:
    """A question with the words in it; or a message that lists things and ends in a question about them."""
    if not any(is_question(part) or requests(part) for part in sentences(text)):
        return False
    return any(says(text, word) for word in about)
