"""What is said → the limits that it sets: acts and things that are forbidden, and numbers not to be passed."""

from functools import lru_cache

from misstep.core.words import sentences
from misstep.detectors.evidence.constraint import Constraint
from misstep.detectors.evidence.limits import limits_in
from misstep.detectors.evidence.orders import plainly
from misstep.detectors.evidence.prohibitions import prohibitions_in


@lru_cache(maxsize=4096)
def constraints(text: str) -> tuple[Constraint, ...]:
    """The limits that a message sets, in order."""
    return tuple(
        each for sentence in sentences(plainly(text)) for each in (*prohibitions_in(sentence), *limits_in(sentence))
    )
