"""Tasks and what is wished of the factors → scenarios that their own plans solve and near misses do not."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random

from msgspec import Struct, structs

from misstep.core.errors import InvalidTrialError
from misstep.core.progress import Stage, Tell, nobody
from misstep.core.scenario import Scalar, Scenario
from misstep.llm import Model
from misstep.objectives.judging import Unmet
from misstep.synthesis.abilities import Candidate, Possible, with_defaults
from misstep.synthesis.choosing import with_choices
from misstep.synthesis.composing import Composition, compose
from misstep.synthesis.constraints import constrained_tasks
from misstep.synthesis.covering import Row
from misstep.synthesis.factors import FACTORS, levels_of
from misstep.synthesis.figuring import Figures, Pair, figures_of
from misstep.synthesis.ground import Ground, MakeToolbox, ground_of
from misstep.synthesis.merging import Plan
from misstep.synthesis.mining import Profile, rows_like
from misstep.synthesis.partnering import together
from misstep.synthesis.personas import Persona
from misstep.synthesis.picking import Picker, candidates_of
from misstep.synthesis.rewording import Reworded, reworded
from misstep.synthesis.rows import rows_for
from misstep.synthesis.task import Step, Task
from misstep.synthesis.voicing import voices

_ATTEMPTS = 5

Met = Callable[[MakeToolbox, Scenario, Sequence[Step], Sequence[Scalar]], Awaitable[tuple[Unmet, ...]]]
"""Executes a plan with what is told in the end, and says what of the objective is not met."""

Prove = Callable[[Sequence[tuple[Scenario, Plan]]], Awaitable[Sequence[str]]]
"""Plays scenarios, and says of each why it cannot be kept; nothing where it can."""

_ROUNDS = 6
"""So often others are made in place of those that were not proven."""
_UNUSED = "No task with it is among these."
_ONLY_REFUSED = "Only refusals of it are among these."


class Synthesis(Struct, frozen=True, kw_only=True):
    """Scenarios, how each is solved, and figures on them."""

    scenarios: tuple[Scenario, ...]
    plans: dict[str, Plan]
    """By the scenario's name."""
    figures: Figures


class Wish(Struct, frozen=True, kw_only=True):
    """What was asked for of the factors."""

    factors: Mapping[str, Sequence[Scalar]] = {}
    persona: Persona | None = None
    like: Profile | None = None
    strength: int = 2
    model: Model | None = None
    """Puts the openings in other words."""
    owners: Sequence[str] | None = None
    """The tables of persons, and the fields that name one; learnt where nothing is said of them."""
    prove: Prove | None = None
    """Keeps only what is proven by play."""

    @property
    def named(self) -> dict[str, Sequence[Scalar]]:
        own = self.persona.levels if self.persona else {}
        return {**own, **self.factors}

    @property
    def mixed(self) -> bool:
        return not self.named


async def synthesized(
    make_toolbox: MakeToolbox,
    tasks: Sequence[Task],
    *,
    unreached: Mapping[str, str],
    count: int,
    seed: int,
    wish: Wish,
    met: Met,
    tell: Tell = nobody,
) -> Synthesis:
    """The same from tasks that are there already."""
    maker = await maker_for(make_toolbox, tasks, seed=seed, wish=wish, met=met)
    if wish.like is not None:
        rows = rows_like(wish.like, count=2 * count, seed=seed, possible=maker.possible, fixed=wish.named)
    else:
        rows = rows_for(maker.levels, strength=wish.strength, seed=seed, possible=maker.possible, mixed=wish.mixed)
    made, unproven = await _made(maker, islice(rows, 2 * count), count, wish.prove, tell)
    words = await reworded(made, wish.model, seed=seed) if wish.model is not None else Reworded(made=tuple(made))
    used = {step.tool for each in made for step in each.plan.steps}
    reachable = dict.fromkeys(step.tool for task in tasks for step in task.steps)
    refused = {each.tool for one in made if one.scenario.objective for each in one.scenario.objective.forbidden}
    unused = {tool: _ONLY_REFUSED if tool in refused else _UNUSED for tool in reachable if tool not in used}
    figures = figures_of(
        words.made,
        candidates=maker.candidates,
        levels=maker.varied,
        possible_pairs=_possible_pairs(maker.varied, maker.possible),
        unreached={**unreached, **unused},
        dropped=maker.dropped,
    )
    figures = structs.replace(figures, unproven=dict(sorted(unproven.items())), proven=wish.prove is not None)
    return Synthesis(
        scenarios=tuple(each.scenario for each in words.made),
        plans={each.scenario.name: each.plan for each in made},
        figures=structs.replace(figures, reworded=words.reworded, kept_words=words.kept),
    )


async def _made(
    maker: "Maker", rows: Iterator[Row], count: int, prove: Prove | None, tell: Tell
) -> tuple[list[Composition], Counter[str]]:
    """What stands up to being executed, and played where somebody does that; else another for the same row."""
    made: list[Composition] = []
    unproven = Counter[str]()
    again: list[Row] = []
    for _ in range(_ROUNDS):
        drafts: list[tuple[Row, Composition]] = []
        while len(made) + len(drafts) < count and (row := again.pop(0) if again else next(rows, None)) is not None:
            found = await maker.make(row)
            drafts.extend([(row, found)] if found is not None else [])
            tell(Stage("scenarios made", len(made) + len(drafts), count))
        if not drafts:
            break
        whys = await prove([(each.scenario, each.plan) for _, each in drafts]) if prove else [""] * len(drafts)
        for (row, found), why in zip(drafts, whys, strict=True):
            made.extend([] if why else [found])
            again.extend([row] if why else [])
            unproven.update([why] if why else [])
    return made, unproven


async def maker_for(make_toolbox: MakeToolbox, tasks: Sequence[Task], *, seed: int, wish: Wish, met: Met) -> "Maker":
    """What makes scenarios of these tasks, row by row."""
    ground = await with_choices(await ground_of(make_toolbox, tasks, seed=seed), make_toolbox, tasks)
    constrained = await constrained_tasks(make_toolbox, tasks, ground, seed=seed)
    varied = levels_of(wish.named, voices=voices())
    usual = {name: (factor.default,) for name, factor in FACTORS.items() if factor.default is not None}
    candidates = candidates_of(tasks, constrained, ground, {**usual, **varied})
    return Maker(make_toolbox, ground, candidates, varied, {**usual, **varied}, tasks=tasks, seed=seed, met=met)


def _possible_pairs(levels: Mapping[str, Sequence[Scalar]], possible: Possible) -> frozenset[Pair]:
    names = [name for name in levels if len(levels[name]) > 1]
    return frozenset(
        ((one, level), (other, also))
        for at, one in enumerate(names)
        for other in names[at + 1 :]
        for level in levels[one]
        for also in levels[other]
        if possible({one: level, other: also})
    )


class Maker:
    """Makes a scenario for each row and keeps only what its own plan solves and its near misses do not."""

    def __init__(
        self,
        make_toolbox: MakeToolbox,
        ground: Ground,
        candidates: Sequence[Candidate],
        varied: Mapping[str, Sequence[Scalar]],
        levels: Mapping[str, Sequence[Scalar]],
        *,
        tasks: Sequence[Task],
        seed: int,
        met: Met,
    ) -> None:
        self.candidates = candidates
        self.varied = varied
        """The levels of the factors that are to vary."""
        self.levels = levels
        """Those, and the usual level of each other factor."""
        self.possible = Possible(candidates, levels)
        self._make_toolbox = make_toolbox
        self._ground = ground
        self._picker = Picker(candidates, self.possible)
        self._tasks = tasks
        self._seed = seed
        self._met = met
        self._made = 0
        self.dropped: Counter[str] = Counter()

    async def make(self, row: Row) -> Composition | None:
        await asyncio.sleep(0)  # in process nothing else ever waits, and an interrupt would not be heard
        random = Random(f"make/{self._seed}/{self._made}")
        tried: list[str] = []
        for _ in range(_ATTEMPTS):
            chosen = self._picker.pick(with_defaults(row), random, without=tried)
            if chosen is None:
                break
            tried.append(chosen.task.id)
            composition = await self._composed(chosen, row, random)
            why = await self._why_not(composition, chosen.task.tool)
            if not why:
                self._picker.used(chosen)
                self._made += 1
                return composition
            self.dropped[why] += 1
        if not tried:
            self.dropped["no request could be given that combination of levels"] += 1
        return None

    async def _composed(self, chosen: Candidate, row: Row, random: Random) -> Composition:
        made = compose(
            await together(self._make_toolbox, chosen, row, random, among=self._tasks),
            row,
            seed=random.getrandbits(32),
            ground=self._ground,
            origin=f"synthesized from {chosen.task.id}, seed {self._seed}",
        )
        name = f"{made.scenario.name}-{self._made + 1:03}"
        return structs.replace(made, scenario=structs.replace(made.scenario, name=name))

    async def _why_not(self, made: Composition, tool: str) -> str:
        """Why a scenario cannot be kept; nothing where it can."""
        scenario, plan = made.scenario, made.plan
        if made.lost:
            return f"{tool}: a value got lost in the wording"
        try:
            unmet = await self._met(self._make_toolbox, scenario, plan.steps, plan.tells)
            if unmet:
                return f"{tool}: the solution that had been found did not pass in this conversation ({unmet[0].check})"
            for control in plan.controls:
                if not await self._met(self._make_toolbox, scenario, control.steps, control.tells):
                    return f"{tool}: a wrong way would have passed as well ({_kind_of(control.name)})"
        except InvalidTrialError as error:
            return f"{tool}: it cannot be judged: {error.reason[:120]}"
        return ""


def _kind_of(name: str) -> str:
    """A control's name without what is particular to one task."""
    return name.split(":", maxsplit=1)[0]
