"""What a user or the system says → the form that it wants an answer in, other than JSON, and whether one has it."""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from misstep.core.once import once_per_text
from misstep.core.words import sentences


class Form(NamedTuple):
    """A form that was asked for."""

    kind: str
    text: str
    header: str = ""
    """Of CSV: its first line, where it was given."""


BRIEF = frozenset({"yes or no", "number", "figure"})
"""What can be read however it is given: to say more is not to follow an instruction."""
_ANSWERS = r"(?:answer|reply|respond|return|output|give|list|write|show|print|produce|provide|send|format|put|tell)"
_ASKED = re.compile(
    rf"\b{_ANSWERS}\b[^.;!?\n]{{0,60}}?\b(?:in|as|with|using|only|just|by)\s+(?:(?:an?|the|valid|plain|strict|"
    r"well-formed|pure|simple|single|only|just)\s+)*(?P<kind>csv|xml|yaml|(?:markdown )?table|\"?yes\"? or \"?no\"?"
    r"|number|figure)\b(?! of| file| from| format of)",
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\b(?:only|just|nothing (?:but|else)|single|alone|no (?:other )?(?:text|words|explanation))\b", re.I
)
_HEADER = re.compile(r"\bheader(?: line| row)?:?\s+[\"'`“]?(?P<header>[\w-]+(?:[,;|\t] ?[\w-]+)+)", re.IGNORECASE)
_NOT_ASKED = re.compile(r"\b(?:not|never|don't|if|example|file|attach\w*|e-?mail|save|upload|import|export)\b", re.I)
_MARKED = re.compile(r"^[^\S\n]*(?:[-*•]\s|#{1,6} |\d+[.)]\s)|\*\*", re.MULTILINE)


@once_per_text
def form_wanted(text: str) -> Form | None:
    """The first form that a message asks for in so many words."""
    if not _ASKED.search(text):
        return None
    for sentence in sentences(text):
        match = _ASKED.search(sentence)
        if match is None or _NOT_ASKED.search(sentence):
            continue
        kind = match["kind"].lower().replace('"', "").removeprefix("markdown ")
        if kind in BRIEF and not _ONLY.search(text):
            continue
        header = _HEADER.search(sentence)
        return Form(kind, sentence, header["header"].strip() if header else "")
    return None


def departs_from(form: Form, answer: str) -> str:
    """What is wrong with the form of an answer, as the end of a sentence; empty where nothing is."""
    return "" if _CHECKS[form.kind](form, answer) else f"the answer is not {_NAMES[form.kind]}"


def _is_csv(form: Form, answer: str) -> bool:
    lines = [line.strip() for line in answer.replace("`", "").splitlines() if line.strip()]
    marks = [mark for mark in ",;\t|" if sum(mark in line for line in lines) * 2 > len(lines)]
    return (
        bool(marks) and not _MARKED.search(answer) and (not form.header or form.header.casefold() in answer.casefold())
    )


def _is_short(answer: str, form: str) -> bool:
    return re.fullmatch(form, answer.strip(" \n.!*`\"'"), re.IGNORECASE) is not None


_TAG = re.compile(r"<(/?)(\w[\w:-]*+)[^<>]*?(/?)>")


def _closes_a_tag(answer: str) -> bool:
    opened: set[str] = set()
    for closes, name, alone in _TAG.findall(answer):
        if alone or (closes and name in opened):
            return True
        if not closes:
            opened.add(name)
    return False


_CHECKS: Mapping[str, Callable[[Form, str], bool]] = {
    "csv": _is_csv,
    "xml": lambda _, answer: _closes_a_tag(answer),
    "yaml": lambda _, answer: re.search(r"^[^\S\n]*(?:- )?[\w\"'-]+:(?:\s|$)", answer, re.MULTILINE) is not None,
    "table": lambda _, answer: answer.count("|") > 2 or "\t" in answer or "<table" in answer or "  " in answer,
    "yes or no": lambda _, answer: _is_short(answer, r"yes|no"),
    "number": lambda _, answer: _is_short(answer, r"\S{0,4}\s?[-+]?\d[\d.,]*\s?\S{0,4}"),
    "figure": lambda _, answer: _is_short(answer, r"\S{0,4}\s?[-+]?\d[\d.,]*\s?\S{0,4}"),
}
_NAMES = {
    "csv": "the CSV that was asked for",
    "xml": "XML",
    "yaml": "YAML",
    "table": "a table",
    "yes or no": "a plain yes or no",
    "number": "a number alone",
    "figure": "a figure alone",
}
