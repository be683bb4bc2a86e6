"""A job run with its progress shown, and a run folder shown as a table; what `run`, `report` and `demo` share."""

import shlex
import sys
from pathlib import Path

from msgspec import structs
from rich.console import Console

from misstep.cli.notes import note
from misstep.cli.progress import shown_progress
from misstep.reporting.examples import digest
from misstep.reporting.html import report_html
from misstep.reporting.summary import Summary, summary_json
from misstep.reporting.synthesized import tool_findings_text
from misstep.reporting.terminal import summary_text
from misstep.simulation.running import Job, run
from misstep.store.disputes import DISPUTES_FILE, lapsed, read_disputes, set_aside
from misstep.store.run_folder import RunFolder
from misstep.synthesis.flaws import FLAWS_FILE, Flaws, flaws_from, flaws_json


def run_job(job: Job, out: Path | None, *, workers: int | None = None, fresh: bool = False) -> RunFolder | None:
    """Run with a progress bar, or a few lines; None where it was interrupted."""
    with shown_progress() as progress:
        try:
            folder = run(job, out, workers=workers, fresh=fresh, tell=progress.tell)
        except KeyboardInterrupt:
            progress.interrupted(shlex.join(["misstep", *sys.argv[1:]]))
            return None
        progress.finish()
    if not progress.told:
        note(
            f"This run was complete already and is shown again from {folder.path}; "
            "the code, scenarios and seed are the same. --fresh runs it anew."
        )
    return folder


def show(folder: RunFolder) -> Summary:
    """Write the report and the summary beside the run, and print the table."""
    summary, page = written(folder)
    console = Console()
    # What is piped must stay whole: the command to run again is there to be copied.
    console.print(summary_text(summary, report=str(page), whole=not console.is_terminal), crop=console.is_terminal)
    if summary.flaws is not None and summary.flaws.findings:
        console.print()
        console.print(tool_findings_text(summary.flaws.findings, tools=summary.flaws.checked))
    return summary


def written(folder: RunFolder) -> tuple[Summary, Path]:
    """Write the report and the summary beside the run; gives the page's place."""
    disputes = read_disputes(Path(DISPUTES_FILE))
    trials = set_aside(folder.trials(), disputes)
    made = digest(folder.manifest, trials, flaws=_flaws(folder), lapsed=lapsed(disputes, folder.scenarios))
    made = structs.replace(made, folder=str(folder.path))
    page = folder.put("report.html", report_html(made).encode())
    folder.put("summary.json", summary_json(made.summary))
    return made.summary, page


def _flaws(folder: RunFolder) -> Flaws | None:
    """What `synthesize --check-tools` has left beside the scenarios is kept with the run: it is about these tools."""
    at = folder.manifest.scenarios_at
    beside = Path(at) / FLAWS_FILE if at else None
    for file in (beside, folder.path / FLAWS_FILE):
        if file is not None and file.is_file():
            flaws = flaws_from(file.read_bytes(), place=str(file))
            if flaws.tools == folder.manifest.tools:
                folder.put(FLAWS_FILE, flaws_json(flaws))
                return flaws
    return None
