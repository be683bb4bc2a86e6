"""A real toolbox → one on which an agent can work and change nothing: reads are real, writes stay in front of it."""

from collections.abc import Mapping, Sequence

from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.roles import Toolbox
from misstep.core.state import State
from misstep.core.tool import JSON, Answer, Tool
from misstep.tools.disk.overlaid import OverlaidFiles
from misstep.tools.disk.roles import file_tools
from misstep.tools.disk.shell import shell_tools
from misstep.tools.disk.tree import TABLE as TREE
from misstep.tools.mux import Mux
from misstep.tools.records.overlaid import OverlaidRecords
from misstep.tools.records.sql_tables import sql_tools


class _OnlyRead:
    """The real toolbox, as far as it may be called: the one place that decides."""

    def __init__(self, real: Toolbox, tools: Mapping[str, Tool]) -> None:
        self._real = real
        self._tools = tools

    async def tools(self) -> Sequence[Tool]:
        return tuple(self._tools.values())

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        effect = self._tools[tool].effect
        if effect != "reads":
            raise InvalidTrialError(
                "tool-simulator",
                f"An overlay needs {tool!r} to read what is real, but is not sure that it only reads (its effect is "
                f"{effect!r}). Route it to 'simulated'.",
            )
        return await self._real.call(tool, arguments)


class Overlay:
    """A tool that does anything but read is never called for real. Where what was written cannot be shown in a later
    read, that read makes the trial invalid, with the blame on the tool simulator.
    """

    def __init__(self, real: Toolbox, tools: Sequence[Tool], *, seed: int = 0) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._real = _OnlyRead(real, self._tools)
        files = file_tools(tools)
        self._opaque = {name for name in (*shell_tools(tools), *sql_tools(tools)) if name not in files}
        rest = [tool for tool in tools if tool.name not in files and tool.name not in self._opaque]
        self._file_names = set(files)
        self._files = OverlaidFiles(self._real, [tool for tool in tools if tool.name in files], seed=seed)
        self._records = OverlaidRecords(self._real, rest, seed=seed)

    async def tools(self) -> Sequence[Tool]:
        return tuple(self._tools.values())

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        found = self._tools.get(tool)
        if found is None:
            raise UnknownToolError(tool, self._tools)
        if tool in self._file_names:
            return await self._files.call(tool, arguments)
        if tool not in self._opaque:
            return await self._records.call(tool, arguments)
        if found.effect == "reads":
            return await self._real.call(tool, arguments)
        raise InvalidTrialError(
            "tool-simulator",
            f"{tool!r} runs what it is given, and what that would change cannot be kept in front of the real thing. "
            f"Route {tool!r} to 'simulated'.",
        )

    def snapshot(self) -> State:
        """What stays in front: nothing, until something was written."""
        return {**self._records.snapshot(), **self._files.snapshot()}

    def restore(self, state: State) -> None:
        self._files.restore({name: table for name, table in state.items() if name == TREE})
        self._records.restore({name: table for name, table in state.items() if name != TREE})


def overlays(real: Toolbox, tools: Sequence[Tool], servers: Mapping[str, str], *, seed: int = 0) -> Toolbox:
    """A layer for each server, by the server of each tool: what is written to one says nothing of the others."""
    apart: dict[str, list[Tool]] = {}
    for tool in tools:
        apart.setdefault(servers.get(tool.name, ""), []).append(tool)
    return Mux(*(Overlay(real, each, seed=seed) for each in apart.values()))
