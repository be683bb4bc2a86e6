"""What a program printed → whether it spells a text out, a letter a line or a letter an item of a list."""

import re

_NUMBER = r"(?:\d+\s*[:.)\]-]\s?)?"
_LINES = re.compile(rf"(?:^[^\S\n]{{0,20}}[-*•]?[^\S\n]{{0,20}}{_NUMBER}[^\W\d_][^\S\n]{{0,20}}\n){{6}}", re.MULTILINE)
_ITEMS = re.compile(r"""(?:['"][^\W\d_]['"],\s*){6}""")
_MOST = 20_000


def spells_out(text: str) -> bool:
    """Six letters in a row, each by itself; numbers in front of them may count along."""
    text = text[:_MOST]
    return _LINES.search(text) is not None or _ITEMS.search(text) is not None
