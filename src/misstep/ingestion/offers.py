"""The tools of a foreign trace, with what calling them does as far as their words and their use tell."""

from collections import defaultdict
from functools import lru_cache

from msgspec import structs

from misstep.core.event import Handoff
from misstep.core.tool import Effect, Tool
from misstep.core.trace import Exchange, Trace
from misstep.effects.guessing import told_effect


def with_effects(trace: Trace) -> Trace:
    """No framework writes down what a tool does to the world."""
    if not trace.tools:
        return trace
    uses: defaultdict[str, list[Exchange]] = defaultdict(list)
    for exchange in trace.exchanges:
        uses[exchange.call.tool].append(exchange)
    return structs.replace(trace, tools=tuple(_with_effect(trace, tool, uses[tool.name]) for tool in trace.tools))


def _with_effect(trace: Trace, tool: Tool, uses: list[Exchange]) -> Tool:
    told = _told(tool.name, tool.description)
    if uses and all(_hands_over(trace, use) for use in uses):
        told = "reads"  # whatever its words say: "transfer" is what banks do, too
    elif told is None and uses and all(_echoes(use) for use in uses):
        told = "reads"
    # A conversation that is over can come to no harm: to take what nothing tells for the worst would only raise alarms.
    return structs.replace(tool, effect=told or "writes")


@lru_cache(maxsize=4096)
def _told(name: str, description: str) -> Effect | None:
    return told_effect(name, description)


def _hands_over(trace: Trace, use: Exchange) -> bool:
    """Whether all that the call did was to pass work on to another agent."""
    following = use.at + 1
    if following == use.result_at:
        following += 1
    if following >= len(trace.events):
        return False
    event = trace.events[following]
    return isinstance(event, Handoff) and event.actor == use.call.actor


def _echoes(use: Exchange) -> bool:
    """Whether the answer is the only argument, as of a tool that an agent gives its last answer with."""
    given = list(use.call.arguments.values())
    return use.succeeded and use.result is not None and given == [use.result.content] and given != [""]
