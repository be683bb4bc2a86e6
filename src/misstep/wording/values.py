"""Values in texts: the forms in which one value is written, whether a text holds it, and whether two have one shape."""

import re
import string
from functools import lru_cache

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.scenario import Scalar
from misstep.core.words import Atom, as_number, atoms

Day = tuple[int | None, int, int]
"""Year where it is written, month, day."""

_MONTHS = {name: at for at, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_SLASHED = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{2,4})")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]{3})[a-z]*(?:,?\s+(\d{4}))?", re.IGNORECASE)
_MONTH_DAY = re.compile(r"([a-z]{3})[a-z]*\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?", re.IGNORECASE)
_CLOCK = re.compile(r"\b(\d{1,2})(?:[:.h](\d\d))?\s?([ap])\.?m\b|\b(\d{1,2})[:h](\d\d)\b", re.IGNORECASE)
_APART = re.compile(r"[\W_]+")
_PREFIXED = re.compile(r"([a-z]+)[-_/#]", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[a-z]", re.IGNORECASE)
_PROPER = re.compile(r"(?<![.!?:\n] )(?<!^)(?<![\w-])(?!I\b)[A-Z][\w'-]*[a-z](?:\s{1,20}[A-Z][\w'-]*)*")


_NUMBERS: dict[str, str] = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve".split(),
        map(str, range(1, 13)),
        strict=True,
    )
)
_DIGITS_OF = {digits: word for word, digits in _NUMBERS.items()}
_TENS = {word: at * 10 for at, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_TEENS = {
    word: at for at, word in enumerate("thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(), 13)
}
_SPELT = re.compile(
    rf"\b(?:(?P<half>half a dozen)|(?P<dozen>(?:a|one|two|three|four) dozen)"
    rf"|(?P<tens>{'|'.join(_TENS)})(?:[ -](?P<unit>{'|'.join(list(_NUMBERS)[:9])}))?|(?P<teen>{'|'.join(_TEENS)}))\b",
    re.IGNORECASE,
)
_FULL_MONTHS = frozenset("january february march april june july august september october november december".split())
_LONG = 7
_FEW_LETTERS = 3
_LATIN = string.ascii_letters
_SHORTEST = 4
"""Letters, with the space at both ends, of a value that may have a plural."""
_ARTICLES = ("a", "an", "the", "my", "our")
_THIS = ("this", "on", "coming")
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())


class Spotted(Struct, frozen=True):
    """A text, taken apart once, so that many values can be looked for in it."""

    folded: str
    atoms: tuple[Atom, ...]
    numbers: tuple[float, ...]
    days: tuple[Day, ...]
    times: tuple[int, ...] = ()
    """Minutes of the day; two for one that does not say which half it is in."""


class Form(Struct, frozen=True):
    """One way to write a value."""

    folded: str
    number: float | None = None
    days: tuple[Day, ...] = ()
    times: tuple[int, ...] = ()


def said(value: Scalar) -> str:
    """A fact's value as a person says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else repr(value)
    return str(value)


@once_per_text
def folded(text: str) -> str:
    """Words in lower case between single spaces, with a space at both ends: `" w 20417 "`."""
    return f" {_APART.sub(' ', text).strip().lower()} "


def days_of(text: str) -> tuple[Day, ...]:
    """The days that a written date can mean; two for 3/4/2025."""
    if match := _ISO.match(text):
        return ((int(match[1]), int(match[2]), int(match[3])),)
    if match := _SLASHED.fullmatch(text):
        year = int(match[3]) + (2000 if len(match[3]) == 2 else 0)
        one, two = int(match[1]), int(match[2])
        return tuple(dict.fromkeys((year, month, day) for day, month in ((one, two), (two, one)) if month <= 12))
    if (match := _DAY_MONTH.fullmatch(text)) and match[2].lower() in _MONTHS:
        return ((int(match[3]) if match[3] else None, _MONTHS[match[2].lower()], int(match[1])),)
    if (match := _MONTH_DAY.fullmatch(text)) and match[1].lower() in _MONTHS:
        return ((int(match[3]) if match[3] else None, _MONTHS[match[1].lower()], int(match[2])),)
    return ()


@lru_cache(maxsize=8192)
def spot(text: str) -> Spotted:
    """Take a text apart."""
    found = tuple(atoms(text))
    numbers = (as_number(atom.text) for atom in found if atom.kind == "number")
    days = (day for atom in found if atom.kind == "date" for day in days_of(atom.text))
    return Spotted(
        folded(text),
        found,
        (*(each for each in numbers if each is not None), *spelt(text)),
        tuple(days),
        tuple(time for clock in _CLOCK.finditer(text) for time in _minutes(clock)),
    )


def spelt(text: str) -> tuple[float, ...]:
    """Larger numbers in words: `eighty-five`, `half a dozen`."""
    return tuple(_spelt(found) for found in _SPELT.finditer(text))


_ON_A_WEEKDAY = re.compile(r"^(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?", re.IGNORECASE)


def _spelt(found: re.Match[str]) -> float:
    if found["half"]:
        return 6.0
    if found["dozen"]:
        return 12.0 * float(_NUMBERS.get(found["dozen"].split()[0].lower(), "1"))
    if found["teen"]:
        return float(_TEENS[found["teen"].lower()])
    return float(_TENS[found["tens"].lower()]) + float(_NUMBERS[found["unit"].lower()] if found["unit"] else 0)


def _minutes(clock: re.Match[str]) -> tuple[int, ...]:
    if clock[3]:
        hour = int(clock[1]) % 12 + (12 if clock[3].lower() == "p" else 0)
        return (hour * 60 + int(clock[2] or 0),)
    time = int(clock[4]) * 60 + int(clock[5])
    # `9:40` may be at night; `09:40` and `14:40` say which half of the day they mean.
    return (time,) if clock[4].startswith("0") or int(clock[4]) >= 12 else (time, time + 720)


def form(value: str) -> Form:
    """A value as it may be found again in other writing."""
    parts = atoms(value)
    alone = len(parts) == 1 and len(parts[0].text) == len(value.strip().lstrip("#$€£ "))
    if alone and parts[0].kind == "number":
        return Form(folded(value), number=as_number(value))
    if alone and parts[0].kind == "date":
        return Form(folded(value), days=days_of(parts[0].text))
    clock = _CLOCK.fullmatch(value.strip())
    return Form(folded(value), times=_minutes(clock) if clock else ())


def rewritten(value: str) -> tuple[str, ...]:
    """Other writings of a value that mean the same: no article, digits for words or words for digits, short months."""
    said = value.split()
    named_day = len(said) == 2 and said[0].lower() in _THIS and said[1].lower() in _WEEKDAYS
    bare = said[1:] if named_day or (len(said) > 1 and said[0] in _ARTICLES) else said
    spelt = (" ".join(way.get(word.lower(), word) for word in bare) for way in (_NUMBERS, _DIGITS_OF))
    found = [" ".join(bare), *spelt]
    found.extend(each[:3] for each in (value.lower(),) if each in _FULL_MONTHS)
    if (dated := _ON_A_WEEKDAY.sub("", value)) != value and days_of(dated):
        found.append(dated)
    return tuple(dict.fromkeys(each for each in found if each != value))


def holds(text: Spotted, value: Form) -> bool:
    """Whether the text has the value, in this or in another writing of the same number or day."""
    if value.number is not None:
        return any(abs(each - value.number) < 1e-9 for each in text.numbers) or value.folded in text.folded
    if value.days:
        return any(same_day(mine, theirs) for mine in value.days for theirs in text.days)
    if value.times and not set(value.times).isdisjoint(text.times):
        return True
    return _has(text.folded, value.folded) or (
        _is_long_number(value.folded) and _squeezed(value.folded) in _squeezed(text.folded)
    )


def _has(text: str, value: str) -> bool:
    """As it stands, or in the plural: `36 Swaledales`, `the Claro 30s`."""
    return value in text or (len(value) > _SHORTEST and f"{value[:-1]}s " in text)


def _squeezed(text: str) -> str:
    return text.replace(" ", "")


def _is_long_number(text: str) -> bool:
    """A number that people write with gaps or without, also one with letters in front."""
    figures = text.strip().lstrip(_LATIN)
    return len(text.strip()) - len(figures) <= _FEW_LETTERS and _is_of_figures(figures)


def _is_of_figures(text: str) -> bool:
    return sum(map(str.isdigit, text)) >= _LONG and not any(map(str.isalpha, text))


def within(part: Form, whole: Form) -> bool:
    """Whether a literal is a value or a piece of it: `budget-2024` of `budget-2024.xlsx`."""
    if part.number is not None and whole.number is not None:
        return abs(part.number - whole.number) < 1e-9
    if any(same_day(mine, theirs) for mine in part.days for theirs in whole.days):
        return True
    return part.folded in whole.folded


def same_day(one: Day, other: Day) -> bool:
    """A year that is not written is any year."""
    return one[1:] == other[1:] and (one[0] is None or other[0] is None or one[0] == other[0])


def shape(text: str) -> str:
    """What ids of one family share: `W-20417` → `w-9`, `QX7T2P` → `aa9a9a`, `40071234` → `99999999`."""
    bare = text.strip().lstrip("#").lower()
    if match := _PREFIXED.match(bare):
        return match[0] + _LETTERS.sub("a", _DIGITS.sub("9", bare[match.end() :]))
    return _LETTERS.sub("a", "".join("9" if letter.isdigit() else letter for letter in bare))


def proper_names(text: str) -> list[str]:
    """Runs of capitalised words inside sentences: the names in `Am I speaking with John Smith?`"""
    return [match.group() for match in _PROPER.finditer(text)]
