"""Route each tool name to the toolbox that serves it."""

from collections.abc import Mapping, Sequence

from misstep.core.errors import UnknownToolError, UsageError
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer, Tool


class Mux:
    """Several toolboxes as one. It is a Toolbox and nothing more: who needs the state or the policy of one of them
    asks that one.
    """

    def __init__(self, *toolboxes: Toolbox) -> None:
        self._toolboxes = toolboxes
        self._listed: list[Sequence[Tool]] = []
        self._routes: dict[str, int] = {}
        self._tools: tuple[Tool, ...] = ()

    async def tools(self) -> Sequence[Tool]:
        listed = [await toolbox.tools() for toolbox in self._toolboxes]
        if len(listed) != len(self._listed) or any(
            new is not old for new, old in zip(listed, self._listed, strict=True)
        ):
            self._routes = self._routed(listed)
            self._tools = tuple(tool for tools in listed for tool in tools)
            self._listed = listed
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        if tool not in self._routes:
            await self.tools()
        at = self._routes.get(tool)
        if at is None:
            raise UnknownToolError(tool, self._routes)
        return await self._toolboxes[at].call(tool, arguments)

    def _routed(self, listed: list[Sequence[Tool]]) -> dict[str, int]:
        routes: dict[str, int] = {}
        for at, tools in enumerate(listed):
            for tool in tools:
                if routes.setdefault(tool.name, at) != at:
                    raise UsageError(
                        f"Tool {tool.name!r} is in both {self._called(routes[tool.name])} and {self._called(at)}. "
                        "Rename it in one of them, or leave one of them out."
                    )
        return routes

    def _called(self, at: int) -> str:
        return f"toolbox {at + 1} ({type(self._toolboxes[at]).__name__})"
