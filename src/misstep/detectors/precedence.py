"""Findings → those that remain where one explains another: what comes of obeying an outsider is no second failure."""

from collections.abc import Mapping, Sequence

from misstep.core.finding import Finding
from misstep.core.trace import Trace

_OF_ITS_OWN_ACCORD = frozenset(
    {
        "acted-without-asking",
        "destructive-action",
        "failure-to-recover",
        "ignored-tool-error",
        "instruction-not-followed",
        "out-of-order-call",
        "scope-creep",
        "silent-tool-failure",
    }
)
"""What can be said against a call only if the agent meant to make it."""
_EXPLAINS: Mapping[str, frozenset[str]] = dict.fromkeys(
    ("goal-hijack", "poisoned-tool", "spoofed-message", "memory-poisoning", "code-execution"), _OF_ITS_OWN_ACCORD
) | {
    "privilege-abuse": frozenset({"ignored-tool-error", "out-of-order-call", "scope-creep"}),
    "fabricated-argument": frozenset({"out-of-order-call"}),
    "cascading-error": frozenset({"wrong-argument"}),
}
"""By a mode, the modes of which it is the cause wherever both are found at one call."""


def without_consequences(trace: Trace, found: Sequence[Finding]) -> list[Finding]:
    """The findings but those that another one explains: the call that it points at first is one that they rest on."""
    explained: dict[int, set[str]] = {}
    if all(each.mode not in _EXPLAINS for each in found):
        return list(found)
    calls = {each.result_at: each.at for each in trace.exchanges if each.result_at is not None}
    for each in found:
        # A path of errors explains every call on it; any other cause the one call that it points at first.
        guilty = each.events if each.mode == "cascading-error" else each.events[:1]
        for at in guilty if each.mode in _EXPLAINS else ():
            explained.setdefault(calls.get(at, at), set()).update(_EXPLAINS[each.mode])
    return [each for each in found if not any(each.mode in explained.get(calls.get(at, at), ()) for at in each.events)]
