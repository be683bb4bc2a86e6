"""How well out-of-order-call is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.tool_misuse.out_of_order_call import out_of_order_call


def test_out_of_order_call_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(out_of_order_call)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (9, 4, (), ())
