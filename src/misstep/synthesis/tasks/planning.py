"""A call that works → a plan: what a person says, and the look-ups that lead from there to the call's arguments."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from msgspec import Struct, structs

from misstep.core.scenario import Scalar
from misstep.core.tool import JSON
from misstep.synthesis.task import Item, Step
from misstep.synthesis.tasks.executing import Call
from misstep.synthesis.tasks.finding import input_values
from misstep.synthesis.tasks.graph import Finder
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.looks import in_words, is_code, is_sayable, is_scalar
from misstep.synthesis.tasks.needing import Need
from misstep.synthesis.tasks.sighting import Sight, inner_sight, marks, sight
from misstep.synthesis.tasks.slots import Path, arguments_from
from misstep.synthesis.tasks.surveying import Row, leaves, text

_T = TypeVar("_T")

_DEEPEST = 3
_MOST_SHOWN = 60
"""Nobody picks one record out of more than these."""
_SAYS_A_CODE = 0.1
_SAYS_OWN_CODE = 0.35
_SAYS_A_NAME = 0.4


class Seen(Struct, frozen=True):
    """A record that a look-up of the plan shows."""

    row: Row
    sight: Sight
    at: int
    """The place of the step."""


class Asked(Struct, frozen=True):
    """A key that the person says, and the call that it goes into."""

    item: str
    place: Path
    call: Call
    values: dict[Path, JSON]


class _State(Struct, frozen=True):
    """All that a plan is so far; replaced, so that a way that leads nowhere is forgotten."""

    steps: tuple[Step, ...] = ()
    items: tuple[Item, ...] = ()
    sources: dict[str, int] = {}
    """A value → the step that shows it; -1 where the person says it."""
    seen: tuple[Seen, ...] = ()
    asked: tuple[Asked, ...] = ()


class Planner:
    """Makes one plan."""

    def __init__(self, known: Knowledge, rows: Sequence[Row] = ()) -> None:
        self._known = known
        self._random = known.random
        self._rows = tuple(rows)
        """The records that the call is about: what leads to one may show another."""
        self.subjects: set[str] = set()
        """The tables of what it is about: of these, people have the number at hand."""
        self.avoiding: set[str] = set()
        """Values that the person must not say."""
        self.prefix = ""
        """Goes before the names of what is said of one record, where another of its kind is spoken of too."""
        self._pursued: list[str] = []
        """Keys that are being looked up: none leads to itself."""
        self.now = _State()

    def shuffle(self, some: list[_T]) -> None:
        self._random.shuffle(some)

    def say(self, name: str, value: Scalar, role: str, argument: str = "") -> Item:
        """The person says it; under another name where that one is taken for another value."""
        for item in self.now.items:
            alike = (item.role == role and not self.prefix) or (
                item.name == name and "content" not in (item.role, role)
            )
            if text(item.value) == text(value) and alike and item.argument in ("", argument):
                return item
        taken = {item.name for item in self.now.items}
        name = f"{self.prefix} {name or 'value'}".strip() if role != "content" else name or "value"
        if name in taken:
            name = f"new {name}" if role == "content" else f"other {name}"
        while name in taken:
            name = f"another {name}"
        item = Item(name=name, value=value, role=role, argument=argument)  # pyright: ignore[reportArgumentType]
        sources = {**self.now.sources}
        sources.setdefault(text(value), -1)
        self.now = structs.replace(self.now, items=(*self.now.items, item), sources=sources)
        return item

    async def reach(
        self, value: Scalar, name: str, rows: Sequence[Row], argument: str = "", depth: int = _DEEPEST
    ) -> bool:
        """Make a key known: it was shown, it is looked up, or the person says it."""
        if text(value) in self.now.sources or self._inside(value):
            return True
        own = [*rows, *(row for row in self._rows if text(value) in row.texts and row not in rows)]
        ways = [(finder, row) for row in own for finder in self._known.finders.get(row.table, ())]
        self._random.shuffle(ways)
        ways.sort(key=lambda way: self._is_vague(way[0]))
        if not self._says(value, rows):
            for finder, row in ways if depth else ():
                if await self._looks_up(finder, row, value, depth):
                    return True
        self.say(in_words(name), value, "key", argument)
        return True

    def _is_vague(self, finder: Finder) -> bool:
        """It is asked with what many records share: a town, a colour."""
        return any(self._known.survey.is_shared(field) for _, field in finder.inputs)

    def _says(self, value: Scalar, rows: Sequence[Row]) -> bool:
        """People say a name rather than look it up; a number only of what they came for, and not two of them."""
        if not is_code(value):
            return self._random.random() < _SAYS_A_NAME
        if any(is_code(item.value) for item in self.now.items if item.role == "key"):
            return False
        own = any(row.table in self.subjects for row in rows)
        return self._random.random() < (_SAYS_OWN_CODE if own else _SAYS_A_CODE)

    def ask(self, name: str, value: Scalar, finder: Finder, path: Path, row: Row) -> None:
        """Say a key that goes into a look-up."""
        item = self.say(name, value, "key", "")
        values = input_values(finder.inputs, row) or {}
        asked = Asked(item.name, path, Call(finder.tool, arguments_from(values)), values)
        self.now = structs.replace(self.now, asked=(*self.now.asked, asked))

    async def _looks_up(self, finder: Finder, row: Row, value: Scalar, depth: int) -> bool:
        """Take one way; where it leads nowhere, nothing has happened."""
        before = self.now
        self._pursued.append(text(value))
        try:
            if await self._looked_up(finder, row, value, depth):
                return True
        finally:
            self._pursued.pop()
        self.now = before
        return False

    async def _looked_up(self, finder: Finder, row: Row, value: Scalar, depth: int) -> bool:
        values = input_values(finder.inputs, row)
        if values is None:
            return False
        for path, field in finder.inputs:
            held = values[path]
            if not is_scalar(held) or text(held) == text(value) or text(held) in self.avoiding:
                return False
            named = self._known.survey.refers(field.path, held)
            if named:
                if depth <= 1 or text(held) in self._pursued:
                    return False
                if not await self.reach(held, field.path, named, depth=depth - 1):
                    return False
                self._note_asked(finder, path, values)
            elif is_sayable(held):
                self.ask(in_words(field.path), held, finder, path, row)
            else:
                return False
        seen = await self.look(finder.tool, values, row)
        if seen is None or inner_sight(seen.sight.record, value) is None:
            return False
        return text(value) in self.now.sources or self._inside(value)

    def _note_asked(self, finder: Finder, path: Path, values: dict[Path, JSON]) -> None:
        """Where a key that goes into a look-up was said as it is."""
        said = next((item for item in self.now.items if item.value == values[path] and item.role == "key"), None)
        if said is not None:
            asked = Asked(said.name, path, Call(finder.tool, arguments_from(values)), values)
            self.now = structs.replace(self.now, asked=(*self.now.asked, asked))

    async def look(self, tool: str, values: Mapping[Path, JSON], row: Row) -> Seen | None:
        """Add a look-up that shows a record, with what must come first and what tells the record from others."""
        if not await self.prepare(self._known.needs.get(tool, ()), values):
            return None
        call = Call(tool, arguments_from(values))
        played = await self._known.bench.play(*(Call(step.tool, step.arguments) for step in self.now.steps), call)
        shown = sight(played.last.content, row, values.values()) if played.worked else None
        if shown is None or len(shown.others) > _MOST_SHOWN or not self._mark(shown):
            return None
        at = self.step(call, "look-up")
        seen = Seen(row, shown, at)
        sources = {**self.now.sources}
        for path, held in leaves(shown.record):
            if "." not in path:
                sources.setdefault(text(held), at)
        self.now = structs.replace(self.now, sources=sources, seen=(*self.now.seen, seen))
        return seen

    def _mark(self, shown: Sight) -> bool:
        """Say what tells one of several from the others, unless what was said does so already."""
        said = {text(item.value) for item in self.now.items if item.role != "content"}
        fitting = {text(value) for _, value in leaves(shown.record)} & said
        rivals = [each for each in shown.others if fitting <= {text(value) for _, value in leaves(each)}]
        found = marks(Sight(shown.record, tuple(rivals)), self._random, avoiding=self.avoiding)
        if found is None:
            return False
        for path, value in found:
            self.say(in_words(path), value, "mark")
        return True

    def _inside(self, value: Scalar) -> bool:
        """A part of a record that was shown holds it; where there are several parts, the person says which."""
        for seen in self.now.seen:
            part = inner_sight(seen.sight.record, value)
            if part is not None and self._mark(part):
                sources = {**self.now.sources}
                sources.update((text(held), seen.at) for _, held in leaves(part.record))
                self.now = structs.replace(self.now, sources=sources)
                return True
        return False

    async def prepare(self, needs: Sequence[Need], values: Mapping[Path, JSON]) -> bool:
        """Add what must come first. What no look-up has shown is the person's to say."""
        for need in needs:
            call = need.call(values, self._known.survey)
            if call is None:
                return False
            if any(step.tool == call.tool and step.arguments == call.arguments for step in self.now.steps):
                continue
            for path, taken in need.inputs:
                value = _at(call.arguments, path)
                if not is_scalar(value) or text(value) in self.now.sources:
                    continue
                if taken.field is None:  # It is not known where the call itself takes it from.
                    return False
                self.say(in_words(taken.field.path), value, "key")
            self.step(call, "need")
        return True

    def step(self, call: Call, role: str, after: Sequence[int] = ()) -> int:
        """Add a call at the end; it comes after those that show what it is called with."""
        for at, step in enumerate(self.now.steps):
            if step.tool == call.tool and step.arguments == call.arguments:
                return at
        shown = {self.now.sources.get(text(value), -1) for _, value in leaves(call.arguments)}
        places = tuple(sorted((shown - {-1}) | set(after)))
        step = Step(tool=call.tool, arguments=call.arguments, role=role, after=places)  # pyright: ignore[reportArgumentType]
        self.now = structs.replace(self.now, steps=(*self.now.steps, step))
        return len(self.now.steps) - 1


def _at(arguments: JSON, path: Path) -> JSON:
    for step in path:
        arguments = cast("Mapping[str | int, JSON]", arguments)[step]
    return arguments
