"""Tools that faults will spoil the answers of → the same tools without a promise of what their answers look like.

A client of MCP holds an answer against the output schema that was listed, and throws away what does not fit: whoever
is to meet a spoilt answer would never see it.
"""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

from msgspec import structs

from misstep.core.roles import Toolbox
from misstep.core.scenario import Fault
from misstep.core.tool import JSON, Answer, Tool

_SPOILING = frozenset({"malformed", "truncated", "empty", "wrong-unit", "injected-instruction"})


class Loosened:
    """Passes everything on, but for output schemas."""

    def __init__(self, toolbox: Toolbox, faults: Sequence[Fault]) -> None:
        self._toolbox = toolbox
        self._spoilt = [fault.tool for fault in faults if fault.target == "tool" and fault.kind in _SPOILING]
        self._listed: Sequence[Tool] | None = None
        self._shown: Sequence[Tool] = ()

    async def tools(self) -> Sequence[Tool]:
        listed = await self._toolbox.tools()
        if listed is not self._listed:
            self._listed, self._shown = listed, tuple(self._loose(tool) for tool in listed)
        return self._shown

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return await self._toolbox.call(tool, arguments)

    def _loose(self, tool: Tool) -> Tool:
        spoilt = any(fnmatchcase(tool.name, pattern) for pattern in self._spoilt)
        return structs.replace(tool, output_schema=None) if spoilt else tool
