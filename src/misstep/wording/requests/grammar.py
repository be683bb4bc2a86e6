"""Frames → texts: `[a|b]` is a choice, `<rule>` another rule, `{slot}` a filling; what can't be filled isn't chosen."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from msgspec import Struct

_TOKEN = re.compile(r"[\[\]|]|<[a-z_]+>|\{[a-z_]+\}|[^\[\]|<>{}]+|[<>{}]")

Rules = Mapping[str, Sequence[str]]
Slots = Mapping[str, Sequence[str]]
"""For each slot the ways to fill it; none means that it cannot be filled."""


class _Slot(Struct, frozen=True):
    name: str


class _Rule(Struct, frozen=True):
    name: str


class _Choice(Struct, frozen=True):
    ways: tuple["_Row", ...]


_Row = tuple[str | _Slot | _Rule | _Choice, ...]


@lru_cache(maxsize=8192)
def _parsed(frame: str) -> _Row:
    tokens = _TOKEN.findall(frame)
    ways, rest = _ways(tokens, 0, frame)
    assert rest == len(tokens), f"the frame {frame!r} closes a bracket that it never opened"
    return ways[0] if len(ways) == 1 else (_Choice(tuple(ways)),)


def _ways(tokens: Sequence[str], at: int, frame: str) -> tuple[list[_Row], int]:
    ways: list[_Row] = []
    row: list[str | _Slot | _Rule | _Choice] = []
    while at < len(tokens) and tokens[at] != "]":
        token = tokens[at]
        if token == "[":
            inner, at = _ways(tokens, at + 1, frame)
            assert at < len(tokens), f"the frame {frame!r} never closes a bracket"
            row.append(_Choice(tuple(inner)))
        elif token == "|":
            ways.append(tuple(row))
            row = []
        elif token[0] == "<" and len(token) > 1:
            row.append(_Rule(token[1:-1]))
        elif token[0] == "{" and len(token) > 1:
            row.append(_Slot(token[1:-1]))
        else:
            row.append(token)
        at += 1
    ways.append(tuple(row))
    return ways, at


def expand(frames: Sequence[str], *, rules: Rules, slots: Slots, random: Random) -> str | None:
    """One of the frames that can be filled, filled; None where none can."""
    usable = [row for row in map(_parsed, frames) if _fillable(row, rules, slots)]
    return _said(random.choice(usable), rules, slots, random) if usable else None


def _fillable(row: _Row, rules: Rules, slots: Slots) -> bool:
    for part in row:
        match part:
            case _Slot(name):
                if not slots.get(name):
                    return False
            case _Rule(name):
                if not any(_fillable(_parsed(frame), rules, slots) for frame in rules[name]):
                    return False
            case _Choice(ways):
                if not any(_fillable(way, rules, slots) for way in ways):
                    return False
            case _:
                pass
    return True


def _said(row: _Row, rules: Rules, slots: Slots, random: Random) -> str:
    said: list[str] = []
    for part in row:
        match part:
            case _Slot(name):
                said.append(random.choice(slots[name]))
            case _Rule(name):
                rows = [_parsed(frame) for frame in rules[name]]
                said.append(
                    _said(random.choice([each for each in rows if _fillable(each, rules, slots)]), rules, slots, random)
                )
            case _Choice(ways):
                said.append(
                    _said(random.choice([way for way in ways if _fillable(way, rules, slots)]), rules, slots, random)
                )
            case _:
                said.append(part)
    return "".join(said)
