"""`python -m misstep.taxonomy.writing docs`: the pages of the failure modes, written anew."""

import sys
from pathlib import Path

from misstep.taxonomy.markdown import pages


def write(docs: Path) -> None:
    """Pages of modes that are no more go."""
    (docs / "modes").mkdir(parents=True, exist_ok=True)
    for stale in (docs / "modes").glob("*.md"):
        stale.unlink()
    for name, text in pages().items():
        (docs / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
