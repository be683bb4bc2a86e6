"""A plan → what else there is to say of it: keys that fit nothing, false premises, what becomes of a record."""

from collections import Counter
from collections.abc import Sequence

from misstep.core.objective import ExpectedCall
from misstep.core.scenario import Scalar
from misstep.core.state import Change
from misstep.synthesis.task import Item, Premise, Step
from misstep.synthesis.tasks.calling import as_noun
from misstep.synthesis.tasks.executing import Call
from misstep.synthesis.tasks.expecting import pattern
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.looks import fresh, in_words, is_sayable, is_scalar
from misstep.synthesis.tasks.planning import Asked, Seen
from misstep.synthesis.tasks.slots import arguments_from
from misstep.synthesis.tasks.surveying import Field, leaves, records_in, text

_TRIES = 4
_MOST_PREMISES = 3
_FEWEST = 2


async def strangers_of(known: Knowledge, asked: Sequence[Asked], items: Sequence[Item]) -> dict[str, Scalar]:
    """For keys that go into a look-up: a value of the same look, looked up and not found."""
    values = {item.name: item.value for item in items}
    found: dict[str, Scalar] = {}
    for each in asked:
        if each.item in found or each.item not in values:
            continue
        for _ in range(_TRIES):
            own = values[each.item]
            stranger = fresh(own, _another(known, own), known.random)
            call = Call(each.call.tool, arguments_from({**each.values, each.place: stranger}))
            known_to_all = stranger == own or bool(known.survey.named_by(stranger))
            if not known_to_all and await _finds_nothing(known, call):
                found[each.item] = stranger
                break
    return found


def _another(known: Knowledge, value: Scalar) -> Scalar:
    """Some value that stands in the same field as one does."""
    for field in known.survey.fields:
        values = known.survey.values(field)
        if value in values and len(values) >= _FEWEST:
            return known.random.choice(values)
    return value


async def _finds_nothing(known: Knowledge, call: Call) -> bool:
    played = await known.bench.play(call)
    if not played.worked:
        return True
    content = played.last.content
    held = [record for _, record in records_in(content) if any(is_scalar(value) for value in record.values())]
    return not held and len(str(content)) < 200


def premises_of(known: Knowledge, seen: Sequence[Seen], items: Sequence[Item], wanted: str = "") -> tuple[Premise, ...]:
    """Fields that a look-up of the plan shows, with what stands there in another record."""
    said = {text(item.value) for item in items}
    # A status of the order, or of the customer? What several records have, nobody is wrong about in a clear way.
    held = Counter(path for each in {id(each.row): each for each in seen}.values() for path in each.sight.record)
    found: dict[str, Premise] = {}
    for each in seen:
        told = list(leaves(each.sight.record))
        several = Counter(path for path, _ in told)  # of several tags, to have one wrong says nothing of the others
        for path, value in told:
            if (
                "." in path
                or several[path] > 1
                or held[path] > 1
                or path in (wanted, *found)
                or not is_sayable(value)
                or text(value) in said
                or known.survey.refers(path, value)  # a number of another record: nobody has that wrong, or would say
            ):
                continue
            other = known.survey.another(Field(each.row.table, path), value, known.random)
            if other is not None:
                found[path] = Premise(as_noun(in_words(path), value, ""), value, other)
    some = list(found.values())
    known.random.shuffle(some)
    return tuple(some[:_MOST_PREMISES])


def outcome_of(changes: Sequence[Change], items: Sequence[Item]) -> tuple[tuple[str, Scalar], ...]:
    """What becomes of a record that was there. What a new one holds says nothing of what is to be done."""
    found: dict[str, Scalar] = {}
    for change in changes:
        for name in change.fields if change.after is not None else ():
            value = (change.after or {}).get(name)
            if is_sayable(value) and change.before is not None:
                found.setdefault(as_noun(in_words(name), value, ""), value)
    return tuple(found.items())


def touches_of(
    seen: Sequence[Seen], changes: Sequence[Change], meant: Sequence[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """Records that are looked up, named or changed; a new one is nobody else's."""
    changed = [(change.table, change.key) for change in changes if change.before is not None]
    return tuple(dict.fromkeys([*(each.row.kept for each in seen), *meant, *changed]))


def calls_of(steps: Sequence[Step], contents: Sequence[Scalar], *, free: bool = False) -> tuple[ExpectedCall, ...]:
    """Look-ups are optional; what is asked for comes after what it needs. `contents`: what the person said of their
    own; `free`: other ways to the end will do."""
    names = _names(steps)
    made: list[ExpectedCall] = []
    for at, step in enumerate(steps):
        order = {"look-up": (), "need": (), "act": ("need",), "due": ("act",)}[step.role]
        after = tuple(names[place] for place in step.after if steps[place].role in order)
        arguments = {name: pattern(value, contents) for name, value in step.arguments.items()}
        optional = step.role == "look-up" or free
        made.append(ExpectedCall(id=names[at], tool=step.tool, arguments=arguments, after=after, optional=optional))
    return tuple(made)


def _names(steps: Sequence[Step]) -> list[str]:
    names: list[str] = []
    for step in steps:
        count = sum(name.partition(" ")[0] == step.tool for name in names)
        names.append(f"{step.tool} {count + 1}" if count else step.tool)
    return names
