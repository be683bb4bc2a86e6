from misstep.synthesis.likeness import likeness


def test_texts_are_as_alike_as_their_nearest_neighbours():
    found = likeness(["cancel my order please", "cancel my order please", "what a lovely day it is today"])
    assert found.highest == 1.0
    assert found.bins == (1, 0, 0, 0, 0, 0, 0, 0, 0, 2)


def test_of_many_texts_an_even_sample_is_looked_at():
    assert likeness([f"text number {at} of many" for at in range(5000)]).texts == 1000


def test_no_texts_are_alike_to_nothing():
    assert likeness([]).texts == 0
    assert likeness(["alone"]).highest == 0.0
