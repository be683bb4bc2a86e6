"""A tau-bench file → what success is in each of its tasks: the answer key, which no detector of production may see.

tau-bench compares the database in the end with that of a run of the key. Here that becomes calls: the writes of the key
must have succeeded, with these arguments, and no other write may have; look-ups, calculations and hand-overs change
nothing and do not matter. Keys beyond those of the answer in a record within the arguments do not matter either.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct

from misstep.core.errors import FormatError
from misstep.core.objective import ExpectedCall, ExpectedFact, Forbidden, Limits, Objective, Pattern
from misstep.core.tool import JSON
from misstep.core.words import split_identifier

_CHANGES_NOTHING = frozenset("get find list search calculate think transfer".split())
"""What the names of tau-bench's tools begin with, where they leave the database as it is."""
_MOST_RULES = 512
_ENOUGH = 1_000_000


class _Action(Struct, frozen=True):
    name: str
    kwargs: dict[str, JSON] = {}

    @property
    def writes(self) -> bool:
        return _writes(self.name)


class _Task(Struct, frozen=True):
    actions: list[_Action] = []
    outputs: list[str] = []
    instruction: str = ""


class _Info(Struct, frozen=True):
    task: _Task = _Task()


class _Function(Struct, frozen=True):
    name: str = ""


class _Call(Struct, frozen=True):
    function: _Function = _Function()


class _Said(Struct, frozen=True):
    tool_calls: list[_Call] | None = None


class _Run(Struct, frozen=True):
    task_id: int | str
    info: _Info = _Info()
    traj: list[_Said] = []


def objectives_in(path: Path) -> dict[str, Objective]:
    """The objective of each task, by the name that the task has as the origin of its traces (`task 7`)."""
    try:
        runs = msgspec.json.decode(path.read_bytes(), type=list[_Run])
    except msgspec.DecodeError as error:
        raise FormatError(f"{path} is no list of tau-bench runs: {error}.") from None
    called = {call.function.name for run in runs for said in run.traj for call in said.tool_calls or ()}
    called.update(action.name for run in runs for action in run.info.task.actions)
    writing = sorted(tool for tool in called if tool and _writes(tool))
    tasks = {f"task {run.task_id}": run.info.task for run in runs}
    return {task: _objective(key, writing) for task, key in tasks.items()}


def _writes(tool: str) -> bool:
    return not _CHANGES_NOTHING.intersection(split_identifier(tool)[:1])


def _objective(task: _Task, writing: Sequence[str]) -> Objective:
    needed = [action for action in task.actions if action.writes]
    return Objective(
        statement=task.instruction,
        calls=tuple(
            ExpectedCall(id=f"{action.name} {at}", tool=action.name, arguments=action.kwargs)
            for at, action in enumerate(needed, start=1)
        ),
        facts=tuple(ExpectedFact(f"output {at}", (output,)) for at, output in enumerate(task.outputs, start=1)),
        forbidden=tuple(
            rule
            for tool in writing
            for rule in _nothing_else(tool, [action.kwargs for action in needed if action.name == tool])
        ),
        limits=Limits(turns=_ENOUGH, calls=_ENOUGH, seconds=_ENOUGH),
    )


def _nothing_else(tool: str, needed: Sequence[Mapping[str, JSON]]) -> Iterator[Forbidden]:
    """Rules that forbid each call of a tool that differs from every needed one in some argument."""
    if not needed:
        yield Forbidden(tool=tool, because="The task does not need it.")
        return
    seen: set[frozenset[str]] = set()
    for names in sorted(product(*needed), key=lambda names: len(set(names)))[:_MOST_RULES]:
        unlike: dict[str, list[JSON]] = {}
        for name, arguments in zip(names, needed, strict=True):
            if arguments[name] not in (others := unlike.setdefault(name, [])):
                others.append(arguments[name])
        rule = {name: cast(Pattern, {"not": {"any_of": others}}) for name, others in unlike.items()}
        told = frozenset(f"{name}={others}" for name, others in unlike.items())
        if not any(earlier <= told for earlier in seen):
            seen.add(told)
            yield Forbidden(tool=tool, arguments=rule, because="The task needs it with other arguments.")
