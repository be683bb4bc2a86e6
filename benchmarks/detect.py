"""Reading and detecting beside the bare JSON parse of the same files; growth with the length of a trace; memory.

The sides take turns on the same files, because other work on the machine slows both; the best turn of each counts.
Without arguments the real traces of MISSTEP_DATA (or ../shared/data) are read where they are there, and conversations
of `zoo:demo` in any case. Growth: one conversation repeated until the trace has so many events; time an event must not
grow. Memory: the peak of a process that looks at one trace, and at many of the same.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
from msgspec import structs

from misstep.core.event import Event, ToolCall, ToolResult
from misstep.core.trace import Trace, encode_trace
from misstep.detectors import detect
from misstep.diagnosis.examining import Examination, Examined, Means
from misstep.ingestion.ingesting import ingest

_ROOT = Path(__file__).resolve().parents[1]


def _best(job: Callable[[], int], turns: int) -> tuple[float, int]:
    """The shortest of some turns, in seconds, and what the job counted."""
    best, count = float("inf"), 0
    for _ in range(turns):
        started = time.perf_counter()
        count = job()
        best = min(best, time.perf_counter() - started)
    return best, count


def _parsed(files: Iterable[Path]) -> int:
    count = 0
    for file in files:
        lines = file.read_bytes().splitlines() if file.suffix == ".jsonl" else [file.read_bytes()]
        for line in lines:
            msgspec.json.decode(line)
            count += 1
    return count


def _read(files: Iterable[Path]) -> int:
    return sum(isinstance(each, Trace) for file in files for each in ingest(file))


def _detected(files: Iterable[Path]) -> int:
    count = 0
    for file in files:
        for each in ingest(file):
            if isinstance(each, Trace):
                detect(each)
                count += 1
    return count


def _examined(files: Iterable[Path]) -> int:
    return sum(isinstance(each, Examined) for file in files for each in Examination(file, Means()))


def _side_by_side(name: str, files: list[Path], turns: int) -> None:
    size = sum(file.stat().st_size for file in files) / 1e6
    floor, _ = _best(lambda: _parsed(files), turns)
    for what, job in (("read", _read), ("read + detect", _detected), ("all of `misstep detect`", _examined)):
        took, traces = _best(lambda job=job: job(files), turns)
        print(
            f"{name:22}{what:26}{size:8.1f} MB{traces:7} traces{size / took:8.1f} MB/s{traces / took:9.0f} traces/s"
            f"{took / floor:8.1f} x parse"
        )


def _demo(folder: Path) -> Path:
    """Conversations of the embedded agent, one trace a line."""
    command = [str(Path(sys.executable).with_name("misstep")), "run", "--agent", "zoo:demo", "--tools", "world:shop"]
    done = subprocess.run([*command, "--trials", "3", "--out", str(folder / "run")], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    return folder / "run" / "traces.jsonl"


def _lengthened(trace: Trace, events: int) -> Trace:
    """The same conversation again and again, with call ids and a mark of their own in each round."""
    made: list[Event] = []
    while len(made) < events:
        made += [_marked(event, len(made)) for event in trace.events]
    return structs.replace(trace, events=tuple(made[:events]))


def _marked(event: Event, turn: int) -> Event:
    if isinstance(event, ToolCall):
        return structs.replace(event, call_id=f"{event.call_id}-{turn}", arguments={**event.arguments, "n": turn})
    if isinstance(event, ToolResult):
        return structs.replace(event, call_id=f"{event.call_id}-{turn}")
    return event


def _growth(trace: Trace, sizes: Iterable[int]) -> None:
    floor = None
    for events in sizes:
        long = _lengthened(trace, events)
        took, _ = _best(lambda long=long: len(detect(long)), 1)
        each = took / events * 1e6
        floor = floor or each
        print(f"{events:>10,} events{took:9.2f} s{each:9.1f} µs an event{each / floor:7.2f} x the shortest")


def _peak(file: Path) -> float:
    """In MB, of a process that looks at all traces of a file."""
    code = "import sys, pathlib, benchmarks.detect as d; d._examined([pathlib.Path(sys.argv[1])]); print(d._own_peak())"
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True, env=environment
    )
    return float(done.stdout)


def _own_peak() -> float:
    """Of this process alone: what getrusage tells begins with the size of the process that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _memory(traces: Path, folder: Path) -> None:
    lines = [
        encode_trace(structs.replace(each, origin=structs.replace(each.origin, scenario=None))) + b"\n"
        for each in ingest(traces)
        if isinstance(each, Trace)
    ]
    longest = max(lines, key=len)
    for times in (1, 1_000, 10_000):
        file = folder / "many.jsonl"
        with file.open("wb") as out:
            for _ in range(times):
                out.write(longest)
        print(f"{times:>8,} traces, {file.stat().st_size / 1e6:7.1f} MB: {_peak(file):7.0f} MB at most")


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--longest", type=int, default=100_000)
    arguments = parser.parse_args()
    data = Path(os.environ.get("MISSTEP_DATA", _ROOT.parent / "shared" / "data"))
    sets = {path.name: [path] if path.is_file() else sorted(path.rglob("*.json")) for path in arguments.paths}
    if not sets and data.exists():
        sets = {
            "tau-airline": sorted(data.glob("tau-airline/*.json")),
            "TRAIL GAIA": sorted(data.glob("trail/gaia/traces/*.json")),
            "TRAIL SWE": sorted(data.glob("trail/swe-bench/traces/*.json")),
            "Who&When": sorted(data.glob("who-and-when/*/*.json")),
        }
    with tempfile.TemporaryDirectory() as scratch:
        demo = _demo(Path(scratch))
        for name, files in {**sets, "zoo:demo": [demo]}.items():
            _side_by_side(name, files, arguments.turns)
        longest = max((each for each in ingest(demo) if isinstance(each, Trace)), key=lambda each: len(each.events))
        sizes = [size for size in (1_000, 10_000, 100_000) if size <= arguments.longest]
        _growth(longest, sizes)
        _memory(demo, Path(scratch))


if __name__ == "__main__":
    _main()
