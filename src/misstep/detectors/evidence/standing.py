"""A trace → the constraints that stand for each tool: what users said, what the system said and what the rules say."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import structs

from misstep.core.trace import Trace
from misstep.detectors.evidence.constraint import Constraint
from misstep.detectors.evidence.constraints import constraints
from misstep.objectives.once import once_per_trace
from misstep.objectives.vocabulary import Vocabulary, kin, vocabulary

_FIRST, _LATEST = 10, 30
"""So many are looked at for one call, so that a long conversation costs no more for each call than a short one."""


class Standing(NamedTuple):
    """A constraint, where it was set, and the whole message that set it; the rules stand from the beginning."""

    at: int
    constraint: Constraint
    message: str
    by_user: bool


def standing(trace: Trace, tool: str, before: int) -> Iterator[Standing]:
    """The constraints that may bear on a call of a tool at a place, in the order in which they were set."""
    found, places = _by_tool(trace).get(tool, ((), ()))
    end = bisect_left(places, before)
    yield from found[: min(end, _FIRST)]
    yield from found[max(_FIRST, end - _LATEST) : end]


@once_per_trace
def _by_tool(trace: Trace) -> dict[str, tuple[list[Standing], list[int]]]:
    known = vocabulary(trace)
    found: dict[str, list[Standing]] = {tool.name: [] for tool in known.effectful}
    for each in _all(trace):
        meant = tools_meant(each.constraint, known) if each.constraint.kind == "act" else frozenset[str]()
        # An act that no tool does is a thing: "avoid Aerolux".
        thing = each.constraint.kind == "act" and not meant
        stands = each._replace(constraint=structs.replace(each.constraint, kind="thing")) if thing else each
        for name in meant or found:
            found[name].append(stands)
    return {name: (listed, [each.at for each in listed]) for name, listed in found.items()}


def _all(trace: Trace) -> Iterator[Standing]:
    # Structured rules say better what their prose says too.
    if trace.policy is not None and not trace.policy.rules:
        yield from _of_rules(-1, trace.policy.text)
    for at, message in trace.messages:
        if message.role == "user":
            yield from (Standing(at, each, message.text, True) for each in constraints(message.text))
        elif message.role == "system":
            yield from _of_rules(at, message.text)


def _of_rules(at: int, text: str) -> Iterator[Standing]:
    """Where rules ask for a yes first, it is the yes that is missing; where they are loose, they explain."""
    for each in constraints(text):
        explains = each.loose or each.text.lower().startswith("without") or (each.kind == "only" and not each.codes)
        if not each.unless_asked and not explains:
            yield Standing(at, each, text, False)


def tools_meant(constraint: Constraint, known: Vocabulary) -> frozenset[str]:
    """The tools that do what the words say: by the verb, by its kin, or by a noun that one tool alone is about."""
    stems, verb = constraint.stems, constraint.stems[0]
    by_verb = frozenset(tool.name for tool in known.effectful if verb in tool.acts)
    if by_verb:
        return by_verb
    if constraint.to_user:
        reaching = [tool for tool in known.effectful if tool.effect == "reaches-outside"]
        named = frozenset(tool.name for tool in reaching if all(each in tool.all for each in stems))
        if named:
            return named
    by_kin = frozenset(tool.name for tool in known.effectful if not kin(verb).isdisjoint(tool.acts))
    speaking = frozenset(name for name in by_kin if any(each in known.tools[name].all for each in stems))
    if speaking:
        return speaking
    for each in stems:
        about = [tool.name for tool in known.effectful if each in tool.named]
        if len(about) == 1:
            return frozenset(about)
    return by_kin
