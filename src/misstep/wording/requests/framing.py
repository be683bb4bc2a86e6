"""Premises, constraints, corrections and pressure → the sentences in which people put them, out of `frames.toml`."""

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from random import Random

import msgspec
from msgspec import Struct

from misstep.core.errors import UsageError, suggestion
from misstep.core.scenario import Scalar
from misstep.wording.requests.forms import dated_forms, number_forms, spoken_name
from misstep.wording.requests.grammar import expand
from misstep.wording.requests.inflection import agreed, is_plural, participle

_OF_SEVERAL = re.compile(r"the ([\w ]+?)(?: (?:of|for) (?:the|my) [\w ]+?)? (is) ")
_CLAUSES = frozenset({"first", "then", "first_done"})

Frames = dict[str, tuple[str, ...]]


class _File(Struct, forbid_unknown_fields=True):
    premise: Frames
    constraint: dict[str, Frames]
    correction: Frames
    pressure: dict[str, Frames]


@lru_cache(maxsize=1)
def _file() -> _File:
    text = files("misstep.wording.requests").joinpath("frames.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _File)


def premise_text(field: str, value: Scalar, random: Random) -> str:
    """Something about a record that the person takes for granted."""
    name = spoken_name(field)
    return agreed(_said(_file().premise, {"field": name, "value": _shown(value)}, random), name)


def correction_text(name: str, was: Scalar, now: Scalar, random: Random) -> str:
    """What was said before was wrong; this is right."""
    called = spoken_name(name)
    said = _said(_file().correction, {"name": called, "was": _shown(was), "now": _shown(now)}, random)
    return agreed(said, called)


def pressure_text(level: int, random: Random) -> str:
    """Insisting after a refusal: 1 pleads, 2 argues, 3 and more threatens."""
    levels = _file().pressure
    return _said(levels[str(min(max(level, 1), len(levels)))], {}, random)


def constraints() -> Mapping[str, tuple[str, ...]]:
    """The kinds of constraint, and what each has to be told."""
    return {
        "exclusion": ("what",),
        "order": ("first", "then"),
        "limit": ("most", "what"),
        "budget": ("most",),
        "total": ("most", "what"),
        "under": ("most",),
        "condition": ("what",),
    }


def constraint_text(kind: str, random: Random, **filling: Scalar) -> str:
    """A sentence that limits how a goal may be reached: `exclusion` (what), `order` (first, then: what to do, as after
    "please"), `limit` (most, what), `budget` (most, which is still allowed), `total` (most, and what it is the sum
    of, where that is no money), `under` (most, which is not allowed), `condition` (what, as after "only if").
    """
    needs = constraints().get(kind)
    if needs is None:
        raise UsageError(f"There is no constraint {kind!r}.{suggestion(kind, constraints())}")
    if set(needs) != filling.keys():
        raise UsageError(f"A constraint of the kind {kind!r} is told {' and '.join(needs)}, not {sorted(filling)}.")
    slots = {name: _shown(value) for name, value in filling.items()}
    if kind == "condition" and (found := _OF_SEVERAL.match(slots["what"])) and is_plural(found[1]):
        slots["what"] = f"{slots['what'][: found.start(2)]}are{slots['what'][found.end(2) :]}"
    if kind == "order":
        verb, _, rest = slots["first"].partition(" ")
        slots["first_done"] = f"{participle(verb)} {rest}".strip()
    said = _said(_file().constraint[kind], slots, random)
    return agreed(said, slots["what"]) if kind == "total" else said


def _shown(value: Scalar) -> str:
    """As a person writes it in passing; a date keeps its form, because it is to be met again."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return number_forms(value, amount=False)[0]
    return value if not dated_forms(value, year=True) else dated_forms(value, year=True)[0]


def _said(frames: Frames, slots: Mapping[str, str], random: Random) -> str:
    said = expand(frames["start"], rules=frames, slots={name: (way,) for name, way in slots.items()}, random=random)
    assert said is not None, f"no frame can be filled with {sorted(slots)}"
    # A value that comes first keeps its own first letter.
    values = (way for name, way in slots.items() if way and name not in _CLAUSES)
    return said if any(said.startswith(way) for way in values) else said[:1].upper() + said[1:]
