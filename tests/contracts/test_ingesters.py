"""Every dialect of transcripts keeps the contract: pure, deterministic, and every event knows its place in the file."""

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest

from misstep.core.event import ToolCall, ToolResult
from misstep.core.trace import Trace, decode_trace, encode_trace
from misstep.ingestion.ingesting import DIALECTS, TRANSCRIPTS, Transcript, ingest
from misstep.ingestion.losses import Losses
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.records import records

EXAMPLES = Path(__file__).parents[1] / "unit" / "ingestion" / "examples"
FILES = sorted(
    path
    for path in EXAMPLES.iterdir()
    if path.suffix in (".json", ".jsonl", ".traj", ".eval") and path.name != "inspect-packed.eval"  # takes zstandard
)

by_dialect = pytest.mark.parametrize("dialect", TRANSCRIPTS, ids=lambda dialect: dialect.NAME)
by_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)


def whole(path: Path) -> Iterator[Record]:
    """The records of an example that are conversations by themselves."""
    for record in records(path, lambda _: True):
        if isinstance(record, Record):
            yield record


@by_file
def test_every_example_is_read_without_a_complaint_by_a_dialect_that_is_listed(path: Path) -> None:
    ingestion = ingest(path)
    found = list(ingestion)
    assert found
    assert [each for each in found if isinstance(each, BadRecord)] == []
    assert ingestion.dialect in DIALECTS


def test_every_dialect_has_an_example_that_only_it_reads() -> None:
    read = {each.origin.dialect or "misstep" for path in FILES for each in ingest(path) if isinstance(each, Trace)}
    assert read == {dialect.NAME for dialect in TRANSCRIPTS}


@by_file
def test_the_same_file_gives_the_same_bytes(path: Path) -> None:
    first, second = ([encode_trace(each) for each in ingest(path) if isinstance(each, Trace)] for _ in range(2))
    assert first == second


@by_file
def test_a_trace_survives_being_written_down(path: Path) -> None:
    for trace in ingest(path):
        assert isinstance(trace, Trace)
        assert decode_trace(encode_trace(trace)) == trace


@by_file
def test_every_event_says_where_it_stands_and_who_did_it(path: Path) -> None:
    for trace in ingest(path):
        assert isinstance(trace, Trace)
        assert trace.id
        assert all(event.source is not None and event.actor for event in trace.events)


@by_file
def test_every_result_comes_after_a_call_with_an_id_of_its_own(path: Path) -> None:
    for trace in ingest(path):
        assert isinstance(trace, Trace)
        called: set[str] = set()
        for event in trace.events:
            if isinstance(event, ToolCall):
                assert event.call_id not in called
                called.add(event.call_id)
            elif isinstance(event, ToolResult):
                assert event.call_id in called


@by_dialect
@by_file
def test_a_dialect_changes_nothing_in_what_it_reads_nor_raises_on_another_ones(dialect: Transcript, path: Path) -> None:
    for record in whole(path) if path.suffix != ".eval" else ():
        before = copy.deepcopy(record.value)
        dialect.recognises(record.value)
        found = list(dialect.traces(record, path, Losses()))
        assert record.value == before
        assert all(isinstance(each, Trace | BadRecord) for each in found)


@by_dialect
@pytest.mark.parametrize(
    "value", [None, 0, "", [], {}, [[]], [None], {"messages": None}, {"messages": [None, 3]}], ids=str
)
def test_a_dialect_takes_nothing_for_its_own_that_says_nothing(dialect: Transcript, value: object) -> None:
    assert not dialect.recognises(value)
    found = list(dialect.traces(Record("line 1", value), Path("x.json"), Losses()))
    assert all(isinstance(each, BadRecord) for each in found)


@by_dialect
def test_what_is_empty_is_reported_with_its_place(dialect: Transcript) -> None:
    (bad,) = dialect.traces(Record("line 7", {}), Path("x.json"), Losses())
    assert isinstance(bad, BadRecord)
    assert bad.place.startswith("line 7")
