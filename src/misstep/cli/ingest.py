"""misstep ingest: foreign trace files → Misstep's own, and a report of what was lost on the way."""

# The heavy parts are imported when a command runs: `misstep --help` must not wait for them.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import Annotated

import typer

from misstep.cli.exits import DONE, UNDECIDED


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Trace files, or folders that hold some.")],
    dialect: Annotated[
        str | None,
        typer.Option("--as", metavar="DIALECT", help="What the files are.", show_default="told by their content"),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the traces there, one a line.")] = None,
) -> int:
    """Read other people's traces, and say what could not be read and what to switch on.

    What cannot be read is passed over and named, and the exit code is 2.
    """
    from rich.console import Console

    from misstep.cli.complaints import Complaints
    from misstep.cli.whole_file import WholeFile
    from misstep.core.errors import FormatError, UsageError
    from misstep.core.trace import encode_trace
    from misstep.ingestion.files import files_at
    from misstep.ingestion.ingesting import ingest as read
    from misstep.ingestion.nouns import BadRecord
    from misstep.reporting.ingested import Ingested, ingested_text

    files = [file for path in paths for file in files_at(path)]
    if out is not None and out.exists() and any(out.samefile(each) for each in files):
        raise UsageError(f"--out {out} is one of the files to be read. Choose another name.")
    ingested, complaints = Ingested(), Complaints()
    with WholeFile(out) as output:
        for file in files:
            before, ingestion = ingested.traces, read(file, dialect=dialect)
            for each in ingestion:
                if isinstance(each, BadRecord):
                    complaints.add(each)
                    continue
                try:
                    output.write(encode_trace(each) + b"\n")
                except FormatError as error:
                    complaints.add(BadRecord(file, each.id, str(error)))
                    continue
                ingested.add(each)
            complaints.finish(file, traces=ingested.traces - before)
            ingested.finish(ingestion.losses)
        complaints.end()
    Console().print(ingested_text(ingested, unread=complaints.count))
    return UNDECIDED if complaints.count or not ingested.traces else DONE
