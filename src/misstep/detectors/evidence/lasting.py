"""A demand that a user made of all answers, and what the user says later → whether it still holds for an answer."""

import re

from misstep.detectors.evidence.demands import LANGUAGES, Demand, demands

_LIFTED = re.compile(
    r"\b(?:forget|ignore|drop|lift|scrap|relax|never ?mind|no need for)\b[^.?!]{0,40}"
    r"\b(?:limits?|rules?|lengths?|short|brief|formats?|words?|sentences?|lines?|instructions?|restrictions?)\b"
    r"|\byou (?:can|may) (?:\w+ ){0,3}?(?:more|longer|freely|again|normally|as much|as long)\b"
    r"|\b(?:normal(?:ly)?|back to normal|as (?:usual|before)) (?:again|now)\b",
    re.IGNORECASE,
)
# Who asks for much gets much.
_AT_LENGTH = re.compile(
    r"\b(?:longer|more (?:detail|info)\w*|details?|detailed|in full|fully|elaborate|expand|at length|comprehensive"
    r"|thorough(?:ly)?|step by step|everything|explain|full|whole|entire|complete|verbatim|word for word)\b",
    re.IGNORECASE,
)
# Another text than an answer, which may be as long as it has to be.
_ANOTHER_TEXT = re.compile(
    r"\b(?:write|draft|compose|translate|rewrite|quote|paste|read (?:it |them |me )?out|list|copy|prepare|generate"
    r"|show me)\b",
    re.IGNORECASE,
)
_FAR_OVER = 1.5


def is_lifted(demand: Demand, said: str) -> bool:
    """A later word of the user puts an end to it: in general, or by another demand of the same kind."""
    if _LIFTED.search(said) or any(each.kind == demand.kind for each in demands(said)):
        return True
    if demand.kind == "length":
        return _AT_LENGTH.search(said) is not None
    low = said.lower()
    if demand.kind == "language":
        return any(each in low for each in LANGUAGES)
    return demand.value.removeprefix("no-").lower() in low


def asks_for_another_text(demand: Demand, said: str) -> bool:
    """What is wanted is a text, and no answer of which the demand was made."""
    return demand.kind != "no-phrase" and _ANOTHER_TEXT.search(said) is not None


def by_far(demand: Demand, answer: str, count: int) -> bool:
    """Long after it was said, only what goes well beyond a limit counts; code is not counted."""
    if demand.kind != "length":
        return True
    return "```" not in answer and count > demand.number * _FAR_OVER
