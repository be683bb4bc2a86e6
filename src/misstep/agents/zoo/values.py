"""A parameter and what the user said → its value, or nothing."""

import re
from collections.abc import Sequence
from functools import lru_cache

from misstep.agents.zoo.english import as_date, quotes, veiled
from misstep.agents.zoo.offer import Parameter, unanchored
from misstep.agents.zoo.stating import Labels, Stated, stated
from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS, as_number, atoms, stem, words

_BECOMES = re.compile(r"\b(?:to|new|now|becomes?|into)\b(?:\s+\w+){0,2}\W*$", re.IGNORECASE)
_REPLACEMENT = re.compile(r"\b(?:for|to|with|into)\b(?!.*\b(?:for|to|with|into)\b).*$", re.IGNORECASE | re.DOTALL)


def value_in(
    texts: Sequence[str],
    parameter: Parameter,
    *,
    avoiding: Sequence[str] = (),
    fresh: bool = False,
    labels: Labels | None = None,
) -> JSON | None:
    """A value that the words give a parameter without being asked for it; the latest text first.

    `fresh`: where several fit, the one that something is to become (`from a@b.c to d@e.f`), else the one that is.
    `labels`: the names under which values could be given; what is said under another name is no value for this one.
    """
    for text in reversed(texts):
        value = _in_one(text, parameter, tuple(avoiding), fresh, labels or parameter.labels)
        if value is not None and value not in avoiding:
            return value
    return None


@lru_cache(maxsize=65536)
def _in_one(text: str, parameter: Parameter, avoiding: tuple[str, ...], fresh: bool, labels: Labels) -> JSON | None:
    value = stated_in([text], parameter, fresh=fresh, labels=labels)
    if value is not None:
        return value
    own = {parameter.spoken, parameter.spoken.split()[-1]}

    def is_other(one: Stated) -> bool:
        """Said under another name, or of what something is to become where that is not meant."""
        if one.label in own:
            return one.fresh and not fresh
        return one.firm and (not parameter.identifies or one.label.endswith(f" {parameter.spoken}"))

    rest = blanked(text, [one for one in stated(text, labels) if is_other(one)])
    return _unnamed(rest, parameter, avoiding, fresh=fresh)


def stated_in(
    texts: Sequence[str], parameter: Parameter, *, fresh: bool, labels: Labels, avoiding: Sequence[JSON] = ()
) -> JSON | None:
    """A value that was given under the parameter's own name; the latest text first."""
    every = (value for text in reversed(texts) for value in _stated_values(text, parameter, fresh, labels))
    return next((value for value in every if value not in avoiding), None)


@lru_cache(maxsize=65536)
def _stated_values(text: str, parameter: Parameter, fresh: bool, labels: Labels) -> tuple[JSON, ...]:
    """For what is to be written: the new before the old. For what is looked up: the old, and the one named last."""
    found = statements_of(parameter, text, labels)
    older = [one for one in found if not one.fresh]
    ordered = [*(one for one in found if one.fresh), *older] if fresh else reversed(older)
    values = [_read(one, parameter, fresh=fresh) for one in ordered]
    return tuple(value for value in values if value is not None)


def statements_of(parameter: Parameter, text: str, labels: Labels) -> list[Stated]:
    """What a text says under the parameter's name, or else under the last word of it."""
    every = stated(text, labels)
    whole = [each for each in every if each.label == parameter.spoken]
    return whole or [each for each in every if each.label == parameter.spoken.split()[-1]]


def _read(one: Stated, parameter: Parameter, *, fresh: bool) -> JSON | None:
    """The part of a stated value that has the parameter's form."""
    if parameter.is_free_text:
        return one.value
    if parameter.kind in ("integer", "number"):
        return next((_as_kind(atom.text, parameter) for atom in atoms(one.value) if atom.kind == "number"), None)
    if parameter.identifies and not parameter.pattern and not parameter.options:
        return one.value.split()[0]
    return _unnamed(one.value, parameter, (), fresh=fresh)


def blanked(text: str, found: Sequence[Stated]) -> str:
    """A text with spaces in place of what it states."""
    for one in found:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def _unnamed(text: str, parameter: Parameter, avoiding: Sequence[str], *, fresh: bool = False) -> JSON | None:
    """What has the form of a parameter's values."""
    if parameter.options:
        return _option_in(veiled(text), parameter)
    if parameter.schema.get("format") == "email":
        return _email_in(text, fresh=fresh)
    if parameter.schema.get("format") in ("date", "date-time"):
        return next((iso for atom in atoms(text) if atom.kind == "date" and (iso := as_date(atom.text))), None)
    if parameter.pattern is not None:
        return _pattern_in(text, parameter, avoiding)
    if parameter.identifies:
        return _numbered_in(veiled(text), parameter, avoiding)
    if parameter.kind in ("integer", "number"):
        return _number_in(text, parameter)
    if parameter.kind == "boolean":
        return True if parameter.stems <= {stem(word) for word in words(text)} else None
    return None


def replacement_in(text: str) -> str:
    """The end of a text that says what something is to be replaced by: `… for X`, `… to Y`."""
    match = _REPLACEMENT.search(text)
    return match.group() if match else ""


def composed(text: str, place: int, of: int, labels: Labels) -> str | None:
    """A free text that the user dictated: the quotes under no name, one for each of so many that are still open."""
    given = {each.value for each in stated(text, labels)}
    quoted = [each.text for each in quotes(text) if each.text not in given]
    return quoted[place] if of == len(quoted) else quoted[-1] if quoted and of == 1 else None


def _option_in(text: str, parameter: Parameter) -> JSON | None:
    """The option named with most words; of several, the one named last."""
    said = [stem(word) for word in words(text)]
    best: tuple[int, int, str] | None = None
    for option in parameter.options:
        wanted = [stem(word) for word in words(option)]
        if wanted and all(word in said for word in wanted):
            place = max(at for at, word in enumerate(said) if word == wanted[-1])
            best = max(best or (0, 0, ""), (len(wanted), place, option))
    return best[2] if best else None


def _pattern_in(text: str, parameter: Parameter, avoiding: Sequence[str]) -> str | None:
    """The value of the right form that stands nearest to the parameter's own words; the first where none does."""
    pattern = unanchored(parameter.pattern or "")
    found: list[tuple[int, str]] = []
    for match in pattern.finditer(text) if pattern else ():
        before = {stem(word) for word in words(text[: match.start()])[-4:]}
        if match.group() not in avoiding:
            found.append((len(before & parameter.stems), match.group()))
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _numbered_in(text: str, parameter: Parameter, avoiding: Sequence[str]) -> JSON | None:
    """An identifier of no certain form, behind what it identifies: `transaction 7`, `the file with the id 10`."""
    nouns = "|".join(re.escape(each) for each in sorted(parameter.stems - {"id"})) or "(?!)"
    named = rf"\b(?:{nouns})\w{{0,5}}(?:\s+(?:with\s+)?(?:the\s+)?(?:id|number))?\s*[#:]?\s*([A-Za-z]{{0,3}}-?\d[\w-]*)"
    found = (match.group(1) for match in re.finditer(named, text, re.IGNORECASE))
    return next((_as_kind(value, parameter) for value in found if value not in avoiding), None)


def _number_in(text: str, parameter: Parameter) -> JSON | None:
    """A number next to a word of the parameter's name or description."""
    about = parameter.stems | parameter.about
    for atom in atoms(text):
        near = words(text[max(0, atom.start - 28) : atom.start])[-3:] + words(text[atom.start + len(atom.text) :])[:2]
        if atom.kind == "number" and any(stem(word) in about and word not in STOPWORDS for word in near):
            return _as_kind(atom.text, parameter)
    return None


def _email_in(text: str, *, fresh: bool) -> str | None:
    found = [atom for atom in atoms(text) if atom.kind == "email"]
    becoming = [atom.text for atom in found if _BECOMES.search(text[max(0, atom.start - 24) : atom.start])]
    being = [atom.text for atom in found if atom.text not in becoming]
    wanted = becoming or being if fresh else being or becoming
    return wanted[0] if wanted else None


def _as_kind(value: str, parameter: Parameter) -> JSON | None:
    if parameter.kind not in ("integer", "number"):
        return value
    number = as_number(value)
    return int(number) if parameter.kind == "integer" and number is not None else number
