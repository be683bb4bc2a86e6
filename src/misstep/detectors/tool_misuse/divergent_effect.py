"""divergent-effect: of several trials of one task this one alone did something else than all others, which agree."""

from collections.abc import Iterator, Sequence

from misstep.core.finding import Finding
from misstep.core.gist import Gist, GistCall
from misstep.core.trace import Trace
from misstep.core.words import joined
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.doing import arguments_of, deed, did_something
from misstep.detectors.gists import gist_of

_OTHERS = 3
"""So many other trials must agree before one that differs stands out: two can agree by chance."""


@detector("divergent-effect", version=1, needs="trials")
def divergent_effect(trace: Trace, trials: Sequence[Gist]) -> Iterator[Finding]:
    """One finding for each deed that all other trials did and this one did not, or that only this one did."""
    if len(trials) < _OTHERS or not trace.events:
        return
    mine = {deed(call): call for call in gist_of(trace).calls if did_something(call)}
    theirs = [{deed(call): call for call in trial.calls if did_something(call)} for trial in trials]
    agreed = {told: call for told, call in theirs[0].items() if all(told in other for other in theirs)}
    alone = [call for told, call in mine.items() if not any(told in other for other in theirs)]
    for told, call in agreed.items():
        if told not in mine:
            instead = next((each for each in alone if each.tool == call.tool), None)
            if instead is None:
                yield _left_out(trace, call, len(trials))
            else:
                alone.remove(instead)
                yield _done_otherwise(instead, call, len(trials))
    if all(other.keys() == theirs[0].keys() for other in theirs):
        used = {call.tool for call in theirs[0].values()}
        yield from (_done_alone(call, len(trials)) for call in alone if call.tool not in used)


def _finding(at: int, because: str) -> Finding:
    return Finding(mode="divergent-effect", events=(at,), because=because, confidence=0.65)


def _left_out(trace: Trace, call: GistCall, others: int) -> Finding:
    last = max(
        (at for at, message in trace.messages if message.role == "agent"),
        default=len(trace.events) - 1,
    )
    return _finding(last, f"All {others} other trials of this task did {call.tool} alike, and this one did not.")


def _done_otherwise(mine: GistCall, theirs: GistCall, others: int) -> Finding:
    ours, agreed = arguments_of(mine) or {}, arguments_of(theirs) or {}
    names = [name for name in dict.fromkeys((*agreed, *ours)) if ours.get(name) != agreed.get(name)]
    differing = f" in {joined(names)}" if names else ""
    return _finding(mine.at, f"{mine.tool} was done otherwise than in all {others} other trials{differing}.")


def _done_alone(mine: GistCall, others: int) -> Finding:
    return _finding(mine.at, f"{mine.tool} was done, which none of the {others} other trials did, and those agree.")
