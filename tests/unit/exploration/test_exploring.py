"""The explorer: same seed, same picks; it goes where something is new, keeps a share of chance and outlives makers."""

from collections import Counter
from collections.abc import Mapping
from itertools import count
from random import Random
from statistics import mean, median

from misstep.core.scenario import Scalar, Scenario
from misstep.core.trace import Trace
from misstep.exploration.exploring import Explorer, Make, Pick, space_of
from misstep.exploration.novelty import Explored
from misstep.exploration.outcome import Outcome

SPACE: dict[str, tuple[Scalar, ...]] = {
    "goals": (1, 2, 3, 4),
    "correction": ("no", "yes"),
    "noise": ("none", "typos", "heavy"),
    "fault": ("none", "error", "timeout"),
    "patience": (12, 6, 4),
}
RARE = {"goals": 4, "correction": "yes", "fault": "timeout"}


def maker() -> Make:
    names = count(1)

    def make(row: Mapping[str, Scalar], seed: int) -> Scenario:
        return Scenario(name=f"s{next(names)}", seed=seed, factors=dict(row))

    return make


def outcome(pick: Pick, *, fails: Mapping[str, Scalar] = RARE) -> Outcome:
    failed = fails.items() <= pick.scenario.factors.items()
    modes = ("missing-call",) if failed else ()
    return Outcome(
        scenario=pick.scenario.name, trial=pick.trial, factors=pick.scenario.factors, passed=not failed, modes=modes
    )


def harshness(pick: Pick) -> float:
    """From 0, all mildest, to 1."""
    return mean(levels.index(pick.scenario.factors[name]) / (len(levels) - 1) for name, levels in SPACE.items())


def told(explorer: Explorer, batches: int, *, backwards: bool = False) -> list[Pick]:
    picks: list[Pick] = []
    for _ in range(batches):
        batch = explorer.propose(8)
        for pick in reversed(batch) if backwards else batch:
            explorer.tell(outcome(pick), Trace(id="t"))
        picks += batch
    return picks


def test_the_same_seed_gives_the_same_picks_in_whatever_order_a_batch_is_told() -> None:
    one, other = (told(Explorer(SPACE, maker(), seed=3), 6, backwards=backwards) for backwards in (False, True))
    assert one == other
    assert one != told(Explorer(SPACE, maker(), seed=4), 6)


def test_one_pick_in_five_is_plain_chance() -> None:
    whys = Counter(pick.why for pick in told(Explorer(SPACE, maker()), 10))
    assert whys["chance"] == 16
    assert whys["drawn"] > 0
    assert whys["mutated"] > 0


def test_trouble_comes_first_and_then_what_it_left_out() -> None:
    picks = told(Explorer(SPACE, maker(), seed=6), 20)
    assert Counter(pick.why for pick in picks[:20])["trouble"] == 16
    assert "trouble" not in {pick.why for pick in picks[20:]}
    early, late = ([pick for pick in picks if pick.why == why] for why in ("trouble", "untried"))
    assert mean(harshness(pick) for pick in early) > 0.7
    assert 0.35 < mean(harshness(pick) for pick in late) < 0.5


def test_a_row_gives_up_just_the_levels_that_clash() -> None:
    """Those are never asked for, and no factor but one of the two is left to the maker."""

    def possible(row: Mapping[str, Scalar]) -> bool:
        return not ("noise" in row and "fault" in row)

    picks = told(Explorer(SPACE, maker(), possible=possible), 10)
    assert all(possible(pick.scenario.factors) for pick in picks)
    assert {len(pick.scenario.factors) for pick in picks} == {len(SPACE) - 1}


def test_a_rare_failure_is_seen_in_a_third_of_the_trials_that_chance_takes() -> None:
    explored, uniform = list[int](), list[int]()
    for seed in range(20):
        explorer = Explorer(SPACE, maker(), seed=seed)
        while not (found := explorer.explored().first):
            told(explorer, 1)
        explored.append(found["missing-call"])
        random = Random(seed)
        rows = ({name: random.choice(levels) for name, levels in SPACE.items()} for _ in count())
        uniform.append(next(at for at, row in enumerate(rows, 1) if RARE.items() <= row.items()))
    assert median(explored) <= median(uniform) / 3


def test_levels_that_fail_in_new_ways_are_drawn_more_often() -> None:
    explorer = Explorer({"x": ("a", "b"), "y": (1, 2, 3)}, maker(), seed=1)
    kinds = count()
    for _ in range(12):
        for pick in explorer.propose(8):
            new = (f"mode-{next(kinds)}",) if pick.scenario.factors["x"] == "a" else ()
            explorer.tell(
                Outcome(scenario=pick.scenario.name, trial=pick.trial, passed=not new, modes=new), Trace(id="t")
            )
    drawn = Counter(pick.scenario.factors["x"] for pick in explorer.propose(80) if pick.why in ("drawn", "mutated"))
    assert drawn["a"] > 2 * drawn["b"]


def test_the_levels_that_a_scenario_really_has_are_learnt_from() -> None:
    """A maker that can make nothing but mild noise says so, and is believed."""

    def make(row: Mapping[str, Scalar], seed: int) -> Scenario:
        return Scenario(name=f"s{seed}", factors={**row, "noise": "none", "other": 5})

    explorer = Explorer(SPACE, make)
    assert {pick.scenario.factors["noise"] for pick in told(explorer, 4)} == {"none"}


def test_where_nothing_can_be_made_the_pool_is_gone_through() -> None:
    pool = [Scenario(name=f"p{at}", factors={"goals": 1 + at % 4}) for at in range(12)]
    picks = told(Explorer(SPACE, lambda row, seed: None, pool=pool), 3)
    assert Counter(pick.scenario.name for pick in picks) == {scenario.name: 2 for scenario in pool}
    assert {pick.trial for pick in picks} == {1, 2}
    assert Explorer(SPACE, lambda row, seed: None).propose(5) == ()
    assert Explorer().propose(5) == ()


def test_a_pool_alone_makes_its_own_space_and_harsh_scenarios_come_early() -> None:
    pool = [
        Scenario(name=f"p{at}", factors={"goals": at % 6, "noise": at % 3, "pressure": at % 5, "difficulty": at})
        for at in range(90)
    ]
    assert list(space_of(pool)) == ["goals", "noise", "pressure"]
    early = [pick.scenario for pick in told(Explorer(pool=pool, seed=2), 2) if pick.why != "chance"]
    assert sum(int(each.factors["goals"]) for each in early) / len(early) > 2.5 + 0.5


def test_two_scenarios_of_one_name_get_a_name_each_and_the_same_one_its_next_trial() -> None:
    seeds = count()
    explorer = Explorer({"x": (1,)}, lambda row, seed: Scenario(name="s", seed=next(seeds) // 2))
    assert [(pick.scenario.name, pick.trial) for pick in explorer.propose(4)] == [
        ("s", 1),
        ("s", 2),
        ("s-2", 1),
        ("s-2", 2),
    ]


def test_figures_count_kinds_of_failure_and_what_chance_says_is_unseen() -> None:
    explorer = Explorer(SPACE, maker(), seed=5)
    told(explorer, 10)
    lost = explorer.propose(1)[0]
    explorer.tell(Outcome(scenario=lost.scenario.name, trial=1, passed=None), Trace(id="t"))
    explorer.tell(Outcome(scenario="never picked", passed=False), Trace(id="t"))
    found: Explored = explorer.explored()
    assert (found.trials, found.invalid) == (81, 1)
    assert found.kinds == {"missing-call": found.failures}
    assert found.failures > 0
    assert found.unseen.new.n == 16


def test_what_was_never_told_of_is_waited_for_without_harm() -> None:
    explorer = Explorer(SPACE, maker())
    first = explorer.propose(4)
    second = explorer.propose(4)
    explorer.tell(outcome(first[0]), Trace(id="t"))
    assert explorer.explored().trials == 1
    assert len({pick.scenario.name for pick in (*first, *second)}) == 8
