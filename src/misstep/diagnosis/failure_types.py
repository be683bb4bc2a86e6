"""A trace and its objective → in what way the one falls short of the other, in a word, and what was found there."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from misstep.core.event import Handoff
from misstep.core.finding import Finding
from misstep.core.objective import Objective
from misstep.core.trace import Exchange, Trace
from misstep.core.words import joined
from misstep.detectors.evidence.doing import hands_over
from misstep.objectives import judge
from misstep.objectives.calls import CallMatch, Missing, match_calls

Type = Literal[
    "transferred",  # handed to somebody else, and what was needed was not done
    "no-write",  # nothing was done, though something was needed
    "extra-call",  # something was done that the task did not need
    "missing-call",  # something needed was not done, though other things were
    "failed-call",  # the needed call was made, and did not succeed
    "wrong-argument",  # what was needed was done, with other values
    "untold",  # something that the user had to be told was not said
    "other",  # another check of the objective was not met
]
ORDER: tuple[Type, ...] = (
    "transferred", "no-write", "extra-call", "missing-call", "failed-call", "wrong-argument", "untold", "other",
)  # fmt: skip


class FailureType(Struct, frozen=True):
    """One way in which a trace falls short of its objective."""

    type: Type
    because: str
    events: tuple[int, ...] = ()
    modes: tuple[str, ...] = ()
    """The modes of the findings at these events, or of all findings where there is no event to point at."""


def failure_types(trace: Trace, objective: Objective, findings: Sequence[Finding] = ()) -> tuple[FailureType, ...]:
    """Every way in which the trace falls short, gravest first; none where it meets the objective."""
    types = sorted(_types(trace, objective), key=lambda each: (ORDER.index(each.type), each.events))
    return tuple(_with_modes(each, findings) for each in types)


def _types(trace: Trace, objective: Objective) -> Iterator[FailureType]:
    unmet = judge(trace, objective)
    match = match_calls(trace, objective.calls)
    forbidden = {at for each in unmet if each.check == "forbidden" for at in each.events}
    instead = dict(_done_otherwise(match, forbidden))
    for at, missing in instead.items():
        because = f"{missing.expected.tool} was done with another {joined(missing.differing)} than was needed."
        yield FailureType("wrong-argument", because, (at,))
    for at in sorted(forbidden - instead.keys()):
        yield FailureType(
            "extra-call", f"{_call_at(trace, at).call.tool} was done, which the task did not need.", (at,)
        )
    left = [missing for missing in match.missing if not any(missing is each for each in instead.values())]
    yield from _undone(trace, left, done=bool(match.matched or forbidden))
    for each in unmet:
        if each.check == "facts":
            yield FailureType("untold", each.because, each.events)
        elif each.check not in ("calls", "forbidden"):
            yield FailureType("other", each.because, each.events)


def _done_otherwise(match: CallMatch, forbidden: set[int]) -> Iterator[tuple[int, Missing]]:
    """Needed calls that were made with some other values, each by the call that came nearest and nobody else claims."""
    claimed: set[int] = set()
    for missing in sorted(match.missing, key=lambda each: len(each.differing)):
        nearest = missing.nearest
        if nearest is None or nearest.at not in forbidden or nearest.at in claimed:
            continue
        if len(missing.differing) < len(missing.expected.arguments):
            claimed.add(nearest.at)
            yield nearest.at, missing


def _undone(trace: Trace, left: Sequence[Missing], *, done: bool) -> Iterator[FailureType]:
    if not left:
        return
    tools = joined(dict.fromkeys(missing.expected.tool for missing in left))
    passed_on = _passed_on(trace)
    if passed_on is not None and not done:
        yield FailureType("transferred", f"{tools} was needed, and it was handed to somebody else.", (passed_on,))
    elif not done and all(missing.nearest is None for missing in left):
        yield FailureType("no-write", f"{tools} was needed, and nothing was done.")
    else:
        for missing in left:
            yield _one_undone(missing)


def _one_undone(missing: Missing) -> FailureType:
    nearest = missing.nearest
    if nearest is not None and not missing.differing:
        because = f"{missing.expected.tool} was called as it should be, and did not succeed."
        return FailureType("failed-call", because, (nearest.at,))
    return FailureType("missing-call", f"{missing.expected.tool} was needed, and was not done.")


def _passed_on(trace: Trace) -> int | None:
    """Where the conversation was handed to somebody else, by an event of its own or by a tool that does so."""
    for at, event in enumerate(trace.events):
        if isinstance(event, Handoff):
            return at
    return next((each.at for each in trace.exchanges if each.succeeded and hands_over(each.call.tool)), None)


def _call_at(trace: Trace, at: int) -> Exchange:
    return next(exchange for exchange in trace.exchanges if exchange.at == at)


def _with_modes(each: FailureType, findings: Iterable[Finding]) -> FailureType:
    modes = dict.fromkeys(
        finding.mode for finding in findings if not each.events or set(each.events).intersection(finding.events)
    )
    return FailureType(each.type, each.because, each.events, tuple(modes))
