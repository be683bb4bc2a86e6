"""A text and a parameter whose form no pattern gives → the day, number, link or path that the text has for it."""

import re
from collections.abc import Sequence
from functools import lru_cache

from misstep.agents.zoo.offer import Parameter
from misstep.agents.zoo.quoting import veiled
from misstep.agents.zoo.reading import as_date, twenty_four_hours
from misstep.core.tool import JSON
from misstep.core.words import atoms, stem, words

_TIME = re.compile(r"\W*(?:at\s+|T)?(\d{2}:\d{2})")
_NUMBER = r"[A-Za-z]{0,3}-?\d[\w-]*"
_LONE = re.compile(rf"\W*({_NUMBER}|\w+)\W*")
_NAMED_SO = r"\w{0,5}(?:\s+(?:with\s+)?(?:the\s+)?(?:id|number|no\.?|nr\.?))?\s*[#:(]?\s*"
_ON_DISK = frozenset({"path", "file", "filenam", "folder"})
_PATH = re.compile(
    r"(?<![\w/:@.~-])(?:~?/[\w.-]+(?:/[\w.-]+)*/?|[\w-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{1,4})(?![\w@/-])"
)


def literal_in(text: str, parameter: Parameter, avoiding: Sequence[str] = ()) -> JSON | None:
    """What a person could only have copied, where it stands as such a thing stands."""
    if parameter.dated:
        return _moment_in(text, parameter)
    if parameter.identifies:
        return _numbered_in(veiled(text), parameter, avoiding)
    if parameter.kind != "string" or parameter.options:
        return None
    if "url" in parameter.stems:
        return next((atom.text.rstrip(".,;:?!") for atom in atoms(text) if atom.kind == "url"), None)
    if _ON_DISK & parameter.stems:
        return next((match.group().rstrip(".") for match in _PATH.finditer(veiled(text))), None)
    return None


def lone_number(text: str, parameter: Parameter) -> JSON | None:
    """The number or the one word that a stated value is."""
    match = _LONE.fullmatch(text) or re.match(rf"\W*({_NUMBER})\b", text)
    if match is None or as_date(text):
        return None
    return _as_kind(match.group(1), parameter)


def _as_kind(value: str, parameter: Parameter) -> JSON | None:
    if parameter.kind == "integer":
        return int(value) if value.isdigit() else None
    return value


def _numbered_in(text: str, parameter: Parameter, avoiding: Sequence[str]) -> JSON | None:
    """`transaction 7`, `the file with the id 10`."""
    for match in _named(tuple(sorted(parameter.nouns))).finditer(text):
        if match.group(1) not in avoiding and not as_date(match.group(1)):
            return _as_kind(match.group(1), parameter)
    return None


@lru_cache(maxsize=512)
def _named(nouns: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(re.escape(each) for each in nouns) or "(?!)"
    return re.compile(rf"\b(?:{either}){_NAMED_SO}({_NUMBER})(?![\w:.]*\d)", re.IGNORECASE)


def _moment_in(text: str, parameter: Parameter) -> str | None:
    """Of several days the one whose words are nearest to the parameter's own; the first where none is."""
    plain = twenty_four_hours(text)
    found: list[tuple[int, int, str]] = []
    for atom in atoms(plain):
        day = as_date(atom.text) if atom.kind == "date" else None
        if day is None:
            continue
        rest = plain[atom.start + len(atom.text) :]
        time = re.search(r"\d{2}:\d{2}", atom.text) or _TIME.match(rest)
        said = {stem(word) for word in words(plain[: atom.start])[-4:]}
        written = f"{day} {time.group(time.lastindex or 0)}" if time and parameter.to_the_minute else day
        found.append((len(said & parameter.stems), -atom.start, written))
    return max(found)[2] if found else None
