"""A bench → what calling its tools has taught: the look-ups, what works, what must come first, what goes by the by."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from misstep.core.tool import Tool
from misstep.synthesis.owners import Ownership
from misstep.synthesis.tasks.acting import Trying
from misstep.synthesis.tasks.executing import Bench
from misstep.synthesis.tasks.finding import finders_of
from misstep.synthesis.tasks.graph import Finder, Link, ToolGraph
from misstep.synthesis.tasks.keying import rows_called
from misstep.synthesis.tasks.looks import in_words
from misstep.synthesis.tasks.needing import Need
from misstep.synthesis.tasks.slots import Path, Slot, slots_of
from misstep.synthesis.tasks.surveying import Survey, survey_of


class Knowledge:
    """What is known of a toolbox in one state."""

    def __init__(self, bench: Bench, survey: Survey, random: Random, owners: Sequence[str] | None = None) -> None:
        self.bench, self.survey, self.random = bench, survey, random
        self.finders: dict[str, list[Finder]] = defaultdict(list)
        """By the table whose records they show."""
        self.ownership = Ownership(survey, self.finders, owners)
        self.needs: dict[str, tuple[Need, ...]] = {}
        """What must come before a tool, by its name."""
        self.acts: dict[str, Trying] = {}
        self.reads: dict[str, Trying] = {}
        """Tools that look, as far as they were tried with more than one value."""
        self.ignored: tuple[str, ...] = ()
        """Tables that only tools change which say that they read."""
        self.graph = ToolGraph()
        self._slots: dict[str, dict[Path, Slot]] = {}

    def slot(self, tool: str, path: Path) -> Slot | None:
        """The place in a tool's arguments."""
        if tool not in self._slots:
            self._slots[tool] = {slot.path: slot for slot in slots_of(self.bench.tools[tool])}
        return self._slots[tool].get(path)

    def tells(self, tool: str) -> list[Finder]:
        """The look-ups of a tool that show more of a record than what it is called."""
        return [finder for finder in self.looks(tool) if self._tells(finder)]

    def _tells(self, finder: Finder) -> bool:
        asked = {self.survey.key_paths[finder.table], *(field.path for _, field in finder.inputs if not field.form)}
        return bool(set(finder.shown) - asked)

    def looks(self, tool: str) -> list[Finder]:
        return [finder for finders in self.finders.values() for finder in finders if finder.tool == tool]


async def learn(bench: Bench, random: Random, owners: Sequence[str] | None = None) -> Knowledge:
    """What says that it reads is tried as a look-up; the rest as something that writes, until it is seen not to."""
    known = Knowledge(bench, await survey_of(bench, random), random, owners)
    readers = [tool for tool in bench.tools.values() if tool.effect == "reads"]
    for tool in readers:
        await _learn_look_ups(known, tool)
    familiar: list[Need] = []
    for tool in bench.tools.values():
        if tool.effect != "reads" and tool.name not in bench.irrevocable:
            await _learn_to_act(known, tool, familiar)
    for tool in readers:
        if not known.tells(tool.name):
            await _learn_to_read(known, tool, familiar)
    _name_alike(known)
    known.ignored = _ignored(known)
    known.graph = _graph(known)
    return known


def _name_alike(known: Knowledge) -> None:
    """What names records in one tool does so in the others that have it by the same name, and take no other value."""
    tried = [*known.acts.values(), *known.reads.values()]
    fields = {
        slot.name: trying.called[slot.path]
        for trying in tried
        for slot in trying.filler.slots
        if slot.path in trying.called
    }
    for trying in tried:
        for slot in trying.filler.slots:
            field = fields.get(slot.name)
            if field is None or trying.referred.get(slot.path):
                continue
            taken = [win.values[slot.path] for win in trying.wins if slot.path in win.values]
            if taken and all(rows_called(known.survey, field, value) for value in taken):
                trying.called[slot.path] = field
                trying.referred.setdefault(slot.path, set()).add(field.table)


async def _learn_look_ups(known: Knowledge, tool: Tool) -> None:
    for finder in await finders_of(known.bench, known.survey, tool, known.random, known.needs.get(tool.name, ())):
        known.finders[finder.table].append(finder)


async def _learn_to_act(known: Knowledge, tool: Tool, familiar: list[Need]) -> None:
    trying = Trying(known.bench, known.survey, tool, known.random)
    await trying.learn(familiar)
    if not trying.only_looks:
        known.acts[tool.name] = trying
        known.needs[tool.name] = trying.needs
        familiar += [need for need in trying.needs if need not in familiar]
        return
    if tool.effect != "writes":  # Whatever it says, it has never changed anything.
        await _learn_look_ups(known, tool)
    if known.tells(tool.name):
        return
    if trying.filler.slots:
        await _learn_to_read(known, tool, familiar)
    else:  # What says nothing of itself, and shows no record, may have done something that nobody sees.
        known.acts[tool.name] = trying


async def _learn_to_read(known: Knowledge, tool: Tool, familiar: list[Need]) -> None:
    trying = Trying(known.bench, known.survey, tool, known.random, reads=True)
    await trying.learn(familiar)
    known.reads[tool.name] = trying
    known.needs[tool.name] = trying.needs
    if trying.needs and not known.looks(tool.name):
        await _learn_look_ups(known, tool)


def _ignored(known: Knowledge) -> tuple[str, ...]:
    """What reading tools leave behind, unless it is what a writing tool is for."""
    tools = known.bench.tools
    left = {
        table for tool, tables in known.bench.changed_by.items() if tools[tool].effect == "reads" for table in tables
    }
    written = {change.table for trying in known.acts.values() for win in trying.wins for change in win.changes}
    return tuple(sorted(left - written))


def _graph(known: Knowledge) -> ToolGraph:
    finders = tuple(finder for finders in known.finders.values() for finder in finders)
    shown = _shown_fields(known)
    links = {
        Link(giver, in_words(field.path), finder.tool, str(path[0]))
        for finder in finders
        for path, field in finder.inputs
        for giver in shown.get((field.table, field.path), ())
        if giver != finder.tool
    }
    for name, trying in known.acts.items():
        for slot in trying.filler.slots:
            for table in trying.referred.get(slot.path, ()):
                path = known.survey.key_paths[table]
                links |= {Link(giver, in_words(path), name, slot.argument) for giver in shown.get((table, path), ())}
    writers = tuple(sorted(name for name in known.bench.changed_by if known.bench.tools[name].effect == "reads"))
    return ToolGraph(tuple(sorted(links)), finders, writers, known.bench.calls)


def _shown_fields(known: Knowledge) -> dict[tuple[str, str], set[str]]:
    """Table and path → the tools that show it."""
    shown: dict[tuple[str, str], set[str]] = defaultdict(set)
    for table, finders in known.finders.items():
        for finder in finders:
            for path in finder.shown:
                shown[table, path].add(finder.tool)
    return shown
