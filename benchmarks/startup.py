"""What `misstep --help` costs beside a bare `import typer, rich`, as a ratio of medians of runs that take turns."""

import statistics
import subprocess
import sys
import time

TURNS = 15
BARE = [sys.executable, "-c", "import typer, rich"]
HELP = [sys.executable, "-c", "from misstep.cli import main; main()", "--help"]


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    seconds(BARE), seconds(HELP)
    turns = [(seconds(BARE), seconds(HELP)) for _ in range(TURNS)]
    bare = statistics.median(each for each, _ in turns)
    shown = statistics.median(each for _, each in turns)
    print(f"{'import typer, rich':22}{bare * 1000:>8.0f} ms")
    print(f"{'misstep --help':22}{shown * 1000:>8.0f} ms")
    print(f"ratio: {shown / bare:.2f}  (median of {TURNS} turns; the aim is 3 or less)")
    print("again: uv run python benchmarks/startup.py")


if __name__ == "__main__":
    main()
