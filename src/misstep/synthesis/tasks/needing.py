"""A call that is refused → what must be called before it, found by calling everything else that changes something."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.core.tool import JSON, Answer, Tool
from misstep.synthesis.tasks.executing import Bench, Call
from misstep.synthesis.tasks.looks import is_scalar, likeness
from misstep.synthesis.tasks.slots import Path, Slot, arguments_from, slots_of
from misstep.synthesis.tasks.surveying import Field, Row, Survey, leaves, text
from misstep.tools.records.making_up import fits

_MOST_WAYS = 3


class Taken(Struct, frozen=True):
    """Where a value comes from: a slot of the call that needs it, or a field of the record that the slot names."""

    slot: Path
    field: Field | None = None


class Need(Struct, frozen=True):
    """A call that must come first, and where its arguments come from."""

    tool: str
    inputs: tuple[tuple[Path, Taken], ...]

    def call(self, values: Mapping[Path, JSON], survey: Survey) -> Call | None:
        """For one call that needs it; None where a value is not to be had."""
        made: dict[Path, JSON] = {}
        for path, taken in self.inputs:
            value = _taken(taken, values, survey)
            if value is None:
                return None
            made[path] = value
        return Call(self.tool, arguments_from(made))


def _taken(taken: Taken, values: Mapping[Path, JSON], survey: Survey) -> JSON:
    value = values.get(taken.slot)
    if taken.field is None or value is None:
        return value
    row = survey.row(taken.field.table, text(value)) if is_scalar(value) else None
    held = row.at(taken.field.path) if row is not None else []
    return held[0] if len(held) == 1 else None


def calls_before(needs: Sequence[Need], values: Mapping[Path, JSON], survey: Survey) -> tuple[Call, ...] | None:
    """What must come before one call; None where it cannot be made."""
    calls = [need.call(values, survey) for need in needs]
    made = tuple(call for call in calls if call is not None)
    return made if len(made) == len(calls) else None


def shape_of(answer: Answer) -> str:
    """What an error says, without what it says it about."""
    told = " ".join(text(value) for _, value in leaves(answer.content) if not isinstance(value, bool))
    return re.sub(r"\S{0,80}\d\S*|\S{1,80}@\S+|\"[^\"]*\"|\S{0,80}/\S*", "#", told)[:200]


def possible_needs(survey: Survey, tool: Tool, slots: Sequence[Slot], values: Mapping[Path, JSON]) -> list[Need]:
    """How a tool could be called with what another call has: its own values, or fields of the records they name."""
    pool = list(_pool(survey, slots, values))
    ways: list[list[tuple[Path, Taken]]] = []
    for slot in slots_of(tool):
        if slot.optional:
            continue
        fitting = [each for each in pool if likeness(slot.name, each[0]) >= 2 and fits(slot.schema, each[1])]
        if not fitting:
            return []
        ranked = sorted(fitting, key=lambda each: -likeness(slot.name, each[0]))
        ways.append([(slot.path, taken) for _, _, taken in ranked[:_MOST_WAYS]])
    return [Need(tool.name, tuple(inputs)) for inputs in islice(product(*ways), _MOST_WAYS * 2)] if ways else []


def _pool(survey: Survey, slots: Iterable[Slot], values: Mapping[Path, JSON]) -> Iterable[tuple[str, Scalar, Taken]]:
    named = [(slot, value) for slot in slots if is_scalar(value := values.get(slot.path))]
    for slot, value in named:
        yield slot.name, value, Taken(slot.path)
    for slot, value in named:
        for row in survey.refers(slot.name, value):
            yield from _of_row(row, slot)


def _of_row(row: Row, slot: Slot) -> Iterable[tuple[str, Scalar, Taken]]:
    for path, value in row.leaves:
        if len(row.at(path)) == 1:
            yield path, value, Taken(slot.path, Field(row.table, path))


async def search_needs(
    bench: Bench,
    survey: Survey,
    call: Call,
    values: Mapping[Path, JSON],
    before: Sequence[Call] = (),
    *,
    writers: bool = False,
) -> Iterable[tuple[Need, bool]]:
    """What comes to something when called first: the call works then, or is at least refused for another reason.

    Only a call that changes something can make another work. Those that say that they only read are tried; with
    `writers`, the others too.
    """
    slots = slots_of(bench.tools[call.tool])
    alone = shape_of((await bench.play(*before, call)).last)
    found: list[tuple[Need, bool]] = []
    for tool in bench.tools.values():
        if tool.name == call.tool or (tool.effect != "reads" and not writers):
            continue
        for need in possible_needs(survey, tool, slots, values):
            first = need.call(values, survey)
            if first is None:
                continue
            played = await bench.play(first)
            if not played.worked or not played.changes or any(each.after is None for each in played.changes):
                continue  # Nobody who asks for something wants something else destroyed for it.
            after = await bench.play(*before, first, call)
            if after.worked or shape_of(after.last) != alone:
                found.append((need, after.worked))
    return found
