"""Examples of every dialect of transcripts, and files made on the spot."""

from collections.abc import Callable
from pathlib import Path

import pytest

from misstep.core.trace import Trace
from misstep.ingestion.ingesting import Ingestion, ingest
from misstep.ingestion.nouns import BadRecord

EXAMPLES = Path(__file__).parent / "examples"

Read = Callable[..., tuple[list[Trace], list[BadRecord], Ingestion]]


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """A file with these bytes."""

    def write(data: bytes | str, name: str = "file.json") -> Path:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write


@pytest.fixture(scope="session")
def read() -> Read:
    """What a file gives, an example by its name: its traces, what could not be read, and the rest."""

    def from_file(file: Path | str, dialect: str | None = None) -> tuple[list[Trace], list[BadRecord], Ingestion]:
        ingestion = ingest(EXAMPLES / file if isinstance(file, str) else file, dialect=dialect)
        found = list(ingestion)
        traces = [each for each in found if isinstance(each, Trace)]
        return traces, [each for each in found if isinstance(each, BadRecord)], ingestion

    return from_file
