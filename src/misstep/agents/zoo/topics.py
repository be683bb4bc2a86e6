"""What a user said → the words that a search could be made with, the likeliest first."""

import re
from collections.abc import Iterator, Sequence

from misstep.agents.zoo.filling import blanked
from misstep.agents.zoo.offer import Capability, Offer
from misstep.agents.zoo.quoting import quotes, veiled
from misstep.agents.zoo.reading import as_date
from misstep.agents.zoo.stating import stated
from misstep.core.words import STOPWORDS, atoms, split_identifier, stem, words

_LISTED = re.compile(
    r"[,;:()]\s{0,20}|\.(?:\s{1,20}|$)|\s{1,20}(?:called|named|titled|headed|about)\s{1,20}", re.IGNORECASE
)
_SMALL_TALK = frozenset(
    """like want need really basically anyway right well ha oh dear sorry hope wish love kindly grateful appreciate help
    team support sir madam morning afternoon evening day one thing thinking hoping wondering going back again today
    lovely great star cheers regards faithfully sincerely good new possible able mind think know tell say said see look
    something anything everything moment quick time advance favour bye now question request details""".split()
)


def topics(texts: Sequence[str], capability: Capability, offer: Offer) -> list[str]:
    """What was said under a name that the tool speaks of, then what stands by itself, then words that are nobody's."""
    found = [*_stated(texts, capability, offer), *_alone(texts, offer), *_unknown_runs(texts[:1], offer)]
    return list(dict.fromkeys(each for each in found if each))


def _stated(texts: Sequence[str], capability: Capability, offer: Offer) -> Iterator[str]:
    given = {" ".join(split_identifier(name)) for name in capability.gives}
    for text in texts:
        for one in stated(text, offer.labels):
            told = {stem(word) for word in one.label.split()}
            plain = not any(atom.kind == "date" and as_date(atom.text) for atom in atoms(one.value))
            if plain and (one.label in given or told & capability.text_stems):
                yield one.value


def _alone(texts: Sequence[str], offer: Offer) -> Iterator[str]:
    """Quotes, and parts of a list that are no words of any tool."""
    for text in texts:
        yield from (each.text for each in quotes(text))
        rest = blanked(veiled(text), stated(text, offer.labels))
        for part in _LISTED.split(rest):
            said = [word for word in words(part) if word not in STOPWORDS]
            known = any(stem(word) in offer.vocabulary or word in _SMALL_TALK for word in said)
            if said and len(words(part)) <= 4 and not known and "¤" not in part:
                yield " ".join(said)


def _unknown_runs(texts: Sequence[str], offer: Offer) -> Iterator[str]:
    for text in texts:
        runs: list[list[str]] = [[]]
        for word in words(text):
            if word in STOPWORDS or word in _SMALL_TALK or stem(word) in offer.vocabulary:
                runs.append([])
            else:
                runs[-1].append(word)
        yield from (" ".join(run) for run in sorted(runs, key=lambda run: -len(run)))
