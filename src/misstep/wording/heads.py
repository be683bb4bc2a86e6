"""A name of several words → the kinds of its head: a phone's colour is a colour, and a proof of address no address."""

import re
from functools import lru_cache

from msgspec import structs

from misstep.core.words import STOPWORDS, stem, words
from misstep.wording.lexicon import Lexicon, lexicon
from misstep.wording.topics import Topic, topic_of

_BEHIND = frozenset("of for per in on to with from since by at under about until before after".split())
_SAYS_WHICH = frozenset(("origin", "destination", "recipient"))
"""Kinds that a word gives to whatever stands behind it: a departure airport, a destination folder."""
_COUNTING = frozenset(("number", "count", "quantity", "total", "how"))
_ANY = frozenset("model make type kind sort choice preference option area slot details info limit cap".split())
"""Heads that say nothing of their own: a seat preference is about a seat, and a laptop's model says which it is."""
_TRAILING = frozenset("due left back off ahead so far already again now absent maximum minimum".split())
_ENDINGS = ("ed", "en", "paid", "sent", "lost")
_A_CLAUSE = frozenset("i it they we you who whom whose when where why how what which or and".split())
_SHORT = 5
_PARTICLE = re.compile(r"-(?:in|on|by|off|out|up|to)\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def headed(name: str) -> frozenset[str]:
    """The kinds that are left of those that `topic_of` finds in the whole name."""
    kinds = frozenset(topic_of(name).kinds)
    listed = words(_PARTICLE.sub("", name))
    end = next((at for at, word in enumerate(listed) if at and word in _BEHIND), len(listed))
    if not kinds or len(listed) < 2 or listed[0] in _COUNTING or not _A_CLAUSE.isdisjoint(listed):
        return kinds
    while end > 1 and _is_trailing(listed[end - 1]):
        end -= 1
    book, head = lexicon(), listed[end - 1]
    if head in STOPWORDS | _ANY | _COUNTING:
        return kinds
    own = frozenset(topic_of(head).kinds) | _phrased(listed, end, book)
    if not own and end == len(listed):
        return kinds & _SAYS_WHICH
    others = frozenset(topic_of(" ".join(listed[end:])).kinds) if end < len(listed) else frozenset[str]()
    return (
        (kinds & (own | _SAYS_WHICH)) or (frozenset({"identifier"}) & own) or (kinds - others if own else kinds & own)
    )


def noun_topic(text: str) -> Topic:
    """What a clause is about; as a bare noun it is of the kind of its head: a `vendor quote ref` is no vendor."""
    topic = topic_of(text)
    if len(words(text)) > _SHORT or headed(text) != frozenset({"identifier"}):
        return topic
    return structs.replace(topic, kinds={"identifier": 1.0})


def _is_trailing(word: str) -> bool:
    return word in _TRAILING or word.endswith(_ENDINGS)


def _phrased(listed: list[str], end: int, book: Lexicon) -> frozenset[str]:
    """Those of phrases with the head in them: a phone number, a date of birth."""
    roots = [stem(word) for word in listed]
    return frozenset(
        kind
        for start in range(end)
        for stop in range(max(end, start + 2), len(roots) + 1)
        for kind in book.kind_phrases.get(tuple(roots[start:stop]), ())
    )
