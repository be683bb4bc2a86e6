"""Whatever is done to a file, reading it ends, raises nothing, and gives traces that can be written down."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from misstep.core.trace import Trace, decode_trace, encode_trace
from misstep.ingestion.ingesting import DIALECTS, ingest
from misstep.ingestion.nouns import BadRecord

EXAMPLES = Path(__file__).parent / "examples"
FILES = sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in (".json", ".jsonl", ".traj", ".eval"))
LOADED = sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in (".json", ".traj"))

bounded = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])

HOSTILE = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, -1, 2**63, 10**400, 1e308, -0.0, 1.5, "", "\x00", "é" * 50, "\u202e", "NaN", "[" * 300, "{}"]),
    st.text(max_size=20),
    st.lists(st.one_of(st.none(), st.integers(), st.text(max_size=5)), max_size=4),
    st.dictionaries(
        st.sampled_from(["type", "role", "content", "id", "text", "name"]), st.text(max_size=5), max_size=3
    ),
)


def survives(path: Path, dialect: str | None = None) -> None:
    for found in ingest(path, dialect=dialect):
        if isinstance(found, Trace):
            assert decode_trace(encode_trace(found)) == found
            times = [event.at_s for event in found.events]
            assert times == sorted(times)
            assert min(times, default=0) >= 0
        else:
            assert isinstance(found, BadRecord)
            assert found.place
            assert found.because


@pytest.mark.parametrize("name", FILES)
@bounded
@given(data=st.data())
def test_a_file_with_spoilt_bytes_is_read_as_far_as_it_goes(tmp_path: Path, name: str, data: st.DataObject) -> None:
    content = bytearray((EXAMPLES / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        replaced = data.draw(st.integers(0, 40))
        content[at : at + replaced] = data.draw(
            st.one_of(
                st.binary(max_size=12), st.sampled_from([b'"', b"{", b"]", b"\\", b"\x00", b"\n", b"\xff", b"1e999"])
            )
        )
    path = tmp_path / name
    path.write_bytes(content)
    survives(path)


@pytest.mark.parametrize("name", FILES)
@bounded
@given(share=st.floats(0, 1))
def test_a_file_that_breaks_off_is_read_as_far_as_it_goes(tmp_path: Path, name: str, share: float) -> None:
    content = (EXAMPLES / name).read_bytes()
    path = tmp_path / name
    path.write_bytes(content[: int(len(content) * share)])
    survives(path)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something could be put in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in places(each, (*path, key)))]


def with_put(value: Any, place: tuple[Any, ...], put: Any) -> Any:
    if not place:
        return put
    copy = value.copy()
    copy[place[0]] = with_put(value[place[0]], place[1:], put)
    return copy


@pytest.mark.parametrize("name", LOADED)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_nothing_in_a_record_is_relied_on_to_have_its_type(tmp_path: Path, name: str, data: st.DataObject) -> None:
    value = json.loads((EXAMPLES / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        value = with_put(value, data.draw(st.sampled_from(places(value))), data.draw(HOSTILE))
    path = tmp_path / name
    path.write_text(json.dumps(value), "utf-8")
    survives(path)
    survives(path, data.draw(st.sampled_from(DIALECTS)))


@pytest.mark.parametrize("dialect", DIALECTS)
@bounded
@given(
    value=st.recursive(
        HOSTILE, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=4), inner), max_leaves=12
    )
)
def test_any_json_at_all_is_either_read_or_refused(tmp_path: Path, dialect: str, value: Any) -> None:
    path = tmp_path / "any.json"
    path.write_text(json.dumps(value), "utf-8")
    survives(path, dialect)
    survives(path)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b'[{"role":"user","content":' + b"[" * 50_000 + b"]" * 50_000 + b"}]",
        b'{"messages":[' + b'{"role":"user","content":"' * 50_000,
        b'[{"m":"' * 50_000,
        b'["' + b"\\" * 500_001,
        b'{"role":"user","content":"\x00\x00"}\n' * 3,
        b"\x00" * 1_000_000,
        b"[" + b"1," * 300_000 + b"1]",
        b"{}" * 100_000,
        b"[]\n" * 10_000,
        b'[{"role":"user","content":"\\ud800"},{"role":"assistant","content":"\\udfff\\u0000"}]',
        b'[{"role":"user","content":"x","n":' + b"9" * 10_000 + b"}]",
        b'[{"role":"user","content":"x","timestamp":1e309},{"role":"user","content":"y","timestamp":-5}]',
        b"\x1f\x8b\x08\x00 no gzip at all",
        b"PK\x03\x04 no archive at all",
        b"\xff\xfe[\x00]\x00",
        b"\xef\xbb\xbf",
        b"",
    ],
    ids=lambda data: repr(data[:24]),
)
def test_monstrous_files_are_gone_through_quickly_and_without_harm(tmp_path: Path, data: bytes) -> None:
    for name in ("monster.json", "monster.jsonl"):
        path = tmp_path / name
        path.write_bytes(data)
        survives(path)


def deep(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


@pytest.mark.parametrize("levels", [50, 150, 600, 900, 5000])
def test_deeply_nested_arguments_and_results_do_not_harm_who_writes_them_down(tmp_path: Path, levels: int) -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": deep(levels)}}
    messages = [
        {"role": "user", "content": "Go."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": deep(levels)},
    ]
    path = tmp_path / "deep.json"
    path.write_text(json.dumps(messages), "utf-8")
    survives(path)
    blocks = f'[{{"role":"assistant","content":[{{"type":"tool_use","id":"c","name":"f","input":{deep(levels)}}}]}}]'
    path.write_text(blocks, "utf-8")
    survives(path)
