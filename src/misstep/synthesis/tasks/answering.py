"""An answer → the things that it tells, each under a name: fields, pairs and lines of texts, members of lists."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import cast

import msgspec

from misstep.core.scenario import Scalar
from misstep.core.tool import JSON
from misstep.core.words import sentences, split_identifier
from misstep.synthesis.tasks.looks import LONGEST_SAID, in_words, is_code, is_name, is_sayable, noun_of
from misstep.synthesis.tasks.surveying import Leaf, leaves, text

Told = str | int | float

_PAIR = re.compile(
    r"(?:^|[,;] )\s{0,20}-?\s{0,20}([^\W\d][\w ]{1,30}): +([^,;\n]{1,60}?)\s{0,20}(?=$|[,;] )", re.MULTILINE
)
_CLAUSE = re.compile(r"[,;]\s+|\n")
_TAG = re.compile(r"\[[^\]]*\]\s*")
_BLOB = re.compile(r"[A-Za-z0-9+_=]{25,}")
_FLAGS = frozenset({"true", "false", "none", "null", "yes", "no"})
_FEWEST_WORDS = 2
_SHORTEST = 3
_MOST_LINES = 12
_LEADING = frozenset("for in of by from with to at on and".split())


def told_in(content: JSON, asked: Collection[str] = ()) -> dict[str, list[Told]]:
    """By dotted name, without parts that were asked with; what is the whole answer has no name."""
    content = unpacked(content)
    listed = list(leaves(content))
    lone = len(listed) == 1 or isinstance(content, (list, tuple))
    return _found(listed, asked, lone) or _found(listed, asked, lone, codes=True)


def unpacked(content: JSON) -> JSON:
    """What a text says that is nothing but JSON, also where it is the only thing in an object."""
    if isinstance(content, Mapping) and len(cast("Mapping[str, JSON]", content)) == 1:
        whole = cast("Mapping[str, JSON]", content)
        inner = next(iter(whole.values()))
        made = unpacked(inner) if isinstance(inner, str) else inner
        return whole if made is inner else made
    if not isinstance(content, str) or content[:1] not in ("{", "["):
        return cast("JSON", content)
    try:
        return cast("JSON", msgspec.json.decode(content))
    except (msgspec.DecodeError, RecursionError):
        return content


def said_in(content: JSON) -> str:
    """What an answer says, without the names of what says it: each text on a line of its own."""
    return "\n".join(text(value) for _, value in leaves(unpacked(content)) if not isinstance(value, bool))


def _found(listed: Sequence[Leaf], asked: Collection[str], lone: bool, *, codes: bool = False) -> dict[str, list[Told]]:
    """`codes`: also those, where there is nothing else."""
    found: dict[str, list[Told]] = {}
    for path, value in listed:
        name = ".".join(part for part in _parts(path, asked) if part not in asked) if not lone else ""
        for inner, piece in _told(value, codes=codes or lone):
            if inner in asked:  # What a message begins with, not what it tells.
                continue
            found.setdefault(f"{name}.{inner}".strip("."), []).append(piece)
    return found


def _parts(path: str, asked: Collection[str]) -> Sequence[str]:
    """A name that was asked with may have dots itself."""
    for each in asked:
        if each and path.startswith(each):
            return [each, *path[len(each) :].strip(".").split(".")]
    return path.split(".")


def _told(value: Scalar, *, codes: bool) -> list[tuple[str, Told]]:
    if isinstance(value, bool) or (isinstance(value, str) and _BLOB.fullmatch(value)):
        return []
    if is_sayable(value) and not (isinstance(value, str) and _PAIR.fullmatch(value)):
        return [("", value)]
    if codes and is_code(value):
        return [("", value)]
    return _in_text(value) if isinstance(value, str) else []


def _in_text(whole: str) -> list[tuple[str, Told]]:
    """What stands behind a colon; or short lines; or of a long text the sentence that tells most."""
    lines = lines_of(whole)
    pairs = [(label.strip(), said) for label, said in _PAIR.findall(whole) if said.lower() not in _FLAGS]
    if len(pairs) * 2 > len(lines):
        return [("_".join(label.split()), said) for label, said in pairs]
    if 1 <= len(lines) <= _MOST_LINES and "\n" in whole.strip():
        return [("", line) for line in lines]
    piece = piece_of(whole)
    return [("", piece)] if piece is not None else []


def lines_of(value: Scalar) -> list[str]:
    """Lines that people would repeat, without tags before them; none that only leads to the next."""
    lines = [_TAG.sub("", line.strip(), count=1) for line in text(value).splitlines()]
    lines = [found.group(2) if (found := _PAIR.fullmatch(line)) else line for line in lines]
    return [line for line in lines if _SHORTEST <= len(line) <= LONGEST_SAID and _says_something(line)]


def _says_something(line: str) -> bool:
    return not line.endswith(":") and any(each.isalnum() for each in line)


def piece_of(value: Scalar) -> str | None:
    """Of a text that is too long to be the answer, a sentence that must be in it."""
    if not isinstance(value, str) or len(value) <= LONGEST_SAID:
        return None
    for some in (sentences(value), _CLAUSE.split(value)):
        parts = [part for part in some if len(part.split()) >= _FEWEST_WORDS and len(part) <= LONGEST_SAID]
        if parts:
            return max(parts, key=len)
    return None


def is_list(content: JSON) -> bool:
    """Nothing but several values, of which each counts."""
    if isinstance(content, Mapping) and len(cast("Mapping[str, JSON]", content)) == 1:
        content = next(iter(cast("Mapping[str, JSON]", content).values()))
    if isinstance(content, str):
        return "\n" in content.strip() and not _PAIR.search(content)
    return isinstance(content, (list, tuple)) and not any(
        isinstance(each, Mapping) for each in cast("Sequence[JSON]", content)
    )


def subject_of(tool: str) -> str:
    """What a tool that looks gives, by its name: `get_price_for_rooms` → price, `rooms_by_price` → rooms."""
    named = split_identifier(tool.rpartition(".")[2])
    rest = named[1:] if len(named) > 1 and named[1] not in _LEADING else named
    rest = rest[1:] if rest[:1] == ["all"] and len(rest) > 1 else rest
    cut = next((at for at, word in enumerate(rest) if word in _LEADING and at), len(rest))
    return " ".join(rest[:cut]) or tool


def label_of(path: str, tool: str) -> str:
    """What people call a field of an answer: its own name, with that of the part that it is in."""
    parts = [part for part in path.split(".") if part]
    if not parts:
        return subject_of(tool)
    own = in_words(parts[-1])
    whole = noun_of(parts[-2]) if len(parts) > 1 else ""
    return f"{own} of the {whole}" if whole else own


def members_of(content: JSON) -> list[Mapping[str, JSON]]:
    """The records of an answer that is nothing but a list of them."""
    content = unpacked(content)
    if isinstance(content, Mapping) and len(cast("Mapping[str, JSON]", content)) == 1:
        content = next(iter(cast("Mapping[str, JSON]", content).values()))
    if not isinstance(content, (list, tuple)):
        return []
    listed = cast("Sequence[JSON]", content)
    return [cast("Mapping[str, JSON]", each) for each in listed if isinstance(each, Mapping)]


def names_of(members: Sequence[Mapping[str, JSON]], said: Collection[str]) -> list[tuple[Told, ...]]:
    """For each of several records what it can be called by: texts that no other one has, else any such value; nothing
    where one has none."""
    held = [[value for _, value in leaves(each) if not isinstance(value, bool)] for each in members]
    counts = Counter(text(value) for values in held for value in {text(each): each for each in values}.values())
    found: list[tuple[Told, ...]] = []
    for values in held:
        own = [value for value in values if counts[text(value)] == 1 and text(value) not in said]
        named = [value for value in own if is_name(value)] or [value for value in own if is_sayable(value)]
        found.append(tuple(dict.fromkeys(sorted(named, key=is_code))))
    return found if all(found) else []


def is_several(content: JSON, path: str) -> bool:
    """What stands under a name in an answer stands in several records, and not in one text or one list of words."""
    content = unpacked(content)
    return isinstance(content, Mapping) and [each for each, _ in leaves(cast("JSON", content))].count(path) > 1
