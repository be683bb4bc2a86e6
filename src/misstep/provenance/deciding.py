"""One value of a call → where it came from, given what is known."""

import re
from collections.abc import Container
from datetime import date, timedelta
from itertools import islice
from typing import TypeVar

from misstep.core.words import STOPWORDS, as_number
from misstep.provenance.known import Known
from misstep.provenance.periods import edge_of_period, of_named_period, of_period
from misstep.provenance.reading import (
    NUMBER,
    PHONE,
    PIECES,
    Place,
    canonical,
    days_in,
    has_digit,
    looks_like_identifier,
    slashed_days,
    tokens,
)

_KEPT = 200
"""Arithmetic is looked for among so many values at most: among more, anything is the sum of something."""
_SMALL = 31
_RUN = re.compile(r"\d+|[^\W\d_]+")
# `from:ann`, `-label:old`: how search engines are told where to look for a word.
_OPERATOR = re.compile(r"-?[A-Za-z_]{2,15}:(?!//)[\"'(]?([^\s\"')]+)[\"')]?")
_NOWHERE: Place = ("nowhere", None)
_COMPOSED: Place = ("composed", None)


def of_number(known: Known, value: float) -> Place:
    """A number's source: said, small enough to need none, or computed from others."""
    try:
        found = known.number(float(value)) or known.place(str(value))
    except (OverflowError, ValueError):  # Beyond what a float, or a text of digits, holds: nobody has said that.
        return _NOWHERE
    if found:
        return found
    if value == int(value) and (abs(value) <= _SMALL or len(str(abs(int(value))).rstrip("0")) <= 1):
        return "trivial", None
    if value == int(value) and (found := of_period(known, str(int(value)))):
        return found
    return _computed(known, float(value)) or _NOWHERE


def _computed(known: Known, value: float) -> Place | None:
    """A sum, difference, product, share or total of numbers that are known."""
    if place := known.totals.get(round(value, 2)):
        return "derived", place[1]
    numbers = _latest(known.said.numbers)
    near = _Rounded({round(number, 2) for number, _ in numbers}, known)
    for number, (_, at) in numbers:
        # Next to a known number is where an invented identifier would lie, so one more or less proves nothing.
        if any(abs(other) > 1 and round(other, 2) in near for other in (value - number, number - value)):
            return "derived", at
        if abs(number) > 1 and value and _scaled(value, number, near):
            return "derived", at
    return None


class _Rounded:
    """The latest numbers, the totals and the rules' own, to the cent."""

    def __init__(self, latest: set[float], known: Known) -> None:
        self._latest = latest
        self._known = known

    def __contains__(self, number: float) -> bool:
        return number in self._latest or number in self._known.totals or number in self._known.policy.numbers


_T = TypeVar("_T")


def _latest(found: dict[_T, Place]) -> list[tuple[_T, Place]]:
    """The last ones that came up, in their order; the rest is not even looked at."""
    return list(islice(reversed(found.items()), _KEPT))[::-1]


def _scaled(value: float, number: float, others: Container[float]) -> bool:
    ratio = value / number
    if 1 < ratio <= _SMALL and ratio == int(ratio):
        return True
    shares = (ratio, ratio * 100, 100 - ratio * 100, value * number)
    return any(
        abs(share) > 1e-6 and abs(share - round(share, 2)) < 1e-6 and round(share, 2) in others for share in shares
    )


def of_text(known: Known, text: str) -> Place:
    """A text's source: said as it is or in another form, put together, the agent's own words, or nowhere."""
    key = canonical(text)
    if not key:
        return "trivial", None
    if found := known.place(key):
        return found
    if found := _of_day(known, text) or _of_phone(known, text) or of_period(known, text):
        return found
    if asked := _OPERATOR.fullmatch(text):
        return of_text(known, asked[1])
    if " " in text or "\n" in text:
        return _of_phrase(known, text)
    if NUMBER.match(text) and (number := as_number(text)) is not None:
        return known.number(number) or (of_number(known, number) if len(text) <= 3 or "." in text else _NOWHERE)
    if "@" in text[1:-1]:
        return _NOWHERE
    return _of_token(known, text)


def _of_phrase(known: Known, text: str) -> Place:
    """A few words that were all said are a name or a place; more, or others, are the agent's own."""
    pieces = [piece for piece in PIECES.split(text.casefold()) if piece and piece not in STOPWORDS]
    if not pieces or len(pieces) > 8:
        return _COMPOSED
    places = [known.place(piece) for piece in pieces]
    return places[0] if places[0] and all(places) else _COMPOSED


def _of_day(known: Known, text: str) -> Place | None:
    if len(text) > 40 or not has_digit(text):
        return None
    days = [*days_in(text), *slashed_days(text)]
    for day in days:
        if found := known.day(day):
            return found
    if not days or days[0][0] is None:
        return None
    return _reckoned(known, (days[0][0], days[0][1], days[0][2]))


def _reckoned(known: Known, day: tuple[int, int, int]) -> Place:
    """From a day that is known: within a week of it, a month or a year from it, or so many days as somebody said."""
    if known.dates_implied:
        return "derived", None
    try:
        wanted = date(*day)
    except ValueError:
        return _NOWHERE
    if found := edge_of_period(known, day):
        return found
    for days in range(-7, 8):
        near = wanted + timedelta(days=days)
        if found := known.day((near.year, near.month, near.day)):
            return "derived", found[1]
    for (year, month, number), (_, at) in [*_latest(known.said.days), *_latest(known.policy.days)]:
        try:
            apart = abs((wanted - date(year or wanted.year, month, number)).days)
        except ValueError:
            continue
        if apart in (28, 30, 31, 365, 366) or known.number(float(apart)):
            return "derived", at
    return _NOWHERE


def _of_phone(known: Known, text: str) -> Place | None:
    if not PHONE.fullmatch(text):
        return None
    digits = canonical(text)
    return known.place(digits) or known.place(f"phone {digits[-7:]}")


def _of_token(known: Known, text: str) -> Place:
    """One token with letters: known in its parts, or else an identifier from nowhere or a plain word of the agent's."""
    pieces = [piece for piece in PIECES.split(text.casefold()) if piece]
    places = [known.place(piece) for piece in pieces]
    if len(pieces) > 1 and places[0] and all(places):
        return "derived", places[0][1]
    if not looks_like_identifier(text):
        return _COMPOSED
    if found := of_named_period(known, text):
        return found
    # With another prefix or without one: the parts that carry digits are what identifies.
    figures = [run for run in _RUN.findall(text.casefold()) if run.isdigit()]
    if sum(map(len, figures)) >= 3:
        found = [known.place(run) for run in figures]
        if found[0] and all(found):
            return "derived", found[0][1]
    carrying = [place for piece, place in zip(pieces, places, strict=True) if has_digit(piece)]
    if len(pieces) > 1 and len(canonical(text)) >= 4 and carrying and carrying[0] and all(carrying):
        return "derived", carrying[0][1]
    return _NOWHERE


def unknown_identifier(known: Known, text: str) -> str:
    """The first identifier in a text of the agent's own that has no source; empty where there is none."""
    for token in tokens(text):
        if looks_like_identifier(token) and of_text(known, token) == _NOWHERE:
            return token
    return ""
