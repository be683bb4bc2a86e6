"""A refused call → what the refusal says, and the words in it that tell why."""

import re
from collections.abc import Collection, Iterator

from misstep.core.words import STOPWORDS, split_identifier, stem, words
from misstep.synthesis.task import Item
from misstep.synthesis.tasks.acting import Loss, Trying
from misstep.synthesis.tasks.surveying import leaves, text

_SHORTEST = 3
_MOST_WORDS = 5
_ANYBODYS = frozenset(
    stem(word)
    for word in """taken done care help message everything thank error value lookup failed invalid already yet
    now""".split()
)
"""Words that are in what any agent says."""


def said_in(loss: Loss) -> str:
    return " ".join(text(value) for _, value in leaves(loss.answer.content) if not isinstance(value, bool))


def words_of(loss: Loss, trying: Trying, items: tuple[Item, ...], nouns: Collection[str]) -> list[str]:
    """Words of the refusal that are neither in the request nor in what every agent says; `nouns`: what it is about."""
    own = [*split_identifier(trying.tool.name), *(word for slot in trying.filler.slots for word in words(slot.name))]
    spoken = [word for item in items for word in (*words(item.name), *words(text(item.value)))]
    known = {stem(word) for word in (*own, *spoken, *nouns)} | _ANYBODYS
    return list(dict.fromkeys(_telling(said_in(loss), known)))[:_MOST_WORDS]


def _telling(said: str, known: set[str]) -> Iterator[str]:
    for word in words(re.sub(r"^\w*Error: ", "", said)):
        if len(word) >= _SHORTEST and word.isalpha() and word not in STOPWORDS and stem(word) not in known:
            yield word
