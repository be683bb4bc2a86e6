"""wrong-argument: a needed call was made with a value that is known in the conversation and is the wrong one."""

from collections.abc import Iterator

from misstep.core.finding import Finding
from misstep.core.objective import ExpectedCall, Objective
from misstep.core.trace import Exchange, Trace
from misstep.core.words import joined
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.flow import argument_sources
from misstep.objectives.calls import Missing, match_calls
from misstep.objectives.matching import fits
from misstep.objectives.vocabulary import effect_of


@detector("wrong-argument", version=2, needs="objective")
def wrong_argument(trace: Trace, objective: Objective) -> Iterator[Finding]:
    """One finding for each call that came nearest to a needed one and differs in some argument."""
    reported: set[int] = set()
    for missing in match_calls(trace, objective.calls).missing:
        nearest = missing.nearest
        if nearest is None or not missing.differing or nearest.at in reported or not _counts(trace, nearest):
            continue
        if any(_is_anothers(name, nearest, missing.expected, objective) for name in missing.differing):
            continue
        wrong = [name for name in missing.differing if not _is_made_up(trace, nearest, name)]
        # Where a value is made up, that is the failure, and the call is wrong because of it.
        if len(wrong) == len(missing.differing):
            reported.add(nearest.at)
            yield Finding(
                mode="wrong-argument", events=(nearest.at,), because=_because(missing, nearest), confidence=0.9
            )


def _counts(trace: Trace, nearest: Exchange) -> bool:
    """A look-up that went astray and did no harm is none of ours; one that was refused tells nothing of the rest."""
    return nearest.succeeded or effect_of(trace, nearest.call.tool) != "reads"


def _is_anothers(name: str, nearest: Exchange, expected: ExpectedCall, objective: Objective) -> bool:
    """The value belongs to another goal: a call of the same tool is to have it there."""
    return any(
        other is not expected
        and other.tool == expected.tool
        and name in other.arguments
        and fits(other.arguments[name], nearest.call.arguments.get(name))
        for other in objective.calls
    )


def _is_made_up(trace: Trace, nearest: Exchange, name: str) -> bool:
    """The value came from nowhere in the conversation."""
    return any(
        source.origin == "nowhere" and source.path.split(".")[0].split("[")[0] == name
        for source in argument_sources(trace).get(nearest.at, ())
    )


def _because(missing: Missing, nearest: Exchange) -> str:
    arguments, patterns = nearest.call.arguments, missing.expected.arguments
    told = joined(
        f"{name} {_shown(arguments.get(name))} where {_shown(patterns[name])} was needed" for name in missing.differing
    )
    return f"{nearest.call.tool} was called with {told}."


def _shown(value: object) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
