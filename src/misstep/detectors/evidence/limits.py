"""A sentence → the numbers, days and times of day that it says must not be passed."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Literal

from misstep.core.words import as_number, atoms
from misstep.detectors.evidence.constraint import Constraint
from misstep.objectives.dates import days_named
from misstep.objectives.times import times_named
from misstep.objectives.vocabulary import meaning

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_FIGURE = rf"(?P<number>\d[\d,.]*+|\b(?:{'|'.join(_WORDS)})\b)"
_NUMBER = (
    rf"\s+(?:a (?:total|budget|price|sum|limit) of\s+)?(?:[€$£]\s?|(?:eur|usd|gbp)\s)?{_FIGURE}"
    r"\s*(?P<unit>[€$£%]|(?!(?:and|or|but|for|to|in|on|at|from|per|each|if|a|the)\b)\w+)?"
)
_AT_MOST = re.compile(
    r"\b(?:(?P<strictly>under|below|less than|cheaper than|fewer than|lower than)|at (?:the )?most|(?:no"
    r"|not(?: an?| one)?(?: \w+)?) more than"
    r"|up to|(?:nothing|not|never|none|no \w+) (?:over|above|beyond|exceeding|costing more than)"
    r"|max(?:imum)?(?: of| is)?|(?:not|never|\w*n't) (?:to )?(?:exceed|go (?:over|above|beyond)"
    r"|spend more than)(?:ing)?"
    r"|(?:must|should|may|can|shall|do|does|need)\s*(?:not|n't|never)(?: \w+){1,3}? (?:more than|over|above)"
    r"|(?:budget|limit|cap|ceiling) (?:is|of|at)|capped at|limited to|(?:no|not) higher than|stay(?:ing)? within)"
    + _NUMBER,
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"\b(?:at (?:the very )?least|no less than|not less than|no fewer than|min(?:imum)?(?: of| is)?"
    r"|(?:not|never|n't) (?:go|drop|fall) below|(?:nothing|not|never|none) (?:under|below))" + _NUMBER,
    re.IGNORECASE,
)
# "50 euros at most", "three or fewer".
_AFTERWARDS = re.compile(
    rf"(?:[€$£]\s?|(?<![\w.,])){_FIGURE}\s{{0,20}}(?P<unit>[€$£%]|\w+)?\s{{1,20}}(?:(?P<most>at (?:the )?most"
    rf"|max(?:imum)?|tops"
    rf"|or (?:less"
    r"|fewer|under))|(?:at least|min(?:imum)?|or (?:more|over)))(?!\w)",
    re.IGNORECASE,
)
# "Refunds above 100 are for the manager": beyond the number the act is not the agent's.
_BEYOND = re.compile(
    r"\b(?:(?P<more>above|over|more than|exceeding|beyond|greater than|larger than|higher than|in excess of)"
    r"|below|under|less than|lower than|smaller than)" + _NUMBER,
    re.IGNORECASE,
)
_NOT_YOURS = re.compile(
    r"\b(?:(?:must|may|should|shall|can|do|are|is|will)\s*(?:not|n't)|cannot|can't|never|forbidden|prohibited"
    r"|refuse|reject"
    r"|decline|escalat\w*|hand(?:ed)?|pass(?:ed)? on|transfer\w* to|supervisors?|managers?|human|approv\w*|sign[- ]off"
    r"|authori[sz]\w*|off limits|out of bounds|not allowed|not permitted)\b",
    re.IGNORECASE,
)
_DAY_OR_TIME = re.compile(
    r"(?P<no>\b(?:not|no(?: \w+){0,2}|nothing|never|n't|none)\b[^,;]{0,40}?\s)?"
    r"\b(?P<how>no earlier than|not earlier than|no later than|not later than|at the latest(?: on| by)?|before"
    r"|earlier than"
    r"|prior to|ahead of|until|by|after|later than|past|beyond|since|from|starting|as of)\s+(?P<when>[^,;!?]{1,40})",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"\b(?:only|must|has to|have to|needs? to|should|make sure|ensure|strictly|has got to)\b", re.IGNORECASE
)
# Every limit is a number in figures or in words, or a time of day.
_COUNTED = re.compile(rf"\d|\b(?:{'|'.join(_WORDS)}|noon|midday|midnight)", re.IGNORECASE)
_UPPER = frozenset({"before", "earlier than", "prior to", "ahead of", "by", "no later than", "not later than", "until"})
_MINUTES = 60


def limits_in(sentence: str) -> Iterator[Constraint]:
    """The limits that one sentence sets, in order of their forms."""
    if not _COUNTED.search(sentence):
        return
    for form, at_most in ((_AT_MOST, True), (_AT_LEAST, False)):
        for match in form.finditer(sentence):
            yield from _limit(match, sentence, at_most=at_most, strictly=at_most and bool(match["strictly"]))
    for match in _AFTERWARDS.finditer(sentence):
        yield from _limit(match, sentence, at_most=bool(match["most"]))
    if _NOT_YOURS.search(sentence):
        for match in _BEYOND.finditer(sentence):
            yield from _limit(match, sentence, at_most=bool(match["more"]))
    yield from _days_and_times(sentence)


def _limit(match: re.Match[str], sentence: str, *, at_most: bool, strictly: bool = False) -> Iterator[Constraint]:
    said = match["number"].rstrip(".,").lower()
    number = float(_WORDS.index(said)) if said in _WORDS else as_number(said)
    if number is None:
        return
    unit = meaning(match["unit"] or "")
    yield Constraint(
        "limit",
        match.group(),
        (*unit, *meaning(sentence)),
        number=number,
        unit=unit,
        at_most=at_most,
        strictly=strictly,
    )


def _days_and_times(sentence: str) -> Iterator[Constraint]:
    for match in _DAY_OR_TIME.finditer(sentence):
        how = match["how"].lower()
        negated = bool(match["no"]) or how.startswith(("no ", "not "))
        if not negated and not _MUST.search(sentence) and not how.startswith("at the latest"):
            continue
        upper = how in _UPPER or how.startswith("at the latest")
        # "Nothing before nine" sets the earliest, "it must be before nine" the latest.
        at_most = upper if not match["no"] else not upper
        # "Before" leaves out the day itself, "not before" does not.
        strictly = not match["no"] and how in ("before", "earlier than", "prior to", "ahead of", "after", "past")
        for number, measure in _when(match["when"]):
            about = meaning(sentence)
            yield Constraint(
                "limit", match.group(), about, number=number, measure=measure, at_most=at_most, strictly=strictly
            )


def _when(text: str) -> Iterator[tuple[float, Literal["day", "time"]]]:
    """The day or the time of day that a phrase opens with."""
    for atom in atoms(text):
        if atom.kind == "date" and atom.start <= len("the "):
            for ordinal in ordinals(atom.text):
                yield ordinal, "day"
            return
    times = times_named(f"at {text}")
    if len(times) == 1 or (times and all(hour % 12 == min(times)[0] % 12 for hour, _ in times)):
        hour, minute = min(times, key=lambda time: (not 7 <= time[0] < 19, time))
        yield hour * _MINUTES + minute, "time"


def ordinals(text: str) -> Iterator[float]:
    """The day that a full date means, as a number; nothing where the order of day and month is open."""
    days = [day for day in days_named(text.strip()[:10] if text[:4].isdigit() else text) if day[0] is not None]
    if len(days) == 1:
        year, month, number = days[0]
        try:
            yield float(date(year or 1, month, number).toordinal())
        except ValueError:
            return
