"""A task whose record can be taken for others → what would come of each of those, found by executing it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct, structs

from misstep.core.roles import Stateful
from misstep.core.scenario import Scalar
from misstep.core.state import difference
from misstep.core.tool import JSON
from misstep.synthesis.families import Record, record_lists
from misstep.synthesis.ground import Choice, Ground, MakeToolbox, prepared
from misstep.synthesis.task import Step, Task

_DEEPEST = 6
_MOST = 12

_Path = tuple[str | int, ...]


class _Run(Struct, frozen=True):
    """The steps of a plan, and what they answered."""

    answers: tuple[JSON, ...]
    worked: bool
    changed: bool


async def with_choices(ground: Ground, make_toolbox: MakeToolbox, tasks: Sequence[Task]) -> Ground:
    """The ground with what is known of the tasks whose records can be mixed up."""
    found = {task.id: choice for task in tasks if (choice := await choice_of(make_toolbox, task)) is not None}
    return structs.replace(ground, choices=found)


async def choice_of(make_toolbox: MakeToolbox, task: Task) -> Choice | None:
    """None where it makes no difference which of the records is meant: then nobody need ask."""
    marks = {str(item.value) for item in task.items if item.name in task.marks}
    if not marks or task.kind == "refusal":
        return None
    own = await _played(make_toolbox, task, task.steps)
    found = _side_by_side(task, own.answers, marks)
    if found is None or not own.worked:
        return None
    at, mine, others = found
    ends: list[tuple[Scalar, ...]] = []
    for other in others[:_MOST]:
        run = await _for_another(make_toolbox, task, at, own, mine, other)
        if task.kind == "act":
            ends.extend([()] if run.worked and (run.changed or not task.stateful) else [])
        elif run.worked:
            told = _told(task, at, (own, mine), (run, other))
            ends.extend([told] if told else [])
    if task.kind == "act":
        return Choice() if ends else None
    right = tuple(fact.any_of[0] for fact in task.told)
    unlike = [each for each in ends if {*map(str, each)} != {*map(str, right)}]
    return Choice(tuple(dict.fromkeys((*right, *(value for each in ends for value in each))))) if unlike else None


async def _played(make_toolbox: MakeToolbox, task: Task, steps: Sequence[Step]) -> _Run:
    toolbox = await prepared(make_toolbox, task)
    before = toolbox.snapshot() if isinstance(toolbox, Stateful) else None
    answers: list[JSON] = []
    worked = True
    for step in steps:
        if step.role in ("act", "due") and task.kind == "act" and before is None:
            answers.append(None)  # what cannot be put back is not tried
            continue
        answer = await toolbox.call(step.tool, step.arguments)
        worked = worked and not answer.is_error
        answers.append(answer.content)
    after = toolbox.snapshot() if isinstance(toolbox, Stateful) else None
    changes = difference(before, after) if before is not None and after is not None else ()
    return _Run(tuple(answers), worked, any(change.table not in task.ignore_tables for change in changes))


def _side_by_side(task: Task, answers: Sequence[JSON], marks: set[str]) -> tuple[int, Record, list[Record]] | None:
    """The step that shows the record among others, the record, and those others that fit what else is said."""
    keys = {str(item.value) for item in task.items if item.role == "key"}
    for at, answer in enumerate(answers):
        for records in record_lists(answer):
            held = [{str(value) for _, value in _leaves(record)} for record in records]
            mine = [place for place, values in enumerate(held) if marks <= values]
            if len(mine) != 1:
                continue
            needed = keys & held[mine[0]]
            others = [record for record, values in zip(records, held, strict=True) if needed <= values]
            return at, records[mine[0]], [record for record in others if record is not records[mine[0]]]
    return None


async def _for_another(make_toolbox: MakeToolbox, task: Task, at: int, own: _Run, mine: Record, other: Record) -> _Run:
    """The same plan, with what it took from one record, and from what that led to, taken from the other."""
    said = {item.value for item in task.items if item.name not in task.marks}
    instead = _instead(mine, other, said)
    lacking = _lacking(mine, other, said)
    steps = list(task.steps[: at + 1])
    run = await _played(make_toolbox, task, steps)
    for place, step in enumerate(task.steps[at + 1 :], at + 1):
        if any(value in lacking and value not in instead for value in step.arguments.values() if _is_one(value)):
            return _Run((), worked=False, changed=False)  # the other has nothing there that it could be done with
        arguments = {
            name: instead.get(value, value) if _is_one(value) else value for name, value in step.arguments.items()
        }
        steps.append(structs.replace(step, arguments=arguments))
        run = await _played(make_toolbox, task, steps)
        if not run.worked:
            break
        for value, there in _instead(own.answers[place], run.answers[place], said).items():
            instead.setdefault(value, there)
        lacking |= _lacking(own.answers[place], run.answers[place], said)
    same = [step.arguments for step in steps] == [step.arguments for step in task.steps]
    return structs.replace(run, worked=False) if same and len(steps) > at + 1 else run


def _is_one(value: JSON) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def _instead(mine: JSON, other: JSON, said: set[Scalar]) -> dict[JSON, JSON]:
    theirs = dict(_leaves(other))
    return {value: theirs[path] for path, value in _leaves(mine) if path in theirs and value not in said}


def _lacking(mine: JSON, other: JSON, said: set[Scalar]) -> set[JSON]:
    """What one record has where the other has nothing."""
    theirs = dict(_leaves(other))
    return {value for path, value in _leaves(mine) if path not in theirs and value not in said}


def _told(task: Task, at: int, own: tuple[_Run, Record], other: tuple[_Run, Record]) -> tuple[Scalar, ...]:
    """What the answer says of the other record where it says of the right one what is to be told."""
    last = at == len(task.steps) - 1
    mine, theirs = (own[1], other[1]) if last else (own[0].answers[-1], other[0].answers[-1])
    there = dict(_leaves(theirs))
    found: list[Scalar] = []
    for fact in task.told:
        forms = {str(form).casefold() for form in fact.any_of}
        path = next((path for path, value in _leaves(mine) if str(value).casefold() in forms), None)
        if path is None or path not in there:
            return ()
        found.append(there[path])
    return tuple(found)


def _leaves(content: JSON, path: _Path = ()) -> Iterator[tuple[_Path, Scalar]]:
    if isinstance(content, (str, int, float)):
        yield path, content
    elif len(path) < _DEEPEST and isinstance(content, Mapping):
        for name, value in cast("Mapping[str, JSON]", content).items():
            yield from _leaves(value, (*path, name))
    elif len(path) < _DEEPEST and isinstance(content, (list, tuple)):
        for place, value in enumerate(cast("Sequence[JSON]", content)[:_MOST]):
            yield from _leaves(value, (*path, place))
