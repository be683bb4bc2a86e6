"""A message as an agent lays it out → plain lines and the labelled pairs among them: mark-up, tables and lists."""

import re

from msgspec import Struct

_MARKS = re.compile(r"\*\*|__|`+|^#{1,6} +|^>.*$|[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f]", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\s]{1,500}\)")
_BULLET = re.compile(r"^\s*(?:[-*•–+]|\(?\d{1,2}[.)]|\(?[a-zA-Z][.)])\s+")
_RULE = re.compile(r"^[\s|:=_*-]+$")
_PAIR = re.compile(r"^(?P<label>[^\W\d][\w /#'’-]{0,40}?)\s{0,20}(?::|=|\s[-–—]\s)\s{0,20}(?P<value>\S.*)$")


class Pair(Struct, frozen=True):
    """What stands behind a label."""

    label: str
    value: str


class Page(Struct, frozen=True):
    """A message without its mark-up."""

    lines: tuple[str, ...]
    pairs: tuple[Pair, ...]


def laid_out(message: str) -> Page:
    """Lines as they would be read aloud. A table's rows become items; its columns label what stands in them."""
    text = _LINK.sub(r"\1", _MARKS.sub("", message.replace("\r", "")).replace("’", "'"))
    lines: list[str] = []
    pairs: list[Pair] = []
    header: list[str] = []
    for line in text.split("\n"):
        if line.count("|") > 1:
            header = _row(line, header, lines, pairs)
            continue
        header = []
        if not line.strip() or _RULE.match(line):
            continue
        lines.append(line.rstrip())
        if match := _PAIR.match(_BULLET.sub("", line).strip()):
            pairs.append(Pair(match["label"], match["value"].strip()))
    return Page(tuple(lines), tuple(pairs))


def bare_item(line: str) -> str | None:
    """What an item of a list says, without its bullet; None for a line that is none."""
    match = _BULLET.match(line)
    return line[match.end() :].strip() if match else None


def _row(line: str, header: list[str], lines: list[str], pairs: list[Pair]) -> list[str]:
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if _RULE.match(line):
        return header
    if not header:
        if len(cells) == 2 and cells[0] and cells[1]:
            pairs.append(Pair(cells[0], cells[1]))  # a table without a head, or one whose head reads like a pair
        return cells
    if len(cells) == 2:
        pairs.append(Pair(cells[0], cells[1]))
        lines.append(f"- {cells[0]}: {cells[1]}")
        return header
    pairs.extend(Pair(name, cell) for name, cell in zip(header, cells, strict=False) if name and cell)
    lines.append("- " + ", ".join(cell for cell in cells if cell))
    return header
