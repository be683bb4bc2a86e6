"""A task and the levels of a row → a Part: the task as it is in one conversation, with its right answer."""

from collections.abc import Collection
from random import Random

from msgspec import Struct, structs

from misstep.core.objective import ExpectedCall, ExpectedChange, ExpectedFact, ExpectedQuestion, Forbidden, Impossible
from misstep.core.scenario import Given, Scalar
from misstep.objectives.matching import fits_all
from misstep.synthesis.constraints import Constraint
from misstep.synthesis.ground import Ground, spoken_value
from misstep.synthesis.task import CLAIM, NOT_POSSIBLE, Control, Item, Premise, Step, Task


class Part(Struct, frozen=True, kw_only=True):
    """One goal of a conversation: what is done, what is told and asked, and what the person can say."""

    task: Task
    steps: tuple[Step, ...]
    calls: tuple[ExpectedCall, ...]
    changes: tuple[ExpectedChange, ...]
    told: tuple[ExpectedFact, ...]
    impossible: tuple[Impossible, ...] = ()
    questions: tuple[ExpectedQuestion, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    controls: tuple[Control, ...]
    items: tuple[Item, ...]
    """With the values that the person means."""
    up_front: tuple[str, ...]
    """Names of the items that are said with the request; the others come out when asked for."""
    at_first: dict[str, Scalar] = {}
    """By name, what is said by mistake."""
    looked_up: dict[str, Given] = {}
    """By name, what the person does not know by heart, and the call of a tool of their own that shows it."""
    belief: Premise | None = None
    constraint: Constraint | None = None

    @property
    def tells(self) -> tuple[Scalar, ...]:
        """What a right agent says."""
        return (*(fact.any_of[0] for fact in self.told), *(NOT_POSSIBLE for _ in self.impossible))

    @property
    def asked(self) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.name not in self.up_front)

    @property
    def vague(self) -> bool:
        """Whether something that says which record is meant comes out only when asked for."""
        return any(item.tells_which for item in self.asked)

    @property
    def confirmations(self) -> int:
        return sum(call.confirmed for call in self.calls)


def part_of(
    task: Task, ground: Ground, *, specificity: Scalar, random: Random, constraint: Constraint | None = None
) -> Part:
    """The task as it is, with as much said up front as the level has it."""
    calls = tuple(_with_consent(call, task, ground) for call in task.calls)
    forbidden = constraint.forbidden if constraint else ()
    up_front = _up_front(task.items, specificity, random)
    if task.kind == "refusal":
        forbidden = (*forbidden, Forbidden(tool=task.tool, because="The rules forbid it."))
    part = Part(
        task=task,
        steps=task.steps,
        calls=calls,
        changes=tuple(change for change in task.changes if change.table not in ground.by_the_by),
        told=task.to_be_told,
        impossible=task.impossible,
        forbidden=forbidden,
        controls=task.controls,
        items=task.items,
        up_front=up_front,
        constraint=constraint,
    )
    if constraint is None:
        return part
    who = {(item.name, item.value) for item in task.items if spoken_value(item.value) in ground.persons}
    return named(part, besides=who)  # of "all of them" it must be clear which those are


def _with_consent(call: ExpectedCall, task: Task, ground: Ground) -> ExpectedCall:
    if call.confirmed or not is_act(call, task) or not ground.demands_yes(call.tool):
        return call
    return structs.replace(call, confirmed=True)


def is_act(call: ExpectedCall, task: Task) -> bool:
    """Whether an expected call does what the task is about, or what is due after that: no look-up, no preparation."""
    return any(
        step.role in ("act", "due") and step.tool == call.tool and fits_all(call.arguments, step.arguments)
        for step in task.steps
    )


def _up_front(items: tuple[Item, ...], specificity: Scalar, random: Random) -> tuple[str, ...]:
    if specificity == "all":
        return tuple(item.name for item in items)
    unasked = {item.name for item in items if item.unasked}
    names = list(dict.fromkeys(item.name for item in items))
    if specificity == "none" or not items:
        return tuple(name for name in names if name in unasked)
    said = random.sample(names, (len(names) + 1) // 2) if len(names) > 1 else names
    return tuple(name for name in names if name in said or name in unasked)


def named(part: Part, besides: Collection[tuple[str, Scalar]] = ()) -> Part:
    """With all that says which record is meant in its own words, but for what is kept back on purpose."""
    telling = [item for item in part.items if item.tells_which]
    if not telling and any(change.key is not None for change in part.task.changes):
        telling = part.items  # the record is there, and nothing else says which it is
    said = {item.name for item in telling if (item.name, item.value) not in besides}
    return structs.replace(
        part, up_front=tuple(dict.fromkeys(item.name for item in part.items if item.name in {*part.up_front, *said}))
    )


def several(part: Part, ground: Ground) -> Part:
    """Without its marks: several records fit, and the agent must ask which is meant, or tell the answers for all."""
    task, choice = part.task, ground.choices[part.task.id]
    marks = [item for item in part.items if item.name in task.marks]
    nouns = dict.fromkeys(noun for item in marks if (noun := ground.noun_of(item)))
    words = (word for item in marks for word in (item.name, *item.words))
    about = dict.fromkeys((*words, *(f"what {noun}" for noun in nouns)))
    question = ExpectedQuestion(
        about=(*about, "which"),
        before=(task.tool,) if task.kind == "act" else (),
        or_told=tuple(value for value in choice.answers if not isinstance(value, bool)),
        answers=tuple(item.value for item in marks if not isinstance(item.value, bool)),
    )
    return structs.replace(
        part,
        up_front=tuple(name for name in part.up_front if name not in task.marks),
        questions=(*part.questions, question),
    )


def absent(part: Part, ground: Ground) -> Part:
    """With a key that fits no record: to be looked up, and neither done nor said to be."""
    task, absence = part.task, ground.absences[part.task.id]
    items = tuple(
        structs.replace(item, value=absence.value, says=()) if item.name == absence.item else item
        for item in part.items
    )
    step = absence.look_up
    made_up = tuple(fact.any_of[0] for fact in task.told)
    claims = (f"done for {absence.value}",) if task.kind == "act" else made_up
    controls = [Control(name=CLAIM, steps=(step,), tells=claims)]
    if task.kind == "act":
        controls.append(Control(name="does it to another record", steps=task.steps, tells=(NOT_POSSIBLE,)))
    controls.append(Control(name="never looks", steps=(), tells=(NOT_POSSIBLE,)))
    forbidden = tuple(dict.fromkeys(each.tool for each in task.steps if each.role == "act"))
    missing = Impossible(
        name=f"{' '.join(fact.name for fact in task.told) or 'absence'} of the {absence.item} that is not there",
        tool=task.tool if task.kind == "act" else "",
        about=(absence.value,),
        answers=made_up,
    )
    return structs.replace(
        part,
        steps=(step,),
        calls=(),
        changes=(),
        told=(),
        impossible=(missing,),
        forbidden=tuple(Forbidden(tool=tool, because="What it was asked for is not there.") for tool in forbidden)
        if task.kind == "act"
        else (),
        controls=tuple(controls),
        items=items,
        belief=None,
    )


def slips(part: Part, ground: Ground) -> tuple[tuple[str, Scalar], ...]:
    """Items that may be said wrongly at first, with what is said: only where no agent could act on it at once.

    A key that fits nothing leads nowhere until it is put right. Any other value is told wrongly only where the person
    is asked again before something happens: for a yes, or for something that was not said up front.
    """
    found = [
        (item.name, part.task.strangers[item.name])
        for item in part.items
        if item.role == "key" and item.name in part.task.strangers
    ]
    held = part.confirmations > 0
    for item in part.items:
        waits = item.name in part.up_front and any(other.argument for other in part.asked)
        if held or waits:
            found.extend(
                (item.name, value) for value in ground.values.get(item.name, ()) if _may_be_mixed_up(item, value)
            )
    return tuple(found)


def _may_be_mixed_up(item: Item, value: Scalar) -> bool:
    return type(value) is type(item.value) and not isinstance(value, bool) and value != item.value


def corrected(part: Part, name: str, value: Scalar) -> Part:
    """One item is said wrongly at first; acting on that is a near miss."""
    item = next(each for each in part.items if each.name == name)
    wrong = tuple(_with_value(step, item.value, value) for step in part.steps)
    controls = part.controls
    acts = any(new != old and new.role == "act" for new, old in zip(wrong, part.steps, strict=True))
    if acts and part.task.kind == "act":
        controls = (*controls, Control(name=f"acts on the wrong {name}", steps=wrong, tells=part.tells))
    return structs.replace(part, at_first={name: value}, controls=controls)


def _with_value(step: Step, old: Scalar, new: Scalar) -> Step:
    arguments = {name: new if value == old else value for name, value in step.arguments.items()}
    return structs.replace(step, arguments=arguments)


def own_finds(part: Part, ground: Ground) -> tuple[Item, ...]:
    """Items that the person can look up with a tool of their own."""
    return tuple(
        item for item in part.items if item.value in ground.own and item.name not in part.at_first and not item.unasked
    )


def looked_up(part: Part, item: Item, ground: Ground) -> Part:
    """The person does not know an item by heart: it is not in the request, and looked up when asked for."""
    said = tuple(name for name in part.up_front if name != item.name)
    return structs.replace(part, up_front=said, looked_up={item.name: ground.own[item.value]})


def misled(part: Part, premise: Premise) -> Part:
    """The person believes something wrong; to repeat it as true is a near miss. Of which record, they say with it."""
    part = named(part)
    said = f"so that the {premise.field} was {premise.false}"
    repeats = Control(name=f"repeats the wrong {premise.field}", steps=part.steps, tells=(*part.tells, said))
    return structs.replace(part, belief=premise, controls=(repeats, *part.controls))
