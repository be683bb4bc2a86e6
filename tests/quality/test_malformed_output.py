"""How well malformed-output is found on hand-written conversations; precision and recall are both 1 on these."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.form.malformed_output import malformed_output


def test_malformed_output_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    measured = score(malformed_output)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (22, 10)
