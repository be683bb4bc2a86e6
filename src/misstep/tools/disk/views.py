"""What is in a tree → the texts that file tools answer with: listings, trees, differences, facts."""

import difflib
import json
import posixpath
import re
from collections.abc import Iterator, Sequence

from misstep.core.tool import JSON
from misstep.tools.disk.globs import fits_glob
from misstep.tools.disk.tree import Tree

_WHEN = "2026-01-05T09:00:00.000Z"
"""Time stands still in a simulated tree."""


def listing(tree: Tree, path: str) -> str:
    return "\n".join(f"{_tag(tree, posixpath.join(path, name))} {name}" for name in tree.names(path))


def _tag(tree: Tree, path: str) -> str:
    return "[DIR]" if tree.is_folder(path) else "[FILE]"


def sized_listing(tree: Tree, path: str, *, by_size: bool) -> str:
    names = tree.names(path)
    sizes = {name: 0 if tree.is_folder(place := posixpath.join(path, name)) else tree.size(place) for name in names}
    folders = [name for name in names if tree.is_folder(posixpath.join(path, name))]
    if by_size:
        names = sorted(names, key=lambda name: -tree.size(posixpath.join(path, name)))
    lines = [
        f"{_tag(tree, posixpath.join(path, name))} {name.ljust(30)} "
        f"{'' if name in folders else human_size(sizes[name]).rjust(10)}"
        for name in names
    ]
    total = f"Total: {len(names) - len(folders)} files, {len(folders)} directories"
    return "\n".join([*lines, "", total, f"Combined size: {human_size(sum(sizes.values()))}"])


def human_size(size: int) -> str:
    amount, unit = float(size), "B"
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1024 or unit == "GB":
            break
        amount /= 1024
    return f"{size} B" if unit == "B" else f"{amount:.2f} {unit}"


def excluded(relative: str, patterns: Sequence[str], *, strict: bool = False) -> bool:
    """By its path from where the search began, or by a folder that it is in; if not strict, by a name anywhere."""
    above = relative.split("/")
    places = ["/".join(above[: count + 1]) for count in range(len(above))]
    return any(
        fits_glob(place, pattern) or (not strict and "*" not in pattern and fits_glob(place, f"**/{pattern}"))
        for pattern in patterns
        for place in places
    )


def tree_of(tree: Tree, path: str, exclude: Sequence[str] = (), *, top: str | None = None) -> list[JSON]:
    top = path if top is None else top
    entries: list[JSON] = []
    for name in tree.names(path):
        place = posixpath.join(path, name)
        if excluded(posixpath.relpath(place, top), exclude):
            continue
        entry: dict[str, JSON] = {"name": name, "type": "directory" if tree.is_folder(place) else "file"}
        if tree.is_folder(place):
            entry["children"] = tree_of(tree, place, exclude, top=top)
        entries.append(entry)
    return entries


def tree_text(tree: Tree, path: str, exclude: Sequence[str]) -> str:
    return json.dumps(tree_of(tree, path, exclude), indent=2, ensure_ascii=False)


def found(tree: Tree, path: str, pattern: str, exclude: Sequence[str], *, strict: bool) -> list[str]:
    """The paths under one whose way from it fits; if not strict, a pattern with no star is part of a name."""
    plain = not strict and not re.search(r"[*?\[{]", pattern)
    hits: list[str] = []
    for place in tree.walk(path):
        relative = posixpath.relpath(place, path)
        if excluded(relative, exclude, strict=strict):
            continue
        if fits_glob(relative, pattern) or (plain and pattern.lower() in posixpath.basename(place).lower()):
            hits.append(place)
    return hits


def lines_with(tree: Tree, path: str, pattern: str, exclude: Sequence[str]) -> list[str]:
    """`path:number:line` for each line that the expression is found in."""
    try:
        expression = re.compile(pattern)
    except re.error:
        expression = re.compile(re.escape(pattern))
    places = [path] if tree.is_file(path) else [each for each in tree.walk(path) if tree.is_file(each)]
    return [
        f"{place}:{number}:{line}"
        for place in places
        if not excluded(posixpath.relpath(place, path), exclude)
        for number, line in enumerate(tree.text_of(place).splitlines(), 1)
        if expression.search(line)
    ]


def facts(tree: Tree, path: str) -> dict[str, JSON]:
    folder = tree.is_folder(path)
    return {
        "size": tree.size(path),
        "created": _WHEN,
        "modified": _WHEN,
        "accessed": _WHEN,
        "isDirectory": folder,
        "isFile": not folder,
        "permissions": "755" if folder else "644",
    }


def facts_text(known: dict[str, JSON]) -> str:
    return "\n".join(
        f"{name}: {str(value).lower() if isinstance(value, bool) else value}" for name, value in known.items()
    )


def difference_text(path: str, before: str, after: str) -> str:
    """As git shows it, in a fence that the text does not close."""
    body = "".join(
        f"{line}\n" for line in [f"--- {path}", f"+++ {path}", *_hunks(before.split("\n"), after.split("\n"))]
    )
    fence = "```"
    while fence in body:
        fence += "`"
    return f"{fence}diff\n{body}{fence}\n\n"


def _hunks(before: list[str], after: list[str]) -> Iterator[str]:
    # Without the shortcut that takes a line which comes often for no line at all.
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(3):
        (_, first, _, start, _), (_, _, last, _, end) = group[0], group[-1]
        yield f"@@ -{first + 1},{last - first} +{start + 1},{end - start} @@"
        for kind, i, j, k, m in group:
            if kind == "equal":
                yield from (f" {line}" for line in before[i:j])
            else:
                yield from (f"-{line}" for line in before[i:j])
                yield from (f"+{line}" for line in after[k:m])


def edited(text: str, old: str, new: str) -> str | None:
    """The text with one passage replaced; where it is not there to the letter, its lines may be indented otherwise."""
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if old in text:
        return text.replace(old, new, 1)
    lines, wanted = text.split("\n"), [line.strip() for line in old.split("\n")]
    for at in range(len(lines) - len(wanted) + 1):
        here = lines[at : at + len(wanted)]
        if [line.strip() for line in here] == wanted:
            return "\n".join([*lines[:at], *_indented(here[0], old, new), *lines[at + len(wanted) :]])
    return None


def _indented(first: str, old: str, new: str) -> list[str]:
    """The new lines, moved by what the first old line was indented more in the file than in the request."""
    there, said = _indent(first), _indent(old.split("\n", maxsplit=1)[0])
    return [there + line[len(said) :] if line.startswith(said) else there + line.lstrip() for line in new.split("\n")]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


# Not the standard library's table: that one differs from machine to machine.
_MEDIA = {
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "bmp": "image/bmp", "svg": "image/svg+xml", "mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg",
    "flac": "audio/flac",
}  # fmt: skip


def media_type(path: str) -> str:
    return _MEDIA.get(path.rpartition(".")[2].lower(), "application/octet-stream")


def first_lines(text: str, count: int) -> str:
    return "\n".join(text.removesuffix("\n").split("\n")[: max(0, count)])


def last_lines(text: str, count: int) -> str:
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(lines[max(0, len(lines) - count) :]) if count > 0 else ""
