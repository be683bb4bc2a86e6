"""misstep calibrate: traces that people have labelled → a detector fitted to them, with its error rates."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misstep.cli.exits import DONE

if TYPE_CHECKING:
    from misstep.core.finding import Finding
    from misstep.core.trace import Trace


def calibrate(
    labels: Annotated[Path, typer.Option("--from", metavar="LABELS", help="What people found, one finding a line.")],
    modes: Annotated[
        list[str] | None, typer.Argument(metavar="[MODE]…", help="Learn only these.", show_default="all labelled ones")
    ] = None,
    traces: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="The labelled traces.", show_default="the folder of LABELS"),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where what was learned goes.")] = Path("learned.json"),
    precision: Annotated[
        float, typer.Option(metavar="SHARE", min=0.05, max=0.99, help="How many of its claims are to be right.")
    ] = 0.45,
    folds: Annotated[int, typer.Option(metavar="N", min=2, max=20, help="Times it is tried on what was left out.")] = 5,
    seed: Annotated[int, typer.Option(metavar="S", help="Same seed, same result.")] = 0,
) -> int:
    """Fit a detector to your own labels: some twenty traces of one agent are enough to begin with.

    Every trace that is read counts as one that a person has looked through: one without labels is one without failures.
    `misstep detect --learned FILE` uses what comes out. Needs the extra `misstep[learn]`.
    """
    from rich.console import Console

    from misstep.calibration.calibrating import calibrate as fitted
    from misstep.calibration.labels import labels_from
    from misstep.calibration.learned import save
    from misstep.reporting.calibrated import calibrated_text

    known = [label for label in labels_from(labels) if not modes or label.mode in _demanded(modes)]
    read = _traces(traces or [labels.parent], labels)
    _demand_together(known, read, labels)
    typer.echo(f"Fitting {len(known)} labels in {len(read)} traces …", err=True)
    learned = fitted(read, known, name=out.stem, seed=seed, folds=folds, precision=precision)
    save(learned, out)
    Console().print(calibrated_text(learned.measures, str(out)))
    return DONE


def _demanded(modes: list[str]) -> set[str]:
    from misstep import taxonomy

    return {taxonomy.mode(each).id for each in modes}


def _traces(paths: list[Path], labels: Path) -> "list[Trace]":
    """All of them: what is learned is learned from all at once."""
    from misstep.cli.complaints import Complaints
    from misstep.core.trace import Trace
    from misstep.ingestion.files import files_at
    from misstep.ingestion.ingesting import ingest

    read: list[Trace] = []
    complaints = Complaints()
    for file in (file for path in paths for file in files_at(path) if not file.samefile(labels)):
        before = len(read)
        for each in ingest(file):
            if isinstance(each, Trace):
                read.append(each)
            else:
                complaints.add(each)
        complaints.finish(file, traces=len(read) - before)
    complaints.end()
    return read


def _demand_together(labels: "list[Finding]", traces: "list[Trace]", file: Path) -> None:
    """Labels of traces that are not there would be taken for none."""
    from misstep import taxonomy
    from misstep.calibration.labels import misplaced, strange_modes
    from misstep.core.errors import UsageError, suggestion

    if not labels:
        raise UsageError(f"{file} holds no label to learn from.")
    there = {trace.id for trace in traces}
    missing = sorted({label.trace for label in labels} - there)
    if missing:
        raise UsageError(
            f"{len(missing)} of the labelled traces are not among the {len(there)} that were read, such as "
            f"{missing[0]!r}. Name where they are with --traces."
        )
    if wrong := misplaced(labels, {trace.id: len(trace.events) for trace in traces}):
        more = f" {len(wrong) - 1} more are like it." if len(wrong) > 1 else ""
        raise UsageError(f"{wrong[0]}{more} Mend the labels: what they point at would not be learned.")
    for mode in strange_modes(labels, taxonomy.modes()):
        meant = suggestion(mode, taxonomy.modes())
        typer.echo(f"{mode!r} is no mode of the taxonomy, and is learned as one of your own.{meant}", err=True)
