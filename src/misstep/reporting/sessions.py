"""A session of somebody's agent → what it called, who answered, and what was found, for a terminal."""

from collections import Counter
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from misstep.reporting.detected import Detected
from misstep.reporting.detected_text import detected_text
from misstep.reporting.visible import one_line, visible
from misstep.store.trial import Trial
from misstep.tools.mcp.beside import Asked


def session_text(trial: Trial, *, report: str, beside: Asked) -> RenderableType:
    """Every tool that was called, with how often, by whom it was answered and how often with an error.

    Below them, what was read of the real servers beside their tools, which is on no tape.
    """
    calls: Counter[tuple[str, str]] = Counter()
    errors: Counter[tuple[str, str]] = Counter()
    for exchange in trial.trace.exchanges:
        result = exchange.result
        server = "nobody" if result is None else result.served_by or "unknown"
        if result is not None and result.fault:
            server = f"{server}: {result.fault}"
        calls[exchange.call.tool, server] += 1
        errors[exchange.call.tool, server] += result is None or result.is_error
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("Tool", "Answered by", "Calls", "Errors"):
        table.add_column(column, justify="right" if column in ("Calls", "Errors") else "left", no_wrap=True)
    for (tool, server), count in sorted(calls.items()):
        failed = errors[tool, server]
        table.add_row(Text(visible(tool)), server, str(count), str(failed) if failed else "")
    for method, name in sorted({(method, name) for method, name, _ in beside}):
        failed = beside[method, name, False]
        count = failed + beside[method, name, True]
        table.add_row(Text(f"{method} {one_line(name, 60)}"), "real", str(count), str(failed) if failed else "")
    listed: RenderableType = table if table.row_count else Text("No tool was called.")
    if trial.verdict.outcome == "invalid":
        # What an agent did among broken tools says nothing about it: there are no findings to show.
        reasons = " ".join(trial.verdict.reasons)
        found: RenderableType = Text(visible(f"Invalid, and the {trial.verdict.blame} is to blame: {reasons}"))
    else:
        detected = Detected()
        detected.add(Path(report), trial.trace, trial.findings)
        found = detected_text(detected)
    return Group(listed, Text(), found, Text(), Text(f"Report  {report}"))
