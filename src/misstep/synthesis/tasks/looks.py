"""How a value looks → whether a person would say it, whether it is a code, and another value of the same look."""

import re
from collections.abc import Sequence
from random import Random
from typing import TypeGuard

from misstep.core.scenario import Scalar
from misstep.core.tool import JSON
from misstep.core.words import split_identifier, stem
from misstep.wording.naming import said_words

LONGEST_SAID = 60
_CODE = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])[\w/#.:-]+|[0-9a-f]{8}-[0-9a-f-]{20,}")
_CODE_INSIDE = re.compile(r" (?=\S*\d)(?=\S*[A-Za-z])\S+|://")
_LONGEST_PLAIN = 90
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)((?::[0-5]\d)?(?: ?[ap]m)?)", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_PART = re.compile(r"[^\W_]+")
_DONE = frozenset("sent paid fed made born bought sold begun put set read left met held run".split())
_OF_PEOPLE = {"people": "person", "children": "child", "men": "man", "women": "woman"}
_GENERIC = frozenset({"id", "ids", "key", "number", "code", "uuid"})


def is_scalar(value: JSON) -> TypeGuard[Scalar]:
    return isinstance(value, (str, int, float))


def is_date(value: JSON) -> bool:
    return isinstance(value, str) and _DATE.fullmatch(value) is not None


def is_time(value: JSON) -> bool:
    return isinstance(value, str) and _TIME.fullmatch(value) is not None


def is_code(value: JSON) -> bool:
    """Letters and digits in one word, as in an id; no date, no address."""
    return isinstance(value, str) and not is_date(value) and _CODE.fullmatch(value) is not None


def is_sayable(value: JSON) -> TypeGuard[str | int | float]:
    """Something that people know and say: a name, a title, a date, an amount; no flag, no code, no long text."""
    if isinstance(value, bool) or not is_scalar(value):
        return False
    if isinstance(value, str):
        return 0 < len(value.strip()) <= LONGEST_SAID and "\n" not in value and not is_code(value)
    return True


def is_address(value: JSON) -> bool:
    """What leads to somebody or something, and what people look up rather than know: a code, a mail address."""
    return is_code(value) or (isinstance(value, str) and _ADDRESS.fullmatch(value) is not None)


def is_name(value: JSON) -> bool:
    """A text by which one thing may be called: short, and no date."""
    return isinstance(value, str) and 0 < len(value) <= LONGEST_SAID and "\n" not in value and not is_date(value)


def is_plain(value: JSON) -> bool:
    """A text on one line, not too long, that speaks of no record by its code; or no text."""
    if not isinstance(value, str):
        return True
    return len(value) <= _LONGEST_PLAIN and "\n" not in value and not _CODE_INSIDE.search(value)


_UNITS = frozenset(
    """kg g lb lbs km m cm mm ft eur usd gbp minutes mins hours hrs seconds secs ms percent pct kwh gb mb kb litres
    liters""".split()
)


_SPELT = {"m": "metres", "g": "grams", "ft": "feet"}
"""Units that nobody reads out as a letter."""


def in_words(name: str) -> str:
    """`delivered_on` → delivered on; `lines.item_id` → item id; `due_on` → due date; `weight_kg` → weight in kg;
    `filing_no` → filing number; `last_fed` → last fed on."""
    words = said_words(split_identifier(name.rpartition(".")[2]))
    if words == ["at"]:
        words = ["time"]
    if words in (["due", "back"], ["due", "in"], ["due", "out"]):
        words = [*words, "date"]
    if len(words) > 1 and words[-1] in ("no", "nr", "num"):
        words = [*words[:-1], "number"]
    if len(words) > 1 and words[0] in ("last", "first", "next") and _is_done(words[-1]):
        words = [*words, "on"]
    if len(words) > 1 and words[-1] in _UNITS and words[-2] != "in":
        words = [*words[:-1], "in", _SPELT.get(words[-1], words[-1])]
    if len(words) > 1 and words[-1] in ("on", "at") and not _is_done(words[-2]):
        words = [*words[:-1], "date" if words[-1] == "on" else "time"]
    return " ".join(words) or name.strip()


def _is_done(word: str) -> bool:
    """What was done to something: delivered, sent."""
    return word.endswith(("ed", "en")) or word in _DONE


def likeness(one: str, other: str) -> float:
    """How much two names of fields have in common: 3 the same, 2 one ends like the other, less, or nothing."""
    mine, theirs = _stems(one), _stems(other)
    if not mine or not theirs:
        return 0.0
    if mine == theirs:
        return 3.0
    shorter, longer = sorted((mine, theirs), key=len)
    if longer[-len(shorter) :] == shorter:
        return 2.0 if set(shorter) - _GENERIC else 0.5
    if longer[: len(shorter)] == shorter and not set(longer[len(shorter) :]) - _GENERIC:
        return 1.5
    return 0.5 if (set(mine) & set(theirs)) - _GENERIC else 0.0


def table_likeness(name: str, table: str) -> float:
    """How much a name says that it is a record of a table: `hotel` of `hotels.hotel_list`."""
    parts = (part.removesuffix("_list") for part in table.split("."))
    return max(likeness(name, part) for part in parts)


def singular(noun: str) -> str:
    """One of many: `slots` → slot, `entries` → entry, `people` → person."""
    if noun in _OF_PEOPLE:
        return _OF_PEOPLE[noun]
    for ending, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if noun.endswith(ending) and len(noun) > len(ending) + 1:
            return noun.removesuffix(ending) + one
    return noun[:-1] if len(noun) > 3 and noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def noun_of(name: str) -> str:
    """What one record of a table or list is called: `hotels.hotel_list` → hotel; nothing where it has no name."""
    words = split_identifier(name.rpartition(".")[2].removesuffix("_list"))
    return " ".join([*words[:-1], singular(words[-1])]) if words else ""


def _stems(name: str) -> list[str]:
    return [stem(word) for word in split_identifier(name.rpartition(".")[2])]


def fresh(value: Scalar, other: Scalar, random: Random) -> Scalar:
    """A value of the same look: other digits where there are some, else made from the words of two values."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.randint(1, 9) * 10 ** max(0, len(str(abs(value))) - 2)
    if isinstance(value, float):
        step = random.randint(1, 40)
        return value + step if value.is_integer() else round(value + step / 4, 2)
    if is_date(value):
        return _other_day(value, random)
    if time := _TIME.fullmatch(value):
        return _other_time(time, random)
    runs = list(re.finditer(r"\d+", value))
    if runs:
        last = runs[-1]
        return value[: last.start()] + _other_digits(last.group(), random) + value[last.end() :]
    return _recombined(value, str(other), random)


def like_one_of(values: Sequence[str], random: Random) -> str:
    """Another of the look where there are digits in it; words are taken as they are, for others may make no sense."""
    one = random.choice(values)
    return str(fresh(one, one, random)) if any(each.isdigit() for each in one) else one


def is_path(value: JSON) -> bool:
    """`/notes/plan.txt`: where something is, which is borrowed from what is there."""
    return isinstance(value, str) and "/" in value.strip("/") and " " not in value


def looks_like_one_of(value: JSON, others: Sequence[Scalar]) -> bool:
    """Letters, digits and signs come in the same order; words alone look like any others."""
    shape = _shape(value) if isinstance(value, str) else ""
    return bool(shape.strip("a ")) and any(_shape(each) == shape for each in others if isinstance(each, str))


def _shape(value: str) -> str:
    return re.sub(r"\d+", "9", re.sub(r"[^\W\d_]+", "a", value))


def garbage(value: Scalar, random: Random) -> Scalar:
    """A value of the same look that should fit nothing."""
    if not isinstance(value, str) or is_date(value):
        return fresh(value, value, random)
    scrambled = re.sub(r"\d", lambda _: str(random.randint(0, 9)), value)
    letters = [at for at, each in enumerate(scrambled) if each.isalpha()]
    if scrambled == value or not re.search(r"\d\d\d", value):
        for at in letters[-6:]:
            scrambled = scrambled[:at] + random.choice("jqxzvk") + scrambled[at + 1 :]
    return scrambled


def _other_day(value: str, random: Random) -> str:
    day = int(value[8:10])
    return f"{value[:8]}{(day + random.randint(1, 26)) % 28 + 1:02d}{value[10:]}"


def _other_time(time: re.Match[str], random: Random) -> str:
    """In the same hour; on a round minute where it was on one."""
    hour, minute, rest = time.groups()
    step = 1 if int(minute) % 5 else 5
    made = int(_other_digits(minute, random)) % 60 // step * step
    return f"{hour}:{made if made != int(minute) else (made + step) % 60:02d}{rest}"


def _other_digits(digits: str, random: Random) -> str:
    low = 10 ** (len(digits) - 1) if digits[0] != "0" and len(digits) > 1 else 0
    made = str(random.randint(low, 10 ** len(digits) - 1)).zfill(len(digits))
    return made if made != digits else str((int(digits) + 1) % 10 ** len(digits)).zfill(len(digits))


def _recombined(value: str, other: str, random: Random) -> str:
    mine, theirs = list(_PART.finditer(value)), [match.group() for match in _PART.finditer(other)]
    if not mine or not theirs:
        return value + str(random.randint(2, 99))
    if mine[0].group() == theirs[0]:
        last = mine[-1]
        return value[: last.start()] + theirs[-1] + value[last.end() :]
    return (
        theirs[0] + value[mine[0].end() :]
        if mine[0].start() == 0
        else value[: mine[0].start()] + theirs[0] + value[mine[0].end() :]
    )
