"""What a trial brings: a new kind of failure most, then new ways and a conversation that goes further than others."""

from misstep.exploration.novelty import Novelty
from misstep.exploration.outcome import Outcome

PASSED = Outcome(scenario="s", passed=True)
FAILED = Outcome(scenario="s", passed=False, modes=("missing-call",))
SHORT, LONG = {"calls": 1, "turns": 1}, {"calls": 9, "turns": 9}
WAYS = frozenset({"a > b"})


def settled() -> Novelty:
    novelty = Novelty()
    for _ in range(40):
        novelty.gain(PASSED, WAYS, SHORT, by_chance=False)
    return novelty


def test_a_conversation_that_goes_further_brings_something_though_its_way_is_known() -> None:
    novelty = settled()
    assert novelty.gain(PASSED, WAYS, SHORT, by_chance=False).best == 0
    further = novelty.gain(PASSED, WAYS, LONG, by_chance=False)
    assert further.ways == 0
    assert 0.5 < further.best < 1


def test_a_failure_of_a_new_kind_brings_most_and_less_each_time() -> None:
    novelty = settled()
    assert [novelty.gain(FAILED, WAYS, SHORT, by_chance=False).best for _ in range(3)] == [1, 1 / 2, 1 / 3]


def test_an_invalid_trial_brings_nothing_and_is_nothing_to_be_measured_by() -> None:
    novelty = settled()
    assert novelty.gain(Outcome(scenario="s", passed=None), WAYS, LONG, by_chance=False).best == 0
    assert (
        novelty.gain(PASSED, WAYS, LONG, by_chance=False).size
        == settled().gain(PASSED, WAYS, LONG, by_chance=False).size
    )
