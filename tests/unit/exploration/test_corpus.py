"""Parts of rows: what all rows of a rare way have in common stays, what they differ in mostly goes."""

from collections import Counter
from random import Random

from misstep.exploration.corpus import Corpus


def test_what_the_rows_of_a_way_share_stays() -> None:
    corpus, random = Corpus(), Random(1)
    for noise in range(6):
        corpus.add({"fault": "timeout", "noise": noise}, {"rare"})
    kept = Counter(name for _ in range(200) for name in corpus.part(random))
    assert kept["fault"] > 160
    assert kept["noise"] < 100


def test_a_rare_way_is_gone_back_to_more_often_than_a_common_one() -> None:
    corpus, random = Corpus(), Random(2)
    for _ in range(50):
        corpus.add({"goals": 1}, {"common"})
    corpus.add({"goals": 6}, {"rare"})
    kept = Counter(part["goals"] for _ in range(20) if (part := corpus.part(random)))
    assert kept[6] > kept[1]


def test_a_way_that_was_tried_often_makes_room_for_others() -> None:
    corpus, random = Corpus(), Random(3)
    corpus.add({"goals": 1}, {"one"})
    corpus.add({"goals": 2}, {"other"})
    kept = Counter(part["goals"] for _ in range(400) if (part := corpus.part(random)))
    assert 0.6 < kept[1] / kept[2] < 1.6


def test_the_order_of_the_ways_of_a_trial_says_nothing() -> None:
    ways = [f"way {at}" for at in range(30)]
    one, other = Corpus(), Corpus()
    one.add({"goals": 1, "noise": 2}, ways)
    other.add({"goals": 1, "noise": 2}, reversed(ways))
    parts = [[corpus.part(random) for _ in range(20)] for corpus, random in ((one, Random(4)), (other, Random(4)))]
    assert parts[0] == parts[1]
