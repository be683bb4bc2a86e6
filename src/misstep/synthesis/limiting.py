"""Constraints and beliefs → sentences in which a person puts them, with the values that stand in them."""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.core.words import STOPWORDS
from misstep.synthesis.constraints import Constraint
from misstep.wording.requests import constraint_text, premise_text
from misstep.wording.requests.inflection import plural

_ALL = (
    "I mean all of them.",
    "That goes for every one of them.",
    "All of them, that is.",
    "It's about all of them, not just one.",
    "Every one of them, please.",
)
_AS_MANY = (
    "I mean as many of them as that allows.",
    "Not just one: as many as fit.",
    "That goes for all that can be had within it.",
)
_LOWEST = (
    "Go by the {field}, the lowest first.",
    "Take those with the lowest {field}.",
    "The ones with the lowest {field} come first.",
    "Start with the lowest {field}.",
)
_SUM = (
    "Add up the {field}, from the lowest on, and stop before it gets too much.",
    "Begin with the lowest {field} and go on for as long as the sum allows.",
    "Take the lowest {field} first, then the next, as long as the sum of them stays within that.",
)
_MONEY = frozenset(
    """price prices cost costs total amount fee fees fare charge charges balance rent rate salary payment budget sum
    value eur usd gbp euros dollars pounds""".split()
)
"""What people spend; of a weight they would not say that it is the most they will pay."""
_LEAD_IN = (
    "Hello. Something to keep in mind for what I'm going to ask:",
    "Hi, one thing up front:",
    "Before I come to what I want, please note this.",
    "First of all, for later:",
)


class Limited(Struct, frozen=True):
    """A sentence, and the values in it."""

    text: str
    values: tuple[str, ...] = ()


def limited(constraint: Constraint, does: Sequence[str], random: Random) -> Limited:
    """A constraint as it is said; `does`: what is to be done first and then, as after "please"."""
    field, one = constraint.field, constraint.noun
    several = f"the {plural(one)}" if one else "them"
    counted = f"{field} of {several}" if one else field
    match constraint.kind:
        case "order":
            return Limited(_sentence(constraint_text("order", random, first=does[0], then=does[-1])))
        case "exclusion":
            value = str(constraint.value)
            text = constraint_text("exclusion", random, what=_which(field, value, one or "one"))
            return Limited(_sentence(text), (value,))
        case "budget":
            most = _bare(constraint.bound)
            if _MONEY.intersection(field.split()):
                text = constraint_text("budget", random, most=most)
            else:
                text = constraint_text("total", random, most=most, what=field)
            return Limited(f"{_sentence(text)} {random.choice(_SUM).format(field=counted)}", (str(most),))
        case "limit" if constraint.most:
            text = constraint_text("limit", random, most=constraint.most, what=f"of {several}")
            return Limited(f"{_sentence(text)} {random.choice(_LOWEST).format(field=field)}", (str(constraint.most),))
        case "limit":
            bound = _bare(constraint.bound)
            text = constraint_text(
                "condition",
                random,
                what=f"the {field} of the {one} is under {bound}" if one else f"the {field} is under {bound}",
            )
            return Limited(_sentence(text), (str(bound),))


def scope(constraint: Constraint, random: Random) -> str:
    """That several are meant, said with the request; nothing where the constraint itself says so."""
    if constraint.kind == "budget":
        return random.choice(_AS_MANY)
    all_of_them = constraint.kind == "exclusion" or (constraint.kind == "limit" and not constraint.most)
    return random.choice(_ALL) if all_of_them else ""


def taken_for_granted(field: str, value: Scalar, random: Random) -> Limited:
    """Something that the person believes of the record."""
    said = f"{value:g}" if isinstance(value, float) else str(value)
    if _is_verbal(field):
        return Limited(
            random.choice(
                ("I think it was {}.", "As far as I know, it was {}.", "It was {}, if I'm not mistaken.")
            ).format(f"{field} {said}"),
            (said,),
        )
    return Limited(premise_text(field, value, random), (said,))


def lead_in(random: Random) -> str:
    """What comes before a constraint where nothing has been asked for yet."""
    return random.choice(_LEAD_IN)


def _which(field: str, value: str, one: str) -> str:
    return (
        f"the {one} that was {field} {value}" if _is_verbal(field) else f"the {one} whose {field} is {_bare_end(value)}"
    )


def _bare_end(value: str) -> str:
    """In quotation marks where it would end the sentence by itself."""
    return f"“{value}”" if value[-1:] in ".?!" else value


def _is_verbal(field: str) -> bool:
    """`ordered on`, `sent to`: what was done to the thing, rather than something that it has."""
    words = field.split()
    return len(words) > 1 and words[-1] in STOPWORDS


def _bare(number: float | None) -> float:
    return 0 if number is None else int(number) if float(number).is_integer() else number


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
