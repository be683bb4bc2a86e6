"""Records and a tool → arguments for it: values that hang together, borrowed, listed, fresh or made up."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random

from msgspec import Struct

from misstep.core.errors import MisstepError
from misstep.core.scenario import Scalar
from misstep.core.tool import JSON, Tool
from misstep.core.words import split_identifier, stem, words
from misstep.synthesis.tasks.by_name import by_name
from misstep.synthesis.tasks.finding import is_key_like, sources
from misstep.synthesis.tasks.formats import form_in, in_form, in_order
from misstep.synthesis.tasks.heeding import heeded
from misstep.synthesis.tasks.looks import fresh, is_date, is_name, is_plain, is_scalar, like_one_of, likeness
from misstep.synthesis.tasks.luck import Luck
from misstep.synthesis.tasks.slots import Path, Slot, arguments_from, slots_of
from misstep.synthesis.tasks.surveying import Field, Row, Survey, text
from misstep.synthesis.tasks.told_values import free_text, says_nothing
from misstep.synthesis.tasks.weighing import NAMED, Origin, first_weights
from misstep.tools.records.making_up import fits, made_up

_MOST_SOURCES = 8
_MOST_TABLES = 4
_COMPARED = 8
_EXPLORING = 0.3
_INVENTED: frozenset[Origin] = frozenset({"fresh", "made"})
_STRAY = 4.0
_SOME_DAY = "2025-03-10T10:00:00"


class Filling(Struct, frozen=True):
    """Values for the slots of a tool, where each came from, and the record that they were taken around."""

    values: dict[Path, JSON]
    origins: dict[Path, Origin]
    anchor: Row | None = None

    @property
    def arguments(self) -> dict[str, JSON]:
        return arguments_from(self.values)


class _Near:
    """The records around one, found when they are asked for."""

    def __init__(self, survey: Survey, anchor: Row | None, random: Random) -> None:
        self._survey, self._anchor, self._random = survey, anchor, random

    @cached_property
    def rows(self) -> list[Row]:
        return self._survey.near(self._anchor, self._random) if self._anchor is not None else []


class Filler:
    """Fills the slots of one tool, and learns from what worked where good values come from."""

    def __init__(self, survey: Survey, tool: Tool, random: Random, *, reads: bool = False) -> None:
        self._survey = survey
        self._random = random
        self._tool = tool.name
        self.slots = slots_of(tool)
        self.needed = tuple(slot for slot in self.slots if not slot.optional)
        self._forms = {slot.path: form for slot in self.slots if (form := form_in(slot.description))}
        self._sources = {slot.path: _best(sources(survey, slot, tool.name)) for slot in self.slots}
        self._mentioned = _mentioned(survey, tool)
        self._weights = {slot.path: self._first_weights(slot) for slot in self.slots}
        if reads:
            self._borrow_only()
        self._tables = self._anchor_tables(tool)
        self._extras: dict[int, float] = {0: 6.0, 1: 3.0, 2: 1.0} if self.needed else {0: 1.0, 1: 6.0, 2: 1.0}
        self._strays: dict[Path, Field] = {}
        """Where the last stray value of a slot stood."""
        self._luck = Luck(survey, random)

    def _first_weights(self, slot: Slot) -> dict[Origin, float]:
        ranked = self._sources[slot.path]
        if not ranked and not slot.choices and self._may_be_key(slot):
            return {"made": 1.0, "key": 1.0}
        return first_weights(self._survey, slot, ranked, twin=self._twin(slot) is not None)

    def _borrow_only(self) -> None:
        """What looks is asked with what there is: a text that nobody has written anywhere finds nothing."""
        for slot in self.slots:
            found = [field for score, field in self._sources[slot.path] if score >= 1]
            texts = [value for field in found for value in self._survey.values(field)[:1] if isinstance(value, str)]
            if texts and not any(map(is_date, texts)) and not slot.choices:
                weights = self._weights[slot.path].items()
                kept: dict[Origin, float] = {origin: each for origin, each in weights if origin not in _INVENTED}
                if kept:
                    self._weights[slot.path] = kept
        borrowed = {path for path, ranked in self._sources.items() if any(score >= 1 for score, _ in ranked)}
        self.slots = tuple(
            slot for slot in self.slots if not slot.optional or slot.choices or slot.shown or slot.path in borrowed
        )

    def _may_be_key(self, slot: Slot) -> bool:
        return bool(self._mentioned) and slot.schema.get("type") == "string" and not slot.shown

    def tables_named(self, values: Mapping[Path, JSON]) -> dict[Path, frozenset[str]]:
        """Of each slot that says which record is meant, the tables in which there is one that is called so."""
        return {
            slot.path: self._tables_with(slot, values[slot.path])
            for slot in self.slots
            if slot.path in values and (self._takes_keys(slot) or self._tells_apart(slot))
        }

    def _tables_with(self, slot: Slot, value: JSON) -> frozenset[str]:
        if self._takes_keys(slot):
            return frozenset(row.table for row in self._survey.named_by(value))
        field = self._sources[slot.path][0][1]
        return frozenset({field.table} if value in self._survey.values(field) else ())

    def _tells_apart(self, slot: Slot) -> bool:
        """It has the name of a field in which each record has a value of its own."""
        score, field = next(iter(self._sources[slot.path]), (0.0, Field("", "")))
        return score >= NAMED and len(self._survey.values(field)) == len(self._survey.tables[field.table])

    def _takes_keys(self, slot: Slot) -> bool:
        return any(is_key_like(self._survey, field) for _, field in self._sources[slot.path][:1])

    def borrows_keys(self, slot: Slot) -> bool:
        """In the records themselves, what stands under the slot's name are keys of others."""
        best = self._sources[slot.path][:1]
        return any(score == 3 and is_key_like(self._survey, field) for score, field in best)

    def _twin(self, slot: Slot) -> Slot | None:
        """An earlier slot whose name this one's ends with: the new item after the item."""
        earlier = self.slots[: self.slots.index(slot)]
        return next((each for each in earlier if 2 <= likeness(slot.name, each.name) < 3), None)

    def _anchor_tables(self, tool: Tool) -> dict[str, float]:
        """The tables whose records have most of what the tool takes."""
        scores: dict[str, float] = {}
        for table, path in self._survey.key_paths.items():
            own = [self._fit(slot, table, path) for slot in self.needed or self.slots]
            scores[table] = sum(own) + 0.1 * likeness(tool.name, table)
        ranked = sorted((table for table in scores if scores[table] > 0.5), key=lambda table: -scores[table])
        return {table: scores[table] for table in ranked[:_MOST_TABLES]}

    def _fit(self, slot: Slot, table: str, key_path: str) -> float:
        own = [(score, field) for score, field in self._sources[slot.path] if field.table == table]
        if not own:
            return 0.0
        score, field = max(own, key=lambda pair: pair[0])
        return score * (1.5 if field.path == key_path else 1.0)

    def fill(self, *, at_random: bool = False, novel: bool = False) -> Filling | None:
        """One try; None where nothing fits. `at_random`: around any record, also of a look that has not worked;
        `novel`: with keys that nothing has yet."""
        anchor = self._anchor(at_random)
        near = _Near(self._survey, anchor, self._random)
        values: dict[Path, JSON] = {}
        origins: dict[Path, Origin] = {}
        for slot in (*self.needed, *self._some_optional()):
            origin = self._luck.drawn(self._weights[slot.path], (slot.path,))
            if novel and "fresh" in self._weights[slot.path] and self._takes_keys(slot):
                origin = "fresh"
            value = self._value(slot, origin, anchor, near, values)
            if value is None and origin == "anchor":
                origin = "near"
                value = self._value(slot, origin, anchor, near, values)
            if value is None:
                origin = "far" if self._sources[slot.path] else "made"
                value = self._value(slot, origin, anchor, near, values)
            if value is None or (slot.optional and value == slot.schema.get("default")):
                if slot.optional:
                    continue
                return None
            values[slot.path], origins[slot.path] = value, origin
        return Filling(self._formed(values), origins, anchor)

    def widen(self) -> None:
        """Nothing has worked: what has no source may be anything that stands somewhere."""
        for slot in self.needed:
            named = any(score >= 1 for score, _ in self._sources[slot.path])
            if not named and not slot.choices and slot.schema.get("type", "string") == "string":
                self._weights[slot.path].setdefault("stray", _STRAY)

    def heed(self, filling: Filling, refusal: str) -> None:
        """A refusal that says which values a slot takes; or spells how one is to be written, and quotes that value."""
        keyed = [
            slot
            for slot in self.slots
            if self._takes_keys(slot) and self._survey.named_by(filling.values.get(slot.path))
        ]
        for slot in heeded(self.slots, filling.values, refusal, keyed):
            self.slots = tuple(slot if each.path == slot.path else each for each in self.slots)
            self.needed = tuple(slot if each.path == slot.path else each for each in self.needed)
            self._sources[slot.path] = _best(sources(self._survey, slot, self._tool))
            self._weights[slot.path] = self._first_weights(slot)
        form = form_in(refusal)
        for path, value in filling.values.items():
            if form and isinstance(value, str) and value and value in refusal:
                self._forms[path] = form

    def _formed(self, values: dict[Path, JSON]) -> dict[Path, JSON]:
        """Days and times as they are to be written, the earlier before the later."""
        by_form: dict[str, list[Path]] = {}
        for path in values:
            if path in self._forms:
                by_form.setdefault(self._forms[path], []).append(path)
        for form, paths in by_form.items():
            days = [self._day(values[path], form) for path in paths]
            values = {**values, **dict(zip(paths, in_order(days, form), strict=True))}
        return values

    def _day(self, value: JSON, form: str) -> str:
        """In the form; some other day where it is none."""
        borrowed = in_form(value, form)
        if borrowed is not None:
            return borrowed
        some = self._random.choice(self._survey.days or (_SOME_DAY,))
        return in_form(fresh(some, some, self._random), form) or str(value)

    def learn(self, filling: Filling, worked: bool, *, idle: bool = False) -> None:
        """What worked is tried more often, and what looks like it. What changed nothing took its values from the wrong
        place, but was about a record of the right look."""
        extra = len({path[0] for path in filling.values} - {slot.argument for slot in self.needed})
        self._luck.note([*filling.origins.items(), extra], 3 if idle else 1, worked)
        if filling.anchor is not None:
            self._luck.note([filling.anchor.table], 1, worked)
        for path, field in self._strays.items():
            if worked and filling.origins.get(path) == "stray":
                self._sources[path] = [(NAMED, field)]
        about = [filling.anchor] if filling.anchor is not None else []
        about += [row for value in filling.values.values() for row in self._survey.named_by(value)]
        for row in {id(each): each for each in about}.values():
            self._luck.note(self._luck.traits(row), 1, worked or idle)

    def _anchor(self, at_random: bool) -> Row | None:
        """A record; of a few, the one that looks most like those that it worked with."""
        if not self._tables:
            return None
        rows = self._survey.tables[self._luck.drawn(self._tables, ())]
        if at_random or not self._luck or self._random.random() < _EXPLORING:
            return self._random.choice(rows)
        return max(self._random.choices(rows, k=_COMPARED), key=self._luck.promise)

    def _some_optional(self) -> list[Slot]:
        """Mostly none; arguments with parts go in whole."""
        offered = [slot for slot in self.slots if slot.optional and slot.schema.get("type") != "boolean"]
        names = list(dict.fromkeys(slot.argument for slot in offered))
        count = self._luck.drawn(self._extras, ()) if names else 0
        chosen = set(self._random.sample(names, min(count, len(names))))
        return [slot for slot in self.slots if slot.optional and slot.argument in chosen]

    def _value(self, slot: Slot, origin: Origin, anchor: Row | None, near: "_Near", taken: Mapping[Path, JSON]) -> JSON:
        match origin:
            case "choice":
                return self._random.choice(slot.choices)
            case "anchor":
                return self._held(slot, [anchor] if anchor is not None else [], taken)
            case "piece":
                whole = next((value for value in self._held_by(slot, anchor) if "\n" in text(value)), "")
                return self._random.choice([line for line in str(whole).splitlines() if line.strip()] or [None])
            case "near":
                return self._held(slot, near.rows, taken)
            case "twin":
                return self._another(slot, taken)
            case "far":
                return self._far(slot)
            case "key":
                return self._any_key(slot, taken)
            case "stray":
                return self._stray(slot)
            case "fresh":
                one, other = self._far(slot), self._far(slot)
                made = fresh(one, other, self._random) if is_scalar(one) and is_scalar(other) else None
                return made if made is not None and fits(slot.schema, made) else None
            case _:
                return self.made(slot)

    def _held(self, slot: Slot, rows: Iterable[Row], taken: Mapping[Path, JSON]) -> JSON:
        """A value that the records hold under the likeliest name, and that no other slot has."""
        by_table: dict[str, list[tuple[float, Field]]] = {}
        vague = all(score < 1 for score, _ in self._sources[slot.path])
        for score, field in self._sources[slot.path]:
            if score >= 1 or (vague and is_key_like(self._survey, field)):
                by_table.setdefault(field.table, []).append((score, field))
        others = {text(value) for value in taken.values() if is_scalar(value)}
        found: list[tuple[float, int, Scalar]] = []
        for row in rows:
            own = by_table.get(row.table, ())
            shared = len(others & row.texts) if own else 0
            for score, field in own:
                found += [
                    (score, shared, value)
                    for value in row.at(field.path)
                    if value != "" and text(value) not in others and is_plain(value)
                ]
        if not found:
            return None
        named = [each for each in found if each[0] >= min(2.0, max(score for score, _, _ in found))]
        closest = max(shared for _, shared, _ in named)
        return self._promising([value for _, shared, value in named if shared == closest])

    def _promising(self, values: Sequence[Scalar]) -> Scalar:
        """One of them; of a few that name records, the one that looks most like those that it worked with."""
        rows = self._survey.named_by(values[0])
        if not rows or not self._luck or self._random.random() < _EXPLORING:
            return self._random.choice(values)
        some = self._random.choices(values, k=_COMPARED)
        return max(
            some, key=lambda value: max((self._luck.promise(row) for row in self._survey.named_by(value)), default=0.0)
        )

    def _held_by(self, slot: Slot, row: Row | None) -> list[Scalar]:
        own = [field for _, field in self._sources[slot.path] if row is not None and field.table == row.table]
        return [value for field in own for value in (row.at(field.path) if row is not None else ())]

    def _another(self, slot: Slot, taken: Mapping[Path, JSON]) -> JSON:
        """The key of a record that has a code in common with the one that the twin names."""
        twin = self._twin(slot)
        named = self._survey.named_by(taken.get(twin.path)) if twin is not None else []
        found = [each for row in named for each in self._survey.siblings(row)]
        return self._survey.key_of(self._random.choice(found)) if found else None

    def _any_key(self, slot: Slot, taken: Mapping[Path, JSON]) -> JSON:
        """Of a record that no other slot names: a source and a target are two."""
        rows = self._survey.tables[self._random.choice(self._mentioned)]
        key = self._survey.key_of(self._random.choice(rows))
        return key if fits(slot.schema, key) and key not in taken.values() else None

    def _stray(self, slot: Slot) -> JSON:
        """A word or two that stand in any field."""
        field = self._random.choice(self._survey.fields) if self._survey.fields else None
        values = (
            [value for value in self._survey.values(field) if isinstance(value, str) and is_name(value)]
            if field
            else []
        )
        if field is None or not values:
            return None
        self._strays[slot.path] = field
        return self._random.choice(values)

    def _far(self, slot: Slot) -> JSON:
        ranked = self._sources[slot.path]
        if not ranked:
            return None
        best = [field for score, field in ranked if score == ranked[0][0]]
        values = self._survey.values(self._random.choice(best))
        return self._random.choice([value for value in values if is_plain(value)] or values)

    def is_told(self, slot: Slot, value: JSON) -> bool:
        """Something says that such a value goes there: the schema, or records that have it under that name."""
        if slot.choices or not isinstance(value, str) or value in slot.shown or slot.path in self._forms:
            return True
        named = slot.path not in self._strays and any(score >= 1 for score, _ in self._sources[slot.path])
        return named or not {"format", "pattern"}.isdisjoint(slot.schema)

    def sensible(self, slot: Slot, alike: Sequence[Scalar] = ()) -> JSON:
        """Something that a person may say there: borrowed where the name tells what it is, else like what stands where
        it goes, else what the name tells; None where nobody knows what it could be."""
        named = [field for score, field in self._sources[slot.path] if score >= 2 and slot.path not in self._strays]
        values = [value for field in named for value in self._survey.values(field) if is_plain(value)]
        sayable = [value for value in values if not self._survey.named_by(value)]
        if sayable:
            return self._random.choice(sayable)
        if usual := slot.shown or free_text(slot.schema, slot.name):
            return self._random.choice(usual)
        texts = [value for value in alike if isinstance(value, str) and is_name(value) and is_plain(value)]
        if texts:
            return like_one_of(texts, self._random)
        made = by_name(slot.said, slot.description, self._random)
        return made if made is not None and fits(slot.schema, made) else None

    def made(self, slot: Slot) -> JSON:
        """An example of the schema's, or something made up."""
        if slot.shown:
            return self._random.choice(slot.shown)
        if free := free_text(slot.schema, slot.name):
            return self._random.choice(free)
        if says_nothing(slot.schema, slot.name):
            return None  # whatever it is, a word that means nothing is not it
        try:
            return made_up(slot.schema, self._random, name=slot.name)
        except MisstepError:
            return None


def _mentioned(survey: Survey, tool: Tool) -> tuple[str, ...]:
    """The tables that the words of a tool speak of: `between two accounts`."""
    said = {stem(word) for word in (*split_identifier(tool.name), *words(tool.description))}
    return tuple(table for table in survey.tables if stem(split_identifier(table)[-1]) in said)


def _best(ranked: Sequence[tuple[float, Field]]) -> list[tuple[float, Field]]:
    """Those that have something to do with the name; a value of any name is no better than one made up."""
    return [pair for pair in ranked if pair[0] >= 0.5][:_MOST_SOURCES]
