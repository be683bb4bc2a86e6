"""Parts of one conversation → one right answer: one plan, one partial order of calls, one end state."""

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from misstep.core.objective import (
    ExpectedCall,
    ExpectedChange,
    ExpectedFact,
    ExpectedQuestion,
    FalseBelief,
    Forbidden,
    Limits,
    Objective,
)
from misstep.core.scenario import Scalar
from misstep.core.words import joined, split_identifier
from misstep.synthesis.ground import Ground
from misstep.synthesis.parts import Part, is_act
from misstep.synthesis.task import SILENT, Control, Kind, Premise, Step

_SPARE_CALLS = 20
_CALLS_A_STEP = 6
_SPARE_TURNS = 6
_MOST_CONTROLS = 4


class Errand(Struct, frozen=True, kw_only=True):
    """What is to be done, asked and told for one goal."""

    kind: Kind
    tool: str
    steps: tuple[Step, ...]
    told: tuple[ExpectedFact, ...] = ()
    questions: tuple[ExpectedQuestion, ...] = ()


class Plan(Struct, frozen=True, kw_only=True):
    """A right way through a scenario, and near misses that must not pass for one."""

    errands: tuple[Errand, ...] = ()
    """One for each goal, in the order of the goals."""

    steps: tuple[Step, ...]
    tells: tuple[Scalar, ...] = ()
    controls: tuple[Control, ...] = ()


def plan_of(parts: Sequence[Part]) -> Plan:
    """The plans one after another, without what need not be done twice; each near miss among the other right plans."""
    controls = [_claim(parts)]
    for at, part in enumerate(parts):
        own = [control for control in part.controls if control.name != SILENT or len(parts) == 1]
        for control in own[: _MOST_CONTROLS if at == 0 else 1]:
            steps = [control.steps if each is part else each.steps for each in parts]
            tells = [control.tells if each is part else each.tells for each in parts]
            controls.append(Control(name=control.name, steps=_in_a_row(steps), tells=_flat(tells)))
    return Plan(
        steps=_in_a_row([part.steps for part in parts]),
        tells=_flat([part.tells for part in parts]),
        controls=tuple(controls),
    )


def errands_of(parts: Sequence[Part]) -> tuple[Errand, ...]:
    return tuple(
        Errand(
            kind=part.task.kind,
            tool=part.task.tool,
            steps=part.steps,
            told=part.told,
            questions=part.questions,
        )
        for part in parts
    )


def _claim(parts: Sequence[Part]) -> Control:
    """Nothing done, and much said: what is told must not be among the words that any agent has."""
    tools = joined(dict.fromkeys(" ".join(split_identifier(part.task.tool)) for part in parts))
    said = f"done: {tools}. Thank you for your message. Everything has been taken care of. How can I help you?"
    return Control(name="only claims that it is done", steps=(), tells=(said,))


def _flat(tells: Sequence[tuple[Scalar, ...]]) -> tuple[Scalar, ...]:
    return tuple(dict.fromkeys(each for some in tells for each in some))


def _in_a_row(plans: Sequence[tuple[Step, ...]]) -> tuple[Step, ...]:
    steps: list[Step] = []
    for plan in plans:
        places: dict[int, int] = {}
        for at, step in enumerate(plan):
            moved = structs.replace(step, after=tuple(places[each] for each in step.after if each in places))
            done = next((place for place, each in enumerate(steps) if _need_not_be_repeated(each, moved)), None)
            places[at] = len(steps) if done is None else done
            if done is None:
                steps.append(moved)
    return tuple(steps)


def _need_not_be_repeated(done: Step, step: Step) -> bool:
    finds_out = step.role in ("look-up", "need") and done.role in ("look-up", "need")
    return finds_out and done.tool == step.tool and done.arguments == step.arguments


def objective_of(parts: Sequence[Part], ground: Ground, *, turns: int, in_order: bool = False) -> Objective:
    """What success is for all parts together; `in_order`: what the second part is about waits for that of the first."""
    steps = sum(len(part.steps) for part in parts)
    return Objective(
        statement=_statement(parts),
        calls=_calls(parts, in_order=in_order),
        state=_changes(parts) if ground.stateful else None,
        ignore_tables=ground.by_the_by if ground.stateful else (),
        facts=tuple(dict.fromkeys(fact for part in parts for fact in part.told)),
        beliefs=tuple(_belief(part.belief) for part in parts if part.belief is not None),
        impossible=tuple(dict.fromkeys(each for part in parts for each in part.impossible)),
        questions=tuple(question for part in parts for question in part.questions),
        forbidden=tuple(_forbidden(parts)),
        limits=Limits(turns=max(20, 2 * turns + _SPARE_TURNS), calls=max(60, _SPARE_CALLS + _CALLS_A_STEP * steps)),
    )


def _statement(parts: Sequence[Part]) -> str:
    acting = (part for part in parts if part.task.kind == "act" and any(is_act(call, part.task) for call in part.calls))
    tools = dict.fromkeys(part.task.tool for part in acting)
    told = joined(dict.fromkeys(fact.name for part in parts for fact in part.told))
    has = "has" if len(tools) == 1 else "have"
    done = f"{joined(tools)} {has} done what was asked" if tools else "Nothing has been done"
    also = f", and the person was told the {told}" if told else ""
    cannot = joined(dict.fromkeys(each.name for part in parts for each in part.impossible))
    also += f", and nobody claims what cannot be ({cannot})" if cannot else ""
    return f"{done}{also}; nothing else has changed."


def _belief(premise: Premise) -> FalseBelief:
    return FalseBelief(premise.field, premise.false, premise.true)


def _changes(parts: Sequence[Part]) -> tuple[ExpectedChange, ...]:
    merged: list[ExpectedChange] = []
    for part in parts:
        # Those of one task count as often as they are there; a record that two tasks share changes once.
        shared = [change for change in part.changes if change.key is not None and change in merged]
        merged.extend(change for change in part.changes if change not in shared)
    return tuple(merged)


def _forbidden(parts: Sequence[Part]) -> Iterator[Forbidden]:
    wanted = {call.tool for part in parts for call in part.calls}
    for part in parts:
        yield from (rule for rule in part.forbidden if rule.arguments or rule.tool not in wanted)


def _calls(parts: Sequence[Part], *, in_order: bool) -> tuple[ExpectedCall, ...]:
    merged: list[ExpectedCall] = []
    acts_before: tuple[str, ...] = ()
    for part in parts:
        names: dict[str, str] = {}
        acts: list[str] = []
        for call in part.calls:
            act = is_act(call, part.task)
            at = None if act else _same_look_up(call, merged)
            if at is not None:
                names[call.name] = merged[at].name
                merged[at] = structs.replace(merged[at], optional=merged[at].optional and call.optional)
                continue
            new = names[call.name] = _free_name(call.name, merged)
            said = act and call.tool == part.task.tool  # of what is due after it, nobody says when
            merged.append(structs.replace(call, id=new, after=(*call.after, *acts_before) if said else call.after))
            if said:
                acts.append(new)
        merged = _renamed(merged, names, frozenset(acts_before))
        acts_before = tuple(acts) if in_order and part is parts[0] else ()
    return tuple(merged)


def _renamed(calls: list[ExpectedCall], names: dict[str, str], fixed: frozenset[str]) -> list[ExpectedCall]:
    """What a part calls its own calls, in the names that they have among all; those of earlier parts stay."""
    own = set(names.values())
    return [
        structs.replace(call, after=tuple(dict.fromkeys(_name(each, names, fixed) for each in call.after)))
        if call.name in own
        else call
        for call in calls
    ]


def _name(name: str, names: dict[str, str], fixed: frozenset[str]) -> str:
    return name if name in fixed else names.get(name, name)


def _same_look_up(call: ExpectedCall, merged: Sequence[ExpectedCall]) -> int | None:
    same = (
        at
        for at, each in enumerate(merged)
        if (each.tool, each.arguments, each.confirmed) == (call.tool, call.arguments, call.confirmed)
    )
    return next(same, None)


def _free_name(name: str, merged: Sequence[ExpectedCall]) -> str:
    taken = {call.name for call in merged}
    if name not in taken:
        return name
    return next(f"{name}-{at}" for at in range(2, len(taken) + 3) if f"{name}-{at}" not in taken)
