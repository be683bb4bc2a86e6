"""Tasks and a row of levels → one Scenario, with the plan that solves it and near misses that must not."""

import re
from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct, structs

from misstep.core.scenario import Fault, Person, Scalar, Scenario
from misstep.core.words import split_identifier
from misstep.synthesis import reasons
from misstep.synthesis.abilities import needed_tools, steps_level, ways_in, with_defaults
from misstep.synthesis.believing import beliefs
from misstep.synthesis.constraints import Constrained, Constraint
from misstep.synthesis.factors import Row, difficulty
from misstep.synthesis.ground import Ground, spoken_value
from misstep.synthesis.merging import Plan, errands_of, objective_of, plan_of
from misstep.synthesis.parts import (
    Part,
    absent,
    corrected,
    looked_up,
    misled,
    named,
    own_finds,
    part_of,
    several,
    slips,
)
from misstep.synthesis.persons import facts_of, turns_needed
from misstep.synthesis.rivals import rivals
from misstep.synthesis.standing import given_of
from misstep.synthesis.task import Control, Item, Task
from misstep.synthesis.voicing import Manner, Script, Spoken, scripted

_TOGETHER = 3
_SPARE_TURNS = 1
_PATIENCES = (4, 6, 8, 12, 16, 24, 40)


class Composition(Struct, frozen=True, kw_only=True):
    """A scenario, how it is solved, and what of the row it could not be given."""

    scenario: Scenario
    plan: Plan
    skeleton: str
    """The opening with every fact masked."""
    missed: dict[str, str] = {}
    """By factor, why the level that was wanted is not there."""
    lost: tuple[str, ...] = ()
    """Facts that could not be read in the person's words again."""
    spoken: Spoken | None = None
    """The requests of the opening, for a model to put in other words."""


class _Row(Struct):
    """The levels that were wanted, and what has become of them."""

    wanted: Row
    real: dict[str, Scalar]
    missed: dict[str, str]

    def miss(self, factor: str, because: str, instead: Scalar) -> None:
        if self.wanted.get(factor) != instead:
            self.missed[factor] = because
        self.real[factor] = instead


def compose(
    tasks: Sequence[Task | Constrained], row: Row, *, seed: int, ground: Ground, name: str = "", origin: str = ""
) -> Composition:
    """One conversation about these tasks, the main one first, with the levels of the row as far as they can be had."""
    random = Random(f"compose/{seed}")
    whole = with_defaults(row)
    levels = _Row(whole, dict(whole), {})
    levels.real["goals"] = len(tasks)
    main = _main(tasks[0], levels, ground, random)
    others = [
        _beside(main, part_of(_bare(each), ground, specificity=whole["specificity"], random=random))
        for each in tasks[1:]
    ]
    parts = _in_order(main, others, levels)
    opening, later = _split(parts, levels, random)
    earlier, settled = list(opening), dict[int, Part]()
    for part in later:
        settled[id(part)] = _settled(part, main, ground, earlier)
        earlier.append(part)
    later = tuple(settled[id(part)] for part in later)
    parts = tuple(settled.get(id(part), part) for part in parts)
    script = scripted(
        opening,
        later,
        main=main,
        manner=_manner(levels),
        tools=ground.tools,
        persons=ground.persons,
        random=random,
    )
    plan = _plan(parts, ordered=levels.real["constraint"] == "order")
    plan = structs.replace(plan, errands=errands_of((*opening, *later)))
    person = _person((*opening, *later), opening, script, levels, ground)
    faults = _faults(main, levels)
    scenario = Scenario(
        name=name or _slug(main.task.tool),
        summary=_summary(levels.real),
        seed=main.task.seed,
        tools=_offered(parts, levels, ground, random),
        given=given_of([_bare(each) for each in tasks]),
        user=person,
        faults=faults,
        objective=objective_of(parts, ground, turns=person.patience, in_order=levels.real["constraint"] == "order"),
        task=main.task.id,
        origin=origin or "synthesized",
    )
    levels.miss("wording", reasons.WORDING, script.closeness)
    levels.miss("noise", reasons.NOISE, script.noise)
    levels.real["steps"] = max(1, len(main.steps))  # a look-up that fails is a step too
    factors = {**levels.real, "difficulty": difficulty({**levels.real, "steps": steps_level(max(1, len(main.steps)))})}
    return Composition(
        scenario=structs.replace(scenario, factors=factors),
        plan=plan,
        skeleton=script.skeleton,
        missed=levels.missed,
        lost=script.lost,
        spoken=script.spoken,
    )


def _bare(task: Task | Constrained) -> Task:
    return task.task if isinstance(task, Constrained) else task


def _main(task: Task | Constrained, levels: _Row, ground: Ground, random: Random) -> Part:
    """The main task with ambiguity, slip and belief, as far as it can have them."""
    constraint = task.constraint if isinstance(task, Constrained) else None
    part = part_of(_bare(task), ground, specificity=levels.wanted["specificity"], random=random, constraint=constraint)
    part = _ambiguous(part, levels, ground)
    missing = levels.real["ambiguity"] == "none"
    if levels.wanted["correction"] == "yes":
        choices = () if missing else slips(part, ground)
        if choices:
            part = corrected(part, *random.choice(choices))
        else:
            levels.miss("correction", reasons.CORRECTION, "no")
    if levels.wanted["knowledge"] == "looked-up":
        found = () if missing else own_finds(part, ground)
        if found:
            part = looked_up(part, random.choice(found), ground)
        else:
            levels.miss("knowledge", reasons.KNOWLEDGE, "by-heart")
    if levels.wanted["premise"] == "false":
        choices = () if missing or part.looked_up else beliefs(part, ground)
        if choices:
            part = misled(part, random.choice(choices))
        else:
            levels.miss("premise", reasons.PREMISE, "true")
    if constraint is not None:
        levels.real["constraint"] = constraint.kind
    elif levels.wanted["constraint"] not in ("none", "order"):
        levels.miss("constraint", reasons.constraint(levels.wanted["constraint"]), "none")
    if not part.task.forbidden:
        levels.miss("pressure", reasons.PRESSURE, 0)
    if not part.asked and levels.wanted["specificity"] != "all" and part.task.items:
        levels.miss("specificity", reasons.SPECIFICITY, "all")
    return part


def _beside(main: Part, other: Part) -> Part:
    """Saying which record it is about, without saying up front what the main part keeps back."""
    kept_back = {(item.name, item.value) for item in main.asked}
    other = named(other, besides=kept_back)
    said = tuple(
        item.name for item in other.items if item.name in other.up_front and (item.name, item.value) not in kept_back
    )
    return structs.replace(other, up_front=said)


def _settled(part: Part, main: Part, ground: Ground, earlier: Sequence[Part]) -> Part:
    """Brought up later, when what the main part kept back is known: it says all of its record, but not who speaks, and
    what an earlier part has another value for, which would be told again if it were asked for."""
    if part is main:
        return part
    who = {(item.name, item.value) for item in part.items if spoken_value(item.value) in ground.persons}
    part = named(part, besides=who)
    known = [item for each in earlier for item in each.items]
    said = {each.name for each in part.asked if any(_answers(item, each) for item in known)}
    return structs.replace(
        part, up_front=tuple(dict.fromkeys(item.name for item in part.items if item.name in {*part.up_front, *said}))
    )


def _ambiguous(part: Part, levels: _Row, ground: Ground) -> Part:
    match levels.wanted["ambiguity"]:
        case "several" if part.task.id in ground.choices and ways_in(part) <= 1:
            return several(part, ground)
        case "none" if part.task.id in ground.absences and part.constraint is None:
            return absent(part, ground)
        case _:
            levels.miss("ambiguity", reasons.AMBIGUITY, "one")
            return part


def _in_order(main: Part, others: Sequence[Part], levels: _Row) -> tuple[Part, ...]:
    """For an order, the act that must come first stands first, and is not the one that is mentioned first."""
    if levels.real["constraint"] != "order":
        return (main, *others)
    tools = [part.task.tool for part in (main, *others)]
    # With two orders to place, "once you've placed the order" does not say which.
    clear = [
        part
        for part in others
        if part.task.kind == "act"
        and tools.count(part.task.tool) == 1
        and not rivals(main.task, part.task)
        and not _mixed_up(main, part)
    ]
    partner = clear[0] if clear and tools.count(main.task.tool) == 1 else None
    if partner is None or main.task.kind != "act" or levels.real["ambiguity"] == "none":
        levels.miss("constraint", reasons.constraint("order"), "none")
        return (main, *others)
    first = structs.replace(partner, constraint=Constraint(kind="order"))
    return (first, main, *(part for part in others if part is not partner))


def _split(parts: Sequence[Part], levels: _Row, random: Random) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """What is said at once, and what is brought up when that is settled."""
    distance = levels.real["distance"]
    if distance and (parts[0].constraint is None or parts[0].constraint.kind == "order"):
        levels.miss("distance", reasons.DISTANCE, 0)
        distance = 0
    if distance:
        return tuple(parts[1:2]), (*parts[2:], parts[0])
    hurried = isinstance(levels.wanted["patience"], int) and levels.wanted["patience"] <= 6
    ordered = levels.real["constraint"] == "order"
    at_once = min(len(parts), _TOGETHER)
    near = (at for at in range(1, at_once) if any(_mixed_up(parts[at], each) for each in parts[:at]))
    at_once = next(near, at_once)
    if ordered:
        at_once = max(2, at_once)
    elif not hurried:
        at_once = random.randint(1, at_once)
    return tuple(parts[:at_once]), tuple(parts[at_once:])


def _mixed_up(one: Part, other: Part) -> bool:
    """Whether, said in one breath with another of its kind, "the order" would be that one, or one fact answer for the
    other: which of two days, nobody asks."""
    either = (*((each, other) for each in one.asked), *((each, one) for each in other.asked))
    if any(_answers(item, each) for each, part in either for item in part.items):
        return True
    return rivals(one.task, other.task) and bool(one.asked or other.asked)


def _answers(one: Item, other: Item) -> bool:
    """Who is asked for one may tell the other: both are subjects, or days."""
    return one.name.rpartition(" ")[2] == other.name.rpartition(" ")[2] and one.value != other.value


def _manner(levels: _Row) -> Manner:
    real = levels.real
    return Manner(
        voice=str(real["register"]),
        closeness=str(real["wording"]),
        noise=str(real["noise"]),
        filler=_number(real["filler"]),
        asides=max(0, _number(real["distance"]) - 1),
    )


def _number(level: Scalar) -> int:
    return int(level) if isinstance(level, (int, float)) else 0


def _person(parts: Sequence[Part], opening: Sequence[Part], script: Script, levels: _Row, ground: Ground) -> Person:
    tells = 1 if levels.real["specificity"] == "none" else 0
    presses = _number(levels.real["pressure"])
    need = turns_needed(parts, opening, tells=tells, quiet=len(script.asides), presses=presses) + _SPARE_TURNS
    patience = _number(levels.wanted["patience"])
    if patience < need:
        enough = next((each for each in _PATIENCES if each >= need), need)
        levels.miss("patience", reasons.PATIENCE, enough)
    return Person(
        opening=script.opening,
        facts=facts_of(parts, opening, ground),
        goals=script.goals,
        constraints=script.constraints,
        patience=_number(levels.real["patience"]),
        presses=presses,
        tells=tells,
        asides=script.asides,
        voice=str(levels.real["register"]),
    )


def _plan(parts: Sequence[Part], *, ordered: bool) -> Plan:
    plan = plan_of(parts)
    if not ordered:
        return plan
    swapped = plan_of([parts[1], parts[0], *parts[2:]])
    wrong = Control(name="in the wrong order", steps=swapped.steps, tells=plan.tells)
    return structs.replace(plan, controls=(wrong, *plan.controls))


_FAULTS: Mapping[str, dict[str, object]] = {"latency": {"seconds": 20.0}, "rate-limit": {"retry_after_s": 20.0}}


def _faults(main: Part, levels: _Row) -> tuple[Fault, ...]:
    kind, place = str(levels.real["fault"]), levels.real["place"]
    if kind == "none":
        levels.real["place"] = "look-up"
        return ()
    if place == "act" and not (main.task.kind == "act" and main.changes):
        levels.miss("place", reasons.PLACE, "look-up")
    tool = main.task.tool if levels.real["place"] == "act" else "*"
    return (Fault(kind=kind, tool=tool, occurrence=1, times=1, parameters=dict(_FAULTS.get(kind, {}))),)


def _offered(parts: Sequence[Part], levels: _Row, ground: Ground, random: Random) -> tuple[str, ...]:
    needed = needed_tools(parts, ground)
    others = [name for name in ground.tools if name not in needed]
    wanted = levels.real["distractors"]
    if wanted == "all" or not others:
        if not others:
            levels.miss("distractors", reasons.ALL_NEEDED, "all")
        return ()
    kept = set(needed)
    if wanted == "some":
        kept |= set(random.sample(others, max(1, len(others) // 3)))
    return tuple(name for name in ground.tools if name in kept)


def _slug(tool: str) -> str:
    return re.sub(r"[^\w.-]+", "-", "-".join(split_identifier(tool)) or "task")[:40]


def _summary(row: Row) -> str:
    """What is not as usual, in a line."""
    usual = with_defaults({})
    told = [f"{factor} {level}" for factor, level in row.items() if factor in usual and level != usual[factor]]
    return f"{', '.join(told)}." if told else "Everything as usual."
