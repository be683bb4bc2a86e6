"""Run N trials of the instant agent on W workers, detectors on and traces on disk; print seconds and memory as JSON."""

import json
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from misstep.simulation.running import Job, run

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from instant import scenario  # noqa: E402


def measured(trials: int, workers: int | None, out: Path) -> float:
    job = Job(agent="instant:agent", tools="instant:tools", scenarios=(scenario,), trials=trials)
    started = time.perf_counter()
    run(job, out, workers=workers)
    took_s = time.perf_counter() - started
    traces = sum(1 for _ in (out / "traces.jsonl").open("rb"))
    passed = sum(b'"outcome":"pass"' in line for line in (out / "verdicts.jsonl").open("rb"))
    if (traces, passed) != (trials, trials):
        raise SystemExit(f"Misstep's side did not do its job: {traces} traces, {passed} passes in {trials} trials")
    return took_s


def main() -> None:
    trials = int(sys.argv[1])
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else None
    os.chdir(HERE)
    with tempfile.TemporaryDirectory() as folder:
        measured(10, workers, Path(folder) / "warm-up")
        took_s = measured(trials, workers, Path(folder) / "measured")
    own, workers = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps({"trials": trials, "took_s": took_s, "parent_kb": own, "worker_kb": workers}))


if __name__ == "__main__":
    main()
