"""What was synthesized → figures on it: what is reached and covered, how varied it is, and what was left out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from misstep.core.scenario import Scalar
from misstep.synthesis.abilities import Candidate, consistent, steps_level
from misstep.synthesis.composing import Composition
from misstep.synthesis.likeness import Likeness, likeness


class Figures(Struct, frozen=True, kw_only=True):
    """What a set of scenarios is like."""

    scenarios: int = 0
    tasks: int = 0
    """Different tasks that they are variants of."""
    reached: dict[str, int] = {}
    """Tool → scenarios whose plan calls it."""
    unreached: dict[str, str] = {}
    """Tool → why no plan calls it."""
    plan_lengths: dict[int, int] = {}
    """Calls in a plan → scenarios."""
    skeletons: int = 0
    """Different openings with the facts masked."""
    likeness: Likeness = Likeness()
    """Of the openings."""
    levels: dict[str, dict[Scalar, int]] = {}
    """Factor → level → scenarios that really have it."""
    unavailable: dict[str, dict[Scalar, str]] = {}
    """Factor → level that no task here can be given → why."""
    missed: dict[str, int] = {}
    """Factor, and why a level that was wanted is not there → how often."""
    pairs: int = 0
    """Pairs of levels that some scenario has."""
    pairs_possible: int = 0
    dropped: dict[str, int] = {}
    """Why a scenario was not kept → how often."""
    proven: bool = False
    """Whether each was played before it was kept."""
    unproven: dict[str, int] = {}
    """Why one that was played was not kept → how often."""
    reworded: int = 0
    """Openings in the words of a model, where one is named."""
    kept_words: dict[str, int] = {}
    """Why the words of the grammar stayed where a model was to find others → how often."""


def figures_of(
    made: Sequence[Composition],
    *,
    candidates: Sequence[Candidate],
    levels: Mapping[str, Sequence[Scalar]],
    possible_pairs: frozenset["Pair"],
    unreached: Mapping[str, str],
    dropped: Mapping[str, int],
) -> Figures:
    """Count."""
    reached = Counter(tool for each in made for tool in sorted({step.tool for step in each.plan.steps}))
    realised = {name: Counter(level_of(name, each.scenario.factors[name]) for each in made) for name in levels if made}
    covered = {pair for each in made for pair in pairs_of(each.scenario.factors, levels)}
    missed = Counter(f"{factor}: {why}" for each in made for factor, why in each.missed.items())
    return Figures(
        scenarios=len(made),
        tasks=len({each.scenario.task for each in made}),
        reached={tool: reached[tool] for tool in sorted(reached)},
        unreached=dict(unreached),
        plan_lengths=_sorted(Counter(len(each.plan.steps) for each in made)),
        skeletons=len({each.skeleton for each in made}),
        likeness=likeness([each.scenario.user.opening for each in made]),
        levels={name: {level: counts[level] for level in levels[name]} for name, counts in realised.items()},
        unavailable=unavailable(candidates, levels),
        missed={why: missed[why] for why in sorted(missed)},
        pairs=len(covered & possible_pairs),
        pairs_possible=len(possible_pairs),
        dropped={why: dropped[why] for why in sorted(dropped)},
    )


def _sorted(counts: Counter[int]) -> dict[int, int]:
    return {length: counts[length] for length in sorted(counts)}


Pair = tuple[tuple[str, Scalar], tuple[str, Scalar]]


def pairs_of(row: Mapping[str, Scalar], levels: Mapping[str, Sequence[Scalar]]) -> set[Pair]:
    """Pairs of levels that a row has, of the factors that are varied."""
    cells = [(name, level_of(name, row[name])) for name in levels if len(levels[name]) > 1 and name in row]
    return set(combinations(cells, 2))


def level_of(factor: str, value: Scalar) -> Scalar:
    """The level that a value counts as."""
    return steps_level(value) if factor == "steps" and isinstance(value, int) else value


def unavailable(
    candidates: Sequence[Candidate], levels: Mapping[str, Sequence[Scalar]]
) -> dict[str, dict[Scalar, str]]:
    """Levels that no candidate can be given, with the reason that most of them have."""
    found: dict[str, dict[Scalar, str]] = {}
    for name, wanted in levels.items():
        for level in wanted:
            if any(each.able(name, level) and consistent({name: level}) for each in candidates):
                continue
            whys = Counter(each.unfit[name][level] for each in candidates if level in each.unfit.get(name, {}))
            found.setdefault(name, {})[level] = whys.most_common(1)[0][0] if whys else "there are no tasks"
    return found
