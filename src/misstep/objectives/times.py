"""A text → the times of day that it may name: several where morning or afternoon is open."""

import re
from functools import lru_cache

Time = tuple[int, int]
"""Hour and minute."""

_HOURS: dict[str, int] = {
    word: hour for hour, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
_HOUR = rf"(?P<hour>\d{{1,2}}|{'|'.join(_HOURS)})"
_HALF = (
    r"(?P<half>\s*(?:a\.?m\.?|p\.?m\.?)(?!\w)|\s+(?:in the (?:morning|afternoon|evening)|at night|this (?:morning"
    r"|afternoon|evening)))"
)
_FORMS = (
    re.compile(rf"\b(?P<hour>\d{{1,2}})[:.h](?P<minute>\d\d)(?!\d|[.:]\d){_HALF}?", re.IGNORECASE),
    re.compile(rf"\b(?P<shift>half past|quarter past|quarter to)\s+{_HOUR}\b{_HALF}?", re.IGNORECASE),
    re.compile(rf"\b{_HOUR}{_HALF}", re.IGNORECASE),
    re.compile(rf"\b{_HOUR}\s+o'?clock\b{_HALF}?", re.IGNORECASE),
    re.compile(rf"\bat\s+{_HOUR}\b(?!\s*(?:%|[€$£]|\w))", re.IGNORECASE),
)
_NAMED = {"noon": (12, 0), "midday": (12, 0), "midnight": (0, 0)}
_SHIFTS = {"half past": 30, "quarter past": 15, "quarter to": -15}


@lru_cache(maxsize=4096)
def times_named(text: str) -> frozenset[Time]:
    """Every time of day that a text can mean."""
    low = text.replace("’", "'").lower()
    found = {time for word, time in _NAMED.items() if re.search(rf"\b{word}\b", low)}
    for form in _FORMS:
        for match in form.finditer(low):
            found.update(_times(match.groupdict()))
        low = form.sub(" ", low)  # what one form has read is not read again by a looser one
    return frozenset(found)


def _times(parts: dict[str, str | None]) -> set[Time]:
    said = parts["hour"] or ""
    hour = int(said) if said.isdigit() else _HOURS[said]
    minute = int(parts.get("minute") or 0) + _SHIFTS.get(parts.get("shift") or "", 0)
    if hour > 23 or minute > 59:
        return set()
    if minute < 0:
        hour, minute = hour - 1, minute + 60
    half = (parts.get("half") or "").replace(".", "")
    if re.search(r"pm|afternoon|evening|night", half):
        return {(hour % 12 + 12, minute)}
    if re.search(r"am|morning", half):
        return {(hour % 12, minute)}
    return {(hour, minute)} if hour > 12 or parts.get("minute") else {(hour, minute), ((hour + 12) % 24, minute)}
