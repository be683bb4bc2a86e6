"""What an instrumentation emits while a block runs → a file of OTLP, written by the official exporter or encoder.

JSON lines where the file's name says so, packed where it says that too, else protobuf. Nothing is changed but that
stack traces are left out, and folders of the machine within texts.
"""

import getpass
import gzip
import io
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

RESOURCE = Resource({"service.name": "shop-desk"})
_LARGEST = 75_000
_FOLDERS = re.compile(r'(File \\*")[^"]*/')


class Recording:
    """Where spans and log records go, for an instrumentation to be given."""

    def __init__(self) -> None:
        self.spans = InMemorySpanExporter()
        self.tracers = TracerProvider(resource=RESOURCE)
        self.tracers.add_span_processor(SimpleSpanProcessor(self.spans))
        self.logged = io.StringIO()
        self.loggers = None


@contextmanager
def recorded(path: Path, *, logs: bool = False) -> Iterator[Recording]:
    recording = Recording()
    if logs:
        _take_logs(recording)
    yield recording
    if ".jsonl" in path.suffixes:
        save_lines(path, _lines_of(recording))
    else:
        save(path, _protobuf_of(recording))


# The exporters are imported where they are used: old instrumentations live with SDKs that know only the one of them.
# ruff: noqa: PLC0415


def _take_logs(recording: Recording) -> None:
    from opentelemetry.exporter.otlp.json.file._log_exporter import FileLogExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor

    recording.loggers = LoggerProvider(resource=RESOURCE)
    recording.loggers.add_log_record_processor(SimpleLogRecordProcessor(FileLogExporter(stream=recording.logged)))


def _lines_of(recording: Recording) -> list[Any]:
    from opentelemetry.exporter.otlp.json.file import FileSpanExporter

    written = io.StringIO()
    FileSpanExporter(stream=written).export(recording.spans.get_finished_spans())
    return [json.loads(line) for line in (written.getvalue() + recording.logged.getvalue()).splitlines()]


def _protobuf_of(recording: Recording) -> bytes:
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

    encoded = encode_spans(recording.spans.get_finished_spans())
    scopes = (scope for resource in encoded.resource_spans for scope in resource.scope_spans)
    for event in (event for scope in scopes for span in scope.spans for event in span.events):
        kept = [each for each in event.attributes if not _is_stack(each.key)]
        del event.attributes[:]
        event.attributes.extend(kept)
    return encoded.SerializeToString()


def save_lines(path: Path, values: list[Any]) -> None:
    save(
        path,
        "".join(
            json.dumps(trimmed(value), ensure_ascii=False, separators=(",", ":")) + "\n" for value in values
        ).encode(),
    )


def save(path: Path, data: bytes) -> None:
    """Refuse what says where and by whom it was made, and what is too long to be read."""
    own = {str(Path.home()), str(Path.cwd()), socket.gethostname()} | {f"/{name}/" for name in ("tmp", "home", "root")}
    named = sorted(each for each in (*own, f'"{getpass.getuser()}"') if each.encode() in data)
    if named:
        raise SystemExit(f"{path} would name {named}.")
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    if not data or len(data) > _LARGEST:
        raise SystemExit(f"{path} would have {len(data)} bytes.")
    path.write_bytes(data)


def trimmed(value: Any) -> Any:
    if isinstance(value, list):
        return [trimmed(each) for each in value if not (isinstance(each, dict) and _is_stack(each.get("key")))]
    if isinstance(value, dict):
        return {key: trimmed(each) for key, each in value.items() if not _is_stack(key)}
    return _FOLDERS.sub(r"\1", value) if isinstance(value, str) else value


def _is_stack(key: object) -> bool:
    return isinstance(key, str) and key.lower().replace("_", "").endswith(("stacktrace", "traceback"))
