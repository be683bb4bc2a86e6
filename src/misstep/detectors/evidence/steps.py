"""A trace with rules → the steps that were to follow an act that worked, and whether they did."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from misstep.core.policy import Rule
from misstep.core.trace import Exchange, Trace
from misstep.detectors.evidence.standing import standing
from misstep.detectors.evidence.support import did_its_job
from misstep.objectives.matching import plain
from misstep.objectives.once import once_per_trace
from misstep.objectives.values import is_identifying, leaves
from misstep.objectives.vocabulary import effect_of, vocabulary


class Step(NamedTuple):
    """A call that a rule wants after another one."""

    rule: str
    tool: str
    after: Exchange


def left_out_steps(trace: Trace) -> Iterator[Step]:
    """The steps that rules demand after acts that worked, and that the user had not declined; made or not."""
    rules = [rule for rule in trace.policy.rules if rule.kind == "afterwards"] if trace.policy is not None else []
    if not rules or trace.end not in ("finished", "unknown"):
        return
    for exchange in trace.exchanges:
        effect = effect_of(trace, exchange.call.tool)
        for rule in rules:
            tool = str(rule.parameters.get("tool"))
            if (
                rule.covers(exchange.call.tool, effect)
                and tool in trace.tool_named
                and exchange.call.tool != tool
                and did_its_job(trace, exchange)
                and not was_declined(trace, tool)
            ):
                yield Step(_said(rule), tool, exchange)


def _said(rule: Rule) -> str:
    return rule.text.strip()


def was_declined(trace: Trace, tool: str) -> bool:
    """The user ruled it out, or something that it is about: the rule gives way to that."""
    about = vocabulary(trace).tools[tool].all
    return any(
        each.by_user
        and not each.constraint.codes
        and (each.constraint.kind in ("act", "everything") or not about.isdisjoint(each.constraint.stems))
        for each in standing(trace, tool, len(trace.events))
    )


def followed_up(trace: Trace, step: Step) -> bool:
    """The call was made, or tried, after the act, for something that the act was about."""
    named = {plain(str(value)) for _, value in leaves(step.after.call.arguments) if is_identifying(value)}
    tried = _tried(trace).get(step.tool, [])
    first = bisect_left(tried, step.after.at, key=lambda each: each.at)
    return any(
        not named or not named.isdisjoint(plain(str(value)) for _, value in leaves(each.call.arguments))
        for each in tried[first : first + _LOOKED_AT]
    )


@once_per_trace
def _tried(trace: Trace) -> dict[str, list[Exchange]]:
    found: dict[str, list[Exchange]] = {}
    for exchange in trace.exchanges:
        found.setdefault(exchange.call.tool, []).append(exchange)
    return found


_LOOKED_AT = 100
