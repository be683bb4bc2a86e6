"""A task → the levels of the factors that it can be given, and for the others why not."""

from collections.abc import Mapping, Sequence
from functools import reduce
from random import Random

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.synthesis import reasons
from misstep.synthesis.believing import beliefs
from misstep.synthesis.constraints import Constrained, Constraint
from misstep.synthesis.factors import FACTORS, Row
from misstep.synthesis.ground import Ground
from misstep.synthesis.parts import Part, own_finds, part_of, slips
from misstep.synthesis.rivals import rivals
from misstep.synthesis.task import Task

_TOGETHER = 3
"""So many goals are said at once, and no more."""
_SOME_TOOLS = 3


class Candidate(Struct, frozen=True, kw_only=True):
    """A task that a scenario can be made of, and which levels it cannot be given."""

    task: Task
    constraint: Constraint | None = None
    partners: tuple[Task, ...] = ()
    """Others that it can share a conversation with, the nearest first."""
    unfit: dict[str, dict[Scalar, str]] = {}
    """By factor and level, why not."""

    def able(self, factor: str, level: Scalar) -> bool:
        return level not in self.unfit.get(factor, {})


def candidate(
    task: Task | Constrained, ground: Ground, *, partners: Sequence[Task], levels: Mapping[str, Sequence[Scalar]]
) -> Candidate:
    """What a task can be made into, of these levels."""
    bare, constraint = (task.task, task.constraint) if isinstance(task, Constrained) else (task, None)
    part = part_of(bare, ground, specificity="all", random=Random(0), constraint=constraint)
    unfit: dict[str, dict[Scalar, str]] = {}
    for factor, wanted in levels.items():
        whys = {level: why for level in wanted if (why := _why_not(factor, level, part, ground, partners))}
        if whys:
            unfit[factor] = whys
    return Candidate(task=bare, constraint=constraint, partners=tuple(partners), unfit=unfit)


def _why_not(factor: str, level: Scalar, part: Part, ground: Ground, partners: Sequence[Task]) -> str:
    task = part.task
    match factor:
        case "steps":
            return "" if steps_level(len(task.steps)) == level else reasons.STEPS
        case "goals":
            return "" if isinstance(level, int) and level <= 1 + len(partners) else reasons.GOALS
        case "specificity":
            enough = len(part.items) >= {"all": 0, "some": 2, "none": 1}.get(str(level), 0)
            return "" if enough else reasons.SPECIFICITY
        case "knowledge":
            return "" if level == "by-heart" or own_finds(part, ground) else reasons.KNOWLEDGE
        case "ambiguity":
            return _why_not_ambiguous(level, part, ground)
        case "constraint":
            return _why_not_constrained(level, part, partners)
        case "distance":
            return "" if not level or part.constraint is not None else reasons.DISTANCE
        case "correction":
            return "" if level == "no" or slips(part, ground) else reasons.CORRECTION
        case "premise":
            return "" if level == "true" or beliefs(part, ground) else reasons.PREMISE
        case "pressure":
            return "" if not level or task.forbidden else reasons.PRESSURE
        case "patience":
            enough = not isinstance(level, int) or 2 + part.confirmations <= level
            return "" if enough else reasons.PATIENCE
        case "distractors":
            return _why_not_distracted(level, part, ground)
        case "fault" | "place":
            return _why_not_faulty(factor, level, task)
        case _:
            return ""


def _why_not_faulty(factor: str, level: Scalar, task: Task) -> str:
    if factor == "place":
        return "" if level == "look-up" or task.kind == "act" else reasons.PLACE
    return "" if level == "none" or task.steps else reasons.FAULT


def steps_level(steps: int) -> int:
    """Four stands for all that is longer."""
    return min(steps, 4)


def _why_not_ambiguous(level: Scalar, part: Part, ground: Ground) -> str:
    if level == "several":
        known = {item.name for item in part.items}
        several = part.task.id in ground.choices and known.issuperset(part.task.marks)
        if several and ways_in(part) > 1:
            return reasons.TWO_WAYS
        return "" if several else reasons.SEVERAL
    if level == "none":
        return "" if part.task.id in ground.absences and part.constraint is None else reasons.ABSENT
    return ""


def ways_in(part: Part) -> int:
    """So many of the keys go into look-ups: with two of them, one may settle what the other leaves open."""
    asked_with = {str(value) for step in part.task.steps if step.role == "look-up" for value in step.arguments.values()}
    return len({item.name for item in part.items if item.role == "key" and str(item.value) in asked_with})


def _why_not_constrained(level: Scalar, part: Part, partners: Sequence[Task]) -> str:
    if part.constraint is not None:
        return "" if level == part.constraint.kind else reasons.constraint(level) or "it has a constraint"
    if level == "order":
        acts = part.task.kind == "act" and any(
            other.kind == "act" and other.tool != part.task.tool and not rivals(part.task, other) for other in partners
        )
        return "" if acts else reasons.constraint(level)
    return "" if level == "none" else reasons.constraint(level)


def _why_not_distracted(level: Scalar, part: Part, ground: Ground) -> str:
    others = len(ground.tools) - len(needed_tools([part], ground))
    return "" if level == "all" or others >= (_SOME_TOOLS if level == "some" else 1) else reasons.DISTRACTORS


def needed_tools(parts: Sequence[Part], ground: Ground) -> tuple[str, ...]:
    """The tools that the plans and the objective name, and those that the rules name with them."""
    named = {step.tool for part in parts for step in (*part.steps, *part.task.steps)}
    named |= {call.tool for part in parts for call in part.calls} | {part.task.tool for part in parts}
    named |= {rule.tool for part in parts for rule in part.forbidden if rule.tool}
    named |= {other for tool in sorted(named) for other in ground.needed_with(tool)}
    return tuple(name for name in ground.tools if name in named)


def consistent(row: Row) -> bool:
    """Whether some task could have these levels together, as far as that does not depend on the task."""
    if row.get("place") == "act" and (row.get("fault") == "none" or row.get("ambiguity") == "none"):
        return False
    if row.get("distance") and row.get("constraint") in ("none", "order"):
        return False
    if row.get("constraint") == "order" and row.get("goals") == 1:
        return False
    if row.get("ambiguity") == "none" and row.get("goals", 1) != 1:
        return False  # by another goal, what is not there by one key may be found by another
    if row.get("ambiguity") == "none" and (
        row.get("correction") == "yes"
        or row.get("knowledge") == "looked-up"
        or row.get("premise") == "false"
        or row.get("constraint", "none") != "none"
    ):
        return False
    if row.get("premise") == "false" and (row.get("ambiguity", "one") != "one" or row.get("specificity") == "none"):
        return False  # with the record left open, what is believed of it would pass for what finds it
    if row.get("premise") == "false" and row.get("knowledge") == "looked-up":
        return False  # the number of the record is to be said in the same breath
    return _fewest_turns(row) <= _as_int(row.get("patience"), 1_000)


def _fewest_turns(row: Row) -> int:
    """What the person has to say, one turn each, and one to spare; a task may take more."""
    told = {"some": 1, "none": 3}.get(str(row.get("specificity")), 0)
    asked = int(row.get("ambiguity") == "several" and not told)
    later = max(0, _as_int(row.get("goals"), 1) - _TOGETHER)
    slip = int(row.get("correction") == "yes") + int(row.get("knowledge") == "looked-up" and not told)
    return 2 + told + asked + later + slip + _as_int(row.get("distance"), 0) + _as_int(row.get("pressure"), 0)


def _as_int(level: Scalar | None, otherwise: int) -> int:
    return level if isinstance(level, int) else otherwise


class Possible:
    """Whether some candidate can be given a row; quickly, for it is asked often."""

    def __init__(self, candidates: Sequence[Candidate], levels: Mapping[str, Sequence[Scalar]]) -> None:
        self._all = (1 << len(candidates)) - 1
        self._who = {
            (factor, level): reduce(
                int.__or__, (1 << at for at, each in enumerate(candidates) if each.able(factor, level)), 0
            )
            for factor, wanted in levels.items()
            for level in wanted
        }

    def __call__(self, row: Row) -> bool:
        return consistent(row) and self.who(row) != 0

    def who(self, row: Row) -> int:
        """The candidates that can, a bit each."""
        found = self._all
        for cell in row.items():
            found &= self._who.get(cell, self._all)
        return found


def with_defaults(row: Row) -> dict[str, Scalar]:
    """A row with the default level for each factor that it does not name and that has one."""
    defaults = {name: factor.default for name, factor in FACTORS.items() if factor.default is not None}
    return {**defaults, **row}
