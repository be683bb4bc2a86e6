"""A call that works → a plan: what a person says, and the look-ups that lead from there to the call's arguments."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from msgspec import Struct, structs

from misstep.core.scenario import Scalar
from misstep.core.state import Record
from misstep.core.tool import JSON
from misstep.synthesis.task import Item, Step
from misstep.synthesis.tasks.calling import as_noun, called
from misstep.synthesis.tasks.executing import Call
from misstep.synthesis.tasks.finding import input_values
from misstep.synthesis.tasks.graph import Finder
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.looks import in_words, is_code, is_sayable, is_scalar, noun_of
from misstep.synthesis.tasks.needing import Need
from misstep.synthesis.tasks.sighting import Sight, inner_sight, key_name, marks, names, sight
from misstep.synthesis.tasks.slots import Path, Slot, arguments_from
from misstep.synthesis.tasks.surveying import Field, Row, leaves, text

_T = TypeVar("_T")

DEEPEST = 3
_MOST_SHOWN = 60
"""Nobody picks one record out of more than these."""
_SAYS_A_CODE = 0.1
_SAYS_OWN_CODE = 0.35
_SAYS_A_NAME = 0.4
_HOLDERS = 6
_LEAST = 4
_FEW_WORDS = 3
_RANKS = ("second", "third", "fourth", "fifth", "sixth")


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
        self.known = known
        self._random = known.random
        self.rows = tuple(rows)
        """The records that the call is about: what leads to one may show another."""
        self.subjects: set[str] = set()
        """The tables of what it is about: of these, people have the number at hand."""
        self.avoiding: set[str] = set()
        """Values that the person must not say."""
        self.unsaid: frozenset[str] = frozenset()
        """Names of fields by which nothing is described."""
        self.beside: frozenset[str] = frozenset()
        """Tables whose records are no way to speak of another: a new one is created there, or all are counted."""
        self.tool = ""
        """What the plan is to end in."""
        self.prefix = ""
        """Goes before the names of what is said of one record, where another of its kind is spoken of too."""
        self.part = ""
        """What the record is to the call, where another of its kind is something else to it: the source, the target."""
        self.kind = ""
        """What the record is called that is being made known: the prefix is for its fields only."""
        self.apart = ""
        """What a record is called that has nothing to do yet with the one to be changed: its fields are named so."""
        self._pursued: list[str] = []
        """Keys that are being looked up: none leads to itself."""
        self.now = _State()

    def shuffle(self, some: list[_T]) -> None:
        self._random.shuffle(some)

    def say(
        self, name: str, value: Scalar, role: str, argument: str = "", *, of: str = "", words: Sequence[str] = ()
    ) -> Item:
        """The person says it; under another name where that one is taken for another value. `of`: the records that
        it is a field of."""
        name = as_noun(name, value, self._does())
        for item in self.now.items:
            alike = (item.role == role and not self.prefix) or (
                item.name == name and "content" not in (item.role, role)
            )
            if text(item.value) == text(value) and alike and item.argument in ("", argument):
                return item
        called_so = name or "value"
        name = self._free(called_so, role, noun_of(of))
        more = (called_so,) if self.apart and name.endswith(f" {called_so}") else ()
        if self.part and name.endswith(f" {self.part} {self.kind}"):  # who asks for the target asks for whose it is
            more = (self.part, f"{self.part} {self.kind}")
        known_as = tuple(word for word in dict.fromkeys((*more, *words)) if word != name)
        item = Item(name=name, value=value, role=role, argument=argument, words=known_as)  # pyright: ignore[reportArgumentType]
        sources = {**self.now.sources}
        sources.setdefault(text(value), -1)
        self.now = structs.replace(self.now, items=(*self.now.items, item), sources=sources)
        return item

    def _free(self, name: str, role: str, noun: str) -> str:
        """A name that nothing else has: with what it is a field of, or what it is said for."""
        if role == "content":
            ways = [name, f"new {name}", *(f"{rank} {name}" for rank in _RANKS)]
        else:
            apart = f"{noun} " if noun and noun == self.apart and noun not in name else ""
            whole = f"{self.prefix if not noun or self.kind in ('', noun) else ''} {apart}{name}".strip()
            by_noun = [f"{name} of the {self.prefix} {noun}".replace("  ", " ")] if noun and noun not in name else []
            if self.part and noun and noun == self.kind:
                ways = [f"{name} of the {self.part} {noun}"]
            else:
                ways = [whole, *by_noun]
            ways += [f"other {whole}", *(f"{rank} {whole}" for rank in _RANKS)]
        taken = {item.name for item in self.now.items}
        return next((way for way in ways if way not in taken), f"{name} {len(taken)}")

    async def reach(
        self, value: Scalar, name: str, rows: Sequence[Row], argument: str = "", depth: int = DEEPEST
    ) -> bool:
        """Make a key known: it was shown, it is looked up, or the person says it."""
        if not await self.find(value, rows, depth):
            self.name(value, name, argument)
        return True

    def name(self, value: Scalar, name: str, argument: str = "") -> None:
        """The person says the key itself."""
        self.say(in_words(name), value, "key", argument, words=called(self._act_slot(argument), name))

    async def find(self, value: Scalar, rows: Sequence[Row], depth: int = DEEPEST) -> bool:
        """It was shown, or it is looked up; people say some things themselves."""
        if text(value) in self.now.sources or self._inside(value):
            return True
        if not depth or self._says(value, rows):
            return False
        own = [*rows, *(row for row in self.rows if text(value) in row.texts and row not in rows)]
        # A record beside the one that is meant is no way to speak of it.
        beside = {row.table for row in self.rows} | self.beside
        holders = [row for row in self.known.survey.holders(value) if row not in own and row.table not in beside]
        others = [row for row in holders if self.known.survey.leads_to(row, value, own)]
        self._random.shuffle(others)
        for some in (own, others[:_HOLDERS]):
            ways = [(finder, row) for row in some for finder in self.known.finders.get(row.table, ())]
            if some is not own:  # a sentence out of one record is no way to speak of another
                ways = [way for way in ways if not _is_wordy(input_values(way[0].inputs, way[1]))]
            self._random.shuffle(ways)
            ways.sort(key=lambda way: self._is_vague(way[0]))
            for finder, row in ways:
                if await self._looks_up(finder, row, value, depth):
                    return True
        return False

    def _does(self) -> str:
        """What the description of the tool says that all is said for."""
        tool = self.known.bench.tools.get(self.tool) if self.tool else None
        return tool.description if tool else ""

    def _act_slot(self, argument: str) -> Slot | None:
        return self.known.slot(self.tool, (argument,)) if self.tool and argument else None

    def _is_vague(self, finder: Finder) -> bool:
        """It is asked with what many records share: a town, a colour."""
        return any(self.known.survey.is_shared(field) for _, field in finder.inputs)

    def _says(self, value: Scalar, rows: Sequence[Row]) -> bool:
        """People say a name rather than look it up; a number only of what they came for, and not two of them."""
        if not is_code(value):
            return self._random.random() < _SAYS_A_NAME
        if any(is_code(item.value) for item in self.now.items if item.role == "key"):
            return False
        own = any(row.table in self.subjects for row in rows)
        return self._random.random() < (_SAYS_OWN_CODE if own else _SAYS_A_CODE)

    def ask(self, value: Scalar, finder: Finder, path: Path, field: Field, row: Row) -> None:
        """Say a key that goes into a look-up."""
        slot = self.known.slot(finder.tool, path)
        name = in_words(slot.said if slot is not None and field.form else field.path)
        item = self.say(name, value, "key", of=row.table, words=called(slot, field.path))
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
            if field.name in self.unsaid:
                return False
            if len(text(value)) >= _LEAST and text(held).startswith(text(value)):
                return False  # a file is no way to speak of its folder
            named = [] if field.form else self.known.survey.refers(field.path, held)
            if named:
                if depth <= 1 or text(held) in self._pursued:
                    return False
                if not await self.reach(held, field.path, named, depth=depth - 1):
                    return False
                self._note_asked(finder, path, values)
            elif is_sayable(held):
                self.ask(held, finder, path, field, row)
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
        if not await self.prepare(self.known.needs.get(tool, ()), values):
            return None
        call = Call(tool, arguments_from(values))
        played = await self.known.bench.play(*(Call(step.tool, step.arguments) for step in self.now.steps), call)
        shown = sight(played.last.content, row, values.values()) if played.worked else None
        if shown is None or len(shown.others) > _MOST_SHOWN:
            return None
        rivals = self._rivals(shown, row)
        detail = None
        if not self._mark(Sight(shown.record, (*shown.others, *rivals)) if not shown.others else shown, row.table):
            detail = self._detail(tool, row, shown)
            if detail is None:
                return None
        at = self.step(call, "look-up")
        seen = Seen(row, shown, at)
        sources = {**self.now.sources}
        for path, held in leaves(shown.record):
            if "." not in path:
                sources.setdefault(text(held), at)
        self.now = structs.replace(self.now, sources=sources, seen=(*self.now.seen, seen))
        if detail is not None:
            self.step(detail, "look-up")
        return seen

    def _rivals(self, shown: Sight, row: Row) -> list[Record]:
        """Other records that a text names beside the one."""
        whole = next((value for _, value in leaves(shown.record) if isinstance(value, str) and value != row.key), "")
        named = row.key in [value for _, value in leaves(shown.record)]
        listed = self.known.survey.tables[row.table][:_MOST_SHOWN] if named and not shown.others else []
        return [{key_name(each): each.key} for each in listed if each is not row and names(whole, each)]

    def _detail(self, tool: str, row: Row, shown: Sight) -> Call | None:
        """One more look at the record tells it from the others: the person says what is seen there."""
        survey = self.known.survey
        keys = {text(value) for each in (*shown.others, *self._rivals(shown, row)) for _, value in leaves(each)}
        rivals = [each for each in survey.tables[row.table] if each.key in keys and each is not row]
        ways = [finder for finder in self.known.finders.get(row.table, ()) if finder.tool != tool]
        self._random.shuffle(ways)
        for finder in ways if rivals else ():
            values = input_values(finder.inputs, row) or {}
            if [text(value) for value in values.values() if is_scalar(value)] != [row.key]:
                continue
            for path in finder.shown:
                own = row.at(path)
                if len(own) != 1 or not is_sayable(own[0]) or text(own[0]) in {row.key, *self.avoiding, *self._pursued}:
                    continue
                if not any(own[0] in each.at(path) for each in rivals):
                    self.say(in_words(path), own[0], "mark", of=row.table)
                    return Call(finder.tool, arguments_from(values))
        return None

    def _mark(self, shown: Sight, of: str) -> bool:
        """Say what tells one of several from the others, unless what was said does so already."""
        said = {text(item.value) for item in self.now.items if item.role != "content"}
        fitting = {text(value) for _, value in leaves(shown.record)} & said
        rivals = [each for each in shown.others if fitting <= {text(value) for _, value in leaves(each)}]
        avoiding = {*self.avoiding, *self._pursued}
        found = marks(Sight(shown.record, tuple(rivals)), self._random, avoiding=avoiding, unsaid=self.unsaid)
        if found is None:
            return False
        for path, value in found:
            self.say(in_words(path), value, "mark", of=path.rpartition(".")[0] or of)
        return True

    def _inside(self, value: Scalar) -> bool:
        """A part of a record that was shown holds it; where there are several parts, the person says which."""
        for seen in self.now.seen:
            part = inner_sight(seen.sight.record, value)
            if part is not None and self._mark(part, seen.row.table):
                sources = {**self.now.sources}
                sources.update((text(held), seen.at) for _, held in leaves(part.record))
                self.now = structs.replace(self.now, sources=sources)
                return True
        return False

    async def prepare(self, needs: Sequence[Need], values: Mapping[Path, JSON]) -> bool:
        """Add what must come first. What no look-up has shown is the person's to say."""
        for need in needs:
            call = need.call(values, self.known.survey)
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


def _is_wordy(values: Mapping[Path, JSON] | None) -> bool:
    return any(isinstance(value, str) and len(value.split()) > _FEW_WORDS for value in (values or {}).values())


def _at(arguments: JSON, path: Path) -> JSON:
    for step in path:
        arguments = cast("Mapping[str | int, JSON]", arguments)[step]
    return arguments
