"""What was found in traces → what a person reads on a terminal."""

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from misstep.reporting.detected import Detected, ModeFound
from misstep.reporting.figures import counted, percent
from misstep.reporting.ingested import losses_text
from misstep.reporting.tables import SEVERITY_STYLES, Column, plain, spaced, table
from misstep.reporting.visible import one_line


def detected_text(detected: Detected) -> RenderableType:
    """A table by mode, worst first, and up to three examples each."""
    found = detected.modes()
    losses = list(losses_text(detected.losses.together()))
    if not found:
        return spaced([Text(f"Nothing was found in {counted(detected.traces, 'trace')}."), *losses])
    columns = (
        Column("Failure mode", least=36),
        Column("traces", right=True),
        Column("share", right=True, drop=2),
        Column("severity", drop=1),
    )
    rows = [
        (
            plain(row.mode, "bold"),
            plain(f"{row.traces:,}"),
            plain(f"{percent(row.share.rate)} ({percent(row.share.low)}–{percent(row.share.high)})"),
            plain(row.severity, SEVERITY_STYLES[row.severity]),
        )
        for row in found
    ]
    verb = "shows" if detected.showing == 1 else "show"
    headline = Text.assemble(
        plain(f"{detected.showing:,}", "bold"), f" of {counted(detected.traces, 'trace')} {verb} a failure mode"
    )
    return spaced([headline, table(columns, rows), *map(_examples, found), *losses])


def _examples(row: ModeFound) -> RenderableType:
    lines: list[RenderableType] = [plain(row.mode, "bold")]
    for place in row.examples:
        where = f"{place.trace} {place.source}".strip()
        told = Text.assemble(plain(where, "dim"), "  ", plain(one_line(place.because, 300)))
        lines.append(Padding(told, (0, 0, 0, 2), expand=False))
    more = row.traces - len(row.examples)
    if more:
        lines.append(Text(f"  and {counted(more, 'more trace')}", "dim"))
    return Group(*lines)
