"""A plan that is like a task's → what it changes, told in the way in which the task's own changes are told."""

from collections.abc import Sequence

from misstep.core.objective import ExpectedCall, ExpectedChange, Pattern
from misstep.core.roles import Stateful
from misstep.core.state import Change, difference
from misstep.core.tool import JSON
from misstep.objectives.matching import fits
from misstep.synthesis.ground import MakeToolbox, prepared
from misstep.synthesis.task import Step, Task
from misstep.synthesis.tasks.expecting import pattern


async def changes_of(
    make_toolbox: MakeToolbox, task: Task, before: Sequence[Step], acts: Sequence[Step]
) -> tuple[Change, ...] | None:
    """What the acts change once the steps before them are done; None where some call fails, or nothing can be seen."""
    toolbox = await prepared(make_toolbox, task)
    if not isinstance(toolbox, Stateful):
        return None
    for step in before:
        if (await toolbox.call(step.tool, step.arguments)).is_error:
            return None
    ready = toolbox.snapshot()
    for step in acts:
        if (await toolbox.call(step.tool, step.arguments)).is_error:
            return None
    return tuple(change for change in difference(ready, toolbox.snapshot()) if change.table not in task.ignore_tables)


def expected_change(change: Change, task: Task) -> ExpectedChange:
    """As the task's own changes to that table are told: the same fields, and a key unless that was left open."""
    like = [each for each in task.changes if each.table == change.table]
    named = dict.fromkeys(name for each in like for name in each.fields)
    record = (change.before if change.after is None else change.after) or {}
    return ExpectedChange(
        table=change.table,
        key=None if change.before is None and any(each.key is None for each in like) else change.key,
        fields={
            name: _pattern(record[name], [each.fields[name] for each in like if name in each.fields])
            for name in named
            if name in record
        },
        deleted=change.after is None,
    )


def expected_call(call: ExpectedCall, step: Step) -> dict[str, Pattern]:
    """The arguments that a call like this one must have when it is made with those of the step."""
    return {
        name: _pattern(step.arguments[name], [pattern]) if name in step.arguments else pattern
        for name, pattern in call.arguments.items()
    }


def _pattern(value: JSON, known: Sequence[Pattern]) -> Pattern:
    """A pattern that leaves some freedom stays where it fits; else it is the value itself."""
    return next((each for each in known if fits(each, value)), pattern(value, ()))
