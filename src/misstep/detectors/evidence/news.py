"""A trace → for each event, how much news there had been from users by then: what gives reason to do a thing again."""

from collections.abc import Sequence

from misstep.core.event import Message
from misstep.core.trace import Trace
from misstep.core.words import content_stems
from misstep.objectives.once import once_per_trace


@once_per_trace
def news_from_users(trace: Trace) -> Sequence[int]:
    """A user who says the same again has said nothing new."""
    heard: set[str] = set()
    news = 0
    counted: list[int] = []
    for event in trace.events:
        if isinstance(event, Message) and event.role == "user":
            fresh = set(content_stems(event.text)) - heard
            heard |= fresh
            news += bool(fresh)
        counted.append(news)
    return counted
