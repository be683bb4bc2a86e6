"""Tasks of one conversation → whether what each finds out holds in the scene of all, and after what the others do."""

from collections.abc import Sequence

from misstep.core.scenario import Given
from misstep.core.state import difference
from misstep.core.tool import JSON
from misstep.objectives.matching import fits_all
from misstep.synthesis.ground import MakeToolbox
from misstep.synthesis.task import Step, Task
from misstep.synthesis.tasks.executing import Bench, Call, bench_for
from misstep.synthesis.tasks.surveying import leaves, records_in, text


def given_of(tasks: Sequence[Task]) -> tuple[Given, ...]:
    """What sets the scene of all of them."""
    return tuple(each for at, task in enumerate(tasks) for each in task.given if _is_first(each, tasks[:at]))


def _is_first(given: Given, earlier: Sequence[Task]) -> bool:
    return all(given not in task.given for task in earlier)


async def stands(make_toolbox: MakeToolbox, tasks: Sequence[Task], *, limited: bool = False) -> bool:
    """Found by executing: a task was made in a scene of its own, and a question may be asked before or after an act.

    `limited`: the first is about several records within some limit, and must find the same ones when all the others
    are done.
    """
    if limited and not await _finds_the_same(make_toolbox, tasks[0], tasks):
        return False
    given = given_of(tasks)
    if given and await _is_there_already(make_toolbox, tasks, given):
        return False
    if not await _told_apart(make_toolbox, tasks[-1], tasks) or not await _told_apart(make_toolbox, tasks[0], tasks):
        return False
    doubtful = [task for task in tasks if task.given != given or (task.kind == "question" and _acts(tasks, task))]
    if not doubtful or not all(task.stateful for task in tasks):
        return True
    alone = [await _found(await _scene(make_toolbox, task, task.given), task) for task in doubtful]
    scene = await _scene(make_toolbox, tasks[0], given)
    for task, found in zip(doubtful, alone, strict=True):
        if await _found(scene, task) != found:
            return False
        if task.kind == "question" and await _answered(scene, task, _acts(tasks, task)) != found[-1:]:
            return False
    return True


async def _is_there_already(make_toolbox: MakeToolbox, tasks: Sequence[Task], given: Sequence[Given]) -> bool:
    """Whether somebody asks for what has been done to set the scene: the same call, or a record that is there by it."""
    acting = [task for task in tasks if task.kind == "act"]
    if any(Given(step.tool, step.arguments) in given for task in acting for step in task.steps):
        return True
    wanted = [change for task in acting for change in task.changes if change.key is None and change.fields]
    if not wanted:
        return False
    bare, scene = await _scene(make_toolbox, tasks[0], ()), await _scene(make_toolbox, tasks[0], given)
    made = [change for change in difference(bare.start, scene.start) if change.before is None]
    return any(
        change.table == each.table and fits_all(change.fields, each.after or {}) for change in wanted for each in made
    )


async def _told_apart(make_toolbox: MakeToolbox, task: Task, tasks: Sequence[Task]) -> bool:
    """Whether as many records fit what is said of it when all else is done: a new one, or one that is open now, may
    be meant as well."""
    acts = _acts(tasks, task)
    steps = [step for step in task.steps if step.role in ("look-up", "need")]
    if not acts or not steps or not task.stateful:
        return True
    scene = await _scene(make_toolbox, task, given_of(tasks))
    before = (await scene.play(*map(_call, steps))).answers
    after = (await scene.play(*map(_call, (*acts, *steps)))).answers[len(acts) :]
    said = {text(item.value) for item in task.items if item.role != "content"}
    return all(
        _fitting(one.content, said & _held(one.content)) == _fitting(other.content, said & _held(one.content))
        for one, other in zip(before, after, strict=False)
    )


def _held(content: JSON) -> set[str]:
    return {text(value) for _, record in records_in(content) for _, value in leaves(record)}


def _fitting(content: JSON, said: set[str]) -> int:
    return sum(said <= {text(value) for _, value in leaves(record)} for _, record in records_in(content))


async def _finds_the_same(make_toolbox: MakeToolbox, task: Task, tasks: Sequence[Task]) -> bool:
    scene = await _scene(make_toolbox, task, given_of(tasks))
    steps = [step for step in task.steps if step.role in ("look-up", "need")]
    acts = _acts(tasks, task)
    before = (await scene.play(*map(_call, steps))).answers if steps else ()
    after = (await scene.play(*map(_call, (*acts, *steps)))).answers[len(acts) :] if steps else ()
    return all(
        one.content == other.content
        for step, one, other in zip(steps, before, after, strict=True)
        if step.role == "look-up"
    )


async def _scene(make_toolbox: MakeToolbox, task: Task, given: Sequence[Given]) -> Bench:
    return await bench_for(make_toolbox, seed=task.seed, given=given)


def _acts(tasks: Sequence[Task], apart_from: Task) -> list[Step]:
    return [step for task in tasks if task.kind == "act" and task is not apart_from for step in task.steps]


async def _found(bench: Bench, task: Task) -> list[JSON]:
    """What its look-ups show; of a question, its answer too."""
    played = await bench.play(*map(_call, task.steps))
    shows = [task.kind == "question" or step.role == "look-up" for step in task.steps]
    return [answer.content for answer, shown in zip(played.answers, shows, strict=True) if shown]


async def _answered(bench: Bench, task: Task, acts: Sequence[Step]) -> list[JSON]:
    played = await bench.play(*map(_call, (*acts, *task.steps)))
    return [answer.content for answer in played.answers[-1:]]


def _call(step: Step) -> Call:
    return Call(step.tool, step.arguments)
