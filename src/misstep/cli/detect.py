"""misstep detect: trace files → what the detectors find in them."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misstep.cli.exits import DONE, FAILED, UNDECIDED

_MOST_COMPLAINTS = 5
"""Of one file: a file that is no trace file would fill the screen."""

if TYPE_CHECKING:
    from misstep.core.finding import Finding
    from misstep.core.objective import Objective


def detect(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Trace files, or folders that hold some.")],
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write what was found there too.")] = None,
    fail_on: Annotated[
        str | None, typer.Option(metavar="MODE,…", help="Exit with 1 where one of these failure modes is found.")
    ] = None,
) -> int:
    """Name what went wrong in traces that are there already.

    Lines that cannot be read are passed over and named, and the exit code is 2.
    """
    from rich.console import Console

    from misstep.cli.findings_file import FindingsFile
    from misstep.core.trace import Trace
    from misstep.detectors import detect_with_errors
    from misstep.reporting.terminal import findings_table
    from misstep.store.trace_file import trace_files, traces_in

    fatal = _modes(fail_on)
    files = [file for path in paths for file in trace_files(path)]
    _demand_apart(json, files)
    found: list[Finding] = []
    traces, unread = 0, 0
    with FindingsFile(json) as output:
        for file in files:
            objectives = _objectives_beside(file)
            bad = 0
            for each in traces_in(file):
                if not isinstance(each, Trace):
                    bad += 1
                    if bad <= _MOST_COMPLAINTS:
                        typer.echo(f"{each.file}, line {each.line}: {each.because}", err=True)
                    continue
                traces += 1
                findings, errors = detect_with_errors(each, objectives.get(each.origin.scenario or ""))
                for error in errors:
                    typer.echo(f"{file}: the detector of {error.mode} broke on {each.id}: {error.error}", err=True)
                unread += bool(errors)
                found.extend(findings)
                output.add(file, each, findings)
            unread += bad
            if bad > _MOST_COMPLAINTS:
                typer.echo(
                    f"{file}: {bad - _MOST_COMPLAINTS} more lines could not be read. Is it a trace file?", err=True
                )
    Console().print(findings_table(found, traces=traces))
    if fatal & {finding.mode for finding in found}:
        return FAILED
    return UNDECIDED if unread or not traces else DONE


def _modes(fail_on: str | None) -> set[str]:
    from misstep import taxonomy
    from misstep.core.errors import UsageError, suggestion

    modes = {mode.strip() for mode in (fail_on or "").split(",") if mode.strip()}
    for mode in sorted(modes):
        if mode not in taxonomy.modes():
            raise UsageError(f"--fail-on: there is no failure mode {mode!r}.{suggestion(mode, taxonomy.modes())}")
    return modes


def _demand_apart(output: Path | None, inputs: "list[Path]") -> None:
    """What is read, or belongs to a run, must not be written over."""
    from misstep.core.errors import UsageError
    from misstep.store.run_folder import is_of_a_run

    if output is None:
        return
    if output.exists() and any(output.samefile(each) for each in inputs):
        raise UsageError(f"--json {output} is one of the files to be read. Choose another name for what is found.")
    if is_of_a_run(output):
        raise UsageError(f"--json {output} would take the place of a file of a run. Choose another name.")


def _objectives_beside(file: Path) -> "dict[str, Objective]":
    """Where a trace file lies in a run folder, what success was in each scenario."""
    from misstep.core.errors import MisstepError
    from misstep.store.run_folder import open_run

    try:
        scenarios = open_run(file.parent).scenarios
    except MisstepError:
        return {}
    return {scenario.name: scenario.objective for scenario in scenarios if scenario.objective is not None}
