"""How well failures are named in real traces that people labelled: a section for each public set, with intervals.

    uv run benchmarks/real_traces.py [trail] [who-and-when] [tau]

The sets are read in the folder that MISSTEP_DATA names (by default ../shared/data, beside this project).
"""

import os
import sys
from pathlib import Path

from real import tau, trail, who_and_when

_SECTIONS = {"trail": trail.section, "who-and-when": who_and_when.section, "tau": tau.section}
_FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"


def main() -> None:
    folder = Path(os.environ.get("MISSTEP_DATA") or _FOLDER)
    if not folder.is_dir():
        sys.exit(f"There is no folder {folder}. Set MISSTEP_DATA to the one that holds the labelled traces.")
    for name in sys.argv[1:] or _SECTIONS:
        print(_SECTIONS[name](folder), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
