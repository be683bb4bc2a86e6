"""A family of records → tasks with a constraint that bites: solved, and with plans that break just that constraint."""

from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Literal

from msgspec import Struct, structs

from misstep.core.objective import ExpectedCall, Forbidden
from misstep.core.scenario import Scalar
from misstep.core.tool import JSON
from misstep.core.words import split_identifier
from misstep.objectives.matching import fits_all
from misstep.synthesis.families import Family, Member, family_of
from misstep.synthesis.ground import Ground, MakeToolbox
from misstep.synthesis.outcomes import changes_of, expected_call, expected_change
from misstep.synthesis.task import Control, Step, Task
from misstep.synthesis.tasks.looks import in_words, singular

Kind = Literal["order", "exclusion", "limit", "budget"]


class Constraint(Struct, frozen=True, kw_only=True):
    """What limits how a goal may be reached."""

    kind: Kind
    field: str = ""
    """In words: what the exception is told by, or what is counted."""
    value: Scalar | None = None
    """An exclusion: what the exception has in that field."""
    bound: float | None = None
    """A limit: only those below it; a budget: the sum of those that are taken stays within it."""
    most: int = 0
    """A limit: so many and no more, the lowest first."""
    noun: str = ""
    """What one of the records is called."""
    left: tuple[Scalar, ...] = ()
    """What says which records are to be left as they are."""
    forbidden: tuple[Forbidden, ...] = ()


class Constrained(Struct, frozen=True):
    """A task on several records, and what limits it."""

    task: Task
    constraint: Constraint


class _Choice(Struct, frozen=True, kw_only=True):
    """A constraint, and which members it takes and leaves."""

    constraint: Constraint
    taken: tuple[Member, ...]
    left: tuple[Member, ...]


async def constrained_tasks(
    make_toolbox: MakeToolbox, tasks: Sequence[Task], ground: Ground, *, seed: int = 0, most: int = 40
) -> tuple[Constrained, ...]:
    """Exclusions, limits and budgets for the tasks that have a family; orders need none, and are made in composing."""
    made: list[Constrained] = []
    seen: set[frozenset[str]] = set()
    for task in tasks:
        if len(made) >= most:
            break
        family = await family_of(make_toolbox, task, ground)
        if family is None:
            continue
        which = frozenset((task.tool, *(str(member.record.get(family.field)) for member in family.members)))
        if which in seen:
            continue
        seen.add(which)
        for choice in _choices(family, Random(f"constraint/{seed}/{task.id}")):
            solved = await _solved(make_toolbox, family, choice)
            if solved is not None:
                made.append(solved)
    return tuple(made[:most])


def _choices(family: Family, random: Random) -> list[_Choice]:
    """At most one of each kind."""
    members = list(family.members)
    found: list[_Choice | None] = [_exclusion(family, members, random)]
    field = _amount_field(family, members)
    if field is not None:
        ranked = sorted(members, key=lambda member: _number(member, field))
        found.append(_below(field, ranked, random))
        found.append(_few(field, ranked, random))
        found.append(_budget(field, ranked, random))
    return [choice for choice in found if choice is not None]


def _exclusion(family: Family, members: Sequence[Member], random: Random) -> _Choice:
    out = random.choice(members)
    field = _telling_field(family, members)
    value = out.record.get(field)
    constraint = Constraint(
        kind="exclusion", field=in_words(field), value=value if isinstance(value, (str, int, float)) else ""
    )
    return _Choice(constraint=constraint, taken=tuple(each for each in members if each is not out), left=(out,))


def _below(field: str, ranked: Sequence[Member], random: Random) -> _Choice:
    cut = random.randrange(1, len(ranked))
    low, high = _number(ranked[cut - 1], field), _number(ranked[cut], field)
    bound = high if _are_counts(ranked, field) and high - low <= 1 else between(low, high)  # nobody has half a seat
    constraint = Constraint(kind="limit", field=in_words(field), bound=bound)
    return _Choice(constraint=constraint, taken=tuple(ranked[:cut]), left=tuple(ranked[cut:]))


def _few(field: str, ranked: Sequence[Member], random: Random) -> _Choice | None:
    if len(ranked) < 3:
        return None
    most = random.randrange(1, len(ranked) - 1) + (len(ranked) > 3)
    constraint = Constraint(kind="limit", field=in_words(field), most=most)
    return _Choice(constraint=constraint, taken=tuple(ranked[:most]), left=tuple(ranked[most:]))


def _budget(field: str, ranked: Sequence[Member], random: Random) -> _Choice | None:
    """From the lowest on, until the next one would be too much: so that just one choice is right."""
    if any(_number(member, field) <= 0 for member in ranked):
        return None
    sums = list(accumulate(_number(member, field) for member in ranked))
    cut = random.randrange(1, len(ranked))
    low, high = sums[cut - 1], sums[cut]
    bound = low if _are_counts(ranked, field) and high - low <= 1 else between(low, high)
    constraint = Constraint(kind="budget", field=in_words(field), bound=bound)
    return _Choice(constraint=constraint, taken=tuple(ranked[:cut]), left=tuple(ranked[cut:]))


def between(low: float, high: float) -> float:
    """The roundest number that is more than one and less than the other."""
    for step in (1000, 500, 100, 50, 10, 5, 1, 0.5, 0.1, 0.05, 0.01):
        number = round((low // step + 1) * step, 2)
        if low < number < high:
            return int(number) if float(number).is_integer() else number
    return (low + high) / 2


def _are_counts(members: Sequence[Member], field: str) -> bool:
    return all(isinstance(member.record.get(field), int) for member in members)


def _number(member: Member, field: str) -> float:
    value = member.record.get(field)
    return float(value) if isinstance(value, (int, float)) else 0.0


_AMOUNTS = frozenset(
    """price cost total subtotal amount fee fare charge rent salary wage payment budget sum worth value eur usd gbp
    euro dollar pound hour minute night quantity qty unit seat ticket piece weight kg kilogram tonne litre liter volume
    """.split()
)
"""What people bound and add up: money, time that is spent, quantities. Not a year, a height, a rating, an age."""


def _amount_field(family: Family, members: Sequence[Member]) -> str | None:
    """A field with another amount in each record, with fractions rather than a count, which the act leaves as it is.

    Where the act gives records what it is told, no amount has to do with it.
    """
    if family.sets_what_is_told:
        return None
    found: list[tuple[bool, str]] = []
    for name in members[0].record:
        values = [member.record.get(name) for member in members]
        numbers = [value for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
        if name == family.field or len(numbers) < len(members) or len(set(numbers)) < len(members):
            continue
        if name in family.writes or not _is_amount(name):
            continue
        if any(value in member.acts[0].arguments.values() for member, value in zip(members, numbers, strict=True)):
            continue
        found.append((all(isinstance(value, int) for value in numbers), name))
    return min(found)[1] if found else None


def _is_amount(field: str) -> bool:
    """By its last word, or by the unit behind it: `unit_price`, `weight_kg`; no `price_list_id`."""
    words = split_identifier(field)
    return bool(words) and (words[-1] in _AMOUNTS or singular(words[-1]) in _AMOUNTS)


def _telling_field(family: Family, members: Sequence[Member]) -> str:
    """What people would tell the records apart by; the id where there is nothing else."""
    for name in members[0].record:
        values = [member.record.get(name) for member in members]
        texts = [value for value in values if isinstance(value, str) and 0 < len(value) <= 40]
        if (
            name != family.field
            and name not in family.writes
            and len(texts) == len(members)
            and len({text.casefold() for text in texts}) == len(members)
        ):
            return name
    return family.field


async def _solved(make_toolbox: MakeToolbox, family: Family, choice: _Choice) -> Constrained | None:
    """Execute the right plan; None where it does not work with all of them together."""
    task, taken = family.task, _in_order(family, choice.taken)
    steps = _steps(family, taken)
    changes = await changes_of(make_toolbox, task, family.before, steps[len(family.before) :])
    if changes is None:
        return None
    kind = choice.constraint.kind
    name = f"{kind}-most" if choice.constraint.most else kind
    key = family.argument
    out = [member.acts[0].arguments[key] for member in choice.left]
    rule = Forbidden(tool=task.tool, arguments={key: {"any_of": out}}, because="The person wanted it left out.")
    solved = structs.replace(
        task,
        id=f"{task.id}/{name}",
        steps=steps,
        items=family.items,
        calls=_calls(family, taken),
        changes=tuple(expected_change(change, task) for change in changes),
        outcome=(),
        marks=(),
        strangers={},
        premises=(),
        touches=tuple(dict.fromkeys((*task.touches, *((each.table, each.key) for each in changes)))),
        controls=_controls(family, choice),
    )
    limits = structs.replace(choice.constraint, forbidden=(rule,), noun=family.noun, left=tuple(map(_scalar, out)))
    return Constrained(solved, limits)


def _scalar(value: JSON) -> Scalar:
    return value if isinstance(value, (str, int, float)) else str(value)


def _in_order(family: Family, chosen: Sequence[Member]) -> tuple[Member, ...]:
    return tuple(member for member in family.members if member in chosen)


def _steps(family: Family, members: Sequence[Member]) -> tuple[Step, ...]:
    return (*family.before, *(step for member in members for step in member.acts))


def _calls(family: Family, members: Sequence[Member]) -> tuple[ExpectedCall, ...]:
    task = family.task
    shared = tuple(step.arguments for step in family.before)
    calls = [call for call in task.calls if any(call.arguments == arguments for arguments in shared)]
    kept = {call.name for call in calls}
    listed = {(call.tool, str(call.arguments)) for call in calls}
    for step in family.before:
        if step.role == "look-up" and (step.tool, str(step.arguments)) not in listed:
            name = f"{step.tool}-all" if step.tool in kept else step.tool
            calls.append(ExpectedCall(id=name, tool=step.tool, arguments=dict(step.arguments), optional=True))
            kept.add(name)
    acting = [step for step in task.steps if step.role in ("act", "due")]
    for at, member in enumerate(members, 1):
        own: dict[str, str] = {}
        for original, step in zip(acting, member.acts, strict=True):
            call = _call_for(task, original)
            if call is None:
                continue
            own[call.name] = f"{call.name}-{at}"
            after = tuple(own.get(name, name) for name in call.after if name in own or name in kept)
            calls.append(structs.replace(call, id=own[call.name], arguments=expected_call(call, step), after=after))
    return tuple(
        structs.replace(call, after=tuple(name for name in call.after if name in {c.name for c in calls}))
        for call in calls
    )


def _call_for(task: Task, step: Step) -> ExpectedCall | None:
    return next(
        (call for call in task.calls if call.tool == step.tool and fits_all(call.arguments, step.arguments)), None
    )


def _controls(family: Family, choice: _Choice) -> tuple[Control, ...]:
    """All of them; one too few; one that had to be left, in place of one that had to be taken."""
    found = [Control(name="takes no notice of the constraint", steps=_steps(family, family.members))]
    if len(choice.taken) > 1:
        found.append(Control(name="leaves one out too many", steps=_steps(family, choice.taken[1:])))
    swapped = (*choice.taken[1:], choice.left[0])
    found.append(Control(name="takes the wrong one", steps=_steps(family, _in_order(family, swapped))))
    return tuple(found)
