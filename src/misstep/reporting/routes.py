"""Proposals of who answers what → a table for a terminal, in which no name can pass for anything else."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from misstep.reporting.figures import counted
from misstep.reporting.visible import escape, one_line, visible
from misstep.tools.proposals import Proposal

_LONGEST, _LONGEST_WHY = 48, 300


def routing_table(proposals: Sequence[Proposal]) -> RenderableType:
    """A row for each tool, with its server, who answers it now and who would."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("Tool", "Server", "Effect", "Now", "Proposed", "Why"):
        table.add_column(column, overflow="fold", no_wrap=column in ("Effect", "Now", "Proposed"))
    for each in proposals:
        proposed = "as decided" if each.decided else each.route
        cells = (
            _named(each.tool.name),
            _named(each.server),
            each.tool.effect,
            each.now,
            proposed,
            one_line(each.why, _LONGEST_WHY),
        )
        table.add_row(*map(Text, cells))
    return table


def routing_summary(proposals: Sequence[Proposal]) -> str:
    """What is real at the moment, and how to have what is proposed."""
    real = sum(each.now in ("real", "overlay") for each in proposals)
    now = f"{counted(real, 'tool')} of these can reach what is real now." if real else "Nothing is real now."
    open_ones = sum(not each.decided for each in proposals)
    if not open_ones:
        return f"{now} All of it was decided, and stays so; to change it, edit [routing] in misstep.toml."
    return f"{now} To have what is proposed, add --accept, or write [routing] in misstep.toml yourself."


def _named(name: str) -> str:
    """On one line, with line ends and whatever cannot be seen spelled out, and cut where it is too long."""
    shown = "".join(escape(each) if each in "\n\t\r" else visible(each) for each in name[:_LONGEST])
    return shown if len(name) <= _LONGEST else f"{shown}… ({len(name)} characters)"
