"""What is so now and what is to be: which of two facts of one kind (`username`, `new username`) some words mean."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from misstep.core.words import stem, words
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon

Stage = Literal["old", "new", ""]


@lru_cache(maxsize=4096)
def stages_in(text: str) -> frozenset[str]:
    """The stages that a question speaks of."""
    roots = tuple(stem(word) for word in words(text))
    return frozenset(
        name
        for name, phrases in lexicon().stages.items()
        if any(
            phrase[0] in roots and any(roots[at : at + len(phrase)] == phrase for at in range(len(roots)))
            for phrase in phrases
        )
    )


def stage_of(entry: Entry) -> Stage:
    """What a fact's own name says."""
    return _stage_of(entry.name)


@lru_cache(maxsize=4096)
def _stage_of(name: str) -> Stage:
    roots = {stem(word) for word in words(name)}
    for stage in ("new", "old"):
        if any(len(phrase) == 1 and phrase[0] in roots for phrase in lexicon().stages[stage]):
            return stage
    return ""


def counterparts(entry: Entry, among: Sequence[Entry]) -> tuple[Entry, ...]:
    """Facts that differ from this one in their stage alone, itself included."""
    core = _core_of(entry.name)
    alike = tuple(each for each in among if core and _core_of(each.name) == core)
    return alike if len(alike) > 1 and any(stage_of(each) for each in alike) else ()


def staged(entries: Sequence[Entry], text: str) -> tuple[Entry, ...]:
    """Of facts that differ in their stage, those that the text speaks of; all of them where it does not say."""
    asked = stages_in(text)
    if len(asked) != 1:
        return tuple(entries)
    (wanted,) = asked
    known = [stage_of(each) for each in entries]
    other = "new" if wanted == "old" else "old"
    # Where one of two says that it is new, the one that says nothing is as things are.
    fitting = [
        each for each, stage in zip(entries, known, strict=True) if stage == wanted or (not stage and other in known)
    ]
    return tuple(fitting) or tuple(entries)


@lru_cache(maxsize=4096)
def _core_of(name: str) -> frozenset[str]:
    marks = {phrase[0] for phrases in lexicon().stages.values() for phrase in phrases if len(phrase) == 1}
    return frozenset(stem(word) for word in words(name) if stem(word) not in marks)
