"""Lines of a message → the options that it gives to choose from: items of a list, a row of labels, or alternatives."""

import re
from collections.abc import Sequence

from msgspec import Struct

from misstep.core.words import sentences
from misstep.users.layout import bare_item

_LABEL = re.compile(r"^\s*(?:option\s+)?\(?(\d{1,2}|[A-Za-z])[.):]\s+", re.IGNORECASE)
_ROW = re.compile(r"(?:^|(?<=[\s,;:]))\(?(\d{1,2}|[a-hA-H])\)\s+")
_CHOICE = re.compile(
    r"\b(?:which|choose|choice|prefer|pick|select|options?|either|one of (?:the|these|them)|(?:do|did) you mean"
    r"|are you referring)\b",
    re.IGNORECASE,
)
_OR = re.compile(r"\s{0,20},\s{0,20}or\s+|\s{1,20}or\s+|\s{0,20}/\s{1,20}", re.IGNORECASE)
_COMMA = re.compile(r"\s{0,20},\s{0,20}")
_LEAD = re.compile(
    r"^.*?\b(?:prefer|like|want|choose|mean|meant|referring to|take|have|need|is it|was it|is that|between|either"
    r"|whether|shall (?:i|we)|should (?:i|we)|do (?:i|we))\s+(?:me to\s+|us to\s+|to\s+)?|^[^:]{0,80}:\s+",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\(([^()]{1,80}(?:,| or | / )[^()]{0,80}\bor\b[^()]{1,40}|[^()]{1,40} or [^()]{1,40})\)")
_LEADING = re.compile(r"^[^:;]{0,80}:\s+")
_RECORD = re.compile(r"[^\W\d][^\d:]{0,40}: ")
"""`Email: …`: a field of what was found, and nothing to choose."""
_ARTICLE = re.compile(r"^(?:(?:the|a|an|your|either|it|with|by|via|to|for)\s+)+", re.IGNORECASE)
_LONGEST = 90


class Option(Struct, frozen=True):
    """One thing that can be chosen, as the agent showed it."""

    text: str
    label: str = ""
    """The number or letter in front of it."""
    listed: bool = True
    """It stands in a list, and not in running text."""


def options_in(lines: Sequence[str], text: str) -> tuple[Option, ...]:
    """Two at least, or none."""
    if _CHOICE.search(text):
        found = _items(lines)
        labelled = [option for option in found if option.label]  # a record may stand before what is numbered
        found = labelled if len(labelled) > 1 else [option for option in found if not _RECORD.match(option.text)]
        if len(found) > 1:
            return tuple(found)
        if len(found := _in_a_row(text)) > 1:
            return tuple(found)
    if bracketed := _BRACKETED.findall(text):
        return tuple(_inline(f"{bracketed[-1]}?"))
    for sentence in reversed(sentences(text)):
        if _CHOICE.search(text) and sentence.count(";") and len(found := _apart(sentence)) > 1:
            return tuple(found)
        if sentence.endswith("?") and _OR.search(sentence) and len(found := _inline(sentence)) > 1:
            return tuple(found)
    return ()


def _items(lines: Sequence[str]) -> list[Option]:
    """Items of the outermost list; what stands indented below one belongs to it."""
    found: list[Option] = []
    level = -1
    for line in lines:
        indent = len(line) - len(line.lstrip())
        item = bare_item(line)
        if item is not None and (level < 0 or indent <= level):
            level = indent
            label = _LABEL.match(line)
            found.append(Option(item, label[1] if label else ""))
        elif found and indent > level >= 0:
            last = found[-1]
            found[-1] = Option(f"{last.text}, {line.strip(' -*•–')}", last.label)
    return found


def _in_a_row(text: str) -> list[Option]:
    marks = list(_ROW.finditer(text))
    if len(marks) < 2:
        return []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    pieces = [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    return [
        Option(re.split(r"[?\n]", piece)[0].strip(" ,;."), mark[1]) for piece, mark in zip(pieces, marks, strict=True)
    ]


def _apart(sentence: str) -> list[Option]:
    """`I see two: P4 (Olive, cat); P5 (Bruno, dog).`"""
    return [Option(part.strip(" .;")) for part in _LEADING.sub("", sentence).split(";") if part.strip(" .;")]


def _inline(question: str) -> list[Option]:
    body = _LEAD.sub("", question.strip(" ?."), count=1)
    first, *rest = _OR.split(body)
    parts = [*(_COMMA.split(first) if rest else [first]), *rest]
    texts = [_ARTICLE.sub("", part.strip()) for part in parts]
    return [Option(text, listed=False) for text in texts if text and len(text) <= _LONGEST]
