"""A task and other calls that work → near misses that must not meet its objective, each executed to prove that."""

from collections.abc import Iterator, Sequence

from msgspec import structs

from misstep.core.event import Message
from misstep.core.scenario import Scalar
from misstep.core.tool import JSON
from misstep.objectives import Unmet, judge
from misstep.synthesis.task import CLAIM, NOT_POSSIBLE, Control, Step, Task
from misstep.synthesis.tasks.acting import Trying, Win
from misstep.synthesis.tasks.checking import objective_of, trace_of
from misstep.synthesis.tasks.executing import Bench, Call
from misstep.synthesis.tasks.looks import is_scalar
from misstep.synthesis.tasks.surveying import leaves, text

_MOST = 5
_HELLO = (Message(actor="user", role="user", text="Hello."),)


async def unmet(bench: Bench, task: Task, steps: Sequence[Step], tells: Sequence[Scalar]) -> tuple[Unmet, ...]:
    """What a plan leaves unmet of a task, tried on the bench."""
    played = await bench.play(*(Call(step.tool, step.arguments) for step in steps))
    changes = played.changes if bench.stateful else None
    trace = trace_of(tuple(bench.tools.values()), _HELLO, steps, played.answers, changes, tells=tells)
    return judge(trace, objective_of(task))


async def controlled(bench: Bench, task: Task) -> Task | None:
    """The task with those of its controls that do miss; None where its own plan does not meet it, where nothing misses,
    or where who only claims that it was done would have told all."""
    if await unmet(bench, task, task.steps, told_values(task)):
        return None
    kept: list[Control] = []
    for control in task.controls:
        known = len(kept) >= _MOST or any(control.name == each.name for each in kept)
        if known:
            continue
        if await unmet(bench, task, control.steps, control.tells):
            kept.append(control)
        elif control.name == CLAIM:
            return None
    return structs.replace(task, controls=tuple(kept)) if kept else None


async def is_steady(other: Bench, task: Task) -> bool:
    """On a toolbox that has seen nothing of all this, the plan leads to the same end and shows the same facts."""
    played = await other.play(*(Call(step.tool, step.arguments) for step in task.steps))
    shown = {text(value) for answer in played.answers for _, value in leaves(answer.content)}
    if task.kind == "question" and not any(
        text(form) in shown or any(text(form) in each for each in shown) for fact in task.told for form in fact.any_of
    ):
        return False
    return not await unmet(other, task, task.steps, told_values(task))


def told_values(task: Task) -> tuple[Scalar, ...]:
    own = tuple(fact.any_of[0] for fact in task.told if fact.any_of)
    return (NOT_POSSIBLE, *own) if task.impossible else own


def near_misses(task: Task, win: Win, trying: Trying) -> Iterator[Control]:
    """Of an act: on another record, without what must come first, with another content, or with one thing more."""
    others = [each for each in trying.wins if each.call.text != win.call.text and not _same_end(each, win)]
    act = next(at for at, step in enumerate(task.steps) if step.role == "act")
    if others:
        yield Control(name="wrong-record", steps=steps_of(others[-1]))
        for other in (others[0], others[-1]):  # After the act, one of them may be refused.
            yield Control(name="one-write-too-many", steps=(*task.steps, *steps_of(other)))
    else:
        elsewhere = trying.elsewhere(win)
        if elsewhere is not None:
            wrong = structs.replace(task.steps[act], arguments=elsewhere.arguments)
            yield Control(name="wrong-record", steps=(*task.steps[:act], wrong))
        yield Control(name="twice", steps=(*task.steps, task.steps[act]))
    for at, step in enumerate(task.steps):
        if step.role == "need":
            yield Control(name="missing-step", steps=without(task.steps, at))
            break
    for name, value in _other_contents(task, others):
        arguments = {**task.steps[act].arguments, name: value}
        changed = structs.replace(task.steps[act], arguments=arguments)
        yield Control(name="wrong-content", steps=(*task.steps[:act], changed, *task.steps[act + 1 :]))
        break
    yield Control(name="nothing-done", steps=tuple(step for step in task.steps if step.role == "look-up"))


def _same_end(one: Win, other: Win) -> bool:
    return bool(one.changes) and one.changes == other.changes


def _other_contents(task: Task, others: Sequence[Win]) -> Iterator[tuple[str, JSON]]:
    """For an argument that the person fills, what it was in another call."""
    for item in task.items:
        if item.role != "content" or not item.argument:
            continue
        for other in others:
            value = other.call.arguments.get(item.argument)
            if is_scalar(value) and value != item.value:
                yield item.argument, value


def steps_of(win: Win) -> tuple[Step, ...]:
    before = tuple(Step(tool=call.tool, arguments=call.arguments, role="need") for call in win.before)
    return (*before, Step(tool=win.call.tool, arguments=win.call.arguments, role="act"))


def without(steps: Sequence[Step], gone: int) -> tuple[Step, ...]:
    """The steps without one; places that come after it move up."""
    return tuple(
        structs.replace(step, after=tuple(at - (at > gone) for at in step.after if at != gone))
        for at, step in enumerate(steps)
        if at != gone
    )
