"""wrong-tool: something was done that the task does not allow, in place of a needed call or of leaving it alone."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from misstep.core.finding import Finding
from misstep.core.objective import ExpectedCall, Objective, Pattern
from misstep.core.trace import Exchange, Trace
from misstep.core.words import sentences
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.doing import changes_something
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.instructions import instructed
from misstep.detectors.evidence.outcomes import effect_of
from misstep.objectives import judge
from misstep.objectives.calls import match_calls
from misstep.objectives.matching import fits
from misstep.objectives.values import is_identifying, leaves, says

_VERSION = 3


@detector("wrong-tool", version=_VERSION, needs="objective")
def wrong_tool(trace: Trace, objective: Objective) -> Iterator[Finding]:
    """One finding for each needed call that was never tried while an unneeded one hit its target."""
    match = match_calls(trace, objective.calls)
    expected_tools = {call.tool for call in objective.calls}
    astray = [
        exchange
        for exchange in match.unexpected
        if exchange.call.tool not in expected_tools
        and changes_something(exchange.call.tool, effect_of(trace, exchange.call))
        and instructed(trace, exchange.at) is None
    ]
    for missing in match.missing:
        tool = trace.tool_named.get(missing.expected.tool)
        if missing.nearest is not None or (tool is not None and tool.effect == "reads"):
            continue
        instead = next((exchange for exchange in astray if _same_target(trace, missing.expected, exchange)), None)
        if instead is not None:
            astray.remove(instead)
            yield Finding(
                mode="wrong-tool",
                events=(instead.at,),
                because=f"{instead.call.tool} was called on the target of {missing.expected.tool}, "
                "which the task needs and which was never called.",
                confidence=0.85,
            )


@detector("wrong-tool", version=_VERSION, needs="objective", residual=True)
def forbidden_call(trace: Trace, objective: Objective) -> Iterator[Finding]:
    """One finding for each act that the task rules out and that succeeded, where nothing else says what went wrong."""
    calls = {exchange.at: exchange.call for exchange in trace.exchanges}
    for unmet in judge(trace, objective):
        for at in unmet.events if unmet.check == "forbidden" else ():
            if at in calls and changes_something(calls[at].tool, effect_of(trace, calls[at])):
                yield Finding(
                    mode="wrong-tool",
                    events=(at,),
                    because=f"{calls[at].tool} was called and did its work, which the task does not allow.",
                    confidence=0.85,
                )


def _same_target(trace: Trace, expected: ExpectedCall, exchange: Exchange) -> bool:
    """The calls share a value that picks out one thing; a needed call that names none can be replaced by any.

    What one sentence of the user names together belongs together: a charge and the card that it was made with.
    """
    patterns = list(_identifying(expected.arguments))
    values = [value for _, value in leaves(exchange.call.arguments)]
    if not patterns or any(fits(pattern, value) for pattern in patterns for value in values):
        return True
    return any(
        any(says(sentence, pattern) for pattern in patterns)
        and any(says(sentence, value) for value in values if is_identifying(value) and isinstance(value, str))
        for text in heard(trace).recent(exchange.at)
        for sentence in sentences(text)
    )


def _identifying(patterns: Mapping[str, Pattern]) -> Iterator[Pattern]:
    """The patterns that ask for one thing by a key of its own, or for one of several such."""
    for pattern in patterns.values():
        if is_identifying(pattern) and isinstance(pattern, str):
            yield pattern
        elif isinstance(pattern, Mapping):
            choices = cast("Mapping[str, Pattern]", pattern).get("any_of")
            if isinstance(choices, (list, tuple)):
                yield from (each for each in cast("Sequence[Pattern]", choices) if isinstance(each, str))
