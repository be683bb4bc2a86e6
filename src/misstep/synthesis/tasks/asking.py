"""A look-up or a calculation → a task of which the answer is the end: a question, and the fact to be told."""

from collections.abc import Sequence

from msgspec import Struct, structs

from misstep.core.objective import ExpectedFact
from misstep.core.scenario import Given, Scalar
from misstep.core.words import split_identifier, stem
from misstep.synthesis.task import Control, Item, Task
from misstep.synthesis.tasks.acting import Trying, Win
from misstep.synthesis.tasks.answering import (
    is_list,
    is_several,
    label_of,
    lines_of,
    members_of,
    names_of,
    piece_of,
    subject_of,
    told_in,
)
from misstep.synthesis.tasks.calling import as_noun
from misstep.synthesis.tasks.doing import named_in, reached, volunteered
from misstep.synthesis.tasks.executing import Call
from misstep.synthesis.tasks.finding import input_values
from misstep.synthesis.tasks.graph import Finder
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.looks import fresh, garbage, is_code, is_sayable, is_scalar, noun_of
from misstep.synthesis.tasks.planning import Planner, Seen
from misstep.synthesis.tasks.surveying import Field, Row, leaves, text
from misstep.synthesis.tasks.telling import calls_of, premises_of, strangers_of, touches_of

_MOST_TOLD = 12
_MOST_LISTED = 5


class Wanted(Struct, frozen=True):
    """What is asked for, and what it is elsewhere."""

    path: str
    values: tuple[str | int | float, ...]
    elsewhere: tuple[str | int | float, ...]
    each: bool = False
    """All of the values are to be told, and not just one of them."""
    members: tuple[tuple[str | int | float, ...], ...] = ()
    """Of an answer that is several records: what each can be called by, of which all are to be told."""
    whole: bool = False
    """It is all of the answer, whatever that is called."""


async def question_task(known: Knowledge, finder: Finder, row: Row, name: str) -> Task | None:
    """Ask for a field that the look-up shows of a record and that nothing before it has shown."""
    values = input_values(finder.inputs, row)
    planner = Planner(known, [row])
    planner.subjects = {row.table}
    if values is None or not await _inputs_reached(known, planner, finder, row):
        return None
    before = set(planner.now.sources)
    seen = await planner.look(finder.tool, values, row)
    wanted = _wanted(known, planner, seen, before) if seen is not None else None
    return await _task(known, planner, finder.tool, wanted, name) if wanted is not None else None


async def _inputs_reached(known: Knowledge, planner: Planner, finder: Finder, row: Row) -> bool:
    values = input_values(finder.inputs, row) or {}
    for path, field in finder.inputs:
        held = values[path]
        if not is_scalar(held):
            return False
        named = [] if field.form else known.survey.refers(field.path, held)
        own = [row] if text(held) == row.key else named
        argument = str(path[0]) if len(path) == 1 else ""
        if own:
            if not await planner.reach(held, field.path or argument, own, argument):
                return False
        elif is_sayable(held):
            planner.ask(held, finder, path, field, row)
        else:
            return False
    return True


def _wanted(known: Knowledge, planner: Planner, seen: Seen, before: set[str]) -> Wanted | None:
    said = {text(item.value) for item in planner.now.items} | before
    said |= known.ownership.by_heart(known.ownership.of_row(seen.row))
    told = list(leaves(seen.sight.record))
    paths = [path for path, _ in told]
    options = _lists(known, seen, said)
    for path, value in told:
        if paths.count(path) > 1 or text(value) in said or _is_kept_under_a_value(known, path):
            continue
        piece = value if is_sayable(value) or (len(told) == 1 and is_code(value)) else piece_of(value)
        others = _elsewhere(known, seen, path, value)
        if piece is not None and others:
            lone = len(told) == 1
            own = _own_path(seen.row, value, path) if lone else path
            options.append(Wanted(own, (piece,), others, whole=lone and not _is_field(seen.row, own)))
    direct = [option for option in options if "." not in option.path]
    return known.random.choice(direct or options) if options else _in_text(known, seen, said)


def _is_kept_under_a_value(known: Knowledge, path: str) -> bool:
    """`lines.KX-100`: under the code or key of another record, which is no name that anybody has for a field."""
    inner = path.split(".")[1:]
    return any(is_code(part) or known.survey.named_by(part) for part in inner)


def _lists(known: Knowledge, seen: Seen, said: set[str]) -> list[Wanted]:
    """Fields that hold several values, all of which are shown, where another record holds others."""
    shown = {text(value) for _, value in leaves(seen.sight.record)} - said
    options: list[Wanted] = []
    for path in dict.fromkeys(path for path, _ in seen.row.leaves if "." not in path):
        own = [value for value in seen.row.at(path) if is_sayable(value)]
        if not 1 < len(own) <= _MOST_LISTED or not shown.issuperset(text(value) for value in own):
            continue
        others = [each for row in known.survey.tables[seen.row.table][:20] for each in row.at(path)]
        elsewhere = [each for each in others if is_sayable(each) and each not in own]
        if elsewhere and len(own) == len(seen.row.at(path)):
            options.append(Wanted(path, tuple(own), (elsewhere[0],), each=True))
    return options


def _in_text(known: Knowledge, seen: Seen, said: set[str]) -> Wanted | None:
    """An answer that is one text: a line that the record holds, and one that another holds."""
    shown = [text(value) for _, value in leaves(seen.sight.record)]
    for path, value in seen.row.leaves:
        lines = [line for line in lines_of(value) if line not in said]
        if len(shown) != 1 or not any(line in shown[0] for line in lines):
            continue
        others = [
            line for row in known.survey.tables[seen.row.table][:20] for each in row.at(path) for line in lines_of(each)
        ]
        elsewhere = [line for line in others if line not in shown[0]]
        if lines and elsewhere:
            return Wanted("", (known.random.choice(lines),), (known.random.choice(elsewhere),))
    return None


def _elsewhere(known: Knowledge, seen: Seen, path: str, value: Scalar) -> tuple[str | int | float, ...]:
    """What stands there in other records; nothing where it is always the same, or a key."""
    if known.survey.refers(path, value):
        return ()
    own = _own_path(seen.row, value, path)
    other = known.survey.another(Field(seen.row.table, own), value, known.random)
    if other is None and not is_sayable(value):
        pieces = [piece_of(each) for row in known.survey.tables[seen.row.table][:20] for each in row.at(own)]
        other = next((piece for piece in pieces if piece is not None and piece not in text(value)), None)
    if other is None and len(known.survey.tables[seen.row.table]) == 1:
        return _unlike(known, value)
    return (other,) if other is not None else ()


def _own_path(row: Row, value: Scalar, path: str) -> str:
    """What the record itself calls a field."""
    return next((name for name, held in row.leaves if text(held) == text(value)), path)


def _is_field(row: Row, path: str) -> bool:
    """Whether a record has this among other fields."""
    paths = {name for name, _ in row.leaves}
    return len(paths) > 1 and path in paths


def _unlike(known: Knowledge, value: Scalar) -> tuple[str | int | float, ...]:
    """Where there is but one, something of the same look that it is not."""
    for other in (fresh(value, value, known.random), garbage(value, known.random)):
        if other != value and text(value) not in text(other):
            return (other,)
    return ()


async def computed_task(known: Knowledge, trying: Trying, win: Win, name: str) -> Task | None:
    """Ask for what an answer gives that speaks of no record: it must depend on what was asked."""
    named = named_in(trying, win)
    planner = Planner(known, [row for _, _, rows in named for row in rows])
    planner.subjects = {row.table for _, _, rows in named for row in rows}
    planner.beside = _counted_by(known, win.call.tool)
    if not await reached(planner, trying, win, named):
        return None
    planner.step(win.call, "act")
    spoken = volunteered(planner.now.items, trying, win)
    planner.now = structs.replace(planner.now, items=tuple(_as_key(item) for item in spoken))
    said = {text(item.value) for item in planner.now.items} | set(planner.now.sources)
    others = [(other, _by_path(other)) for other in trying.wins if other.call.text != win.call.text]
    options: list[Wanted] = []
    for path, values in _by_path(win).items():
        told = tuple(dict.fromkeys(value for value in values if text(value) not in said))
        if not told or len(told) > _MOST_TOLD or (len(values) == 1 and _is_usual(values[0], path, others)):
            continue
        elsewhere = _answered_otherwise(known, win, path, told, others)
        if elsewhere:
            several = _several(win, path, told, said, elsewhere)
            if several is not None:
                options.append(several)
    return await _task(known, planner, win.call.tool, known.random.choice(options), name) if options else None


def _several(
    win: Win,
    path: str,
    told: tuple[str | int | float, ...],
    said: set[str],
    elsewhere: tuple[str | int | float, ...],
) -> Wanted | None:
    """All that is told, where that is several; None where the records of which it is cannot be named."""
    members = members_of(win.answer.content) if not path else []
    if members:
        named = names_of(members, said)
        return Wanted(path, told, elsewhere, members=tuple(named)) if named else None
    listed = is_list(win.answer.content) and len(told) <= _MOST_LISTED
    return Wanted(path, told, elsewhere, listed or is_several(win.answer.content, path))


def _counted_by(known: Knowledge, tool: str) -> frozenset[str]:
    """The tables that a tool's name speaks of: it is about all of them, and one is no way to speak of what it takes."""
    said = {stem(word) for word in split_identifier(tool)}
    return frozenset(table for table in known.survey.tables if stem(noun_of(table).rpartition(" ")[2]) in said)


Others = Sequence[tuple[Win, dict[str, list[str | int | float]]]]


def _answered_otherwise(
    known: Knowledge, win: Win, path: str, told: Sequence[str | int | float], others: Others
) -> tuple[str | int | float, ...]:
    """What stands there when something else is asked; nothing where that is the same but for what was asked with."""
    masked = {_without(value, win) for value in told}
    unlike = [(other, found.get(path, [])) for other, found in others if other.answer.content != win.answer.content]
    for other, values in unlike:
        for value in values:
            if value not in told and _without(value, other) not in masked:
                return (value,)
    if any(_without(value, other) in masked for other, values in unlike for value in values):
        return ()
    return _unlike(known, told[0])


def _is_usual(value: Scalar, path: str, others: Others) -> bool:
    """Half of all that is asked is answered with it: "nothing found"."""
    return len(others) > 1 and sum(value in found.get(path, ()) for _, found in others) * 2 >= len(others)


def _as_key(item: Item) -> Item:
    """Nothing is to become of what a question is asked with."""
    return structs.replace(item, role="key") if item.role == "content" else item


def _by_path(win: Win) -> dict[str, list[str | int | float]]:
    asked = {text(value) for _, value in leaves(win.call.arguments)}
    found = told_in(win.answer.content, asked)
    kept = {path: [value for value in values if _without(value, win)] for path, values in found.items()}
    return {path: values for path, values in kept.items() if values}


def _without(value: Scalar, win: Win) -> str:
    """A value without what was asked with: an echo is no answer."""
    left = text(value)
    for _, said in leaves(win.call.arguments):
        left = left.replace(text(said), "").replace(text(said).partition(" ")[0] or " ", "")
    return left.strip()


def _named(label: str, tool: str, values: Sequence[str | int | float]) -> str:
    """What a fact is called; of none, with what there is none of: no fees are a total of 0."""
    subject = subject_of(tool)
    return f"{label} of the {subject}" if 0 in values and subject not in label else label


async def _task(known: Knowledge, planner: Planner, tool: str, wanted: Wanted, name: str) -> Task | None:
    now = planner.now
    steps = (*now.steps[:-1], structs.replace(now.steps[-1], role="act"))
    played = await known.bench.play(*(Call(step.tool, step.arguments) for step in steps))
    if not played.worked or any(change.table not in known.ignored for change in played.changes):
        return None
    label = as_noun(label_of(wanted.path, tool), wanted.values[0], "")
    told = wanted.members or ([(value,) for value in wanted.values] if wanted.each else [wanted.values])
    lone = [Control(name="one-of-several", steps=steps, tells=told[0][:1])] if len(told) > 1 else []
    return Task(
        id=name,
        kind="question",
        tool=tool,
        steps=steps,
        items=now.items,
        calls=calls_of(steps, (), free=True),
        told=tuple(ExpectedFact(_named(label, tool, values), values) for values in told),
        wants=label,
        whole=wanted.whole or not wanted.path,
        marks=tuple(item.name for item in now.items if item.role == "mark"),
        strangers=await strangers_of(known, now.asked, now.items),
        premises=premises_of(known, now.seen, now.items, wanted.path),
        given=tuple(Given(each.tool, each.arguments) for each in known.bench.given),
        touches=touches_of(now.seen, (), [row.kept for row in planner.rows]),
        controls=(
            Control(name="another-record's", steps=steps, tells=wanted.elsewhere),
            *lone,
            Control(name="nothing-told", steps=steps),
        ),
        seed=known.bench.seed,
        stateful=known.bench.stateful,
        ignore_tables=known.ignored,
    )
