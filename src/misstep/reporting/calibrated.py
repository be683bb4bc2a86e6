"""What was learned from labels → what a person is told of it."""

from rich.console import RenderableType
from rich.text import Text

from misstep.calibration.measures import Measures
from misstep.reporting.figures import counted, percent
from misstep.reporting.tables import Column, plain, spaced, table


def calibrated_text(measures: Measures, file: str) -> RenderableType:
    """How it did on traces that were left out, mode by mode."""
    precision = measures.precision
    headline = (
        f"Tried on left-out traces ({counted(measures.traces, 'trace')} of {counted(measures.tasks, 'task')}, "
        f"{measures.folds} folds): {percent(measures.found)} of a trace's failures found, "
        f"{percent(precision.rate)} of claims right ({percent(precision.low)}–{percent(precision.high)} at "
        f"{percent(precision.level)}), {measures.claims_a_trace:.1f} claims a trace."
    )
    columns = (
        Column("Failure mode", least=36),
        Column("labelled", right=True),
        Column("claimed", right=True),
        Column("right", right=True),
    )
    rows = [
        (plain(mode, "bold"), plain(f"{each.labelled:,}"), plain(f"{each.claimed:,}"), plain(f"{each.right:,}"))
        for mode, each in sorted(measures.modes.items(), key=lambda item: -item[1].labelled)
    ]
    parts: list[RenderableType] = [Text(headline), table(columns, rows)]
    if measures.too_few:
        named = ", ".join(f"{mode} ({number})" for mode, number in measures.too_few.items())
        parts.append(plain(f"Labelled too rarely to be learned, and never claimed: {named}.", "yellow"))
    parts.append(plain(f"Use it: misstep detect PATH --learned {file}"))
    return spaced(parts)
