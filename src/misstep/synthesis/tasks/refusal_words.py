"""A refused call → what the refusal says, and the words in it that tell why."""

import re
from collections.abc import Collection, Iterator

from misstep.core.words import STOPWORDS, stem, words
from misstep.synthesis.tasks.acting import Loss
from misstep.synthesis.tasks.claiming import EVERYDAY
from misstep.synthesis.tasks.surveying import leaves, text

_SHORTEST = 3
_MOST_WORDS = 5
_ROOT = 6
_CLASS = re.compile(r"^\w+: ")
"""What code calls its refusal: nobody who speaks to a person would."""
_NO_REASON = ("thank", "error", "failed", "invalid", "already")
"""That it is refused, or is so already, and not why."""


def said_in(loss: Loss) -> str:
    return " ".join(text(value) for _, value in leaves(loss.answer.content) if not isinstance(value, bool))


def words_of(loss: Loss, claims: Collection[str]) -> list[str]:
    """Words of the refusal that nobody has who claims that it was done; `claims`: those that such a claim has."""
    known = {_root(word) for word in (*claims, *EVERYDAY, *_NO_REASON)}
    return list(dict.fromkeys(_telling(said_in(loss), known)))[:_MOST_WORDS]


def _telling(said: str, known: set[str]) -> Iterator[str]:
    for word in words(_CLASS.sub("", said)):
        if len(word) >= _SHORTEST and word.isalpha() and word not in STOPWORDS and _root(word) not in known:
            yield word


def _root(word: str) -> str:
    """A translator is one who can translate: what begins alike is of one kin."""
    return stem(word)[:_ROOT]
