from misstep.reporting.pictures import OTHER, curve, matrix
from misstep.reporting.summary import PassHat, Transition


def hat(k: int, rate: float) -> PassHat:
    return PassHat(k=k, rate=rate, low=rate / 2, high=(1 + rate) / 2, scenarios=5)


def test_a_single_k_is_no_curve():
    assert curve([hat(1, 0.5)]) is None


def test_a_lower_rate_lies_lower():
    drawn = curve([hat(1, 0.9), hat(2, 0.4), hat(3, 0.1)])
    assert drawn is not None
    assert [point.y for point in drawn.points] == sorted(point.y for point in drawn.points)
    assert all(point.high < point.y < point.low for point in drawn.points)


def test_no_transition_is_lost_where_there_are_too_many_steps_to_name():
    many = [Transition(after=f"a{n}", at=f"b{n}", trials=n + 1) for n in range(30)]
    drawn = matrix(many)
    assert drawn is not None
    assert OTHER in drawn.columns
    assert len(drawn.columns) <= 15
    assert drawn.total == sum(row[2] for row in drawn.rows) == sum(drawn.sums) == sum(range(31))


def test_every_cell_that_has_a_trial_is_seen():
    drawn = matrix([Transition(after="start", at="x", trials=1000), Transition(after="x", at="reply", trials=1)])
    assert drawn is not None
    assert {cell.heat for _, cells, _ in drawn.rows for cell in cells if cell.trials} == {6, 1}
