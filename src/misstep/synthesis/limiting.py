"""Constraints and beliefs → sentences in which a person puts them, with the values that stand in them."""

import re
from collections.abc import Sequence
from random import Random

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.core.words import STOPWORDS
from misstep.synthesis.constraints import Constraint
from misstep.wording.requests.forms import dated_forms, number_forms, spoken_name
from misstep.wording.requests.grammar import expand
from misstep.wording.requests.inflection import agreed, is_plural, participle, plural

_IN_ORDER = (
    "[Please |]{first} first, and [only |]then {then}.",
    "First {first}, then {then}.",
    "[Please |]{first} before you {then}.",
    "Only {then} once you've {first_done}.",
    "I'd like you to {first} first; after that, {then}.",
    "The order matters: {first}, and only after that {then}.",
    "Don't {then} until you've {first_done}.",
)
_TAKEN_FOR_GRANTED = (
    "I understand that the {field} is {value}.",
    "As far as I know, the {field} is {value}.",
    "I take it that the {field} is {value}.",
    "I was told that the {field} is {value}.",
    "The {field} is {value}, [isn't it|right|if I'm not mistaken]?",
    "I'm assuming the {field} is {value}.",
    "[Since|As] the {field} is {value}, [this should be simple|there shouldn't be a problem|that ought to be fine].",
    "From what I can see, the {field} is {value}.",
    "I gather the {field} is {value}.",
    "According to what I have here, the {field} is {value}.",
    "My understanding is that the {field} is {value}.",
)
_ALL = (
    "I mean all of them.",
    "That goes for every one of them.",
    "All of them, that is.",
    "It's about all of them, not just one.",
    "Every one of them, please.",
)
_ALL_OF = (
    "I mean all of the {several}.",
    "That goes for every one of the {several}.",
    "It's about all of the {several}, not just one.",
    "All of the {several}, please.",
)
_EVERY = (
    "I mean all the {several} that there are, as far as that's possible.",
    "That goes for every {one} for which it's possible.",
    "It's about all the {several}, whichever can be done, not just one.",
    "All the {several} there are, please, as far as it's possible.",
)
_AS_MANY = (
    "I mean as many of them as that allows.",
    "Not just one: as many as fit.",
    "That goes for all that can be had within it.",
)
_EXCLUDED = (
    "When you {do}, leave out {what}.",
    "When you {do}, don't touch {what}.",
    "When you {do}, please leave {what} alone.",
    "When you {do}, {what} must stay as it is.",
)
_NOT_TO_IT = ("Don't {do_what}.", "Please don't {do_what}.", "Whatever you do, don't {do_what}.")
_BELOW = (
    "When you {do}, take only {several} whose {field} {is} under {bound}.",
    "When you {do}, leave out every {one} whose {field} {is} {bound} or more.",
    "When you {do}, do it only if the {field} of the {one} {is} under {bound}.",
)
_FEW = (
    "When you {do}, no more than {most} of {several}: those with the lowest {field}.",
    "When you {do}, stop at {most} of {several}. Start with the lowest {field}.",
    "When you {do}, take at most {most} of {several}. The ones with the lowest {field} come first.",
)
_SUM = (
    "When you {do}, the {field} of {several} mustn't add up to more than {most}. Begin with the lowest {field} and go "
    "on for as long as the sum allows.",
    "When you {do}, add up the {field} of {several}, from the lowest on, and stop before it gets to more than {most}.",
    "When you {do}, take the lowest {field} first, then the next, as long as the sum of the {field} is no more than "
    "{most}.",
)
_LATER = ("And something for later on:", "One more thing, for later:", "And please keep this in mind for later.")
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
    """A constraint as it is said, with what it limits; `does`: what is to be done first and then, as after "please"."""
    if constraint.kind == "order":
        return Limited(_sentence(in_order(does[0], does[-1], random)))
    do, one = does[0] if does else "do it", constraint.noun
    slots = {
        "do": _of_several(do, one),
        "one": one or "one",
        "several": f"the {plural(one)}" if one else "those",
        "field": constraint.field,
        "is": "are" if is_plural(constraint.field) else "is",
        "bound": str(_bare(constraint.bound)),
        "most": str(constraint.most or _bare(constraint.bound)),
    }
    match constraint.kind:
        case "exclusion":
            value = str(constraint.value)
            what = _which(constraint.field, value, one or "one")
            to_it = _done_to(do, one, what)
            frames = (*_EXCLUDED, *(_NOT_TO_IT if to_it else ()))
            return Limited(random.choice(frames).format(**slots, what=what, do_what=to_it), (value,))
        case "budget":
            return Limited(random.choice(_SUM).format(**slots), (slots["most"],))
        case "limit" if constraint.most:
            return Limited(random.choice(_FEW).format(**slots), (slots["most"],))
        case "limit":
            return Limited(random.choice(_BELOW).format(**slots), (slots["bound"],))


def _of_several(do: str, noun: str) -> str:
    """`cancel my order` → `cancel my orders`, where that is what is done to several."""
    if not noun:
        return do
    many = plural(noun)
    owned = f"{many}'" if many.endswith("s") else f"{many}'s"
    found = re.search(rf"\b(the|my|our) {re.escape(noun)}('s)?(?!\w)", do)
    return f"{do[: found.end(1)]} {owned if found[2] else many}{do[found.end() :]}" if found else do


def _done_to(do: str, noun: str, what: str) -> str:
    """`cancel my order` → `cancel the order whose …`; nothing where something else is what it is done to."""
    found = re.search(rf"\b(?:the|my|our) {re.escape(noun)}$", do) if noun else None
    return f"{do[: found.start()]}{what}" if found else ""


def scope(constraint: Constraint, random: Random, *, grouped: bool) -> str:
    """That several are meant, said with the request; nothing where the constraint itself says so.

    `grouped`: the request says which those are. Where it does not, they are all that there are.
    """
    if constraint.kind == "order":
        return ""
    if constraint.kind == "budget" or constraint.most:
        return random.choice(_AS_MANY)
    if not constraint.noun:
        return random.choice(_ALL)
    frames = _ALL_OF if grouped else _EVERY
    return random.choice(frames).format(one=constraint.noun, several=plural(constraint.noun))


def scope_in_brief(constraint: Constraint) -> str:
    """The same, as it hangs on a wish."""
    return "as many as that allows" if constraint.kind == "budget" or constraint.most else "all of them"


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


def lead_in(random: Random, *, after_request: bool = False) -> str:
    """What comes before a constraint on what is asked for later only."""
    return random.choice(_LATER if after_request else _LEAD_IN)


def _which(field: str, value: str, one: str) -> str:
    if _is_verbal(field):
        return f"the {one} that was {field} {value}"
    if field.split()[-1:] == one.split()[-1:]:
        return f"the {one} {_bare_end(value)}"
    return f"the {one} whose {field} is {_bare_end(value)}"


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


def in_order(first: str, then: str, random: Random) -> str:
    """What is to be done first and what then, each as after "please"."""
    verb, _, rest = first.partition(" ")
    slots = {"first": (first,), "then": (then,), "first_done": (f"{participle(verb)} {rest}".strip(),)}
    return expand(_IN_ORDER, rules={}, slots=slots, random=random) or ""


def premise_text(field: str, value: Scalar, random: Random) -> str:
    """Something about a record that the person takes for granted."""
    name = spoken_name(field)
    slots = {"field": (name,), "value": (_shown(value),)}
    return agreed(expand(_TAKEN_FOR_GRANTED, rules={}, slots=slots, random=random) or "", name)


def _shown(value: Scalar) -> str:
    """As a person writes it in passing; a date keeps its form, because it is to be met again."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return number_forms(value, amount=False)[0]
    return value if not dated_forms(value, year=True) else dated_forms(value, year=True)[0]
