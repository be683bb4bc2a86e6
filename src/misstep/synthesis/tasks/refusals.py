"""Calls that are refused though all that they name is there → tasks in which the right thing is to say no, and why."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from misstep.core.objective import ExpectedFact
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.acting import Loss, Trying
from misstep.synthesis.tasks.already import so_already
from misstep.synthesis.tasks.declining import asked, refusal
from misstep.synthesis.tasks.finding import input_values
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.looks import in_words, is_code, is_date, is_sayable, is_scalar
from misstep.synthesis.tasks.planning import Planner
from misstep.synthesis.tasks.slots import Slot
from misstep.synthesis.tasks.surveying import Leaf, Row, leaves, text

_FEW = 6
_ENOUGH = 6
_LEAST = 2
_COMPARED = 20


class Reason(Struct, frozen=True):
    """The field that tells records with which a call works from those with which it is refused."""

    shape: str
    slot: Slot
    table: str
    path: str
    told: bool
    """The refusal itself says the value."""

    def row(self, known: Knowledge, trying: Trying, loss: Loss) -> Row | None:
        """The record that stands in the way of a call."""
        named = trying.meant(self.slot, loss.values.get(self.slot.path))
        return next((each for row in named for each in around(known, row) if each.table == self.table), None)


def around(known: Knowledge, row: Row) -> list[Row]:
    """A record and those that it names: a file, and its folder."""
    named = [each for path, value in row.leaves for each in known.survey.refers(path, value)]
    return [row, *(each for each in named if each.table != row.table)]


def reasons(known: Knowledge, trying: Trying) -> list[Reason]:
    """For each kind of refusal, the field that its records have in common and those that work do not."""
    groups: dict[str, list[Loss]] = defaultdict(list)
    for loss in trying.losses:
        if len(groups[loss.shape]) < _COMPARED and all_there(trying, loss):
            groups[loss.shape].append(loss)
    found = (_reason(known, trying, shape, group) for shape, group in groups.items())
    # One call alone tells the reason only where the refusal says it.
    return [each for each in found if each is not None and (each.told or len(groups[each.shape]) >= _LEAST)]


def all_there(trying: Trying, loss: Loss) -> bool:
    """Whatever names a record names one that there is."""
    return all(
        trying.meant(slot, loss.values[slot.path])
        for slot in trying.filler.slots
        if trying.referred.get(slot.path) and slot.path in loss.values
    )


def _reason(known: Knowledge, trying: Trying, shape: str, group: Sequence[Loss]) -> Reason | None:
    found: list[tuple[int, Reason]] = []
    for slot in trying.filler.slots:
        refused = [
            (row, loss)
            for loss in group
            for named in trying.meant(slot, loss.values.get(slot.path))
            for row in around(known, named)
        ]
        worked = [
            row
            for win in (*trying.wins[-_COMPARED:], *trying.idle[-_COMPARED:])
            for named in trying.meant(slot, win.values.get(slot.path))
            for row in around(known, named)
        ]
        for table, path in dict.fromkeys((row.table, name) for row, _ in refused for name, _ in _direct(row)):
            if _identifies(known, table, path):
                continue
            bad = [(row.at(path), loss) for row, loss in refused if row.table == table]
            good = [row.at(path) for row in worked if row.table == table]
            told = all(_mentions(*each) for each in bad)
            weight = _separates([values for values, _ in bad], good, told)
            if weight and (told or len({row.key for row, _ in refused if row.table == table}) >= _LEAST):
                found.append((weight, Reason(shape, slot, table, path, told)))
    best = max((weight for weight, _ in found), default=0)
    likeliest = [reason for weight, reason in found if weight == best]
    # Where the refusal names none of several, nobody can tell which of them it was for.
    fields = {(reason.table, reason.path) for reason in likeliest}
    return likeliest[0] if likeliest and (likeliest[0].told or len(fields) == 1) else None


def _identifies(known: Knowledge, table: str, path: str) -> bool:
    """The key of a record, or of another, or a text that is another in each: it says which is refused, not why."""
    if path == known.survey.key_paths[table]:
        return True
    values = [value for row in known.survey.tables[table][:_COMPARED] for value in row.at(path)]
    named = all(isinstance(value, str) and not is_date(value) for value in values)
    return named and len(values) > _LEAST and len(set(values)) == len(values)


def _direct(row: Row) -> Iterator[Leaf]:
    return ((path, value) for path, value in row.leaves if "." not in path and is_sayable(value))


def _mentions(values: Sequence[object], loss: Loss) -> bool:
    told = " ".join(text(value) for _, value in leaves(loss.answer.content))
    said = re.escape(str(values[0]).casefold()) if len(values) == 1 else ""
    return bool(said) and re.search(rf"(?<!\w){said}(?!\w)", told.casefold()) is not None


def _separates(bad: Sequence[Sequence[object]], good: Sequence[Sequence[object]], mentioned: bool) -> int:
    """How surely a field is the reason; 0 for not at all. What is different everywhere separates nothing by that."""
    if not good or any(len(values) != 1 for values in bad):
        return 0
    refused = {values[0] for values in bad}
    works = {values[0] for values in good if values}
    if refused & works:
        return 0
    if len(refused | works) <= _FEW and len(works) < len(good):
        return 3 if mentioned else 2 if len(good) >= _ENOUGH and len(bad) >= _ENOUGH else 0
    return 1 if mentioned and _apart(refused, works) else 0


def _apart(refused: set[object], works: set[object]) -> bool:
    """All on one side, all on the other: days before a day, amounts above an amount."""
    for kinds in ((int, float), (str,)):
        if all(isinstance(value, kinds) for value in (*refused, *works)):
            if kinds == (str,) and not all(is_date(value) for value in (*refused, *works)):
                return False
            low, high = sorted(refused, key=str), sorted(works, key=str)
            ordered = [sorted(each, key=lambda value: value) for each in (low, high)]  # pyright: ignore
            return ordered[0][-1] < ordered[1][0] or ordered[1][-1] < ordered[0][0]  # pyright: ignore
    return False


async def refusal_task(known: Knowledge, trying: Trying, reason: Reason, loss: Loss, name: str) -> Task | None:
    """The person asks for what is refused; a value stands in the way, which is worth telling."""
    row = reason.row(known, trying, loss)
    value = next(iter(row.at(reason.path)), None) if row is not None else None
    if row is None or not is_sayable(value) or not trying.wins:
        return None
    if any(is_code(each) and not known.survey.named_by(each) for each in loss.values.values() if is_scalar(each)):
        return None  # what is not there at all is another reason to say no
    way = await asked(known, trying, loss, subjects={reason.table}, avoiding={text(value)})
    if way is None:
        return None
    shown = await _shown(known, way.planner, row, value)
    if not (shown or reason.told):
        return None
    if any(text(item.value) == text(value) for item in way.items):
        return None
    label = in_words(reason.path)
    why = ExpectedFact(label, (value,))
    return await refusal(name, way, [why], wants=label, others=trying.wins, so_already=so_already(trying, loss))


async def _shown(known: Knowledge, planner: Planner, row: Row, value: object) -> bool:
    """Some look-up of the plan shows what stands in the way; where none does yet, one is added."""
    if str(value) in planner.now.sources:
        return True
    for finder in known.finders.get(row.table, ()):
        values = input_values(finder.inputs, row)
        if values is None or not all(text(each) in planner.now.sources for each in values.values()):  # pyright: ignore
            continue
        seen = await planner.look(finder.tool, values, row)
        if seen is not None and str(value) in planner.now.sources:
            return True
    return False
