"""A parameter and what the user said → its value, or nothing."""

import re
from collections.abc import Sequence
from functools import lru_cache

from misstep.agents.zoo.literals import literal_in, lone_number
from misstep.agents.zoo.offer import Parameter, unanchored
from misstep.agents.zoo.quoting import quotes, veiled
from misstep.agents.zoo.reading import as_date, twenty_four_hours
from misstep.agents.zoo.stating import Labels, Stated, stated
from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS, Atom, as_number, atoms, stem, words

_FRAME = re.compile(
    r"^\W*(?:(?:sure|ok|okay|yes|well|so|and|of course|certainly|right|hm+|oh|ah|here you (?:go|are)|no problem"
    r"|as i (?:said|told you)|again|let me see|hang on)\b[\s,.!:—–-]*)*"
    r"(?:(?:it|that|this|the|my|our)(?:\s+\w+){0,3}?(?:\s+(?:is|are|would\s+be|should\s+be)\b|'s\b|’s\b)\s*:?\s*|i(?:'m|\s+am)\s+)?",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:instead\s+of|rather\s+than|in\s+place\s+of|and\s+not)\s+(?:the\s+|a\s+|an\s+|my\s+)?\w+", re.IGNORECASE
)
_BECOMES = re.compile(r"\b(?:to|new|now|becomes?|into)\b(?:\s+\w+){0,2}\W*$", re.IGNORECASE)
_DIALLED = re.compile(r"\+\d[\d ()/-]{5,}\d")
_LONGEST_DAY = 24
_TEXT_LEAD = re.compile(
    r"\b(?:saying|that says|which says|reading|stating|because|since|as follows|(?<!\d):(?=\s))\s*(?:that\s+)?(.+)$",
    re.I | re.S,
)


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
    labels = labels or parameter.labels
    for text in reversed(texts):
        value = _in_one(text, parameter, tuple(avoiding), fresh, labels)
        if value is not None and value not in avoiding:
            return value
    return None


@lru_cache(maxsize=65536)
def _in_one(text: str, parameter: Parameter, avoiding: tuple[str, ...], fresh: bool, labels: Labels) -> JSON | None:
    value = stated_in([text], parameter, fresh=fresh, labels=labels)
    if value is not None:
        return value
    return _value_in(_without_others(text, parameter, labels, fresh=fresh), parameter, avoiding, fresh=fresh)


def stated_in(
    texts: Sequence[str],
    parameter: Parameter,
    *,
    fresh: bool,
    labels: Labels | None = None,
    avoiding: Sequence[JSON] = (),
) -> JSON | None:
    """A value that was given under the parameter's own name; the latest text first."""
    for text in reversed(texts):
        for value in _stated_values(text, parameter, fresh, labels):
            if value not in avoiding:
                return value
    return None


@lru_cache(maxsize=65536)
def _stated_values(text: str, parameter: Parameter, fresh: bool, labels: Labels | None) -> tuple[JSON, ...]:
    found = _in_order(statements_of(parameter, text, labels), fresh=fresh)
    values = [_read(one, text, parameter, fresh=fresh) for one in found]
    return tuple(value for value in values if value is not None)


def statements_of(parameter: Parameter, text: str, labels: Labels | None = None) -> list[Stated]:
    """What a text says under the parameter's name, or else under the last word of it."""
    every = stated(text, labels or parameter.labels)
    whole = [each for each in every if each.label == parameter.spoken]
    return whole or [each for each in every if each.label == parameter.spoken.split()[-1]]


def _in_order(found: Sequence[Stated], *, fresh: bool) -> list[Stated]:
    """For what is to be written: the new before the old. For what is looked up: the old, and the one named last."""
    if fresh:
        return [each for each in found if each.fresh] + [each for each in found if not each.fresh]
    return [each for each in reversed(found) if not each.fresh]


def _read(one: Stated, text: str, parameter: Parameter, *, fresh: bool) -> JSON | None:
    """The part of a stated value that has the parameter's form."""
    if parameter.dated:  # What breaks a sentence may stand in a day: `May 4, 2026`.
        return literal_in(text[one.start : one.end + _LONGEST_DAY], parameter)
    if parameter.is_free_text:
        return literal_in(one.value, parameter) or one.value
    if parameter.identifies and not parameter.pattern and not parameter.options:
        return lone_number(one.value, parameter)
    if parameter.kind in ("integer", "number"):
        numbers = [as_number(atom.text) for atom in atoms(one.value) if atom.kind == "number"]
        return _as_kind(numbers[0], parameter) if numbers else None
    return _value_in(one.value, parameter, (), fresh=fresh)


def _without_others(text: str, parameter: Parameter, labels: Labels, *, fresh: bool) -> str:
    """A text without what it says under other names, or of what something is to become where that is not meant."""
    own = {parameter.spoken, parameter.spoken.split()[-1]}

    def other(one: Stated) -> bool:
        if one.label in own:
            return one.fresh and not fresh
        return one.firm and (not parameter.identifies or one.label.endswith(f" {parameter.spoken}"))

    return blanked(text, [one for one in stated(text, labels) if other(one)])


def blanked(text: str, found: Sequence[Stated]) -> str:
    """A text with spaces in place of what it states."""
    for one in found:
        text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text


def _value_in(text: str, parameter: Parameter, avoiding: Sequence[str], *, fresh: bool = False) -> JSON | None:
    text = _INSTEAD.sub(" ", text) if fresh else text
    if parameter.options:
        return _option_in(veiled(text), parameter)
    if parameter.schema.get("format") in ("email", "date", "date-time"):
        return _formatted_in(text, parameter, fresh=fresh)
    if parameter.pattern is not None:
        return _pattern_in(text, parameter, avoiding)
    if parameter.kind in ("integer", "number") and not parameter.identifies:
        return _number_in(text, parameter)
    if parameter.kind == "boolean":
        return True if parameter.stems <= {stem(word) for word in words(text)} else None
    if parameter.kind == "string" and "number" in parameter.about and (dialled := _dialled_in(text, fresh=fresh)):
        return dialled
    return literal_in(text, parameter, avoiding)


def _dialled_in(text: str, *, fresh: bool) -> str | None:
    found = [(bool(_BECOMES.search(text[: match.start()])), match.group()) for match in _DIALLED.finditer(text)]
    found.sort(key=lambda pair: pair[0] != fresh)
    return found[0][1] if found and (fresh or not found[0][0]) else None


def value_from_answer(text: str, parameter: Parameter) -> JSON | None:
    """The value in an answer to a question about this very parameter."""
    value = None if parameter.is_free_text else value_in([text], parameter, fresh=True)
    if value is not None or parameter.options or parameter.pattern or parameter.schema.get("format"):
        return value
    if parameter.kind in ("integer", "number"):
        numbers = [as_number(atom.text) for atom in atoms(text) if atom.kind == "number"]
        return _as_kind(numbers[0], parameter) if numbers else None
    if parameter.kind != "string":
        return None
    quoted = quotes(text)
    rest = quoted[0].text if quoted else _FRAME.sub("", text, count=1).strip().rstrip(".!")
    return rest or None


def replacement_in(text: str) -> str:
    """The end of a text that says what something is to be replaced by: `… for X`, `… to Y`."""
    match = re.search(r"\b(?:for|to|with|into)\b(?!.*\b(?:for|to|with|into)\b).*$", text, re.IGNORECASE | re.DOTALL)
    return match.group() if match else ""


def composed(text: str, place: int = 0, of: int = 1, *, labels: Labels | None = None) -> str | None:
    """A free text that the user dictated: the quotes under no name, one for each of so many that are still open."""
    given = {each.value for each in stated(text, labels)} if labels else set[str]()
    quoted = [each.text for each in quotes(text) if each.text not in given]
    return quoted[place] if of == len(quoted) else quoted[-1] if quoted and of == 1 else None


def led_in(text: str) -> str | None:
    """A free text that follows a word or sign which leads one in: `saying that …`, `because …`."""
    match = _TEXT_LEAD.search(text.strip())
    return match.group(1).strip(" .!'\"“”") if match else None


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
    text = twenty_four_hours(text)
    found: list[tuple[int, str]] = []
    for match in pattern.finditer(text) if pattern else ():
        before = {stem(word) for word in words(text[: match.start()])[-4:]}
        if match.group() not in avoiding:
            found.append((len(before & parameter.stems), match.group()))
    return max(found, key=lambda pair: pair[0])[1] if found else None


def _number_in(text: str, parameter: Parameter) -> JSON | None:
    """A number next to a word of the parameter's name or description."""
    about = parameter.stems | parameter.about
    for atom in _plain_numbers(text):
        near = words(text[max(0, atom.start - 28) : atom.start])[-3:] + words(text[atom.start + len(atom.text) :])[:2]
        if any(stem(word) in about and word not in STOPWORDS for word in near):
            return _as_kind(as_number(atom.text), parameter)
    return None


def _plain_numbers(text: str) -> list[Atom]:
    """The numbers that are no part of something longer: of a number to dial, or of a time of day."""
    longer = [match.span() for match in re.finditer(rf"{_DIALLED.pattern}|\d{{1,2}}:\d\d", text)]
    return [
        atom
        for atom in atoms(text)
        if atom.kind == "number" and not any(start <= atom.start < end for start, end in longer)
    ]


def _formatted_in(text: str, parameter: Parameter, *, fresh: bool) -> str | None:
    if parameter.schema.get("format") != "email":
        return next((iso for atom in atoms(text) if atom.kind == "date" and (iso := as_date(atom.text))), None)
    found = [atom for atom in atoms(text) if atom.kind == "email"]
    becoming = [atom.text for atom in found if _BECOMES.search(text[max(0, atom.start - 24) : atom.start])]
    being = [atom.text for atom in found if atom.text not in becoming]
    wanted = becoming or being if fresh else being or becoming
    return wanted[0] if wanted else None


def _as_kind(number: float | None, parameter: Parameter) -> JSON | None:
    if number is None:
        return None
    return int(number) if parameter.kind == "integer" else number
