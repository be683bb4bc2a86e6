"""Every pattern, and all detectors together, on long and repeated texts: what grows faster than its text is named.

As tests/contracts/test_growth.py does it, with more texts from each pattern and longer ones. Exit 1: something grows.
"""

import argparse
import importlib
import sys
import time
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "sharing"))

from patterns_at_work import DULL, Known, excess, growth, modules, patterns_in, said, texts_for

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.trace import Origin, Trace
from misstep.detectors import detect_with_errors

_LONG = 8000


def _patterns(part: str, tries: int, seed: int, longest: int) -> int:
    slow = 0
    known = [each for name in modules() if part in name for each in patterns_in(importlib.import_module(name))]
    print(f"{len(known)} patterns")
    for each in known:
        for made in (*texts_for(each.pattern, tries, seed), *(("", piece, "") for piece in DULL)):
            times = excess(each, made, longest)
            if times is not None:
                slow += 1
                print(f"  {each.name} takes {times:.1f} times its share on {made!r}")
                break
    return slow


def _detectors(pieces: list[str]) -> int:
    slow, number = 0, count()
    print(f"all detectors on {len(pieces)} texts")

    def read(piece: str, length: int) -> object:
        text = said(("", piece, str(next(number))), length)  # none is read twice
        events = (
            Message(actor="user", role="user", text=f"Please cancel order A-1. {text}"),
            ToolCall(actor="agent", call_id="c1", tool="cancel_order", arguments={"id": "A-1", "note": text}),
            ToolResult(actor="cancel_order", call_id="c1", content={"error": "no", "note": text}, is_error=True),
            Message(actor="agent", role="agent", text=f"It is cancelled. {text}"),
        )
        return detect_with_errors(Trace(id="said", events=events, origin=Origin(failed=True)))

    read("a", 100)
    for piece in pieces:
        times = growth(lambda: read(piece, _LONG), lambda: read(piece, _LONG // 4), _LONG, little_s=0.1)  # noqa: B023
        if times is not None:
            slow += 1
            print(f"  {times:.1f} times its share on {piece!r}")
    return slow


def _words_of(known: Known) -> list[str]:
    return [f"{piece.strip()} " for _, piece, _ in texts_for(known.pattern, 1)[:2] if len(piece.strip()) > 3]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--only", default="", help="modules whose name holds this")
    options.add_argument("--tries", type=int, default=5, help="texts made from each pattern")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--longest", type=int, default=8192)
    chosen = options.parse_args()
    started = time.process_time()
    slow = _patterns(chosen.only, chosen.tries, chosen.seed, chosen.longest)
    if not chosen.only:
        heard = [
            each for name in modules() if ".detectors" in name for each in patterns_in(importlib.import_module(name))
        ]
        slow += _detectors([*DULL, *dict.fromkeys(piece for each in heard for piece in _words_of(each))])
    print(f"{slow} grow faster than their text; {time.process_time() - started:.0f} s of processor time")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
