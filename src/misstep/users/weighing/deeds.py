"""What a message may do, and what a person is about to do about it, in numbers: how that goes with what was heard."""

from collections.abc import Collection, Mapping
from typing import Literal

from msgspec import Struct

from misstep.core.words import words
from misstep.users.ledger import Ledger
from misstep.users.weighing.traits import Traits
from misstep.wording.values import holds, spot

Act = Literal["ask", "propose", "counter", "options", "done", "step", "refuse", "offer"]
"""`counter`: what is wanted is not to be had, and another thing is put forward; `step`: something is done on the way to
what is wanted; `offer`: help in general."""
Deed = Literal["tells", "agrees", "puts right", "leaves"]

_LONG = 80
_BRIEF = 10
_MANY = 4


class Facts(Struct, frozen=True):
    """How likely something is said of each fact, with the numbers behind that, by the fact's name."""

    chances: Mapping[str, float]
    traits: Mapping[str, Traits]


def deed(
    what: Deed,
    about: Collection[str],
    message: str,
    ledger: Ledger,
    *,
    acts: Mapping[Act, float],
    asked: Facts,
    slips: Facts,
) -> Traits:
    """`about` are the names of the facts that are told or put right."""
    seen, size = spot(message), len(words(message))
    held = {entry.name for entry in ledger.entries if any(holds(seen, each) for each in entry.forms)}
    found: Traits = {
        **{f"is {act}": share for act, share in acts.items()},
        what: 1.0,
        "long": min(size, _LONG) / _LONG,
        "brief": float(size <= _BRIEF),
        "questions": min(message.count("?"), _MANY) / _MANY,
        "held": min(len(held), _MANY) / _MANY,
        "few": 1.0 / max(1, len(ledger.entries)),
    }
    if what == "tells":
        return {**found, **_telling(about, asked, held)}
    if what in ("agrees", "puts right"):
        return {**found, **_judging(about, slips), **_still_asked(about, asked, held)}
    return {**found, **_still_asked(about, asked, held), "slip": max(slips.chances.values(), default=0.0)}


def _telling(about: Collection[str], asked: Facts, held: Collection[str]) -> Traits:
    """The fact of those told that is least likely asked for, and the others that may be."""
    worst = min(about, key=lambda name: asked.chances[name])
    others = _still_asked(about, asked, held)
    return {
        **{f"of it {name}": much for name, much in asked.traits[worst].items()},
        **others,
        "asked": asked.chances[worst],
        "asked most": max(asked.chances[name] for name in about),
        "told": min(len(about), _MANY) / _MANY,
        "ahead": asked.chances[worst] - others["rival"],
        "it is held": float(worst in held),
    }


def _still_asked(about: Collection[str], asked: Facts, held: Collection[str]) -> Traits:
    others = sorted((much for name, much in asked.chances.items() if name not in about and name not in held))
    return {
        "rival": others[-1] if others else 0.0,
        "next rival": others[-2] if len(others) > 1 else 0.0,
        "rivals": sum(others),
    }


def _judging(about: Collection[str], slips: Facts) -> Traits:
    """The fact that is put right, or the one that is likeliest got wrong; and the next one."""
    ranked = sorted(slips.chances, key=lambda name: -slips.chances[name])
    worst = next(iter(about), ranked[0] if ranked else None)
    if worst is None:
        return {}
    others = [slips.chances[name] for name in ranked if name != worst]
    return {
        **{f"slip {name}": much for name, much in slips.traits[worst].items()},
        "slip": slips.chances[worst],
        "other slip": others[0] if others else 0.0,
        "slips": sum(slips.chances.values()),
    }
