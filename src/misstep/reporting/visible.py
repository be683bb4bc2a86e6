"""Text from a trace → text that is safe to show: what cannot be seen, or would move the cursor, becomes an escape."""

import json
from typing import cast

from misstep.core.tool import JSON

_KEPT = frozenset("\n\t\u00a0\u2003\u2009\u202f\u3000\u200c\u200d")
"""Line ends and tabs, spaces of other widths, and the joiners without which some scripts and emoji fall apart."""

_DEEP, _HUGE = 40, 200_000
"""Past these, nobody reads it line by line."""


def visible(text: str) -> str:
    """The same text, with control, bidirectional and invisible characters spelled out."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character in _KEPT else escape(character)
        for character in text.replace("\r\n", "\n")
    )


def pieces(text: str) -> list[tuple[bool, str]]:
    """The text cut into runs: (was it spelled out, the run). Lets a page mark what is an escape and what was typed."""
    if text.isprintable():
        return [(False, text)]
    runs: list[tuple[bool, list[str]]] = []
    for character in text.replace("\r\n", "\n"):
        plain = character.isprintable() or character in _KEPT
        if not runs or runs[-1][0] == plain:
            runs.append((not plain, []))
        runs[-1][1].append(character if plain else escape(character))
    return [(escaped, "".join(run)) for escaped, run in runs]


def escape(character: str) -> str:
    """`\\x1b`, `\\u202e`, `\\U000e0041`."""
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def one_line(text: str, longest: int = 200) -> str:
    """A text for a table's cell: one line, visible, and no longer than it may be."""
    line = visible(" ".join(text[: longest * 4].split()))
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def json_text(value: JSON, *, width: int = 88) -> str:
    """A JSON value as a person reads it: a text bare, small things on one line, large ones indented."""
    if isinstance(value, str):
        return value
    try:
        return _laid_out(value, 0, width)
    except (RecursionError, TypeError, ValueError):
        return "(a value that is nested too deep to show)"


def _laid_out(value: JSON, indent: int, width: int) -> str:
    """What fits on the rest of a line stays on it; what does not is broken into its parts."""
    short = json.dumps(value, ensure_ascii=False)
    if len(short) + indent <= width or indent > _DEEP or len(short) > _HUGE:
        return short
    if isinstance(value, dict):
        fields = cast(dict[str, JSON], value).items()
        parts = [
            f"{json.dumps(name, ensure_ascii=False)}: {_laid_out(each, indent + 2, width)}" for name, each in fields
        ]
    elif isinstance(value, list):
        parts = [_laid_out(each, indent + 2, width) for each in cast(list[JSON], value)]
    else:
        return short
    inner = ",\n".join(" " * (indent + 2) + part for part in parts)
    return f"{short[0]}\n{inner}\n{' ' * indent}{short[-1]}"


def literal(value: JSON, longest: int = 40) -> str:
    """A JSON value as it stands in a call: texts in quotes, cut where it is too long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return "…"
    return text if len(text) <= longest else text[: longest - 1] + "…"
