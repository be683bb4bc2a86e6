"""Which prompts an answer was the answer to, where a file of spans says so: they were heard and said in one span."""

from misstep.core.trace import Trace
from misstep.objectives.once import once_per_trace


@once_per_trace
def prompted(trace: Trace) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Each answer of an agent that has prompts of the system of its own, with their places.

    What the system said to one agent, or for one step, says nothing of what others answer.
    """
    heard: dict[str | int, list[int]] = {}
    found: list[tuple[int, tuple[int, ...]]] = []
    for at, message in trace.messages:
        if message.source is None or message.role == "user":
            continue
        if message.role == "system":
            heard.setdefault(message.source, []).append(at)
        elif message.source in heard:
            found.append((at, tuple(heard.pop(message.source))))
    return tuple(found)
