"""synthesis: a toolbox → tasks with known right answers, and which tools they reach."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from random import Random

from msgspec import Struct, structs

from misstep.core.progress import Stage, Tell, nobody
from misstep.core.scenario import Given
from misstep.core.tool import Tool
from misstep.effects.guessing import told_effect
from misstep.synthesis.owners import Ownership, demand_tables
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.acting import Loss, Trying, Win
from misstep.synthesis.tasks.answering import unpacked
from misstep.synthesis.tasks.asking import computed_task, question_task
from misstep.synthesis.tasks.controls import controlled, is_steady, near_misses
from misstep.synthesis.tasks.doing import act_task, is_open
from misstep.synthesis.tasks.executing import Bench, MakeToolbox, bench_for
from misstep.synthesis.tasks.expecting import differing
from misstep.synthesis.tasks.foretelling import volatile_of
from misstep.synthesis.tasks.giving import given_by, idle_tools, is_given
from misstep.synthesis.tasks.graph import Finder, ToolGraph
from misstep.synthesis.tasks.knowing import Knowledge, learn
from misstep.synthesis.tasks.obstacles import Obstacles, obstacle_task
from misstep.synthesis.tasks.once import once_task
from misstep.synthesis.tasks.refusals import Reason, reasons, refusal_task

_TRIES = 20
"""So many failures in a row before a source of tasks counts as dry."""
_COMPARED = 10
_OTHERS = 2
"""A second call that works is worth looking for: near misses are made of it."""
_REPEATED = 3
_CALLS = 30
"""So many calls at a time to find one that works, or is refused."""
_REFUSED = " (Tasks ask for it all the same: to refuse is right in them.)"


class Tasks(Struct, frozen=True):
    """What was made of a toolbox."""

    tasks: tuple[Task, ...]
    graph: ToolGraph
    reached: dict[str, int]
    """A tool → in how many plans it is called."""
    unreached: dict[str, str]
    """A tool → why no plan reaches it."""
    by_the_by: tuple[str, ...] = ()
    """Tables that tools change which only look: a log, a session."""


Make = Callable[[str], Awaitable[Task | None]]
"""Tries to make one more task, under a name."""


class Source(Struct):
    """Where tasks of one tool and kind come from."""

    name: str
    make: Make
    tries: int = _TRIES
    made: int = 0
    dry: bool = False


async def tasks_of(
    make_toolbox: MakeToolbox,
    *,
    seed: int = 0,
    count: int = 100,
    owners: Sequence[str] | None = None,
    tell: Tell = nobody,
) -> Tasks:
    """Up to so many tasks, spread over the tools. The same seed gives the same tasks.

    `owners`: the tables of persons, and the fields that name one, where these are not to be learnt from the records.

    Where tools have nothing to work on at first, records are created for them: the tasks say how in `given`.
    """
    tell(Stage("tasks found", 0, count))
    known, sources = await _stage(make_toolbox, seed, (), owners)
    given = await given_by(known)
    if given:
        later, others = await _stage(make_toolbox, seed, given, owners)
        if idle_tools(known) - idle_tools(later):  # else nothing has come of it, and nobody needs to know of it
            acts = [source for source in sources if source.name in {_safe(name) for name in known.acts}]
            taken = {source.name for source in acts}
            known, sources = later, [*acts, *(source for source in others if source.name not in taken)]
    demand_tables(owners or (), list(known.survey.tables))
    tasks = await _made(sources, count, known.ownership, tell)
    reached = Counter(tool for task in tasks for tool in sorted({step.tool for step in task.steps}))
    refused = {task.tool for task in tasks if task.kind == "refusal"}
    unreached = {
        name: f"{_why(known, name)}{_REFUSED if name in refused else ''}"
        for name in known.bench.tools
        if name not in reached
    }
    return Tasks(tuple(tasks), known.graph, dict(reached), unreached, known.ignored)


async def _stage(
    make_toolbox: MakeToolbox, seed: int, given: Sequence[Given], owners: Sequence[str] | None
) -> tuple[Knowledge, list[Source]]:
    """What is known of a toolbox with a scene set, and where tasks on it come from."""
    known = await learn(await bench_for(make_toolbox, seed=seed, given=given), Random(seed), owners)
    renewed = await _forgets_something(known, make_toolbox)
    if renewed:
        known = await learn(await bench_for(make_toolbox, seed=seed, given=given, renewed=True), Random(seed), owners)
    other = await bench_for(make_toolbox, seed=seed, given=given, renewed=renewed)
    return known, await _sources(known, other, make_toolbox)


async def _forgets_something(known: Knowledge, make_toolbox: MakeToolbox) -> bool:
    """Its state was put back many times, and yet it does not do what one that is new does."""
    wins = [win for trying in known.acts.values() for win in trying.wins[-1:]][:_COMPARED]
    for win in wins if known.bench.stateful else ():
        new = await bench_for(make_toolbox, seed=known.bench.seed, given=known.bench.given)
        here, there = await known.bench.play(*win.before, win.call), await new.play(*win.before, win.call)
        if here.worked != there.worked or differing(here.changes, there.changes) is None:
            return True
    return False


async def _made(sources: list[Source], count: int, ownership: Ownership, tell: Tell) -> list[Task]:
    """A task from each source in turn, until there are enough or all are dry."""
    made: list[Task] = []
    seen: set[tuple[str, str]] = set()
    while len(made) < count and (open_ones := [source for source in sources if not source.dry]):
        for source in open_ones:
            for _ in range(source.tries):
                bare = await source.make(f"{source.name}-{source.made + 1}")
                task = ownership.owned(bare) if bare is not None else None
                if task is not None and (task.wants, f"{task.steps}{task.items}") not in seen:
                    seen.add((task.wants, f"{task.steps}{task.items}"))
                    made.append(task)
                    tell(Stage("tasks found", len(made), count))
                    source.made += 1
                    break
            else:
                source.dry = True
            if len(made) >= count:
                break
    return made


async def _sources(known: Knowledge, other: Bench, make_toolbox: MakeToolbox) -> list[Source]:
    sources: list[Source] = []
    anything = _does_anything(known)
    for name, trying in known.acts.items():
        if trying.wins:
            trying.open = anything or await is_open(known, trying)
            sources.append(Source(_safe(name), await _acts(known, other, trying)))
            obstacles = Obstacles(known, trying)
            sources.append(Source(f"{_safe(name)}-refused", _refusals(known, other, trying, obstacles), tries=3))
            sources.append(Source(f"{_safe(name)}-obstacle", _obstacles(known, other, trying, obstacles), tries=3))
            sources.append(Source(f"{_safe(name)}-again", _repeated(known, trying, make_toolbox), tries=2 * _REPEATED))
    for name in known.bench.tools:
        finders = known.tells(name)
        if _says_that_it_acts(known.bench.tools[name]):  # That it does so is no way to ask for anything.
            continue
        if finders:
            sources.append(Source(_safe(name), _questions(known, other, finders)))
        elif name in known.reads and known.reads[name].wins:
            sources.append(Source(_safe(name), _calculations(known, other, known.reads[name])))
    return sources


async def _acts(known: Knowledge, other: Bench, trying: Trying) -> Make:
    volatile = await volatile_of(known, other, trying)
    waiting = list(trying.wins)

    async def make(name: str) -> Task | None:
        if len(trying.wins) < _OTHERS and (another := await trying.win(_CALLS * 8)) is not None:
            waiting.append(another)
        win = waiting.pop(0) if waiting else await trying.win(_CALLS)
        win = await trying.polished(win) if win is not None else None
        win = await trying.lean(win) if win is not None else None
        if win is not None and is_given(known, win.call):
            return None
        task = await act_task(known, trying, win, name, volatile) if win is not None else None
        if win is None or task is None:
            return None
        return await _checked(known, other, structs.replace(task, controls=tuple(near_misses(task, win, trying))))

    return make


async def _checked(known: Knowledge, other: Bench, task: Task | None) -> Task | None:
    """Only what its own plan meets, on two toolboxes, and what a near miss does not."""
    done = await controlled(known.bench, task) if task is not None else None
    return done if done is not None and await is_steady(other, done) else None


def _questions(known: Knowledge, other: Bench, finders: list[Finder]) -> Make:
    async def make(name: str) -> Task | None:
        finder = known.random.choice(finders)
        row = known.random.choice(known.survey.tables[finder.table])
        task = await question_task(known, finder, row, name)
        return await _checked(known, other, task)

    return make


def _calculations(known: Knowledge, other: Bench, trying: Trying) -> Make:
    waiting: list[Win] = list({str(win.answer.content): win for win in trying.wins}.values())

    async def make(name: str) -> Task | None:
        win = waiting.pop(0) if waiting else await trying.win(_CALLS)
        win = await trying.bare(win) if win is not None else None
        task = await computed_task(known, trying, win, name) if win is not None else None
        return await _checked(known, other, task)

    return make


def _refusals(known: Knowledge, other: Bench, trying: Trying, obstacles: Obstacles) -> Make:
    """Learnt from all that has been refused; more is tried, of any look, when that is used up."""
    used: set[bytes] = set()
    waiting: list[tuple[Reason, Loss]] = []

    async def make(name: str) -> Task | None:
        if not waiting:
            for _ in range(_CALLS):
                await trying.attempt(at_random=True)
            waiting.extend(_unused(known, trying, used))
            known.random.shuffle(waiting)
        if not waiting:
            return None
        reason, loss = waiting.pop()
        if not obstacles.belongs_together(loss):
            return None
        if known.bench.stateful and not await obstacles.hangs_on_a_record(loss):
            return None
        said = await trying.polished_loss(loss)
        task = await refusal_task(known, trying, reason, said, name) if said is not None else None
        return await _checked(known, other, task)

    return make


def _obstacles(known: Knowledge, other: Bench, trying: Trying, obstacles: Obstacles) -> Make:
    """Refusals that no one field explains."""
    waiting: list[Loss] = []

    async def make(name: str) -> Task | None:
        if not known.bench.stateful:
            return None
        if not waiting:
            waiting.extend(await obstacles.found())
        loss = await trying.polished_loss(waiting.pop()) if waiting else None
        task = await obstacle_task(known, trying, loss, name) if loss is not None else None
        return await _checked(known, other, task)

    return make


def _repeated(known: Knowledge, trying: Trying, make_toolbox: MakeToolbox) -> Make:
    """Of acts that were seen to work, those that do not work twice; a few, for each sets a scene of its own."""
    waiting = list(trying.wins[:_REPEATED]) * 2  # another time, another way to speak of its record

    async def make(name: str) -> Task | None:
        win = await trying.polished(waiting.pop(0)) if waiting else None
        win = await trying.lean(win) if win is not None else None
        return await once_task(make_toolbox, known, trying, win, name) if win is not None else None

    return make


def _unused(known: Knowledge, trying: Trying, used: set[bytes]) -> list[tuple[Reason, Loss]]:
    found: list[tuple[Reason, Loss]] = []
    for reason in reasons(known, trying):
        for loss in trying.losses:
            if loss.shape == reason.shape and loss.call.text not in used:
                used.add(loss.call.text)
                found.append((reason, loss))
    return found


def _does_anything(known: Knowledge) -> bool:
    """Some tool takes a text of its own kind, such as a command, that may do what others do: only the end counts."""
    return any(
        known.bench.tools[name].effect == "destroys"
        and len(trying.filler.needed) == 1
        and not trying.filler.needed[0].choices
        for name, trying in known.reads.items()
        if not known.looks(name)
    )


def _says_that_it_acts(tool: Tool) -> bool:
    """Whatever it was seen to do; what says nothing may be there to be asked."""
    return tool.effect == "writes" or (
        tool.effect == "destroys" and told_effect(tool.name, tool.description) == "destroys"
    )


def _safe(name: str) -> str:
    """Names of scenarios have no slashes and the like."""
    return "".join("-" if each in "/#\\\n" else each for each in name)


def _lists_records(trying: Trying) -> bool:
    """Whether it was seen to answer with a list: it looks, whatever its words say."""
    return any(isinstance(unpacked(win.answer.content), (list, tuple)) for win in (*trying.wins, *trying.idle))


def _why(known: Knowledge, name: str) -> str:
    trying = known.acts.get(name) or known.reads.get(name)
    says_it_reads = known.bench.tools[name].effect == "reads"
    if not says_it_reads and (reaches := known.bench.irrevocable.get(name)) is not None:
        return f"{reaches}, and what cannot be taken back is not tried out."
    if name in known.reads and not says_it_reads and not _lists_records(known.reads[name]):
        return "Its calls work, but change nothing that can be seen."
    if says_it_reads and any(table not in known.ignored for table in known.bench.changed_by.get(name, ())):
        return "It says that it reads, but changes what other tools are for: whoever asks it changes something."
    if trying is not None and trying.wins and name in known.acts:
        return "Its calls work and change something, but no request for that could be made that a person would utter."
    if trying is None or trying.wins:
        return "It reads, but no question about what it shows could be made."
    if trying.losses and not trying.idle:
        shape, times = Counter(loss.shape for loss in trying.losses).most_common(1)[0]
        return f"No call of it worked; {times} of {len(trying.losses)} were refused with: {shape}"
    if trying.idle and (says_it_reads or name in known.reads):
        return "Its calls work, but what they show is empty."
    if trying.idle:
        return "Its calls work, but change nothing that can be seen."
    return "No values were found for its arguments."
