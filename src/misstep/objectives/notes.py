"""A trace and its objective → what is worth knowing of how it was done, and no failure."""

from collections.abc import Iterator

from misstep.core.objective import ExpectedFact, Objective
from misstep.core.trace import Trace
from misstep.core.words import joined
from misstep.objectives.facts import told
from misstep.objectives.questions import volunteered


def noted(trace: Trace, objective: Objective) -> tuple[str, ...]:
    """One sentence for each false belief that was left alone, and each reason that was not told."""
    return tuple(_notes(trace.as_heard(), objective))


def _notes(trace: Trace, objective: Objective) -> Iterator[str]:
    for belief in objective.beliefs:
        if not told(trace, ExpectedFact(belief.name, (belief.true,))):
            yield f"The user was not told that the {belief.name} is {belief.true}, and not {belief.value}."
    for each in objective.impossible:
        if each.because and not told(trace, ExpectedFact(each.name, each.because)):
            yield f"The user was not told why ({each.name}: {each.because[0]})."


def not_needed(trace: Trace, objective: Objective) -> tuple[str, ...]:
    """The questions of an objective that nobody need ask, for the user had said unasked what they are about."""
    trace = trace.as_heard()
    return tuple(joined(each.about, "or") for each in objective.questions if volunteered(trace, each))
