"""What is unseen: estimates hold for worlds whose unseen part is known."""

import random

import pytest

from misstep.exploration.outcome import Outcome
from misstep.exploration.unseen import unseen, unseen_modes

WORLDS = {
    "few": (0.6, 0.3, 0.1),
    "many": (1 / 200,) * 200,
    "zipf": tuple(1 / (place * 4.5) for place in range(1, 51)),
    "mostly nothing": (0.1, 0.05, *(0.002,) * 25),
}


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("n", [20, 100, 300])
def test_the_chance_of_something_new_lies_in_its_interval_as_often_as_promised(name: str, n: int) -> None:
    rates = WORLDS[name]
    held = 0
    for seed in range(150):
        drawn = random.Random(seed)
        samples = [drawn.choices([*range(len(rates)), None], [*rates, max(0.0, 1 - sum(rates))])[0] for _ in range(n)]
        seen = set(samples)
        missing = sum(rate for kind, rate in enumerate(rates) if kind not in seen)
        new = unseen([[kind] if kind is not None else [] for kind in samples]).new
        held += new.low <= missing <= new.high
    assert held >= 0.92 * 150


def test_twenty_trials_without_news_do_not_show_that_there_is_none() -> None:
    found = unseen([["a"]] * 20)
    assert found.new.rate == 0
    assert found.new.high > 0.15
    assert not found.pays_to_stop(100)
    assert unseen([["a"]] * 1000).pays_to_stop(100)


def test_chaos_bound_counts_what_was_seen_and_what_must_be_there() -> None:
    found = unseen([["a"], ["a"], ["b"], ["b"], ["c"], ["d"]])
    assert (found.seen, found.once) == (4, 2)
    assert found.kinds == pytest.approx(4 + 5 / 6 * 2 * 2 / (2 * 2))
    assert found.kinds_high > found.kinds
    assert unseen([["a"], ["a"]]).kinds == 1


def test_nothing_at_all_is_known_from_nothing() -> None:
    found = unseen([])
    assert (found.seen, found.new.n, found.new.low, found.new.high, found.kinds) == (0, 0, 0.0, 1.0, 0)


def test_trials_of_one_task_are_one_sample() -> None:
    told = [Outcome(scenario="s", task="t", trial=at, passed=False, modes=("a",)) for at in range(50)]
    told.append(Outcome(scenario="x", passed=None, modes=("b",)))
    found = unseen_modes(told)
    assert (found.seen, found.once, found.new.n) == (1, 1, 1)
