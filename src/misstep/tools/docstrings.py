"""A function's docstring → its first paragraph and what it says of each parameter, in any of three styles."""

import inspect
import re

from msgspec import Struct

_REST = re.compile(
    r"^:(?:param|parameter|arg|argument|key|keyword)\s{1,20}(?:[^:]*\s)?\*{0,2}(\w+)\s{0,20}:\s{0,20}(.*)$"
)
_REST_FIELD = re.compile(r"^:\w")
_SECTION = re.compile(r"^(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters):?\s*$")
_OTHER_SECTION = re.compile(
    r"^(Returns?|Yields?|Raises|Examples?|Notes?|Warnings?|Warns|Attributes|See Also|References|Todo|Methods):?\s*$"
)
_UNDERLINE = re.compile(r"^\s*-{3,}\s*$")
_GOOGLE = re.compile(r"^\*{0,2}(\w+)\s{0,20}(?:\([^)]*\))?\s{0,20}:\s{0,20}(.*)$")
_NUMPY = re.compile(r"^(\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?$")


class Docstring(Struct, frozen=True):
    """What a docstring says of a function."""

    summary: str = ""
    parameters: dict[str, str] = {}


def read_docstring(text: str | None) -> Docstring:
    """Text that fits no style is all summary up to the first empty line."""
    lines = inspect.cleandoc(text or "").splitlines()
    return Docstring(_summary(lines), {**_sectioned(lines), **_rest(lines)})


def _summary(lines: list[str]) -> str:
    taken: list[str] = []
    for line in lines:
        if not line.strip() or _SECTION.match(line) or _OTHER_SECTION.match(line) or _REST_FIELD.match(line):
            break
        taken.append(line.strip())
    return " ".join(taken)


def _rest(lines: list[str]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in lines:
        if match := _REST.match(line.strip()):
            current = found.setdefault(match.group(1), [])
            current.append(match.group(2).strip())
        elif not line.startswith((" ", "\t")) or _REST_FIELD.match(line.strip()):
            current = None
        elif current is not None:
            current.append(line.strip())
    return _joined(found)


def _sectioned(lines: list[str]) -> dict[str, str]:
    """Google's and NumPy's styles: a headed section with an entry for each parameter."""
    found: dict[str, list[str]] = {}
    for at, line in enumerate(lines):
        if _SECTION.match(line):
            below = lines[at + 1 :]
            if below and _UNDERLINE.match(below[0]):
                _read_numpy(below[1:], found)
            else:
                _read_google(below, found)
    return _joined(found)


def _read_google(lines: list[str], found: dict[str, list[str]]) -> None:
    margin: int | None = None
    current: list[str] | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            continue
        if indent == 0:
            return
        margin = indent if margin is None else margin
        match = _GOOGLE.match(line.strip()) if indent <= margin else None
        if match:
            current = found.setdefault(match.group(1), [])
            current.append(match.group(2).strip())
        elif current is not None:
            current.append(line.strip())


def _read_numpy(lines: list[str], found: dict[str, list[str]]) -> None:
    current: list[list[str]] = []
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        if not line.startswith((" ", "\t")):
            match = _NUMPY.match(line.strip())
            if not match or (at + 1 < len(lines) and _UNDERLINE.match(lines[at + 1])):
                return
            names = [name.strip().lstrip("*") for name in match.group(1).split(",")]
            current = [found.setdefault(name, []) for name in names]
        else:
            for each in current:
                each.append(line.strip())


def _joined(found: dict[str, list[str]]) -> dict[str, str]:
    texts = {name: " ".join(part for part in parts if part) for name, parts in found.items()}
    return {name: text for name, text in texts.items() if text}
