"""A few words → what they are about: kinds of fact, the things these belong to, and words that no lexicon knows."""

import re
from functools import lru_cache

from msgspec import Struct

from misstep.core.words import STOPWORDS, stem, words
from misstep.wording.lexicon import Lexicon, lexicon

ASKING = frozenset(
    stem(word)
    for word in """tell give provide share send supply state specify need require know kindly like want help proceed
    able continue confirm enter mention wish let afraid sorry still yet lack miss""".split()
)


_UNIT = re.compile(r"\bper \w+", re.IGNORECASE)
"""`What would you pay per night?` asks for no nights."""
_TELLING = 4
_ENDING = 3
_EARLY = 3
_SOME = ("something", "anything")
_HOW_MANY = frozenset("total exact maximum minimum overall full right new approximate rough expected".split())
_SORT = frozenset(stem(word) for word in ("sort", "kind"))
"""Plain before `of`, and what a number belongs to right before it: a sort code."""
_WH = ("who", "whom", "whose", "when", "where", "why", "what", "which", "how")
_LEADING = ("and", "or", "ask", "asking", "me", "us", "wonder", "wondering", "about", "to", "for", "from", "by", "is")
_COPULAS = ("is", "are", "was", "were", "does", "do", "will", "would", "shall", "should", "may", "can")
_VERBS = frozenset(stem(word) for word in "say show read mean look go come work use apply concern belong".split())


class Topic(Struct, frozen=True):
    """What some words are about."""

    stems: tuple[str, ...]
    """Of the words that carry meaning."""
    kinds: dict[str, float]
    """Kinds of fact with how clearly they are named."""
    things: frozenset[str]
    loose: frozenset[str]
    """Stems that the lexicon does not know: a world's own words."""
    generic: frozenset[str]
    own: bool = False
    """About the person: `your name`."""
    hinted: bool = False
    """The kinds follow from a question word alone."""
    modifier: str | None = None
    """An unknown word right before `number`, `id` or `code`: what that belongs to."""
    followed: dict[str, str] = {}
    """Unknown stems and what stands right behind each: `zindle code` is not about the zindle, but its code."""
    question: str = ""
    """The question word that it opens with."""
    excluded: frozenset[str] = frozenset()
    """Kinds that cannot answer, whatever else is said: no date answers `where`."""


@lru_cache(maxsize=8192)
def topic_of(text: str) -> Topic:
    """Read a noun, a clause or a short sentence."""
    book = lexicon()
    listed = words(_UNIT.sub(" ", text))
    roots = [stem(word) for word in listed]
    kinds: dict[str, float] = {}
    taken = _phrases(_counted_apart(listed, roots), book, kinds)
    things: dict[str, None] = {}
    loose: dict[str, None] = {}
    generic: dict[str, None] = {}
    modifier: str | None = None
    for at, (word, root) in enumerate(zip(listed, roots, strict=True)):
        known = False
        named = book.kinds.get(root) or book.forms.get(word)
        if at not in taken and named:
            for kind in named:
                kinds[kind] = max(kinds.get(kind, 0.0), 1.0 if kind in book.vague else 2.0)
            known = True
            if "identifier" in named and at:
                modifier = modifier or _modifier(listed[at - 1], roots[at - 1], book)
        if root in book.things:
            things.update(dict.fromkeys(book.things[root]))
            known = True
        if root in book.generic and not (word in _SOME and _is_described(listed, at)):
            generic[book.generic[root]] = None
        if not known and at not in taken and word not in STOPWORDS and root not in ASKING:
            loose[root] = None
    excluded = frozenset(kind for word in listed[:_EARLY] for kind in book.excluded.get(word, ()))
    kinds = {kind: weight for kind, weight in kinds.items() if kind not in excluded}
    hinted = not kinds
    if hinted:
        for word in _questions(listed):
            kinds.update(dict.fromkeys(book.hints.get(word, ()), 0.9))
    elif len(kinds) > 1:
        kinds.pop("identifier", None)
    content = tuple(root for word, root in zip(listed, roots, strict=True) if word not in STOPWORDS)
    own = any(tuple(roots[at : at + size]) in book.own for size in (2, 3, 4) for at in range(len(roots) - size + 1))
    followed = {root: roots[at + 1] for at, root in enumerate(roots[:-1]) if root in loose and _is_noun(listed[at + 1])}
    return Topic(
        content,
        kinds,
        frozenset(things),
        frozenset(loose),
        frozenset(generic),
        own,
        hinted,
        modifier,
        followed,
        next((word for word in listed[:_EARLY] if word in _WH), ""),
        excluded,
    )


def _is_described(listed: list[str], at: int) -> bool:
    """`anything big and awkward` asks for something in particular."""
    return at + 1 < len(listed) and listed[at + 1] not in STOPWORDS and listed[at + 1] != "else"


def _questions(listed: list[str]) -> list[str]:
    """The question words that ask; `when` behind a verb only joins: `what do you see when it starts`."""
    before = (True, *(stem(word) in ASKING or word in _LEADING for word in listed))
    return [word for at, word in enumerate(listed) if at < _EARLY or before[at]]


def meets(root: str, other: str) -> bool:
    """One word, as far as stems can tell: `medic` and `medicin`, `quiet` and `quieter`."""
    if root == other:
        return True
    short, long = (root, other) if len(root) <= len(other) else (other, root)
    return len(short) >= _TELLING and long.startswith(short) and len(long) - len(short) <= _ENDING


def meets_any(root: str, others: frozenset[str]) -> bool:
    """`any(meets(root, each) for each in others)`, looked up."""
    if root in others:
        return True
    if len(root) < _TELLING:
        return False
    return root in _beginnings(others) or any(root[:end] in others for end in _ends(root))


@lru_cache(maxsize=4096)
def _beginnings(roots: frozenset[str]) -> frozenset[str]:
    """What may be left of them once they lost an ending."""
    return frozenset(root[:end] for root in roots for end in _ends(root))


def _ends(root: str) -> range:
    return range(max(_TELLING, len(root) - _ENDING), len(root))


def assent_only(question: str) -> bool:
    """`All good?`, `Is everything as it should be?`: nothing in it but whether something is right."""
    book, listed = lexicon(), words(question)
    said = [stem(word) for word in listed if word not in STOPWORDS]
    if len(listed) == 1 and (said[:1] == [] or said[0] in book.things or said[0] in book.kinds):
        return False
    return all(root in book.assent for root in said) and (bool(said) or not listed or listed[0] in _COPULAS)


@lru_cache(maxsize=8192)
def actions_in(text: str) -> frozenset[str]:
    """The acts that a text names."""
    book = lexicon()
    roots = [stem(word) for word in words(text)]
    found: set[str] = set()
    for at, root in enumerate(roots):
        found.update(book.actions.get(root, ()))
        found.update(name for phrase, name in book.action_phrases.get(root, ()) if _follows(roots, at, phrase))
    return frozenset(found)


def _follows(roots: list[str], at: int, phrase: tuple[str, ...]) -> bool:
    """The phrase goes on from here; a verb and its particle may have three words between them: `call it all off`."""
    if tuple(roots[at : at + len(phrase)]) == phrase:
        return True
    return len(phrase) == 2 and phrase[1] in roots[at + 1 : at + 5]


def _counted_apart(listed: list[str], roots: list[str]) -> list[str]:
    """`the reference number of that quotation` counts nothing: its number is no `number of`."""
    return [
        ""
        if word == "of"
        and at > 1
        and listed[at - 1] == "number"
        and _is_noun(listed[at - 2])
        and listed[at - 2] not in _HOW_MANY
        else root
        for at, (word, root) in enumerate(zip(listed, roots, strict=True))
    ]


def _phrases(roots: list[str], book: Lexicon, kinds: dict[str, float]) -> set[int]:
    """Note the kinds that whole phrases name, longest first, and return the places that these cover."""
    taken: set[int] = set()
    for size in range(min(book.longest, len(roots)), 1, -1):
        for at in range(len(roots) - size + 1):
            found = book.kind_phrases.get(tuple(roots[at : at + size]))
            if found and taken.isdisjoint(range(at, at + size)):
                taken.update(range(at, at + size))
                for kind in found:
                    kinds[kind] = kinds.get(kind, 0.0) + (1.5 if kind in book.vague else 2.0)
    return taken


def _is_noun(word: str) -> bool:
    root = stem(word)
    return word not in STOPWORDS and root not in ASKING and root not in _VERBS and not word.isdigit()


def _modifier(word: str, root: str, book: Lexicon) -> str | None:
    if word in STOPWORDS or root in book.plain - _SORT or root in book.kinds or root in book.things or root in ASKING:
        return None
    return None if root in book.generic or word.isdigit() else word
