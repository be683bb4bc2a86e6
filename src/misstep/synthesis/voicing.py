"""Parts of one conversation → what the person says of them: the only door from here to the wording."""

from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct

from misstep.core.scenario import Goal
from misstep.core.tool import Tool
from misstep.core.words import joined, split_identifier
from misstep.synthesis.constraints import Constraint
from misstep.synthesis.parts import Part

VOICES = ("plain", "formal", "terse", "chatty")


class Manner(Struct, frozen=True, kw_only=True):
    """How a person speaks."""

    voice: str = "plain"
    closeness: str = "close"
    noise: str = "none"
    filler: int = 0
    asides: int = 0


class Script(Struct, frozen=True, kw_only=True):
    """What a person is going to say by themselves."""

    opening: str
    goals: tuple[Goal, ...]
    constraints: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    skeleton: str = ""
    closeness: str = "close"
    noise: str = "none"


def scripted(
    opening: Sequence[Part], later: Sequence[Part], *, manner: Manner, tools: Mapping[str, Tool], random: Random
) -> Script:
    constraints = tuple(_constraint(part.constraint, part) for part in (*opening, *later) if part.constraint)
    said = [_request(part) for part in opening]
    beliefs = [f"I think the {part.belief.field} is {part.belief.false}." for part in opening if part.belief]
    return Script(
        opening=" ".join((*said, *constraints, *beliefs)) or "Hello.",
        goals=(
            *(Goal(ask=_ask(part)) for part in opening),
            *(Goal(ask=_request(part), after=True) for part in later),
        ),
        constraints=constraints,
        asides=("By the way, the weather is nice.",) * manner.asides,
        skeleton=" ".join(_ask(part) for part in opening),
        closeness=manner.closeness,
        noise=manner.noise,
    )


def _ask(part: Part) -> str:
    return f"Please {' '.join(split_identifier(part.task.tool))}."


def _request(part: Part) -> str:
    told = [(item, part.at_first.get(item.name, item.value)) for item in part.items if item.name in part.up_front]
    said = joined(f"the {item.name} is {value}" for item, value in told)
    return f"{_ask(part)} {said.capitalize()}." if said else _ask(part)


def _constraint(constraint: Constraint, part: Part) -> str:
    match constraint.kind:
        case "order":
            return f"But {' '.join(split_identifier(part.task.tool))} first."
        case "exclusion":
            return f"All of them except the one with the {constraint.field} {constraint.value}."
        case "limit":
            if constraint.most:
                return f"At most {constraint.most}, the lowest {constraint.field} first."
            return f"Only those with the {constraint.field} under {constraint.bound}."
        case "budget":
            return f"The lowest {constraint.field} first, and the total within {constraint.bound}."


def samples(voice: str) -> tuple[str, ...]:
    """A few messages in a voice."""
    return (f"Hello, this is {voice}.",)
