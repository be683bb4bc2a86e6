"""A file gives up its records one at a time, the sound ones whatever is wrong with the others."""

import gzip
import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from misstep.core.tool import JSON
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.records import BOUNDS, Bounds, records
from misstep.ingestion.splitting import Window

Written = Callable[..., Path]


def wanted(value: JSON) -> bool:
    return isinstance(value, dict) and "m" in value


def found(path: Path, bounds: Bounds = BOUNDS) -> list[tuple[str, JSON]]:
    """Each record by its place; None stands for one that could not be read."""
    return [(each.place, each.value if isinstance(each, Record) else None) for each in records(path, wanted, bounds)]


def test_a_list_is_read_item_by_item(written: Written) -> None:
    assert found(written('[{"m": 1}, {"m": 2}, "x", 3]')) == [
        ("item 1", {"m": 1}),
        ("item 2", {"m": 2}),
        ("item 3", "x"),
        ("item 4", 3),
    ]


def test_lines_are_read_one_by_one_whatever_the_file_is_called(written: Written) -> None:
    lines = '{"m": 1}\n\n{broken\n{"m": 3}\n'
    expected = [("line 1", {"m": 1}), ("line 3", None), ("line 4", {"m": 3})]
    assert found(written(lines, "x.jsonl")) == found(written(lines, "x.log")) == expected


def test_a_broken_first_line_does_not_hide_the_others(written: Written) -> None:
    assert found(written('{"m": 1, "x\n{"m": 2}\n', "x.log")) == [("line 1", None), ("line 2", {"m": 2})]


def test_an_object_is_one_record_however_it_is_spread(written: Written) -> None:
    assert found(written('{\n "m": [1,\n 2]\n}\n')) == [("", {"m": [1, 2]})]


def test_objects_that_follow_each_other_are_all_read(written: Written) -> None:
    assert found(written('{"m":\n1}\n{"m":\n2}')) == [("", {"m": 1}), ("item 2", {"m": 2})]


@pytest.mark.parametrize(
    ("broken", "rest"),
    [
        ('{"m": 2 "x"}', '{"m": 3}'),  # no comma
        ('{"m": "2}', '{"m": 3}'),  # an open text, which swallows what follows
        ('{"m": [2}', '{"m": 3}'),
        ('{"m": {"n": 2}', '{"m": 3}'),
    ],
)
def test_the_items_after_a_broken_one_are_read(written: Written, broken: str, rest: str) -> None:
    places = found(written(f'[{{"m": 1}}, {broken}, {rest}, {{"m": 4}}]'))
    assert places == [("item 1", {"m": 1}), ("item 2", None), ("item 3", {"m": 3}), ("item 4", {"m": 4})]


def test_a_list_that_breaks_off_gives_what_was_whole(written: Written) -> None:
    assert found(written('[{"m": 1}, {"m": 2}, {"m"')) == [
        ("item 1", {"m": 1}),
        ("item 2", {"m": 2}),
        ("item 3", None),
    ]


def test_of_a_broken_object_the_list_of_records_is_read(written: Written) -> None:
    data = '{"of": [1, 2], "runs": [{"m": 1}, {"m": }, {"m": 3}], "end": {}}'
    assert found(written(data)) == [("runs item 1", {"m": 1}), ("runs item 2", None), ("runs item 3", {"m": 3})]


def test_of_a_large_object_the_list_of_records_is_read_item_by_item(written: Written) -> None:
    many = [{"m": at, "text": "x" * 1000} for at in range(5000)]
    path = written(json.dumps({"about": {"k": "v"}, "others": [1, 2], "runs": many}))
    read = found(path, Bounds(whole=1000))
    assert read[:2] == [("runs item 1", many[0]), ("runs item 2", many[1])]
    assert [value for _, value in read] == many


def test_a_large_object_without_such_a_list_is_one_record(written: Written) -> None:
    value = {"a": ["x" * 2_000_000], "b": 1}
    assert found(written(json.dumps(value)), Bounds(whole=1000)) == [("", value)]


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_a_record_that_is_too_large_is_refused_and_the_next_one_read(written: Written, name: str) -> None:
    items = ['{"m": 1}', json.dumps({"m": "x" * 5_000_000}), '{"m": 3}']
    path = written("\n".join(items) if name.endswith("l") else f"[{', '.join(items)}]", name)
    read = list(records(path, wanted, Bounds(record=2_000_000)))
    assert [isinstance(each, Record) for each in read] == [True, False, True]
    assert isinstance(read[1], BadRecord)
    assert "larger than 2000000 bytes" in read[1].because


def test_a_packed_file_is_read_like_any_other(written: Written) -> None:
    assert found(written(gzip.compress(b'[{"m": 1}]'), "x.json.gz")) == [("item 1", {"m": 1})]
    assert found(written(gzip.compress(b'{"m": 1}\n{"m": 2}\n'), "x.jsonl.gz"))[1] == ("line 2", {"m": 2})


def test_a_packed_file_that_breaks_off_gives_what_came_before(written: Written) -> None:
    packed = gzip.compress(b"".join(b'{"m": %d}\n' % at for at in range(20_000)))
    read = found(written(packed[: len(packed) // 2], "x.jsonl.gz"))
    assert len(read) > 5_000
    assert read[0] == ("line 1", {"m": 0})
    assert read[-1][1] is None


def test_what_other_writers_let_through_is_mended(written: Written) -> None:
    data = b'[{"m": NaN}, {"m": "\\ud800!"}, {"m": "a\x01b"}, {"m": "\xff"}, {"m": 1e999}]'
    assert [value for _, value in found(written(data))] == [
        {"m": "nan"},
        {"m": "\ufffd!"},
        {"m": "a\x01b"},
        {"m": "\ufffd"},
        {"m": "inf"},
    ]


def test_a_file_that_is_no_json_says_what_it_begins_with(written: Written) -> None:
    (bad,) = records(written("Hello, world."), wanted)
    assert isinstance(bad, BadRecord)
    assert "Hello, world." in bad.because


def test_a_large_list_is_read_in_little_memory(written: Written) -> None:
    path = written("[" + ",\n ".join(json.dumps({"m": at, "t": "x" * 500}) for at in range(40_000)) + "]")
    assert path.stat().st_size > 20_000_000
    tracemalloc.start()
    count = sum(1 for _ in records(path, wanted))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 40_000
    assert peak < 18_000_000


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_values_are_found_wherever_the_chunks_end(size: int) -> None:
    class Trickling(io.BytesIO):
        def read(self, count: int | None = -1, /) -> bytes:
            return super().read(min(size, count or size))

    window = Window(Trickling(b' [1, "a]\\"b", {"k": [{}, "}"]}, tru'))
    window.peek()
    window.step()
    values: list[bytes | None] = []
    while window.peek():
        values.append(value := window.value())
        window.at += len(value or b"")
    assert values == [b"1", b'"a]\\"b"', b'{"k": [{}, "}"]}', b"tru"]
