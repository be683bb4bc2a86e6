"""A text that lists things → the records in it: blocks of `Name: value` lines, as logs and listings have them."""

import re
from functools import lru_cache

from misstep.core.state import Record

_LINE = re.compile(r"[ \t]*([A-Za-z][A-Za-z0-9_ -]{0,30}?)[ \t]*:[ \t]++(\S(?:.*\S)?)[ \t]*")
_FEWEST_FIELDS = 2
_FEWEST = 2
_LONGEST = 100_000


@lru_cache(maxsize=1024)
def records_of_text(text: str) -> tuple[Record, ...]:
    """A new record begins where the first name comes again. Nothing where it is no list of such blocks."""
    found: list[dict[str, str]] = []
    for line in text.splitlines() if len(text) <= _LONGEST and ": " in text else ():
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        name, value = match[1].strip(), match[2].strip("'\"`")
        if not found or name == next(iter(found[0])):
            found.append({})
        found[-1].setdefault(name, value)
    whole = [each for each in found if len(each) >= _FEWEST_FIELDS]
    alike = len({tuple(each) for each in whole}) == 1
    return tuple(whole) if len(whole) >= _FEWEST and alike and len(whole) == len(found) else ()
