"""How a recording differs from the tools as they are now → a table and a sentence for a terminal."""

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from misstep.reporting.figures import counted
from misstep.reporting.visible import one_line
from misstep.tools.comparison import Changed, Comparison

_LONGEST = 60


def drift_table(changed: Sequence[Changed]) -> RenderableType:
    """A row for each difference, with the call that showed it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("Tool", "Where", "Recorded", "Now", "Call"):
        table.add_column(column, overflow="fold", no_wrap=column == "Tool")
    for each in changed:
        cells = (each.tool, each.place, each.before, each.now, each.call)
        table.add_row(*(Text(one_line(cell, _LONGEST)) for cell in cells))
    return table


def drift_summary(compared: Comparison | None, *, differs: bool, place: str) -> str:
    """What was compared, and which answers were not, and why."""
    said = "differs from" if differs else "fits"
    lines = [f"{place} {said} the tools as they are now."]
    if compared is not None:
        lines.append(f"{counted(compared.made, 'recorded call')} made again; answers were compared by their shape.")
        lines += [f"Not made again: {number}, for {why}." for why, number in sorted(compared.left_out.items())]
    return "\n".join(lines)
