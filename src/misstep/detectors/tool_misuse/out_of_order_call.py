"""Trace → calls that were made before something that has to come first: by the rules, or by what the tool says."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from misstep.core.finding import Finding
from misstep.core.policy import Rule
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.outcomes import call_key, effect_of, failed, outcome, sameness, told
from misstep.objectives.once import once_per_trace
from misstep.objectives.vocabulary import meaning, vocabulary

_READ = 600
_FIRST = re.compile(
    r"\b(?:must|needs? to|ha(?:s|ve) to|please|should|required to|requires?|you|call|use|run|do)\b"
    r"[^.;\n]{0,80}\bfirst\b"
    r"|(?:^|[,;:.] )\s*[a-z]+ (?:it|them|this|that|an?|the|your)\b[^.,;\n]{0,40}\bfirst\s*(?:$|[.,;!])"
    r"|\bfirst\b[^.;\n]{0,30}\b(?:call|run|use|create|open|load|log|sign|verify|select|start|connect)\b"
    r"|\bbefore (?:you|calling|using|running|this|doing|the (?:call|tool)|it can|any|\w+ing\b)"
    r"|\b(?:not|n't)\b(?: \w+){0,3} \w+(?:ed|un|en|in)\b(?: \w+){0,3} yet\b|\bnot yet (?:been )?\w+(?:ed|un|en)\b"
    r"|\bnot (?:been )?(?:initiali[sz]ed|authenticated|logged in|signed in|verified|connected|authori[sz]ed|set up)\b"
    r"|\b(?:no|without) (?:active |open |current |prior )?(?:session|login|connection|prior call)\b",
    re.IGNORECASE,
)
# That something was not done may be said in many ways; what was done next shows whether it is meant.
_LACKS = re.compile(
    r"\b(?:not|never|only|unless|until|without|lacks?|missing|requires?|required|needs?|awaiting|pending|before)\b|n't\b"
    r"|\bun\w+ed\b",
    re.IGNORECASE,
)
_WITHIN = 40
"""So many calls after a refusal are looked at for the one that had to come first."""


@detector("out-of-order-call", version=2)
def out_of_order_call(trace: Trace) -> Iterator[Finding]:
    """Points at the call that came too early, then at what came first only afterwards, where that came at all."""
    found: set[int] = set()
    if trace.policy is not None and (rules := [rule for rule in trace.policy.rules if rule.kind == "requires"]):
        for finding in _against_rules(trace, rules):
            found.update(finding.events)  # the first call that went too early, and the others behind it
            yield finding
    for finding in _told_so(trace):
        if finding.events[0] not in found:
            yield finding


def _against_rules(trace: Trace, rules: Sequence[Rule]) -> Iterator[Finding]:
    """One finding a rule: the first call that went too early, and the others behind it."""
    for rule in rules:
        first = str(rule.parameters.get("tool"))
        if trace.tools and first not in trace.tool_named:
            continue  # nobody can call what is not there
        alike = _names(rule.parameters.get("same"))
        done: set[tuple[JSON, ...]] = set()
        early: list[int] = []
        for exchange in trace.exchanges:
            call = exchange.call
            if call.tool == first:
                if outcome(exchange, effect_of(trace, call)) == "done":
                    done.add(_values(call.arguments, alike))
                continue
            effect = effect_of(trace, call)
            # A call that lacks the arguments in common, or has them in a wrong form, may be about anything.
            wanted = _values(call.arguments, alike)
            vague = any(each is None or isinstance(each, tuple) for each in wanted)
            ready = wanted in done or (vague and bool(done))
            if effect is not None and rule.covers(call.tool, effect) and not ready:
                early.append(exchange.at)
        if early:
            name = _tool_at(trace, early[0])
            yield Finding(
                mode="out-of-order-call",
                events=tuple(early),
                because=f"{name} was called before {first} had succeeded, which the rule {rule.id!r} wants first.",
                confidence=0.95,
            )


def _names(value: JSON) -> tuple[str, ...]:
    return tuple(str(each) for each in cast("list[JSON]", value)) if isinstance(value, list) else ()


def _values(arguments: Mapping[str, JSON], names: Sequence[str]) -> tuple[JSON, ...]:
    return tuple(sameness(arguments.get(name)) for name in names)


def _tool_at(trace: Trace, at: int) -> str:
    return next(exchange.call.tool for exchange in trace.exchanges if exchange.at == at)


def _told_so(trace: Trace) -> Iterator[Finding]:
    """A tool refuses because something else has to come first; sure where that is done and the same call then works."""
    for place, exchange in enumerate(trace.exchanges):
        result = exchange.result
        if result is None or not failed(result, effect_of(trace, exchange.call)):
            continue
        text = told(result, _READ)
        first = _FIRST.search(text) is not None
        if not first and not _LACKS.search(text):
            continue
        following = trace.exchanges[place + 1 : place + 1 + _WITHIN]
        mended = _mended(trace, exchange, following)
        between = next((each for each in following if each.at == mended), None)
        if not first and (between is None or not _was_lacking(trace, exchange, between)):
            continue
        if mended is None and not _names_a_tool(trace, exchange):
            continue
        yield Finding(
            mode="out-of-order-call",
            events=(exchange.at,) if mended is None else (exchange.at, mended),
            because=f"{exchange.call.tool} was called too early: it answered “{told(result, 120)}”.",
            confidence=0.9 if mended is not None else 0.75,
        )


def _was_lacking(trace: Trace, exchange: Exchange, mended: Exchange) -> bool:
    """What the error says was not done is what the agent then did by itself, before the same call worked."""
    tools = vocabulary(trace).tools
    early, later = tools.get(exchange.call.tool), tools.get(mended.call.tool)
    if early is None or later is None or exchange.result is None or heard(trace).between(exchange.at, mended.at):
        return False
    return not (later.acts - early.all).isdisjoint(meaning(told(exchange.result, _READ)))


def _mended(trace: Trace, exchange: Exchange, following: Sequence[Exchange]) -> int | None:
    """The call that came first only afterwards: another tool's, after which the refused call worked."""
    between: int | None = None
    key = call_key(exchange.call)
    for each in following:
        if call_key(each.call) == key:
            return between if outcome(each, effect_of(trace, each.call)) == "done" else None
        if each.call.tool != exchange.call.tool and each.succeeded:
            between = each.at
    return None


def _names_a_tool(trace: Trace, exchange: Exchange) -> bool:
    """The error names another tool that is on offer or was called, by its name or by all the words of it."""
    said = told(exchange.result, _READ).casefold() if exchange.result else ""
    if any(name in said for name in _tool_names(trace) if name != exchange.call.tool.casefold()):
        return True
    stems = frozenset(meaning(said))
    return any(
        name != exchange.call.tool and len(tool.named) > 1 and tool.named <= stems
        for name, tool in vocabulary(trace).tools.items()
    )


@once_per_trace
def _tool_names(trace: Trace) -> tuple[str, ...]:
    names = {*trace.tool_named, *(exchange.call.tool for exchange in trace.exchanges)}
    return tuple(sorted(name.casefold() for name in names if len(name) >= 4))
