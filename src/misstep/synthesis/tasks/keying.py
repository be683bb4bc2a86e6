"""A number in a call that worked → the field by which it names the record that changed, proved by other numbers."""

from collections.abc import Awaitable, Callable, Iterator, Sequence

from misstep.core.scenario import Scalar
from misstep.core.state import Change
from misstep.core.tool import JSON
from misstep.synthesis.tasks.looks import is_scalar
from misstep.synthesis.tasks.surveying import Field, Row, Survey, text

_OTHERS = 4

ChangedWith = Callable[[Scalar], Awaitable[Sequence[Change]]]
"""What the same call changes with another number in its place."""


async def key_field(survey: Survey, value: JSON, changes: Sequence[Change], changed_with: ChangedWith) -> Field | None:
    """None where with the number of another record it is not that record that changes."""
    for row, field in _holding(survey, value, changes):
        for other in [each for each in survey.tables[row.table] if each is not row][:_OTHERS]:
            changed = {(change.table, change.key) for change in await changed_with(other.at(field.path)[0])}
            if other.kept in changed and row.kept not in changed:
                return field
    return None


def rows_called(survey: Survey, field: Field, value: JSON) -> list[Row]:
    """The records that have a value in a field."""
    return [row for row in survey.tables[field.table] if str(value) in map(text, row.at(field.path))]


def _holding(survey: Survey, value: JSON, changes: Sequence[Change]) -> Iterator[tuple[Row, Field]]:
    """Records that were changed, each with a field that holds the number, and another in every other record."""
    if not is_scalar(value) or isinstance(value, (bool, float)) or not text(value).isdigit():
        return  # which record a text names, its look tells
    for change in changes:
        rows = survey.tables.get(change.table, ()) if change.before is not None else ()
        row = next((each for each in rows if each.kept == (change.table, change.key)), None)
        if row is None:
            continue
        paths = [path for path, held in row.leaves if text(held) == text(value) and "." not in path]
        if row.key == text(value):
            paths.append(survey.key_paths[change.table])
        for path in dict.fromkeys(paths):
            every = [text(each) for other in rows for each in other.at(path)]
            if path not in change.fields and len(every) == len(rows) == len(set(every)):
                yield row, Field(change.table, path)
