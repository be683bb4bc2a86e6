"""A parameter and what the user said → its value, or nothing."""

import re
from collections.abc import Sequence

from misstep.agents.zoo.offer import Parameter, unanchored
from misstep.agents.zoo.reading import as_date
from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS, as_number, atoms, stem, words

_LINK = r"(?:\s+(?:is|are|was|would\s+be|should\s+be|will\s+be|to|as|be|of)\b|'s|’s|\s*[:=])\s*(?:now\s+)?"
_SIMPLE_LINK = r"(?:\s+(?:is|are|would\s+be|should\s+be|to|as)\b|'s|’s|\s*[:=])?\s+"
_FRAME = re.compile(
    r"^\W*(?:(?:sure|ok|okay|yes|well|of course|certainly|right|hm+|oh|ah|here you (?:go|are)|no problem)\b"
    r"[\s,.!:—–-]*)*(?:(?:it|that|this|the|my|our)(?:\s+\w+){0,3}?(?:\s+(?:is|are|would\s+be|should\s+be)\b|'s\b|’s\b)\s*:?\s*|i(?:'m|\s+am)\s+)?",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\b(?:instead\s+of|rather\s+than|in\s+place\s+of|and\s+not)\s+(?:the\s+|a\s+|an\s+|my\s+)?\w+", re.IGNORECASE
)
_BECOMES = re.compile(r"\b(?:to|new|now|becomes?|into)\b(?:\s+\w+){0,2}\W*$", re.IGNORECASE)
_NUMBER = r"(?:\s+(?:number|no\.?|nr\.?))?"
_TEXT_LEAD = re.compile(
    r"\b(?:saying|that says|which says|reading|stating|because|since|as follows|:)\s*(?:that\s+)?(.+)$", re.I
)


def value_in(
    texts: Sequence[str], parameter: Parameter, *, avoiding: Sequence[str] = (), fresh: bool = False
) -> JSON | None:
    """A value that the words give a parameter without being asked for it; the latest text first.

    `fresh`: where several fit, the one that something is to become (`from a@b.c to d@e.f`), else the one that is.
    """
    for text in reversed(texts):
        value = _value_in(_INSTEAD.sub(" ", text) if fresh else text, parameter, avoiding, fresh=fresh)
        if value is not None:
            return value
    return None


def _value_in(text: str, parameter: Parameter, avoiding: Sequence[str], *, fresh: bool = False) -> JSON | None:
    if parameter.options:
        return _option_in(text, parameter)
    if parameter.schema.get("format") in ("email", "date", "date-time"):
        return _formatted_in(text, parameter, fresh=fresh)
    if parameter.pattern is not None:
        return _pattern_in(text, parameter, avoiding)
    if parameter.kind in ("integer", "number"):
        return _number_in(text, parameter)
    if parameter.kind == "boolean":
        return True if parameter.stems <= {stem(word) for word in words(text)} else None
    if parameter.kind != "string":
        return None
    return labelled(text, parameter)


def value_from_answer(text: str, parameter: Parameter) -> JSON | None:
    """The value in an answer to a question about this very parameter."""
    value = _value_in(text, parameter, ())
    if value is not None or parameter.options or parameter.pattern or parameter.schema.get("format"):
        return value
    if parameter.kind in ("integer", "number"):
        numbers = [as_number(atom.text) for atom in atoms(text) if atom.kind == "number"]
        return _as_kind(numbers[0], parameter) if numbers else None
    if parameter.kind != "string":
        return None
    quoted = [atom.text for atom in atoms(text) if atom.kind == "quoted"]
    rest = quoted[0] if quoted else _FRAME.sub("", text, count=1).strip().rstrip(".!")
    return rest or None


def labelled(text: str, parameter: Parameter) -> str | None:
    """What follows the parameter's own name: `my name is X`, `city: Y`."""
    label = r"[\s_-]+".join(rf"{re.escape(part)}\w*" for part in parameter.spoken.split()) + _NUMBER
    last = parameter.spoken.split()[-1]
    for spoken, link in ((label, _SIMPLE_LINK), (rf"{re.escape(last)}", _LINK)):
        if match := re.search(rf"\b{spoken}{link}(.+)", text, re.IGNORECASE):
            value = _until_break(match.group(1))
            if value and words(value) and not all(word in STOPWORDS for word in words(value)):
                return value
    return None


def replacement_in(text: str) -> str:
    """The end of a text that says what something is to be replaced by: `… for X`, `… to Y`."""
    match = re.search(r"\b(?:for|to|with|into)\b(?!.*\b(?:for|to|with|into)\b).*$", text, re.IGNORECASE | re.DOTALL)
    return match.group() if match else ""


def composed(text: str) -> str | None:
    """A free text that the user dictated."""
    quoted = [atom.text for atom in atoms(text) if atom.kind == "quoted"]
    if quoted:
        return quoted[-1]
    match = _TEXT_LEAD.search(text.strip())
    return match.group(1).strip(" .!'\"“”") if match else None


def _until_break(rest: str) -> str:
    if rest.lstrip().startswith(("“", '"')):
        return rest.lstrip()[1:].split("”")[0].split('"')[0]
    return re.split(
        r"[;!?]|\.(?:\s|$)|,\s+(?:and|but|my|the|please)\b|\s+and\s+(?:my|the|please|i)\b|,\s", rest, maxsplit=1
    )[0].strip()


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


def _number_in(text: str, parameter: Parameter) -> JSON | None:
    """A number next to a word of the parameter's name or description."""
    about = parameter.stems | parameter.about
    for atom in atoms(text):
        if atom.kind == "number":
            near = (
                words(text[max(0, atom.start - 28) : atom.start])[-3:] + words(text[atom.start + len(atom.text) :])[:2]
            )
            if any(stem(word) in about and word not in STOPWORDS for word in near):
                return _as_kind(as_number(atom.text), parameter)
    return None


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
