"""Traces → a Profile of how their users write, and rows of levels drawn like them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.core.trace import Trace
from misstep.core.words import STOPWORDS, atoms, content_stems, sentences, words
from misstep.synthesis.covering import Possible, Row
from misstep.synthesis.factors import FACTORS
from misstep.synthesis.voicing import samples, voices

_MOST_TRACES = 2000
_LONGEST = 10_000
_MOST_WORDS = 4000
_COMMON = 4
_LONG_WORD = 5
_OPENING = 40
"""Words of an opening that says what is wanted and no more."""
_TRIES = 8


class Marks(Struct, frozen=True, kw_only=True):
    """Shares, from 0 to 1, that tell one way of writing from another, with no world's words in them."""

    length: float = 0.0
    """Words of a message, where 60 and more count as 1."""
    sentence: float = 0.0
    """Words of a sentence, where 20 and more count as 1."""
    small: float = 0.0
    """Messages that begin with a small letter."""
    short: float = 0.0
    """Words drawn together: "I'd", "can't"."""
    polite: float = 0.0
    """Sentences with a please, a thank you, a kindly, a would or a could."""
    lively: float = 0.0
    """Sentences that end in an exclamation mark."""


class Sketch(Struct, frozen=True, kw_only=True):
    """One conversation, as far as its user is concerned."""

    opening: int
    """Words of the first message."""
    turns: int
    up_front: float | None = None
    """Of all values that the user told, the share that was in the first message; None where there were none."""
    near: float | None = None
    """Of the words of the opening that carry meaning, the share that the tools' names and descriptions have too."""
    marks: Marks = Marks()


class Profile(Struct, frozen=True, kw_only=True):
    """How the users of a set of traces write."""

    sketches: tuple[Sketch, ...] = ()
    vocabulary: dict[str, int] = {}
    """The words that carry meaning and how often they were used, the most frequent first."""
    slips: float = 0.0
    """Words that are a slip of a more frequent one, of all words."""


def profile_of(traces: Iterable[Trace]) -> Profile:
    """Read what users said; traces in which nobody says anything count for nothing."""
    sketches: list[Sketch] = []
    said: Counter[str] = Counter()
    for trace in islice(traces, _MOST_TRACES):
        messages = [message.text[:_LONGEST] for _, message in trace.messages if message.role == "user"]
        if messages:
            sketches.append(_sketch(messages, trace))
            said.update(word for text in messages for word in words(text) if word.isalpha())
    common = [(word, times) for word, times in said.most_common(_MOST_WORDS) if word not in STOPWORDS]
    ranked = sorted(common, key=lambda pair: (-pair[1], pair[0]))
    return Profile(sketches=tuple(sketches), vocabulary=dict(ranked), slips=_slips(dict(ranked), said.total()))


def _sketch(messages: Sequence[str], trace: Trace) -> Sketch:
    told = [{atom.text.casefold() for atom in atoms(text)} for text in messages]
    every = set[str]().union(*told)
    known = {each for tool in trace.tools for each in content_stems(f"{tool.name} {tool.description}")}
    meant = content_stems(messages[0])
    return Sketch(
        opening=len(words(messages[0])),
        turns=len(messages),
        up_front=len(told[0]) / len(every) if every else None,
        near=sum(each in known for each in meant) / len(meant) if known and meant else None,
        marks=marks_of(messages),
    )


_POLITE = re.compile(r"\b(?:please|kindly|thank\w*|would|could|grateful|appreciate\w*)\b", re.IGNORECASE)


def marks_of(messages: Sequence[str]) -> Marks:
    """How these messages are written."""
    parts = [part for text in messages for part in sentences(text)]
    spoken = [word for text in messages for word in words(text)]
    if not parts or not spoken:
        return Marks()
    letters = [first for text in messages if (first := text.strip()[:1]).isalpha()]
    return Marks(
        length=min(1.0, len(spoken) / len(messages) / 60),
        sentence=min(1.0, len(spoken) / len(parts) / 20),
        small=sum(letter.islower() for letter in letters) / max(1, len(letters)),
        short=min(1.0, 10 * sum("'" in word for word in spoken) / len(spoken)),
        polite=sum(bool(_POLITE.search(part)) for part in parts) / len(parts),
        lively=sum(part.endswith("!") for part in parts) / len(parts),
    )


def _slips(vocabulary: Mapping[str, int], total: int) -> float:
    """A rare word is a slip where a frequent one is only a letter away."""
    frequent = {word for word, times in vocabulary.items() if times >= _COMMON and len(word) >= _LONG_WORD}
    shortened = {short for word in frequent for short in _shortened(word)}
    slipped = sum(
        times
        for word, times in vocabulary.items()
        if times < _COMMON and len(word) >= _LONG_WORD and _is_near(word, frequent, shortened)
    )
    return slipped / total if total else 0.0


def _shortened(word: str) -> Iterator[str]:
    return (word[:at] + word[at + 1 :] for at in range(len(word)))


def _is_near(word: str, frequent: set[str], shortened: set[str]) -> bool:
    if word.endswith("s") or f"{word}s" in frequent:
        return False  # one thing and many are no slip
    return word in shortened or any(short in frequent or short in shortened for short in _shortened(word))


def rows_like(
    profile: Profile, *, count: int, seed: int, possible: Possible, fixed: Mapping[str, Sequence[Scalar]]
) -> Iterator[Row]:
    """Rows each drawn after one of the conversations; factors that conversations say nothing of stay as usual."""
    random = Random(f"like/{seed}")
    heard = {voice: marks_of(samples(voice)) for voice in voices()}
    for _ in range(count):
        row: Row = {}
        for _ in range(_TRIES):
            row = {name: random.choice(list(levels)) for name, levels in fixed.items()}
            if profile.sketches:
                row = {**_row(random.choice(profile.sketches), profile, heard, random), **row}
            if possible(row):
                break
        yield row


def _row(sketch: Sketch, profile: Profile, heard: Mapping[str, Marks], random: Random) -> Row:
    row: Row = {
        "filler": _nearest("filler", sketch.opening - _OPENING),
        "patience": next((level for level in (4, 6, 12) if level > sketch.turns), 12),
        "register": min(heard, key=lambda voice: (_apart(heard[voice], sketch.marks), voice)),
        "noise": _noise(profile.slips, random),
    }
    if sketch.up_front is not None:
        row["specificity"] = "all" if sketch.up_front > 0.75 else "some" if sketch.up_front > 0.2 else "none"
    if sketch.near is not None:
        row["wording"] = "close" if sketch.near > 0.4 else "synonym" if sketch.near > 0.15 else "foreign"
    return row


def _nearest(factor: str, number: float) -> Scalar:
    levels = [level for level in FACTORS[factor].levels if isinstance(level, int)]
    return min(levels, key=lambda level: abs(level - number))


def _noise(slips: float, random: Random) -> str:
    """As often as there are slips: one word in a hundred makes most messages have one."""
    if random.random() < min(0.5, 10 * slips):
        return "heavy"
    return "typos" if random.random() < min(1.0, 60 * slips) else "none"


def _apart(one: Marks, other: Marks) -> float:
    return sum((getattr(one, name) - getattr(other, name)) ** 2 for name in Marks.__struct_fields__)
