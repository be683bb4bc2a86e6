"""Tasks → which of them can share a conversation, and which fit a row of levels."""

from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.synthesis.abilities import Candidate, Possible, candidate
from misstep.synthesis.constraints import Constrained
from misstep.synthesis.factors import Row
from misstep.synthesis.ground import Ground
from misstep.synthesis.owners import one_person
from misstep.synthesis.task import Task

_MOST_PARTNERS = 24


def candidates_of(
    tasks: Sequence[Task], constrained: Sequence[Constrained], ground: Ground, levels: Mapping[str, Sequence[Scalar]]
) -> tuple[Candidate, ...]:
    """Every task with its partners and the levels that it can be given."""
    company = Company(tasks)
    found = [candidate(task, ground, partners=company.partners_of(task), levels=levels) for task in tasks]
    found += [candidate(each, ground, partners=company.partners_of(each.task), levels=levels) for each in constrained]
    return tuple(found)


class _Marks(Struct, frozen=True):
    """What of a task decides with which others it goes."""

    task: Task
    known: frozenset[tuple[str, Scalar]]
    changed: frozenset[tuple[str, str]]
    touched: frozenset[tuple[str, str]]
    told: frozenset[str]
    answers: frozenset[str]
    """What a question is answered with, in words."""
    said: frozenset[str]
    targets: frozenset[tuple[str, str, str]]
    """What its acts are done to, where no state shows which records those are."""


class Company:
    """Which tasks neither disturb each other nor live in different worlds."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._marks = [_marks(task) for task in tasks]

    def partners_of(self, task: Task) -> tuple[Task, ...]:
        """Tasks that disturb neither this one nor each other; those that speak of the same person or thing first."""
        own = _marks(task)
        ranked = sorted(
            (each for each in self._marks if each.task.id != task.id and not _disturbs(own, each)),
            key=lambda each: (
                each.task.kind == "refusal",
                _mixed_up(own, each),
                -len(own.known & each.known),
                each.task.tool == task.tool,
            ),
        )
        kept: list[_Marks] = []
        for each in ranked:
            if len(kept) >= _MOST_PARTNERS:
                break
            if all(not _disturbs(each, other) for other in kept):
                kept.append(each)
        return tuple(each.task for each in kept)


def _marks(task: Task) -> _Marks:
    changed = frozenset(
        (change.table, change.key)
        for change in task.changes
        if change.key is not None and change.table not in task.ignore_tables
    )
    known = frozenset((item.name, item.value) for item in task.items if item.role == "key")
    told = frozenset(str(form).casefold() for fact in task.told for form in fact.any_of)
    answers = frozenset(each for each in told if task.kind == "question" and not each.replace(".", "").isdigit())
    said = frozenset(str(item.value).casefold() for item in task.items)
    content = {item.value for item in task.items if item.role == "content"}
    targets = frozenset(
        (step.tool, name, str(value))
        for step in task.steps
        for name, value in step.arguments.items()
        if step.role == "act" and not task.stateful and isinstance(value, (str, int)) and value not in content
    )
    return _Marks(task, known, changed, changed.union(task.touches), told, answers, said, targets)


def mixed_up(one: Task, other: Task) -> int:
    """How many things of a kind are not the same: two people's names, two records of one table."""
    return _mixed_up(_marks(one), _marks(other))


def _mixed_up(one: _Marks, other: _Marks) -> int:
    tables = {table for table, _ in one.touched}
    rivals = sum(table in tables for table, _ in other.touched - one.touched)
    names = {name for name, _ in one.known}
    return rivals + sum(name in names and (name, value) not in one.known for name, value in other.known)


def disturb(one: Task, other: Task) -> bool:
    """Whether two tasks cannot share a conversation."""
    return _disturbs(_marks(one), _marks(other))


def _disturbs(one: _Marks, other: _Marks) -> bool:
    """Whether one of them changes a record that the other reads or changes, or tells what the other must tell too.

    Nor are they two people's, and nobody asks for what they say themselves."""
    if not (one.answers.isdisjoint(other.said) and other.answers.isdisjoint(one.said)):
        return True
    if not (one.told.isdisjoint(other.told) and one.targets.isdisjoint(other.targets)):
        return True
    if one.task.owners and other.task.owners and not one_person((one.task.owners, other.task.owners)):
        return True
    if one.task.seed != other.task.seed or (one.task.given and other.task.given and one.task.given != other.task.given):
        return True
    return not (one.changed.isdisjoint(other.touched) and other.changed.isdisjoint(one.touched))


class Picker:
    """Gives each row a main task that can be all of it, the least used first, and partners for it."""

    def __init__(self, candidates: Sequence[Candidate], possible: Possible) -> None:
        self._candidates = candidates
        self._possible = possible
        self._tools: dict[str, int] = {}
        self._used: dict[str, int] = {}

    def pick(self, row: Row, random: Random, *, without: Sequence[str] = ()) -> Candidate | None:
        """None where no task is left that could be given the row."""
        able = self._possible.who(row)
        open_ = [each for at, each in enumerate(self._candidates) if able >> at & 1 and each.task.id not in without]
        if not open_:
            return None
        random.shuffle(open_)
        return min(open_, key=lambda each: (self._used.get(each.task.id, 0), self._tools.get(each.task.tool, 0)))

    def used(self, chosen: Candidate) -> None:
        self._used[chosen.task.id] = self._used.get(chosen.task.id, 0) + 1
        self._tools[chosen.task.tool] = self._tools.get(chosen.task.tool, 0) + 1
