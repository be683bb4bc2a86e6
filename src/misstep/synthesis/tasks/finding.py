"""Tools and records → the look-ups that there are: learnt by calling them with values of records they should show."""

from collections.abc import Iterator, Sequence
from random import Random

from misstep.core.tool import JSON, Tool
from misstep.core.words import split_identifier, stem
from misstep.synthesis.tasks.executing import Bench, Call
from misstep.synthesis.tasks.formats import PIECE, form_in, in_form
from misstep.synthesis.tasks.graph import Finder
from misstep.synthesis.tasks.looks import garbage, is_code, likeness, table_likeness
from misstep.synthesis.tasks.needing import Need, calls_before
from misstep.synthesis.tasks.sighting import Sight, sight
from misstep.synthesis.tasks.slots import Path, Slot, arguments_from, slots_of
from misstep.synthesis.tasks.surveying import Field, Row, Survey, leaves, text
from misstep.tools.records.making_up import fits

_TRIED_ROWS = 3
_TRIED_FIELDS = 30
_PAIR = 2
_NAMED = 2.0
"""A field is called what is asked for."""

Input = tuple[Slot, Field]


def sources(survey: Survey, slot: Slot, tool: str = "") -> list[tuple[float, Field]]:
    """Fields whose values the schema lets in, those with the likeliest names first; then those of records that the
    tool's name speaks of."""
    form = form_in(slot.description) or ""
    found: list[tuple[float, Field]] = []
    for field in survey.fields:
        asked = Field(field.table, field.path, form)
        values = survey.values(asked)
        if values and fits(slot.schema, values[0]):
            found.append((_score(survey, slot, field), asked))
    found = _with_those_referred_to(survey, found)
    about = {table: _spoken_of(tool, table) for table in survey.tables}
    return sorted(found, key=lambda pair: (-pair[0], -about[pair[1].table]))


def _with_those_referred_to(survey: Survey, found: Sequence[tuple[float, Field]]) -> list[tuple[float, Field]]:
    """The keys of a table score as much as a field of that name that refers to them: there are more of them."""
    scores = {field: score for score, field in found}
    for score, field in found:
        if score < _NAMED or field.form:
            continue
        for row in survey.refers(field.path, survey.values(field)[0]):
            own = Field(row.table, survey.key_paths[row.table])
            if own in scores:
                scores[own] = max(scores[own], score)
    return [(score, field) for field, score in scores.items()]


def _spoken_of(tool: str, table: str) -> int:
    named = {stem(word) for part in table.split(".") for word in split_identifier(part)}
    return len(named & {stem(word) for word in split_identifier(tool)})


def _score(survey: Survey, slot: Slot, field: Field) -> float:
    if not field.path:
        return max(0.5, likeness(slot.name, field.table) / 2)
    by_table = likeness(slot.name, f"{field.table}_{field.name}") if field.name else 0.0
    if field.path == survey.key_paths[field.table] and survey.tables[field.table][0].place:
        own = table_likeness(slot.name, field.table)  # What goes by a name of its own is called by the table's.
        return max(likeness(slot.name, field.name), min(by_table, 2.0), own)
    return max(likeness(slot.name, field.name), min(by_table, 2.0))


async def finders_of(
    bench: Bench, survey: Survey, tool: Tool, random: Random, needs: Sequence[Need] = ()
) -> list[Finder]:
    """How a tool shows records; none where it writes, or where it shows the same whatever it is called with."""
    found: list[Finder] = []
    slots = slots_of(tool)
    needed = [slot for slot in slots if not slot.optional]
    if not needed:
        found += await _shown_to_all(bench, survey, tool)
    for inputs in _ways(survey, tool.name, needed, [slot for slot in slots if slot.optional]):
        shown = await _found(bench, survey, tool, inputs, random, needs)
        if shown is not None:
            places = tuple((slot.path, field) for slot, field in inputs)
            found.append(Finder(tool.name, inputs[0][1].table, places, shown))
    return found


async def _shown_to_all(bench: Bench, survey: Survey, tool: Tool) -> list[Finder]:
    played = await bench.play(Call(tool.name, {}))
    if not played.worked or (played.changes and tool.effect != "reads"):
        return []
    found: list[Finder] = []
    for table, rows in survey.tables.items():
        for row in rows[:: max(1, len(rows) // 40)]:
            seen = sight(played.last.content, row)
            if seen is not None:
                found.append(Finder(tool.name, table, (), _paths(seen, row)))
                break
    return found


def _ways(survey: Survey, tool: str, needed: Sequence[Slot], optional: Sequence[Slot]) -> Iterator[tuple[Input, ...]]:
    """The ways to fill a look-up from one record: what it needs, or one of what it offers."""
    if len(needed) == 1 or not needed:
        for slot in needed or optional:
            for score, field in sources(survey, slot, tool)[:_TRIED_FIELDS]:
                if score or isinstance(survey.values(field)[0], str):  # A number of any name is any number.
                    yield ((slot, field),)
                if not field.form and survey.values(piece := Field(field.table, field.path, PIECE)):
                    yield ((slot, piece),)
        return
    for table, rows in survey.tables.items():
        if len(needed) == _PAIR and any(row.derived for row in rows):
            # Whatever they are called: where to look, and for what.
            for first, second in (("folder", "name"), ("name", "folder")):
                yield ((needed[0], Field(table, first)), (needed[1], Field(table, second)))
        own = [[pair for pair in sources(survey, slot) if pair[1].table == table][:1] for slot in needed]
        if all(own) and sum(pairs[0][0] for pairs in own) >= len(needed):
            yield tuple((slot, pairs[0][1]) for slot, pairs in zip(needed, own, strict=True))


async def _found(
    bench: Bench, survey: Survey, tool: Tool, inputs: Sequence[Input], random: Random, needs: Sequence[Need]
) -> tuple[str, ...] | None:
    """The paths that are shown; None where the records that were asked for are not."""
    rows = survey.tables[inputs[0][1].table]
    tried = found = 0
    shown: tuple[str, ...] = ()
    for row in random.sample(rows, min(len(rows), _TRIED_ROWS * 3)):
        values = input_values([(slot.path, field) for slot, field in inputs], row)
        before = calls_before(needs, values, survey) if values is not None else None
        if values is None or before is None:
            continue
        tried += 1
        played = await bench.play(*before, Call(tool.name, arguments_from(values)))
        if played.changes and tool.effect != "reads" and not before:
            return None
        seen = sight(played.last.content, row, values.values()) if played.worked else None
        if seen is not None and await _matters(bench, tool, values, row, random):
            found += 1
            shown = _paths(seen, row)
        if tried >= _TRIED_ROWS or (tried == 2 and not found):
            break
    return shown if found >= 2 or (found == tried == 1) else None


def _paths(seen: Sight, row: Row) -> tuple[str, ...]:
    told = {text(value) for _, value in leaves(seen.record)}
    return tuple(dict.fromkeys(path for path, value in row.leaves if text(value) in told))


def input_values(inputs: Sequence[tuple[Path, Field]], row: Row) -> dict[Path, JSON] | None:
    """What a record holds for each input; None where it lacks one, or has several."""
    values: dict[Path, JSON] = {}
    for path, field in inputs:
        held = row.at(field.path)
        if len(held) != 1 or held[0] == "":
            return None
        values[path] = in_form(held[0], field.form) if field.form else held[0]
        if values[path] is None:
            return None
    return values


async def _matters(bench: Bench, tool: Tool, values: dict[Path, JSON], row: Row, random: Random) -> bool:
    """With another value of the same look the record is not shown: nonsense that is taken proves nothing."""
    for path, value in values.items():
        other = {**values, path: garbage(value, random)}  # pyright: ignore[reportArgumentType]
        played = await bench.play(Call(tool.name, arguments_from(other)))
        if played.worked and sight(played.last.content, row, other.values()) is not None:
            return False
    return True


def is_key_like(survey: Survey, field: Field) -> bool:
    """What stands there names records, or is a code: nothing that a person has in mind."""
    known = survey.key_like.get(field)
    if known is None:
        values = survey.values(field)[:20]
        known = bool(values) and all(is_code(value) or bool(survey.refers(field.path, value)) for value in values)
        survey.key_like[field] = known
    return known
