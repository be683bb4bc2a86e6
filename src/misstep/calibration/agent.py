"""Which agent something was fitted for, and how far a trace is of that agent."""

from collections.abc import Container, Iterable, Sequence

from msgspec import Struct

from misstep.calibration.features import Described, is_text
from misstep.core.event import ToolCall
from misstep.core.trace import Trace

_FEW = 3
"""Names that are told of one by one."""


class Familiarity(Struct, frozen=True):
    """How far a trace is of a known agent: what to multiply confidence with, and what is strange about it."""

    share: float
    strange: tuple[str, ...] = ()


class Agent(Struct, frozen=True, forbid_unknown_fields=True):
    """What an agent's traces have in common."""

    actors: tuple[str, ...]
    tools: tuple[str, ...]
    usual: float
    """The share of a trace's features (but for those of words) that were known, in nearly all traces when they were
    left out of the fit."""

    def familiarity(self, trace: Trace, found: Sequence[Described], known: Container[str]) -> Familiarity:
        """One for a trace of this agent; less where agents, tools or the course of things are new."""
        actors = {each.place.actor for each in found if each.place.kind == "step"}
        tools = tools_called(trace)
        strange = [_listed("agent", actors - set(self.actors)), _listed("tool", tools - set(self.tools))]
        share = 1.0
        for names, of in ((actors, self.actors), (tools, self.tools)):
            share *= (1 + len(names & set(of))) / (1 + len(names))
        like = known_share(found, known)
        if like < self.usual:
            share *= like / self.usual
            strange.append(f"{1 - like:.0%} of what happens in it is new, at most {1 - self.usual:.0%} is usual")
        return Familiarity(share, tuple(each for each in strange if each))


def known_share(found: Sequence[Described], known: Container[str]) -> float:
    """Of the features that are not words."""
    names = [name for each in found for name in each.features if not is_text(name)]
    return sum(name in known for name in names) / len(names) if names else 1.0


def tools_called(trace: Trace) -> set[str]:
    return {event.tool for event in trace.events if isinstance(event, ToolCall)}


def _listed(what: str, names: Iterable[str]) -> str:
    listed = sorted(names)
    if not listed:
        return ""
    more = f" and {len(listed) - _FEW} more" if len(listed) > _FEW else ""
    return f"unknown {what}{'s' if len(listed) > 1 else ''} {', '.join(map(repr, listed[:_FEW]))}{more}"
