"""The tools of a foreign trace, with what calling them does as far as their words tell."""

from functools import lru_cache

from msgspec import structs

from misstep.core.tool import Effect, Tool
from misstep.core.trace import Trace
from misstep.effects.guessing import told_effect


def with_effects(trace: Trace) -> Trace:
    """No framework writes down what a tool does to the world."""
    if not trace.tools:
        return trace
    return structs.replace(trace, tools=tuple(_with_effect(tool) for tool in trace.tools))


def _with_effect(tool: Tool) -> Tool:
    return structs.replace(tool, effect=_effect(tool.name, tool.description))


@lru_cache(maxsize=4096)
def _effect(name: str, description: str) -> Effect:
    # A conversation that is over can come to no harm: to take what nothing tells for the worst would only raise alarms.
    return told_effect(name, description) or "writes"
