"""Which traces are left out together: those of one task always are."""

import random
from collections.abc import Sequence

from misstep.core.trace import Trace


def task_of(trace: Trace) -> str:
    """The scenario that it is a trial of, or else how its user began; a trace with neither is a task of its own."""
    if trace.origin.scenario:
        return f"scenario {trace.origin.scenario}"
    first = next((message for _, message in trace.messages if message.role == "user"), None)
    return f"words {first.text}" if first is not None and first.text.strip() else f"trace {trace.id}"


def parts(tasks: Sequence[str], chosen: Sequence[int], number: int, seed: int) -> list[list[int]]:
    """The chosen traces in `number` parts of like size, drawn by the seed, none of them empty."""
    members: dict[str, list[int]] = {}
    for at in chosen:
        members.setdefault(tasks[at], []).append(at)
    order = sorted(members.values())
    random.Random(seed).shuffle(order)
    order.sort(key=len, reverse=True)
    drawn: list[list[int]] = [[] for _ in range(min(number, len(order)))]
    for group in order:
        min(drawn, key=len).extend(group)
    return [sorted(part) for part in drawn]
