"""What is said → the limits that it sets: acts and things that are forbidden, and numbers not to be passed."""

from misstep.core.once import once_per_text
from misstep.core.words import sentences
from misstep.detectors.evidence.constraint import Constraint
from misstep.detectors.evidence.limits import limits_in
from misstep.detectors.evidence.orders import plainly
from misstep.detectors.evidence.prohibitions import prohibitions_in


@once_per_text
def constraints(text: str) -> tuple[Constraint, ...]:
    """The limits that a message sets, in order."""
    return tuple(each for sentence in sentences(plainly(text)) for each in _in_sentence(sentence))


@once_per_text
def _in_sentence(sentence: str) -> tuple[Constraint, ...]:
    """Prompts of one agent have most sentences in common."""
    return (*prohibitions_in(sentence), *limits_in(sentence))
