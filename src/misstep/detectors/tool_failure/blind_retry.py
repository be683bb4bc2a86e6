"""Trace → failed calls that were repeated unchanged where that could not help, or could do harm."""

import re
from collections.abc import Iterator
from itertools import pairwise

from misstep.core.finding import Finding
from misstep.core.trace import Exchange, Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.outcomes import call_key, effect_of, outcome, sameness, told
from misstep.detectors.loops.repeated_call import calls_repeated
from misstep.detectors.tool_misuse.duplicate_effect import effects_doubled, ends_in_the_same_state

_READ = 600
# An error that gives no reason may pass by itself; one that gives a reason will not.
_NO_REASON = re.compile(
    r"\b(?:something went wrong|(?:an?|some|unknown|unexpected|internal|general) (?:\w+ )?(?:error|problem|failure)"
    r"|(?:try|retry) (?:\w+ )?again|try later|not available|crash\w*|flaky|intermittent\w*"
    r"|(?:call|tool|request|operation|execution|it) (?:has )?failed\W*$)",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3


@detector("blind-retry", version=2)
def blind_retry(trace: Trace) -> Iterator[Finding]:
    """Points at the repeat, then at the failure before it. Longer runs and doubled effects are modes of their own."""
    if len(trace.exchanges) < 2:
        return
    candidates = [(first, again, why) for first, again in _repeats(trace) if (why := _blind(trace, first, again))]
    if not candidates:
        return
    elsewhere = {at for each in (*calls_repeated(trace), *effects_doubled(trace)) for at in each.events}
    for first, again, why in candidates:
        if again.at not in elsewhere:
            yield Finding(
                mode="blind-retry",
                events=(again.at, first.at if first.result_at is None else first.result_at),
                because=f"{first.call.tool} was called again with the same arguments {why}.",
                confidence=0.85,
            )


def _repeats(trace: Trace) -> Iterator[tuple[Exchange, Exchange]]:
    """Calls that follow an equal one of the same agent at once: no other call and no word from the user between."""
    spoken = [at for at, message in trace.messages if message.role == "user"]
    heard = 0
    for first, again in pairwise(trace.exchanges):
        while heard < len(spoken) and spoken[heard] < first.at:
            heard += 1
        told_something = heard < len(spoken) and spoken[heard] < again.at
        # Calls that were sent off together cannot have known of each other's failure.
        waited = first.result_at is not None and first.result_at < again.at
        if waited and not told_something and call_key(first.call) == call_key(again.call):
            yield first, again


def _blind(trace: Trace, first: Exchange, again: Exchange) -> str:
    effect = effect_of(trace, first.call)
    before, after = outcome(first, effect), outcome(again, effect)
    if first.result is None:
        return ""
    if before == "refused":
        same = again.result is not None and after == "refused" and _alike(first, again)
        definite = same and _gives_a_reason(told(first.result, _READ))
        return f"though it had been refused for a reason that stays ({told(first.result, 100)})" if definite else ""
    risky = before == "unknown" and effect not in (None, "reads") and not ends_in_the_same_state(trace, first.call)
    return "without a look whether it had already happened" if risky else ""


def _gives_a_reason(said: str) -> bool:
    return len(said.split()) >= _FEWEST_WORDS and _NO_REASON.search(said) is None


def _alike(first: Exchange, again: Exchange) -> bool:
    mine, theirs = first.result, again.result
    return mine is not None and theirs is not None and sameness(mine.content) == sameness(theirs.content)
