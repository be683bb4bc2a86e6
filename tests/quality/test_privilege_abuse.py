"""How well privilege-abuse is found."""

from collections.abc import Callable
from typing import Any

from misstep.detectors.security.privilege_abuse import privilege_abuse


def test_privilege_abuse_is_told_from_what_only_looks_like_it(score: Callable[..., Any]) -> None:
    measured = score(privilege_abuse)
    assert (measured.n, measured.right, measured.false_alarms, measured.missed) == (13, 6, (), ())
