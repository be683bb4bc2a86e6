"""A call that changes something → a task that ends in that change, with all that can be said and checked of it."""

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec import structs

from misstep.core.scenario import Given, Scalar
from misstep.core.state import Change
from misstep.core.tool import JSON
from misstep.core.words import split_identifier
from misstep.synthesis.task import Item, Step, Task
from misstep.synthesis.tasks.acting import Trying, Win
from misstep.synthesis.tasks.calling import called
from misstep.synthesis.tasks.executing import Call
from misstep.synthesis.tasks.expecting import Volatile, expected_changes, is_prose
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.looks import in_words, is_address, is_scalar, likeness, noun_of
from misstep.synthesis.tasks.needing import possible_needs
from misstep.synthesis.tasks.planning import Asked, Planner
from misstep.synthesis.tasks.slots import Path, Slot, arguments_from, slots_of
from misstep.synthesis.tasks.standing_in import led_to_by_others, would_another_do
from misstep.synthesis.tasks.surveying import Row, text
from misstep.synthesis.tasks.telling import calls_of, outcome_of, premises_of, strangers_of, touches_of
from misstep.wording.requests.forms import is_of_speaker

_MOST_CHANGES = 12
_LONGEST = 200
_ALIKE = 2
_CENT = 0.005


async def act_task(known: Knowledge, trying: Trying, win: Win, name: str, volatile: Volatile) -> Task | None:
    """None where no person could ask for it: it takes what nobody can say, or changes more than anybody could check."""
    named = named_in(trying, win)
    if not known.bench.stateful and _takes_what_nobody_showed(trying, win, named):
        return None
    if _is_for_strangers(known, trying, win, named):
        return None
    planner = Planner(known, [row for _, _, rows in named for row in rows])
    planner.subjects = {change.table for change in win.changes if change.before is not None}
    if not await reached(planner, trying, win, named):
        return None
    act = planner.step(win.call, "act", [at for at, step in enumerate(planner.now.steps) if step.role == "need"])
    await _add_dues(known, planner, trying, win, act)
    now = planner.now
    played = await known.bench.play(*(Call(step.tool, step.arguments) for step in now.steps))
    changes = [change for change in played.changes if change.table not in known.ignored]
    if not played.worked or len(changes) > _MOST_CHANGES or (known.bench.stateful and not changes):
        return None
    steps = await _needed(known, now.steps, act)
    spoken = called_new(volunteered(now.items, trying, win), known, trying)
    items = tuple(_filling(item, trying, win) for item in spoken)
    contents = own_words(known, trying, items)
    unsaid = [slot.name for slot in trying.filler.slots if slot.optional and slot.path not in win.values]
    return Task(
        id=name,
        kind="act",
        tool=win.call.tool,
        steps=steps,
        items=items,
        calls=calls_of(steps, contents, free=trying.open),
        changes=expected_changes(changes, contents, volatile, unsaid),
        outcome=outcome_of(changes, items),
        marks=tuple(item.name for item in items if item.role == "mark"),
        strangers=await strangers_of(known, [*now.asked, *_asked_directly(trying, win, planner)], items),
        premises=premises_of(known, now.seen, items),
        new=tuple(sorted(created_in(trying))),
        given=tuple(Given(each.tool, each.arguments) for each in known.bench.given),
        touches=touches_of(now.seen, changes, [row.kept for _, _, rows in named for row in rows]),
        seed=known.bench.seed,
        stateful=known.bench.stateful,
        ignore_tables=known.ignored,
    )


def own_words(known: Knowledge, trying: Trying, items: Sequence[Item]) -> list[Scalar]:
    """What the records are to get, but for sentences that stand in one or are one of a few choices: those are not to
    be put in other words."""
    choices = {choice for slot in trying.filler.slots for choice in slot.choices if isinstance(choice, str)}
    held = {value for rows in known.survey.tables.values() for row in rows for value in row.texts}
    return [
        item.value
        for item in items
        if item.role == "content"
        and not (is_prose(text(item.value)) and (item.value in choices or text(item.value) in held))
    ]


Named = list[tuple[Slot, Scalar, list[Row]]]


_NAMES_A_RECORD = frozenset({"id", "number", "key", "code", "uuid", "ref", "reference"})


def _takes_what_nobody_showed(trying: Trying, win: Win, named: Named) -> bool:
    """Nothing was executed where there is no state: an id that no answer has shown may well be nobody's."""
    shown = {slot.path for slot, _, _ in named}
    return any(
        slot.path in win.values
        and slot.path not in shown
        and _NAMES_A_RECORD.intersection(split_identifier(slot.name)[-1:])
        for slot in trying.filler.slots
    )


def _is_for_strangers(known: Knowledge, trying: Trying, win: Win, named: Named) -> bool:
    """An address is given of somebody who is on record, and another tool does the same for those who are: either may
    be taken, and the ends differ a little."""
    own = {slot.name for slot in trying.filler.slots}
    records = {slot.path for slot, _, _ in named}
    for slot in trying.filler.slots:
        value = win.values.get(slot.path)
        if slot.path in records or not is_scalar(value) or not is_address(value):
            continue
        for other in known.acts.values():
            if other is trying or len(own & {each.name for each in other.filler.slots}) < _ALIKE:
                continue
            held = known.survey.holders(value)
            if any(other.meant(each, row.key) for row in held for each in other.filler.slots if each.name not in own):
                return True
    return False


def named_in(trying: Trying, win: Win) -> Named:
    """The slots that name records."""
    return [
        (slot, value, rows)
        for slot in trying.filler.slots
        if is_scalar(value := win.values.get(slot.path)) and (rows := trying.meant(slot, value))
    ]


async def reached(planner: Planner, trying: Trying, win: Win, named: Named) -> bool:
    """Make all that the call takes known: records by looking them up, the rest by being said."""
    planner.tool = win.call.tool
    planner.beside |= created_in(trying)
    slots = {slot.path for slot, _, _ in named}
    planner.unsaid = _written_anew(trying, win, slots)
    order = list(named)
    planner.shuffle(order)
    for slot, value, rows in order:
        planner.prefix = _prefix(slot, [other for other, _, _ in named])
        planner.part = "" if planner.prefix else _part(slot, rows, named)
        planner.apart = _apart(planner, rows, named)
        planner.kind = noun_of(rows[0].table) if rows else ""
        before, argument = planner.now, slot.argument if slot.whole else ""
        if not await planner.reach(value, slot.said, rows, argument):
            return False
        others = [other for at, other, _ in named if at is not slot]
        if led_to_by_others(planner, value, others) and await would_another_do(planner.known, trying, win, slot, rows):
            planner.now = before
            planner.name(value, slot.said, argument)
    planner.prefix = planner.apart = planner.kind = planner.part = ""
    for slot in trying.filler.slots:
        value = win.values.get(slot.path)
        if slot.path in slots or slot.path not in win.values:
            continue
        if value in ([], {}):
            continue
        if not is_scalar(value) or (isinstance(value, str) and ("\n" in value or len(value) > _LONGEST)):
            return False
        planner.prefix = in_words(slot.said)
        borrowed = is_address(value) and await planner.find(value, ())
        planner.prefix = ""
        if not borrowed:
            argument = slot.argument if slot.whole else ""
            planner.say(in_words(slot.said), value, "content", argument, words=called(slot, slot.said))
    return await planner.prepare(trying.needs, win.values)


def created_in(trying: Trying) -> frozenset[str]:
    """The tables that a tool puts new records into: others there are no way to speak of what a new one takes."""
    return frozenset(change.table for win in trying.wins for change in win.changes if change.before is None)


def volunteered(items: Sequence[Item], trying: Trying, win: Win) -> tuple[Item, ...]:
    """With those marked that nobody would ask for: what goes into optional arguments, and a part of an amount."""
    optional = [slot for slot in trying.filler.slots if slot.optional and slot.path in win.values]
    spoken = {(in_words(slot.said), text(str(win.values[slot.path]))) for slot in optional}
    arguments = {slot.argument for slot in optional}
    return tuple(
        structs.replace(item, unasked=True)
        if item.argument in arguments or (item.name, str(item.value)) in spoken or _is_a_share(item, win.changes)
        else item
        for item in items
    )


def called_new(items: Sequence[Item], known: Knowledge, trying: Trying) -> tuple[Item, ...]:
    """What a record is to get is its new title, where records are looked up by titles or another one is called so."""
    changes = [change for win in trying.wins for change in win.changes if change.before is not None and change.after]
    replaced = {(change.table, field) for change in changes for field in change.fields}
    asked = {
        (finder.table, field.path) for some in known.finders.values() for finder in some for _, field in finder.inputs
    }
    names = {in_words(field) for _, field in replaced & asked}
    anothers = {
        (in_words(field), text(value)) for table, field in replaced for value in _of_one_record(known, table, field)
    }
    taken = {item.name for item in items}
    return tuple(
        structs.replace(item, name=f"new {item.name}", words=(item.name, *item.words))
        if item.role == "content"
        and (item.name in names or (item.name, text(item.value)) in anothers)
        and f"new {item.name}" not in taken
        else item
        for item in items
    )


def _of_one_record(known: Knowledge, table: str, field: str) -> list[Scalar]:
    """Values that no two records share: each says which one is meant."""
    held = [value for row in known.survey.tables.get(table, ()) for value in row.at(field)]
    texts = Counter(map(text, held))
    return [value for value in held if texts[text(value)] == 1]


def _is_a_share(item: Item, changes: Sequence[Change]) -> bool:
    """So much is taken off what stands there, and something is left: who pays may as well mean all of it."""
    share = item.value
    if item.role != "content" or isinstance(share, (str, bool)):
        return False
    return any(
        isinstance(old, (int, float)) and isinstance(new, (int, float)) and old > new and abs(old - new - share) < _CENT
        for change in changes
        if change.before is not None and change.after is not None
        for field, old in change.before.items()
        if not isinstance(new := change.after.get(field), bool)
    )


def _written_anew(trying: Trying, win: Win, named: Collection[Path]) -> frozenset[str]:
    """What the call itself says by these names, and replaces in no record: nobody describes a thing by them as well."""
    replaced = {field for change in win.changes if change.before is not None for field in change.fields}
    return (
        frozenset(slot.said for slot in trying.filler.slots if slot.path in win.values and slot.path not in named)
        - replaced
    )


def _prefix(slot: Slot, others: Sequence[Slot]) -> str:
    """What the name of a slot has before the name of another: `new` of the new item, beside the item."""
    for other in others:
        mine, theirs = split_identifier(slot.name), split_identifier(other.name)
        if len(mine) > len(theirs) and mine[-len(theirs) :] == theirs:
            return " ".join(mine[: -len(theirs)])
    return ""


def _part(slot: Slot, rows: Sequence[Row], named: Named) -> str:
    """What tells a record's part in the call from another's of its kind: the source from the target."""
    tables = {row.table for row in rows}
    rivals = [other for other, _, own in named if other is not slot and tables & {row.table for row in own}]
    nouns = {word for table in tables for word in noun_of(table).split()} | _NAMES_A_RECORD | {"name"}
    said = [word for word in in_words(slot.said).split() if word not in nouns]
    return " ".join(said) if rivals else ""


def _apart(planner: Planner, rows: Sequence[Row], named: Named) -> str:
    """What a record is called that is brought to another: the address that an order is to go to, the one invited.

    Not what the other has to do with already, such as its owner."""
    subjects = [row for _, _, own in named for row in own if row.table in planner.subjects]
    if not subjects or not rows or any(row.table in planner.subjects for row in rows):
        return ""
    linked = any(row.key in subject.texts or subject.key in row.texts for row in rows for subject in subjects)
    noun = noun_of(rows[0].table)
    return "" if linked or is_of_speaker(noun) else noun


def _filling(item: Item, trying: Trying, win: Win) -> Item:
    """With the argument that it fills, also where it was said for a look-up first."""
    if item.role != "key" or item.argument:
        return item
    fits = [slot for slot in trying.filler.slots if slot.whole and win.values.get(slot.path) == item.value]
    return structs.replace(item, argument=fits[0].argument) if fits and trying.meant(fits[0], item.value) else item


async def _add_dues(known: Knowledge, planner: Planner, trying: Trying, win: Win, act: int) -> None:
    """What a rule wants done afterwards, with the same values under the same names."""
    for rule in known.bench.policy.of_kind("afterwards", win.call.tool, trying.tool.effect):
        tool = known.bench.tools.get(str(rule.parameters.get("tool")))
        if tool is None:
            continue
        needed = [slot for slot in slots_of(tool) if not slot.optional]
        values = {slot.path: value for slot in needed if (value := _same(trying, win, slot)) is not None}
        if len(values) < len(needed):
            continue
        call = Call(tool.name, arguments_from(values))
        plan = [Call(step.tool, step.arguments) for step in planner.now.steps]
        played = await known.bench.play(*plan, call)
        if not played.last.is_error:
            planner.step(call, "due", [act])


def _same(trying: Trying, win: Win, wanted: Slot) -> JSON:
    return next(
        (
            win.values[slot.path]
            for slot in trying.filler.slots
            if slot.path in win.values and likeness(slot.name, wanted.name) == 3
        ),
        None,
    )


async def _needed(known: Knowledge, steps: Sequence[Step], act: int) -> tuple[Step, ...]:
    """Without a step that is needed the act is refused; one that is not only finds something out."""
    roles = [step.role for step in steps]
    for at, step in enumerate(steps[:act]):
        if step.tool not in known.bench.changed_by:
            roles[at] = "look-up"
            continue
        left = [Call(each.tool, each.arguments) for place, each in enumerate(steps[: act + 1]) if place != at]
        roles[at] = "need" if (await known.bench.play(*left)).last.is_error else "look-up"
    needs = [at for at, role in enumerate(roles) if role == "need" and at < act]
    made = [structs.replace(step, role=role) for step, role in zip(steps, roles, strict=True)]
    made[act] = structs.replace(made[act], after=tuple(sorted({*made[act].after, *needs})))
    return tuple(made)


def _asked_directly(trying: Trying, win: Win, planner: Planner) -> list[Asked]:
    """Keys that go right into the act."""
    slots = {slot.argument: slot for slot in trying.filler.slots if slot.whole}
    return [
        Asked(item.name, slots[item.argument].path, win.call, win.values)
        for item in planner.now.items
        if item.role == "key"
        and item.argument in slots
        and not any(each.item == item.name for each in planner.now.asked)
    ]


async def is_open(known: Knowledge, trying: Trying) -> bool:
    """Another single write reaches the same end, so that the call itself must not be demanded."""
    for win in trying.wins[:2]:
        mine = {(each.table, each.key, text(str(each.after))) for each in win.changes}
        for other in known.acts.values():
            if other is trying or not other.wins:
                continue
            for need in possible_needs(known.survey, other.tool, trying.filler.slots, win.values):
                call = need.call(win.values, known.survey)
                played = await known.bench.play(*win.before, call) if call is not None else None
                if played is not None and played.worked and _ends(played.changes, known) == _only(mine, known):
                    return True
    return False


def _ends(changes: Sequence[Change], known: Knowledge) -> set[tuple[str, str, str]]:
    return {(each.table, each.key, str(each.after)) for each in changes if each.table not in known.ignored}


def _only(ends: set[tuple[str, str, str]], known: Knowledge) -> set[tuple[str, str, str]]:
    return {each for each in ends if each[0] not in known.ignored}
