"""What somebody says → how much may be read or shown at a time."""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from misstep.core.tool import JSON
from misstep.core.words import sentences

_READS = r"\b(?:read|print|analy[sz]e|scan|inspect|view|show|display|load|look|open|output|dump|fetch|examine)\w*\b"
_UNIT = r"(?P<unit>characters?|chars?|lines?)"
_HELPING = re.compile(
    rf"(?P<number>\d{{1,6}}) {_UNIT} (?:at a time|at once|per (?:read|step|call|print))"
    r"|\b(?:chunks?|pieces|parts|blocks) of (?:at most |up to |no more than )?"
    r"(?P<chunk>\d{1,6}) (?P<of>characters?|chars?|lines?)",
    re.IGNORECASE,
)


class Helping(Struct, frozen=True):
    """So many characters or lines at a time."""

    number: int
    unit: Literal["characters", "lines"]
    text: str
    """The sentence that says so."""

    def size(self, content: JSON) -> int:
        """Of something that was read, in the same unit; only text can be too long."""
        if not isinstance(content, str):
            return 0
        return len(content) if self.unit == "characters" else content.count("\n") + 1


# One of these is in all that the form matches, and is quickly looked for.
_SIGNS = ("at a time", "at once", "per read", "per step", "per call", "per print", "chunk", "pieces", "parts", "blocks")


@lru_cache(maxsize=256)
def helping(text: str) -> Helping | None:
    """The last limit that a text sets; none where it speaks of no reading."""
    low = text.lower()
    if not any(map(low.__contains__, _SIGNS)) or _HELPING.search(text) is None:
        return None
    found: Helping | None = None
    for sentence in sentences(text):
        match = _HELPING.search(sentence)
        if match is not None and re.search(_READS, sentence, re.IGNORECASE):
            unit = (match["unit"] or match["of"]).lower()
            number = int(match["number"] or match["chunk"])
            if number > 0:
                found = Helping(number, "lines" if unit.startswith("line") else "characters", sentence)
    return found
