"""A task and the tools → its family: the same act on other records that one look-up shows side by side."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct, structs

from misstep.core.roles import Stateful, Toolbox
from misstep.core.scenario import Scalar
from misstep.core.state import Change, difference
from misstep.core.tool import JSON, Tool
from misstep.core.words import split_identifier
from misstep.synthesis.ground import Ground, MakeToolbox, prepared
from misstep.synthesis.task import Item, Step, Task
from misstep.synthesis.tasks.looks import noun_of
from misstep.wording.requests.forms import is_of_speaker

_DEEPEST = 4
_MOST_MEMBERS = 8
_MOST_RECORDS = 30

Record = Mapping[str, JSON]


class Member(Struct, frozen=True):
    """One of the records, with the act and what is due after it."""

    record: Record
    acts: tuple[Step, ...]
    changes: tuple[Change, ...] = ()
    """What these change when they are done to this record alone."""


class Family(Struct, frozen=True, kw_only=True):
    """Records that stand side by side in one answer, each of which the act can be done to."""

    task: Task
    argument: str
    """The argument of the act that says which record is meant."""
    field: str
    """Where that value stands in the records."""
    noun: str
    """What one of the records is called."""
    before: tuple[Step, ...]
    """Look-ups and preparations that all have in common; the last look-up shows the records."""
    members: tuple[Member, ...]
    items: tuple[Item, ...]
    """What can be said of all of them."""

    @property
    def writes(self) -> frozenset[str]:
        """Fields of records that were there, as far as the act gives them another value."""
        changes = (change for member in self.members for change in member.changes)
        return frozenset(
            name for each in changes if each.before is not None and each.after is not None for name in each.fields
        )

    @property
    def sets_what_is_told(self) -> bool:
        """Whether a record that was there is given what the call says: an address, a date, somebody's name."""
        return any(_is_told(change, member.acts) for member in self.members for change in member.changes)


async def family_of(make_toolbox: MakeToolbox, task: Task, ground: Ground) -> Family | None:
    """None where no look-up shows other records that the same act works on."""
    acts = [step for step in task.steps if step.role == "act"]
    if task.kind != "act" or len(acts) != 1 or not task.stateful:
        return None
    act = acts[0]
    for target in _targets(task, act):
        before = tuple(
            structs.replace(step, after=()) for step in _before(task) if target not in step.arguments.values()
        )
        items = tuple(item for item in task.items if item.value != target)
        known = await _answers(make_toolbox, task, before, {item.value for item in items})
        if known is None:
            continue
        family = await _found(make_toolbox, task, act, target, before, items, known, ground)
        if family is not None:
            return family
    return None


def _targets(task: Task, act: Step) -> tuple[Scalar, ...]:
    """Values of the act that say which record is meant: no content that the person makes up."""
    content = {item.value for item in task.items if item.role == "content"}
    values = (
        value for value in act.arguments.values() if isinstance(value, (str, int)) and not isinstance(value, bool)
    )
    return tuple(dict.fromkeys(value for value in values if value not in content))


def _before(task: Task) -> tuple[Step, ...]:
    return tuple(step for step in task.steps if step.role in ("look-up", "need"))


async def _answers(
    make_toolbox: MakeToolbox, task: Task, steps: Sequence[Step], said: set[Scalar]
) -> list[JSON] | None:
    """What the steps show; None where one of them needs something that was neither said nor found before it."""
    toolbox = await prepared(make_toolbox, task)
    found: list[JSON] = []
    for step in steps:
        known = said | {value for each in found for value in _scalars(each, _DEEPEST)}
        if any(isinstance(value, (str, int)) and value not in known for value in step.arguments.values()):
            return None
        answer = await toolbox.call(step.tool, step.arguments)
        if answer.is_error:
            return None
        found.append(answer.content)
    return found


async def _found(
    make_toolbox: MakeToolbox,
    task: Task,
    act: Step,
    target: Scalar,
    before: tuple[Step, ...],
    items: tuple[Item, ...],
    known: list[JSON],
    ground: Ground,
) -> Family | None:
    argument = next(name for name, value in act.arguments.items() if value == target)
    sayable = {item.value for item in items} | {value for each in known for value in _scalars(each, _DEEPEST)}
    fixed = {name: value for name, value in act.arguments.items() if name != argument and isinstance(value, (str, int))}
    needed = {
        value
        for step in before
        for value in step.arguments.values()
        if step.role == "need" and isinstance(value, (str, int, float))
    }
    toolbox = await _after(make_toolbox, task, before)
    for look_up in (None, *_listings(ground.tools, fixed, sayable, [step.tool for step in before])):
        shown = known if look_up is None else [(await toolbox.call(look_up.tool, look_up.arguments)).content]
        for records in (each for answer in shown for each in _lists(answer, _DEEPEST)):
            field = _field_of(records, target)
            noun = _noun(toolbox, records, field, argument) if field is not None else ""
            if field is None or not noun or not _derivable(fixed, records, field, target, sayable):
                continue
            shared = _of_all(items, records, field, target, needed)
            if any(step.arguments for step in before) and all(item.role == "content" for item in shared):
                continue  # nothing that is said would lead to these records
            members = await _members(
                make_toolbox, task, (*before, *((look_up,) if look_up else ())), records, field, target
            )
            if len(members) > 1:
                return Family(
                    task=task,
                    argument=argument,
                    field=field,
                    noun=noun,
                    before=(*before, *((look_up,) if look_up else ())),
                    members=members,
                    items=shared,
                )
    return None


async def _after(make_toolbox: MakeToolbox, task: Task, steps: Sequence[Step]) -> Toolbox:
    toolbox = await prepared(make_toolbox, task)
    for step in steps:
        await toolbox.call(step.tool, step.arguments)
    return toolbox


def _listings(
    tools: Mapping[str, Tool], fixed: Mapping[str, JSON], sayable: set[Scalar], used: Sequence[str]
) -> Iterator[Step]:
    """Look-ups that need nothing but what the act and all of the family share."""
    for tool in tools.values():
        required = cast("Sequence[str]", tool.input_schema.get("required") or ())
        if tool.effect != "reads" or tool.name in used or not required or not set(required) <= fixed.keys():
            continue
        if all(fixed[name] in sayable for name in required):
            yield Step(tool=tool.name, arguments={name: fixed[name] for name in required}, role="look-up")


def record_lists(content: JSON) -> Iterator[Sequence[Record]]:
    """Lists of records anywhere in an answer."""
    return _lists(content, _DEEPEST)


def _lists(content: JSON, depth: int) -> Iterator[Sequence[Record]]:
    """Lists of records anywhere in an answer."""
    if not depth:
        return
    if isinstance(content, Mapping):
        for value in cast("Mapping[str, JSON]", content).values():
            yield from _lists(value, depth - 1)
    elif isinstance(content, (list, tuple)):
        rows = cast("Sequence[JSON]", content)
        if 1 < len(rows) <= _MOST_RECORDS and all(isinstance(row, Mapping) for row in rows):
            yield cast("Sequence[Record]", rows)


def _scalars(content: JSON, depth: int) -> Iterator[Scalar]:
    if isinstance(content, (str, int, float)):
        yield content
    elif depth and isinstance(content, Mapping):
        for value in cast("Mapping[str, JSON]", content).values():
            yield from _scalars(value, depth - 1)
    elif depth and isinstance(content, (list, tuple)):
        for value in cast("Sequence[JSON]", content)[:_MOST_RECORDS]:
            yield from _scalars(value, depth - 1)


def _field_of(records: Sequence[Record], target: Scalar) -> str | None:
    """The field that tells the records apart, with the target in one of them."""
    own = next((record for record in records if target in record.values()), None)
    for name, value in (own or {}).items():
        if value == target and len({str(record.get(name)) for record in records}) == len(records):
            return name
    return None


def _noun(toolbox: Toolbox, records: Sequence[Record], field: str, argument: str) -> str:
    """What one of them is called, by the argument that says which or by its table.

    Nothing where the field is no key of theirs, so that they are told by what they belong to: the bed of a plant. And
    nobody speaks for all customers.
    """
    if not isinstance(toolbox, Stateful):
        return ""
    *named, last = split_identifier(argument) or [""]
    called = named[-1] if named and last in ("id", "number", "key") else ""
    tables = toolbox.snapshot()
    keyed = [table for table, rows in tables.items() if all(str(record.get(field)) in rows for record in records)]
    for table in keyed or tables:
        noun = noun_of(table)
        if not keyed and called not in ("", noun.rpartition(" ")[2]):
            continue
        if all(_is_row_of(tables[table], record, field) for record in records):
            return "" if is_of_speaker(noun) or is_of_speaker(called) else noun
    return ""


def _is_row_of(rows: Mapping[str, Record], record: Record, field: str) -> bool:
    """Whether a record as it is shown is one of a table, and the only one there with that in the field."""
    which = record.get(field)
    found = [row for key, row in rows.items() if key == str(which) or row.get(field) == which]
    shown = [name for name, value in record.items() if isinstance(value, (str, int, float))]
    return len(found) == 1 and 2 * sum(found[0].get(name) == record[name] for name in shown) > len(shown)


def _of_all(
    items: Sequence[Item], records: Sequence[Record], field: str, target: Scalar, needed: set[Scalar]
) -> tuple[Item, ...]:
    """What is said of the whole family: not what one record has and another has not, unless something else needs it."""
    held = [set(_scalars(record, _DEEPEST)) for record in records]
    own = next(values for record, values in zip(records, held, strict=True) if record.get(field) == target)
    telling = own - set[Scalar].intersection(*held) - needed
    return tuple(item for item in items if item.role == "content" or item.value not in telling)


def _derivable(
    fixed: Mapping[str, JSON], records: Sequence[Record], field: str, target: Scalar, sayable: set[Scalar]
) -> bool:
    """Whether the other arguments of the act can be had from what is said, found before, or stands in the record."""
    own = next(record for record in records if record.get(field) == target)
    return all(value in sayable or value in own.values() for value in fixed.values())


async def _members(
    make_toolbox: MakeToolbox,
    task: Task,
    before: tuple[Step, ...],
    records: Sequence[Record],
    field: str,
    target: Scalar,
) -> tuple[Member, ...]:
    own = next(record for record in records if record.get(field) == target)
    toolbox = await _after(make_toolbox, task, before)
    if not isinstance(toolbox, Stateful):
        return ()
    ready = toolbox.snapshot()
    tables = {change.table for change in task.changes}
    found: list[Member] = []
    seen: set[tuple[str, str]] = set()
    # What is said once goes for all of them, also where it is what this one record has already.
    said = {item.value for item in task.items if item.value != target}
    for record in (own, *(record for record in records if record is not own)):
        acts = tuple(on_record(step, own, record, said) for step in task.steps if step.role in ("act", "due"))
        toolbox.restore(ready)
        worked = [not (await toolbox.call(step.tool, step.arguments)).is_error for step in acts]
        changes = [each for each in difference(ready, toolbox.snapshot()) if each.table not in task.ignore_tables]
        old = {(change.table, change.key) for change in changes if change.before is not None}
        # Each must be about a record of its own: one order sent to several addresses is no family.
        own_kind = {each.table for each in changes} <= tables and any(_is_of(each, record, field) for each in changes)
        if all(worked) and own_kind and seen.isdisjoint(old):
            seen |= old
            found.append(Member(record, acts, tuple(changes)))
    # "All of them" means all: of more than these, nobody would say it in one breath.
    return tuple(found) if len(found) <= _MOST_MEMBERS else ()


def _is_told(change: Change, acts: Sequence[Step]) -> bool:
    if change.before is None or change.after is None:
        return False
    told = {str(value) for step in acts for value in step.arguments.values()}
    given = (value for name in change.fields for value in _scalars(change.after.get(name), _DEEPEST))
    return any(str(value) in told for value in given)


def _is_of(change: Change, record: Record, field: str) -> bool:
    """Whether it is to the record itself, or to one that hangs on it: what is only made with it is nothing of it."""
    if change.before is None:
        return False
    which = str(record.get(field))
    own = {str(value) for value in _scalars(dict(record), _DEEPEST)}
    return change.key in own or which in {str(value) for value in _scalars(change.before, _DEEPEST)}


def on_record(step: Step, own: Record, other: Record, said: Collection[Scalar] = ()) -> Step:
    """The step with each value that comes from one record taken from the other; what is said stays."""
    names = {
        value: name
        for name, value in own.items()
        if isinstance(value, (str, int)) and not isinstance(value, bool) and value not in said
    }
    arguments = {
        name: other.get(names[value], value) if isinstance(value, (str, int)) and value in names else value
        for name, value in step.arguments.items()
    }
    return structs.replace(step, arguments=arguments, after=())
