"""A slot's description → what else people call what goes there."""

import re

from misstep.core.words import split_identifier
from misstep.synthesis.tasks.looks import in_words
from misstep.synthesis.tasks.slots import Slot

_ARTICLE = re.compile(r"^(?:the|a|an|your|its|this|that)\s+", re.IGNORECASE)
_END = re.compile(
    r"[.,;:()\[\]`\"\n]|(?<!\w)'|'(?!\w)|\s(?:to|that|which|for|in|as|where|if|when|you|must|should|is|are|e\.g)\b"
)
_CLAUSE = re.compile(r"\s*(?:if|when|where|whether|how|what|which|who|only|optional)\b", re.IGNORECASE)
_OF = re.compile(r"(.+?) of (?:the |a |an |your )?(.+)", re.IGNORECASE)
_LONGEST = 5


def called(slot: Slot | None, name: str) -> tuple[str, ...]:
    """`The number of the order.` → number of the order, order number; nothing that is the name itself."""
    if slot is None:
        return ()
    if _CLAUSE.match(slot.description):
        return ()
    said = _ARTICLE.sub("", _END.split(slot.description.strip(), maxsplit=1)[0].strip())
    found = [said, in_words(slot.name)]
    turned = _OF.fullmatch(said)
    if turned is not None:
        found.insert(1, f"{turned.group(2)} {turned.group(1)}")
    known = in_words(name).lower()
    # "Customer" alone is the customer, and not the customer's number.
    records = {known, *split_identifier(slot.name)[:-1]}
    kept = [each.lower() for each in found if 0 < len(each.split()) <= _LONGEST and each.lower() not in records]
    return tuple(dict.fromkeys(kept))
