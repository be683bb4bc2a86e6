"""What `misstep synthesize` says of a set that is smaller than was asked for."""

import pytest

from misstep.reporting.synthesized import shortfall
from misstep.synthesis.figuring import Figures


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        (
            Figures(scenarios=497, unproven={"talking as in 'prose'": 27, "does nothing": 2}),
            "29 that were made were not",
        ),
        (Figures(scenarios=497, dropped={"a wrong way would have passed": 4}), "4 attempts were thrown away"),
        (Figures(scenarios=497), "these tools and levels give no more"),
    ],
)
def test_too_few_are_explained_by_what_was_dropped_and_else_by_the_tools(figures: Figures, told: str) -> None:
    assert shortfall(figures, 500).startswith(f"Of 500 scenarios that were asked for 497 could be kept: {told}")


def test_what_was_dropped_and_replaced_is_no_shortfall() -> None:
    assert shortfall(Figures(scenarios=500, unproven={"does nothing": 20}), 500) == ""


def test_none_kept_is_said_to_be_none() -> None:
    assert "none could be kept: 3 that" in shortfall(Figures(unproven={"does nothing": 3}), 5)
