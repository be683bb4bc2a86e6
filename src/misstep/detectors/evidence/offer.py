"""A trace that lists no tools → the same with those that were called, as far as their names tell what they do."""

from functools import lru_cache

from msgspec import structs

from misstep.core.tool import Tool
from misstep.core.trace import Trace
from misstep.effects.guessing import told_effect
from misstep.objectives.once import once_per_trace


@once_per_trace
def as_offered(trace: Trace) -> Trace:
    """Most logs hold calls and no list of tools. What a name does not tell stays unknown, and proves nothing."""
    if trace.tools or not trace.exchanges:
        return trace
    names = dict.fromkeys(exchange.call.tool for exchange in trace.exchanges)
    told = tuple(tool for name in names if (tool := _told(name)) is not None)
    return structs.replace(trace, tools=told) if any(tool.effect != "reads" for tool in told) else trace


@lru_cache(maxsize=4096)
def _told(name: str) -> Tool | None:
    effect = told_effect(name)
    return Tool(name=name, effect=effect) if effect is not None else None
