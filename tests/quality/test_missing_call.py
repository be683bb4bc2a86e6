"""How well missing-call is told from its neighbours on hand-written conversations; precision and recall are both 1."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.hallucination.fabricated_argument import fabricated_argument
from misstep.detectors.hallucination.false_success import false_success
from misstep.detectors.tool_misuse.missing_call import missing_call
from misstep.detectors.tool_misuse.wrong_argument import wrong_argument
from misstep.detectors.tool_misuse.wrong_tool import wrong_tool


def test_missing_call_is_found_where_it_is_and_nowhere_else(score: Callable[..., Any]) -> None:
    beside = (fabricated_argument, false_success, wrong_argument, wrong_tool)
    measured = score(missing_call, corpus="needed_calls", beside=beside)
    assert (measured.false_alarms, measured.missed) == ((), ())
    assert (measured.n, measured.right) == (35, 7)
