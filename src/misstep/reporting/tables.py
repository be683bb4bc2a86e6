"""Columns and rows → a table for a terminal of any width: columns fold, then drop out, and then rows are stacked."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from misstep.core.finding import Severity
from misstep.reporting.visible import one_line

SEVERITY_STYLES: dict[Severity, str] = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "dim"}
_GAP = 2


class Column(Struct, frozen=True):
    """What a column is called, and what may become of it where there is little room."""

    name: str
    right: bool = False
    least: int | None = None
    """The width to which it may be folded; None where it may not."""
    drop: int = 0
    """Which column goes first: that with the highest number. 0 stays."""


class Sized:
    """Something that looks different in different widths."""

    def __init__(self, make: Callable[[ConsoleOptions], RenderableType]) -> None:
        self._make = make

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._make(options)


class Trimmed:
    """The same without spaces at the ends of lines."""

    def __init__(self, content: RenderableType) -> None:
        self._content = content

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in Segment.split_lines(console.render(self._content, options)):
            yield from _trimmed(line)
            yield Segment.line()


def table(columns: Sequence[Column], rows: Iterable[Sequence[Text]]) -> RenderableType:
    """No box: a dim head and room between the columns. The first column is what a row is called."""
    filled = [(*row, *(Text() for _ in columns[len(row) :])) for row in rows]
    return Sized(lambda options: _laid_out(columns, filled, options.max_width))


def _laid_out(columns: Sequence[Column], rows: Sequence[Sequence[Text]], room: int) -> RenderableType:
    wide = [max(len(column.name), *(row[at].cell_len for row in rows), 1) for at, column in enumerate(columns)]
    kept = list(range(len(columns)))
    while sum(_least(columns[at], wide[at]) + _GAP for at in kept) - _GAP > room:
        droppable = [at for at in kept if columns[at].drop]
        if not droppable:
            return _stacked(columns, rows)
        kept.remove(max(droppable, key=lambda at: columns[at].drop))
    # What is too much is taken from the last column that can give it.
    for at in reversed(kept):
        excess = sum(wide[each] + _GAP for each in kept) - _GAP - room
        wide[at] -= max(0, min(excess, wide[at] - _least(columns[at], wide[at])))
    drawn = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
    for at in kept:
        justify = "right" if columns[at].right else "left"
        drawn.add_column(columns[at].name, justify=justify, width=wide[at], overflow="fold")
    for row in rows:
        drawn.add_row(*(row[at] for at in kept))
    return drawn


def _least(column: Column, wide: int) -> int:
    return wide if column.least is None else min(wide, column.least)


def _stacked(columns: Sequence[Column], rows: Sequence[Sequence[Text]]) -> RenderableType:
    lines: list[RenderableType] = [Text(columns[0].name, "dim")]
    for name, *cells in rows:
        lines.append(name)
        told = [
            Text.assemble((f"{column.name} ", "dim"), cell) for column, cell in zip(columns[1:], cells, strict=True)
        ]
        facts = Text("   ").join(text for text, cell in zip(told, cells, strict=True) if cell)
        if facts:
            lines.append(Padding(facts, (0, 0, 0, 2), expand=False))
    return Group(*lines)


def _trimmed(line: list[Segment]) -> list[Segment]:
    kept = list(line)
    while kept and not kept[-1].control and not kept[-1].text.rstrip():
        kept.pop()
    if kept and not kept[-1].control:
        last = kept.pop()
        kept.append(Segment(last.text.rstrip(), last.style))
    return kept


def spaced(parts: Sequence[RenderableType]) -> RenderableType:
    """An empty line between each two."""
    lines = [line for part in parts for line in (part, Text(""))]
    return Trimmed(Group(*lines[:-1]))


def plain(text: str, style: str = "") -> Text:
    """Text, never markup; what would move the cursor is spelled out."""
    return Text(one_line(text, 2000), style=style)
