"""misstep serve --routing: tools by name → a table of who answers them, and what was accepted of it in the settings."""

from collections.abc import Collection
from pathlib import Path

from rich.console import Console

from misstep.catalog import accept_routing, listed_in, routing_in, toolbox_named
from misstep.cli.notes import note
from misstep.core.errors import UsageError
from misstep.core.tool import Tool
from misstep.core.waiting import awaited
from misstep.effects.guessing import effect_of
from misstep.reporting.figures import counted
from misstep.reporting.routes import routing_summary, routing_table
from misstep.reporting.visible import visible
from misstep.tools.fronting import annotations_of
from misstep.tools.held import writers_in
from misstep.tools.listing import Listed, listed
from misstep.tools.mcp.file import servers_in
from misstep.tools.proposals import Proposal, accepted, propose


def show_routing(spec: str, *, accept: bool) -> None:
    """A table of who answers what and who might; with `accept`, what was not decided yet is written to the settings."""
    if spec.startswith("world:"):
        raise UsageError(
            f"{spec} needs no routing: a world is simulated by nature. Give --tools an mcpServers file or module:name."
        )
    routing, writers = routing_in(Path.cwd()), frozenset[str]()
    if spec.endswith(".json"):
        found = awaited(listed(servers_in(spec), routing))
    else:
        toolbox = toolbox_named(spec).make(0)
        found, writers = Listed(awaited(listed_in(toolbox))), writers_in(toolbox)
    reasons = {tool.name: effect_of(tool, annotations_of(tool)) for tool in found.tools}
    told = {
        tool.name: reasons[tool.name][1] if reasons[tool.name][0] == tool.effect else _said_elsewhere(tool, writers)
        for tool in found.tools
    }
    proposals = propose(found.tools, routing, told, found.servers)
    Console().print(routing_table(proposals))
    for why in found.failed.values():
        note(visible(why))  # it may quote what a server said last
    note(_accepted(proposals) if accept else routing_summary(proposals))


def _said_elsewhere(tool: Tool, writers: Collection[str]) -> str:
    return "Its code changes data that lasts." if tool.name in writers else "So it was declared."


def _accepted(proposals: tuple[Proposal, ...]) -> str:
    rules = accepted(proposals)
    kept = len(proposals) - len(rules)
    also = f" {counted(kept, 'tool')} had been decided on, and kept what they had." if kept else ""
    if not rules:
        return f"Nothing was written.{also}"
    return f"{counted(len(rules), 'route')} written to {accept_routing(Path.cwd(), rules)}.{also}"
