"""A main task and a row → the tasks of one conversation: of the same person, as far as that can be had."""

from collections.abc import Sequence
from random import Random

from misstep.core.scenario import Scalar
from misstep.synthesis.abilities import Candidate
from misstep.synthesis.constraints import Constrained, Constraint
from misstep.synthesis.factors import Row
from misstep.synthesis.grafting import grafted
from misstep.synthesis.ground import MakeToolbox
from misstep.synthesis.picking import disturb, mixed_up
from misstep.synthesis.rivals import rivals
from misstep.synthesis.standing import stands
from misstep.synthesis.task import Task

_TRIED = 6
"""So many acts of others are tried for each goal that is wanted."""


async def together(
    make_toolbox: MakeToolbox, chosen: Candidate, row: Row, random: Random, *, among: Sequence[Task]
) -> tuple[Task | Constrained, ...]:
    """The main task and as many partners as the row has goals; an act among them where an order is wanted."""
    main = Constrained(chosen.task, chosen.constraint) if chosen.constraint else chosen.task
    many = _number(row.get("goals", 1)) - 1
    if many < 1:
        return (main,)
    absent = row.get("ambiguity") == "none"
    # What is limited must not be asked for again without the limit.
    partners = [each for each in chosen.partners if not chosen.constraint or each.tool != chosen.task.tool]
    clear = [each for each in partners if not mixed_up(chosen.task, each)]
    if absent:  # who is not there cannot want anything else either
        partners = clear = [each for each in clear if not _shares(chosen.task, each)]
    random.shuffle(clear)
    clear.sort(key=lambda each: not each.owners)  # what this person owns, before what is nobody's
    own = [] if absent else await _grafts(make_toolbox, chosen.task, many, random, among)
    if chosen.constraint:
        limits = chosen.constraint
        # Which of the family the others would be about, nobody says.
        named = {name for rule in limits.forbidden for name in rule.arguments}
        own = [each for each in own if not any(named & step.arguments.keys() for step in each.steps)]
        own, clear, partners = (
            [each for each in some if not _is_left(each, limits)] for some in (own, clear, partners)
        )
    near = [*own, *clear[:many]]
    random.shuffle(near)
    kept: list[Task] = []
    for each in (*near, *clear[many:], *partners):
        if all(each.id != other.id and not disturb(each, other) for other in kept):
            kept.append(each)
    if row.get("constraint") == "order" and not chosen.constraint:
        kept = _in_order(chosen.task, kept)
    return (main, *_nearest_first(chosen.task, await _standing(make_toolbox, chosen, kept, many)))


def _is_left(task: Task, limits: Constraint) -> bool:
    """Whether it is about something that is to be left as it is."""
    left = {str(value) for value in (*limits.left, *((limits.value,) if limits.value is not None else ()))}
    used = (str(value) for step in task.steps for value in step.arguments.values())
    said = (str(item.value) for item in task.items)
    return not left.isdisjoint((*used, *said, *(key for _, key in task.touches)))


def _nearest_first(main: Task, partners: Sequence[Task]) -> list[Task]:
    """What is about the same thing right behind it, before anything of the same kind is spoken of."""
    return sorted(partners, key=lambda each: rivals(main, each))


def _in_order(main: Task, partners: Sequence[Task]) -> list[Task]:
    """An act first that can be told from the main one, and no other of either's tool."""
    acts = (each for each in partners if each.kind == "act" and each.tool != main.tool)
    first = next((each for each in acts if not rivals(main, each)), None)
    if first is None:
        return list(partners)
    return [first, *(each for each in partners if each.tool not in (main.tool, first.tool))]


async def _standing(make_toolbox: MakeToolbox, main: Candidate, partners: Sequence[Task], many: int) -> list[Task]:
    """The first of them beside which everything still is as each was made for."""
    found: list[Task] = []
    limited = main.constraint is not None
    for each in partners:
        if len(found) < many and await stands(make_toolbox, (main.task, *found, each), limited=limited):
            found.append(each)
    return found


def _number(level: Scalar) -> int:
    return int(level) if isinstance(level, (int, float)) else 1


def _shares(one: Task, other: Task) -> bool:
    """They have something to say in common, or are about records of the same kind: by one, the other could be found."""
    own, tables = {(item.name, item.value) for item in one.items}, {table for table, _ in one.touches}
    said = any((item.name, item.value) in own for item in other.items)
    return said or any(table in tables for table, _ in other.touches)


async def _grafts(
    make_toolbox: MakeToolbox, main: Task, many: int, random: Random, among: Sequence[Task]
) -> list[Task]:
    """Acts of others that this person could want too, each of another tool."""
    others = [task for task in among if task.kind == "act" and task.tool != main.tool]
    random.shuffle(others)
    found: list[Task] = []
    for other in others[: _TRIED * many]:
        if len(found) >= many:
            break
        if any(task.tool == other.tool for task in found):
            continue
        graft = await grafted(make_toolbox, main, other)
        if graft is not None and not any(disturb(graft, task) for task in (main, *found)):
            found.append(graft)
    return found
