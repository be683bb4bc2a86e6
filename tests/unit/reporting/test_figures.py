import pytest

from misstep.reporting.figures import counted, percent


@pytest.mark.parametrize(
    ("rate", "digits", "shown"),
    [
        (0.0, 1, "0%"),
        (1.0, 1, "100%"),
        (0.001, 0, "<1%"),
        (0.9999, 0, ">99%"),
        (0.9999, 1, ">99.9%"),
        (0.125, 1, "12.5%"),
    ],
)
def test_only_all_or_nothing_is_written_so(rate, digits, shown):
    assert percent(rate, digits) == shown


def test_what_was_not_measured_is_a_dash():
    assert percent(None) == "–"


def test_one_of_them_is_singular():
    assert [counted(n, "trial") for n in (0, 1, 1234)] == ["0 trials", "1 trial", "1,234 trials"]
