"""Trials a second beside Inspect AI's mock model doing the same, as a ratio; and memory as the trials grow.

Both sides do one tool call and one reply a trial, check the reply and keep the whole conversation on disk; Misstep's
detectors are on. Imports do not count, starting workers does. The sides take turns, each in a process of its own and
for some seconds, and are compared within each turn, because other work on the machine slows both; the median ratio
counts, the range is shown. Inspect AI runs in one process; Misstep is measured with one worker, and with one a core.
Inspect AI comes into an environment of its own (uv fetches it: this benchmark needs the network the first time).
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
INSPECT = "inspect-ai==0.3.285"


def misstep_side(trials: int, *workers: int) -> dict[str, Any]:
    return _measured([sys.executable, str(HERE / "misstep_side.py"), str(trials), *map(str, workers)])


def inspect_side(trials: int) -> dict[str, Any]:
    uv = shutil.which("uv")
    if uv is None:
        raise SystemExit("This benchmark needs uv on the path, to give Inspect AI an environment of its own.")
    prefix = [uv, "run", "--quiet", "--no-project", "--python", sys.executable, "--with", INSPECT]
    return _measured([*prefix, "python", str(HERE / "inspect_side.py"), str(trials)])


def _measured(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def speed(ours: int, theirs: int, turns: int) -> None:
    rates: dict[str, list[float]] = {"Inspect AI": [], "Misstep, 1 worker": [], "Misstep": []}
    for turn in range(turns):
        rates["Inspect AI"].append(theirs / inspect_side(theirs)["took_s"])
        rates["Misstep, 1 worker"].append(ours / misstep_side(ours, 1)["took_s"])
        rates["Misstep"].append(ours / misstep_side(ours)["took_s"])
        shown = ", ".join(f"{name} {each[-1]:,.0f}" for name, each in rates.items())
        print(f"turn {turn + 1}, trials a second: {shown}", file=sys.stderr)
    print(f"{'':20}{'a second':>10}{'ratio':>8}  range of {turns} turns")
    for name, each in rates.items():
        ratios = [one / other for one, other in zip(each, rates["Inspect AI"], strict=True)]
        spread = f"{min(ratios):.0f} to {max(ratios):.0f}"
        print(f"{name:20}{statistics.median(each):>10,.0f}{statistics.median(ratios):>8.1f}  {spread}")
    print(f"{INSPECT}, mock model, {theirs:,} trials a turn; Misstep {ours:,} trials a turn")


def memory(sizes: list[int]) -> None:
    print(f"{'trials':>10}{'seconds':>10}{'parent MB':>12}{'worker MB':>12}")
    for trials in sizes:
        seen = misstep_side(trials)
        print(f"{trials:>10,}{seen['took_s']:>10.1f}{seen['parent_kb'] / 1024:>12.0f}{seen['worker_kb'] / 1024:>12.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--ours", type=int, default=30_000, help="trials of Misstep in a turn")
    parser.add_argument("--theirs", type=int, default=500, help="trials of Inspect AI in a turn")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--memory", type=int, nargs="*", default=[1_000, 100_000], help="numbers of trials")
    options = parser.parse_args()
    if options.turns:
        speed(options.ours, options.theirs, options.turns)
    if options.memory:
        memory(options.memory)
    print(f"again: uv run python benchmarks/trials.py {' '.join(sys.argv[1:])}".rstrip())


if __name__ == "__main__":
    main()
