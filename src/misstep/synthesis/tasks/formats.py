"""A text that spells how dates are to be written → that form, and dates written in it."""

import re
from datetime import datetime, timedelta

from misstep.core.tool import JSON
from misstep.core.words import sentences
from misstep.synthesis.tasks.looks import LONGEST_SAID

_DIRECTIVES = re.compile(r"%[YymdHMS](?:[-/.: T]?%[YymdHMS])+")
_LETTERS = re.compile(r"(?<![A-Za-z])(?:Y{4}|Y{2}|[MDHS]{2})(?:[-/.: T](?:Y{4}|Y{2}|[MDHS]{2}))+(?![A-Za-z])", re.I)
PIECE = "piece"
"""The form of what is asked with when it is only a piece of what stands in a record."""
_SHORTEST = 12
_MEANT = {"YYYY": "%Y", "YY": "%y", "DD": "%d", "HH": "%H", "SS": "%S"}


def form_in(said: str) -> str | None:
    """`Must be YYYY-MM-DD HH:MM.` or `does not match '%Y-%m-%d %H:%M'` → the form; None where none is spelt."""
    found = _DIRECTIVES.search(said)
    if found is not None:
        return found.group()
    letters = _LETTERS.search(said)
    return _directives(letters.group()) if letters is not None else None


def _directives(letters: str) -> str | None:
    """Two Ms are minutes once the hour has been named, and months before."""
    made = ""
    parts: list[str] = re.findall(r"[A-SU-Za-su-z]+|[^A-SU-Za-su-z]", letters)
    for part in parts:
        token = part.upper()
        if token == "MM":
            made += "%M" if "%H" in made else "%m"
        else:
            made += _MEANT.get(token, part)
    return made if "%d" in made or "%H" in made else None


def moment(value: JSON) -> datetime | None:
    """When a text is a day or a time of one, that; its zone is left out."""
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d", value):
        return None
    try:
        return datetime.fromisoformat(value).replace(tzinfo=None)
    except ValueError:
        return None


def in_form(value: JSON, form: str) -> str | None:
    """A day or time in another form, a piece of a long text; None where it is none."""
    if form == PIECE:
        return _piece(value) if isinstance(value, str) and len(value) > LONGEST_SAID else None
    when = moment(value)
    return when.strftime(form) if when is not None else None


def _piece(whole: str) -> str | None:
    """The first of its lines and sentences that people would repeat."""
    parts = (part.strip(" .") for line in whole.splitlines() for part in sentences(line))
    return next((part for part in parts if _SHORTEST <= len(part) <= LONGEST_SAID), None)


def in_order(values: list[str], form: str) -> list[str]:
    """The same moments from the earliest to the latest, no two of them alike: what begins ends later."""
    try:
        moments = sorted(datetime.strptime(value, form) for value in values)
    except ValueError:
        return values
    step = timedelta(hours=1) if "%H" in form else timedelta(days=2)
    for at in range(1, len(moments)):
        if moments[at] <= moments[at - 1]:
            moments[at] = moments[at - 1] + step
    return [each.strftime(form) for each in moments]
