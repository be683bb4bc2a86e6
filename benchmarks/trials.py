"""Trials a second beside Inspect AI's mock model doing the same, as a ratio; and memory as the trials grow.

Both sides do one tool call and one reply a trial, check the reply and keep the whole conversation on disk; Misstep's
detectors are on. The sides take turns, each in a process of its own; the best of the turns counts, imports do not.
Inspect AI comes into an environment of its own (uv fetches it: this benchmark needs the network the first time).
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
INSPECT = "inspect-ai==0.3.285"


def misstep_side(trials: int) -> dict[str, Any]:
    return _measured([sys.executable, str(HERE / "misstep_side.py"), str(trials)])


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
    best: dict[str, tuple[float, int]] = {}
    for turn in range(turns):
        for name, side, trials in (("Inspect AI", inspect_side, theirs), ("Misstep", misstep_side, ours)):
            rate = trials / side(trials)["took_s"]
            best[name] = (max(rate, best.get(name, (0.0, 0))[0]), trials)
            print(f"turn {turn + 1}: {name} {rate:,.0f} trials a second", file=sys.stderr)
    print(f"{'':12}{'trials':>10}{'a second':>12}")
    for name, (rate, trials) in best.items():
        print(f"{name:12}{trials:>10,}{rate:>12,.0f}")
    print(f"ratio: {best['Misstep'][0] / best['Inspect AI'][0]:.1f}  ({INSPECT}, mock model, log on disk)")


def memory(sizes: list[int]) -> None:
    print(f"{'trials':>10}{'seconds':>10}{'parent MB':>12}{'worker MB':>12}")
    for trials in sizes:
        seen = misstep_side(trials)
        print(f"{trials:>10,}{seen['took_s']:>10.1f}{seen['parent_kb'] / 1024:>12.0f}{seen['worker_kb'] / 1024:>12.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--ours", type=int, default=10_000, help="trials of Misstep in a turn")
    parser.add_argument("--theirs", type=int, default=500, help="trials of Inspect AI in a turn")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--memory", type=int, nargs="*", default=[1_000, 100_000], help="numbers of trials")
    options = parser.parse_args()
    if options.turns:
        speed(options.ours, options.theirs, options.turns)
    if options.memory:
        memory(options.memory)
    print(f"again: uv run python benchmarks/trials.py {' '.join(sys.argv[1:])}".rstrip())


if __name__ == "__main__":
    main()
