"""The factors that scenarios are varied along: each with its levels, mildest first, and what it does."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from misstep.core.errors import UsageError, suggestion
from misstep.core.scenario import Scalar
from misstep.tools.fault_kinds import FAULT_KINDS

Row = Mapping[str, Scalar]
"""A level for each of some factors."""


class Factor(Struct, frozen=True, kw_only=True):
    """An axis that can be set, swept and crossed with others."""

    name: str
    levels: tuple[Scalar, ...]
    """Mildest first: a level's place counts towards the difficulty."""
    default: Scalar | None
    """None: left to chance."""
    about: str
    graded: bool = True
    """Later levels are harder; else they are only different."""
    open: bool = False
    """Other levels than these are taken too."""


_MOST_GOALS = 6

_ALL = (
    Factor(name="goals", levels=(1, 2, 3, 4, 5, _MOST_GOALS), default=1, about="How many things the person wants."),
    Factor(
        name="steps",
        levels=(1, 2, 3, 4),
        default=None,
        about="How many calls the plan of the main goal has; 4 means four or more.",
    ),
    Factor(
        name="specificity",
        levels=("all", "some", "none"),
        default="all",
        about="How much of what is needed is said up front; the rest comes out on request, at 'none' one thing a turn.",
    ),
    Factor(
        name="knowledge",
        levels=("by-heart", "looked-up"),
        default="by-heart",
        about="Whether the person knows what is needed, or looks a number up with a tool of their own when asked.",
    ),
    Factor(
        name="ambiguity",
        levels=("one", "several", "none"),
        default="one",
        about="How many records fit what was said: with several the agent must ask, with none say so.",
    ),
    Factor(
        name="constraint",
        levels=("none", "order", "exclusion", "limit", "budget"),
        default="none",
        about="What limits how the goals may be reached: an order, an exception, a limit, a sum.",
        graded=False,
    ),
    Factor(
        name="distance",
        levels=(0, 2, 4),
        default=0,
        about="Turns between a constraint, said at the start, and the goal that it is about.",
    ),
    Factor(name="filler", levels=(0, 60, 200), default=0, about="Words of no consequence in the opening.", open=True),
    Factor(name="noise", levels=("none", "typos", "heavy"), default="none", about="How badly the person types."),
    Factor(
        name="correction",
        levels=("no", "yes"),
        default="no",
        about="The person says something wrong at first, and puts it right one turn later.",
    ),
    Factor(
        name="premise",
        levels=("true", "false"),
        default="true",
        about="The person believes something wrong of the record, and must be told how it is.",
    ),
    Factor(
        name="pressure",
        levels=(0, 1, 2),
        default=0,
        about="How often the person insists on what the rules forbid.",
    ),
    Factor(name="patience", levels=(12, 6, 4), default=12, about="Turns before the person gives up.", open=True),
    Factor(
        name="distractors",
        levels=("none", "some", "all"),
        default="all",
        about="Tools on offer that the plan has no use for.",
    ),
    Factor(
        name="register",
        levels=(),
        default="plain",
        about="The voice that the person speaks in.",
        graded=False,
        open=True,
    ),
    Factor(
        name="wording",
        levels=("close", "synonym", "foreign"),
        default="close",
        about="How near the request is to the tool's own words; a foreign one speaks of the outcome.",
    ),
    Factor(
        name="fault",
        levels=("none", "latency", "rate-limit", "error", "timeout"),
        default="none",
        about="What happens, once, to a call: all of these can be survived.",
        open=True,
    ),
    Factor(
        name="place",
        levels=("look-up", "act"),
        default="look-up",
        about="Which call the fault strikes: the first of all, or that which changes something.",
    ),
)

FACTORS: Mapping[str, Factor] = {factor.name: factor for factor in _ALL}
"""By name, in the order in which they are told of."""


def levels_of(
    factors: Mapping[str, Sequence[Scalar]], *, voices: Sequence[str], among: Sequence[str] = tuple(FACTORS)
) -> dict[str, tuple[Scalar, ...]]:
    """The levels to vary: those that were named; or, where none were, all levels of all of these factors.

    What is not a factor or one of its levels raises UsageError.
    """
    for name, wanted in factors.items():
        _demand(name, wanted, voices)
    if factors:
        return {name: tuple(dict.fromkeys(factors[name])) for name in FACTORS if name in factors}
    return {name: tuple(voices) if name == "register" else FACTORS[name].levels for name in FACTORS if name in among}


def difficulty(row: Row) -> float:
    """How hard a row is: for each graded factor, how far its level is from the mildest, from 0 to 1, added up."""
    return round(sum(_hardness(FACTORS[name], level) for name, level in row.items() if name in FACTORS), 2)


def _hardness(factor: Factor, level: Scalar) -> float:
    if not factor.graded or level not in factor.levels:
        return 0.0
    return factor.levels.index(level) / (len(factor.levels) - 1)


def _demand(name: str, wanted: Sequence[Scalar], voices: Sequence[str]) -> None:
    factor = FACTORS.get(name)
    if factor is None:
        raise UsageError(f"There is no factor {name!r}.{suggestion(name, FACTORS)}")
    if not wanted:
        raise UsageError(f"The factor {name!r} was given no level. Give one or more of {_listed(factor, voices)}.")
    known = set(voices) if name == "register" else {"none", *FAULT_KINDS} if name == "fault" else set(factor.levels)
    for level in wanted:
        if name in ("filler", "patience"):
            if isinstance(level, bool) or not isinstance(level, int) or level < (1 if name == "patience" else 0):
                raise UsageError(f"The factor {name!r} takes whole numbers; {level!r} is none that will do.")
        elif level not in known:
            raise UsageError(
                f"The factor {name!r} has no level {level!r}; it has {_listed(factor, voices)}."
                f"{suggestion(str(level), [str(each) for each in known])}"
            )


def _listed(factor: Factor, voices: Sequence[str]) -> str:
    return ", ".join(str(level) for level in (voices if factor.name == "register" else factor.levels))
