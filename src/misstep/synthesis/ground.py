"""Tools and tasks → what composing must know of them: the rules, what goes by the by, and what is not there."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, structs

from misstep.core.policy import Policy
from misstep.core.roles import Governed, Stateful, Toolbox
from misstep.core.scenario import Given, Scalar
from misstep.core.tool import JSON, Tool
from misstep.synthesis.own_tools import looked_up_in
from misstep.synthesis.task import Item, Step, Task
from misstep.synthesis.tasks.executing import Call, answer
from misstep.synthesis.tasks.looks import in_words, noun_of
from misstep.wording.requests.forms import is_of_speaker

MakeToolbox = Callable[[int], Toolbox]


class Absence(Struct, frozen=True):
    """A key that fits no record, and a call that shows so."""

    item: str
    value: Scalar
    look_up: Step


class Choice(Struct, frozen=True):
    """That it matters which of several records is meant."""

    answers: tuple[Scalar, ...] = ()
    """Of a question: what is right for each of them, the one that is meant first."""


class Ground(Struct, frozen=True, kw_only=True):
    """What a toolbox is, as far as scenarios are made for it."""

    tools: Mapping[str, Tool] = {}
    policy: Policy = Policy()
    stateful: bool = True
    """Whether its state can be seen."""
    by_the_by: tuple[str, ...] = ()
    """Tables that tools change which only read: a log, a session. What happens there does not matter."""
    absences: Mapping[str, Absence] = {}
    """By the task's id."""
    choices: Mapping[str, Choice] = {}
    """By the task's id, where without its marks several records fit and each leads to something else."""
    values: Mapping[str, tuple[Scalar, ...]] = {}
    """By the name of an item: all values that it has in some task."""
    held: Mapping[str, dict[str, int]] = {}
    """By the name of a field, in words: how many records have each value there."""
    nouns: Mapping[tuple[str, str], str] = {}
    """By the name of a field and a value there: what the records are called that have it, where that is one kind."""
    persons: frozenset[str] = frozenset()
    """What stands in the records of those who speak: customers, members. Said of all of somebody's orders, it is who
    asks, and not which are meant."""
    own: Mapping[Scalar, Given] = {}
    """Values that a person can look up with a tool of their own, and the call that shows each."""

    def noun_of(self, item: Item) -> str:
        """What the record is called that an item speaks of; nothing where it is what a record is to get."""
        return self.nouns.get((item.name, spoken_value(item.value)), "") if item.role != "content" else ""

    def demands_yes(self, tool: str) -> bool:
        found = self.tools.get(tool)
        return found is not None and bool(self.policy.of_kind("confirm", tool, found.effect))

    def needed_with(self, tool: str) -> tuple[str, ...]:
        """Tools that the rules name for those who call this one."""
        found = self.tools.get(tool)
        if found is None:
            return ()
        rules = (
            *self.policy.of_kind("requires", tool, found.effect),
            *self.policy.of_kind("afterwards", tool, found.effect),
        )
        named = (rule.parameters.get("tool") for rule in rules)
        return tuple(name for name in named if isinstance(name, str) and name in self.tools)


async def ground_of(make_toolbox: MakeToolbox, tasks: Sequence[Task], *, seed: int = 0) -> Ground:
    """Found by calling: each key that should fit nothing is looked up once."""
    toolbox = make_toolbox(seed)
    tools = {tool.name: tool for tool in await toolbox.tools()}
    values: defaultdict[str, dict[Scalar, None]] = defaultdict(dict)
    for task in tasks:
        for item in task.items:
            values[item.name].setdefault(item.value)
    return Ground(
        tools=tools,
        policy=toolbox.policy if isinstance(toolbox, Governed) else Policy(),
        stateful=isinstance(toolbox, Stateful),
        by_the_by=tuple(sorted({table for task in tasks for table in task.ignore_tables})),
        absences={task.id: found for task in tasks if (found := await _absence(make_toolbox, task, tools)) is not None},
        values={name: tuple(each) for name, each in values.items()},
        held=_held(toolbox, tasks),
        nouns=_nouns(toolbox),
        persons=_persons(toolbox),
        own=await looked_up_in(toolbox, (value for each in values.values() for value in each)),
    )


def _held(toolbox: Toolbox, tasks: Sequence[Task]) -> dict[str, dict[str, int]]:
    """Out of the state, where that can be seen; else out of what the tasks show of their records."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    if isinstance(toolbox, Stateful):
        for rows in toolbox.snapshot().values():
            for name, value in ((name, value) for row in rows.values() for name, value in row.items()):
                if isinstance(value, (str, int, float)):
                    found[in_words(name)][spoken_value(value)] += 1
        return {name: dict(counts) for name, counts in found.items()}
    seen = {(each.field, spoken_value(each.true), task.touches) for task in tasks for each in task.premises}
    for name, value, _ in seen:
        found[name][value] += 1
    return {name: dict(counts) for name, counts in found.items()}


def _nouns(toolbox: Toolbox) -> dict[tuple[str, str], str]:
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for table, rows in toolbox.snapshot().items() if isinstance(toolbox, Stateful) else ():
        for row in rows.values():
            for name, value in row.items():
                if isinstance(value, (str, int, float)) and noun_of(table):
                    found[in_words(name), spoken_value(value)].add(noun_of(table))
    return {place: next(iter(nouns)) for place, nouns in found.items() if len(nouns) == 1}


def _persons(toolbox: Toolbox) -> frozenset[str]:
    if not isinstance(toolbox, Stateful):
        return frozenset()
    tables = toolbox.snapshot()
    own = (tables[table] for table in tables if is_of_speaker(noun_of(table).rpartition(" ")[2]))
    values = (value for rows in own for key, row in rows.items() for value in (key, *row.values()))
    return frozenset(spoken_value(value) for value in values if isinstance(value, str))


def spoken_value(value: Scalar) -> str:
    """Alike for values that nobody tells apart: 5 and 5.0, Open and open."""
    return f"{float(value):g}" if isinstance(value, (int, float)) else value.strip().casefold()


async def prepared(make_toolbox: MakeToolbox, task: Task) -> Toolbox:
    """A fresh toolbox with the scene of a task set."""
    toolbox = make_toolbox(task.seed)
    for given in task.given:
        await toolbox.call(given.tool, given.arguments)
    return toolbox


async def _absence(make_toolbox: MakeToolbox, task: Task, tools: Mapping[str, Tool]) -> Absence | None:
    """The first key that has a stranger, with the step that used the key: best one that gives an answer and no error,
    else one that is refused. None where nothing shows that it is not there."""
    keys = [item for item in task.items if item.role == "key" and item.name in task.strangers]
    refused: list[Absence] = []
    for item in keys if task.kind != "refusal" else ():
        for step in task.steps:
            looked = _with_stranger(step, item, task.strangers[item.name])
            if looked is None:
                continue
            toolbox = await prepared(make_toolbox, task)
            found = await answer(toolbox, tools.get(looked.tool), Call(looked.tool, looked.arguments))
            absence = Absence(item.name, task.strangers[item.name], looked)
            if found.is_error:
                refused.append(absence)
            elif step.role != "act" or task.kind != "act":
                return absence
    return next(iter(refused), None)


def _with_stranger(step: Step, item: Item, stranger: Scalar) -> Step | None:
    """The same look-up with the key that fits nothing; None where the key is no argument of it."""
    if all(value != item.value for value in step.arguments.values()):
        return None
    arguments: dict[str, JSON] = {
        name: stranger if value == item.value else value for name, value in step.arguments.items()
    }
    return structs.replace(step, arguments=arguments, role="look-up", after=())
