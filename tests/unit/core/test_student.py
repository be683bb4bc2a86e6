"""Student's t and Holm's adjustment agree with what scipy and the textbook say."""

from types import ModuleType

import pytest

from misstep.core.statistics import holm, student_quantile, student_tails


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 30, 101, 500])
def test_students_tails_and_quantiles_agree_with_scipy(freedom: int, stats: ModuleType) -> None:
    for t in (0.0, 0.3, 1.0, -2.5, 6.0):
        assert student_tails(t, freedom) == pytest.approx(2 * stats.t.sf(abs(t), freedom), abs=1e-12)
    for tail in (0.5, 0.05, 0.001):
        assert student_quantile(tail, freedom) == pytest.approx(stats.t.isf(tail / 2, freedom), rel=1e-6)


def test_holm_pays_less_for_each_test_that_follows() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()
    assert holm([0.9, 0.8]) == (1.0, 1.0)
