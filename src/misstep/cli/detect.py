"""misstep detect: trace files, foreign or our own → what the detectors find in them."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import structs

from misstep.cli.exits import DONE, FAILED, UNDECIDED

if TYPE_CHECKING:
    from misstep.core.objective import Objective
    from misstep.diagnosis.examining import Means
    from misstep.llm import Model


def detect(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Trace files, or folders that hold some.")],
    dialect: Annotated[
        str | None,
        typer.Option("--as", metavar="DIALECT", help="What the files are.", show_default="told by their content"),
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write what was found there too.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report with the conversations.")] = None,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it for code hosts and editors.")] = None,
    learned: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Use what `misstep calibrate` has fitted.")
    ] = None,
    objectives: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="What success is: scenarios, or a file of traces that holds it."),
    ] = None,
    fail_on: Annotated[
        str | None, typer.Option(metavar="MODE,…", help="Exit with 1 where one of these failure modes is found.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Processes, for many files.", show_default="one a core")
    ] = None,
) -> int:
    """Name what went wrong in traces that are there already, from any framework.

    What cannot be read is passed over and named, and the exit code is 2.
    """
    from rich.console import Console

    from misstep.cli.examining import Outputs, examine
    from misstep.cli.progress import shown_stages
    from misstep.cli.whole_file import WholeFile
    from misstep.diagnosis.side_by_side import cores, looks
    from misstep.ingestion.files import files_at
    from misstep.reporting.detected_text import detected_text

    means = _means(learned or (), objectives)
    fatal = _modes(fail_on, means)
    files = [file for path in paths for file in files_at(path)]
    for option, output in (("--json", json), ("--html", html), ("--sarif", sarif)):
        _demand_apart(option, output, files)
    with WholeFile(json) as as_json, WholeFile(html) as as_html, WholeFile(sarif) as as_sarif:
        outputs = Outputs(json=as_json, html=as_html, sarif=as_sarif)
        beside = partial(_with_objectives_beside, means)
        seen = looks(files, beside, dialect=dialect, workers=workers or cores())
        with shown_stages() as teller:
            examine(seen, outputs, files=len(files), tell=teller.tell)
        outputs.end()
    detected = outputs.detected
    Console().print(detected_text(detected))
    if fatal & {row.mode for row in detected.modes()}:
        return FAILED
    return UNDECIDED if detected.unread or not detected.traces else DONE


def _modes(fail_on: str | None, means: "Means") -> set[str]:
    from misstep import taxonomy
    from misstep.core.errors import UsageError, suggestion

    known = {*taxonomy.modes(), *(mode for fitted in means.fitted for mode in fitted.modes)}
    modes = {mode.strip() for mode in (fail_on or "").split(",") if mode.strip()}
    for mode in sorted(modes):
        if mode not in known:
            raise UsageError(f"--fail-on: there is no failure mode {mode!r}.{suggestion(mode, known)}")
    return modes


def _demand_apart(option: str, output: Path | None, inputs: "list[Path]") -> None:
    """What is read, or belongs to a run, must not be written over."""
    from misstep.core.errors import UsageError
    from misstep.store.run_folder import is_of_a_run

    if output is None:
        return
    if output.exists() and any(output.samefile(each) for each in inputs):
        raise UsageError(f"{option} {output} is one of the files to be read. Choose another name for what is found.")
    if is_of_a_run(output):
        raise UsageError(f"{option} {output} would take the place of a file of a run. Choose another name.")


def _means(learned: "tuple[Path, ...] | list[Path]", objectives: Path | None) -> "Means":
    from misstep.diagnosis.examining import Means

    means = Means()
    if (model := _judge()) is not None:
        from misstep.detectors import detectors
        from misstep.detectors.modelled import modelled_detectors

        means = structs.replace(means, detectors=(*detectors(), *modelled_detectors(model)))
    if learned:
        from misstep.calibration.learned import load

        means = structs.replace(means, fitted=tuple(load(path) for path in learned))
    if objectives is not None:
        from misstep.cli.objectives import objectives_at

        means = structs.replace(means, objectives=objectives_at(objectives))
    return means


def _judge() -> "Model | None":
    """The model that the settings name. Without settings none is looked for: that takes longer than many a trace."""
    here = Path.cwd()
    if not any((here / name).is_file() for name in ("misstep.toml", "pyproject.toml")):
        return None
    from misstep.catalog import model_in

    return model_in(here, "judge")


def _with_objectives_beside(means: "Means", file: Path) -> "Means":
    """Where a trace file lies in a run folder, what success was in each scenario."""
    from misstep.core.errors import MisstepError
    from misstep.store.run_folder import open_run

    if means.objectives:
        return means
    try:
        scenarios = open_run(file.parent).scenarios
    except MisstepError:
        return means
    known: dict[str, Objective] = {each.name: each.objective for each in scenarios if each.objective is not None}
    return structs.replace(means, objectives=known)
