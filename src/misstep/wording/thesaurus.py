"""Words and phrases → the everyday matters that people speak of by them, read once from `thesaurus.toml`."""

import tomllib
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct

from misstep.core.words import STOPWORDS, stem, words

Phrase = tuple[str, ...]


class Thesaurus(Struct, frozen=True):
    """The groups of the file, turned round for look-up by stem."""

    single: dict[str, frozenset[str]]
    """Stem → its groups."""
    phrases: dict[str, tuple[tuple[Phrase, str], ...]]
    """First stem → the phrases that begin with it, each with its group."""


@lru_cache(maxsize=1)
def thesaurus() -> Thesaurus:
    """The thesaurus, read at the first use."""
    text = files("misstep.wording").joinpath("thesaurus.toml").read_text(encoding="utf-8")
    groups: dict[str, list[str]] = tomllib.loads(text)
    single: dict[str, set[str]] = {}
    phrases: dict[str, list[tuple[Phrase, str]]] = {}
    for name, listed in groups.items():
        for each in (name.replace("-", " "), *listed):
            roots = tuple(stem(word) for word in words(each))
            if len(roots) == 1:
                single.setdefault(roots[0], set()).add(name)
            elif roots:
                phrases.setdefault(roots[0], []).append((roots, name))
    return Thesaurus(
        {root: frozenset(names) for root, names in single.items()},
        {root: tuple(listed) for root, listed in phrases.items()},
    )


@lru_cache(maxsize=8192)
def groups_in(text: str) -> frozenset[str]:
    """The groups that a text speaks of, by a word or a phrase."""
    return frozenset[str]().union(*(groups for _, groups in grouped(text)))


@lru_cache(maxsize=8192)
def grouped(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Each stem that carries meaning, with the groups that it belongs to, by itself or in a phrase."""
    book, listed = thesaurus(), words(text)
    roots = [stem(word) for word in listed]
    found: list[set[str]] = [
        set() if word in STOPWORDS else set(book.single.get(root, ())) for word, root in zip(listed, roots, strict=True)
    ]
    for at, root in enumerate(roots):
        for phrase, name in book.phrases.get(root, ()):
            if tuple(roots[at : at + len(phrase)]) == phrase:
                for place in range(at, at + len(phrase)):
                    found[place].add(name)
    return tuple(
        (root, frozenset(groups))
        for word, root, groups in zip(listed, roots, found, strict=True)
        if groups or word not in STOPWORDS
    )
