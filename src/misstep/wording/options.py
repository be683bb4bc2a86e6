"""A message → the options it lists: numbered, lettered or bulleted lines, lists in a row, or `A or B`."""

import re

from msgspec import Struct

from misstep.core.words import sentences
from misstep.wording.cues import cues
from misstep.wording.topics import actions_in

_LINE = re.compile(
    r"^\s*(?:\(?(?P<label>\d{1,2}|[A-Za-z])[.):]\)?|(?P<bullet>[-*•–])|option\s+(?P<tag>\w{1,2})[.:)]?)\s+(?P<text>.+)$",
    re.IGNORECASE,
)
_ROW = re.compile(r"(?:^|(?<=[\s,;:]))\(?(\d{1,2}|[a-hA-H])\)\s+")
_BETWEEN = re.compile(r"\s+/\s+|\s*,\s*(?:and |or )?|\s+(?:and|or)\s+|\s*;\s*", re.IGNORECASE)
_LEAD = re.compile(r"^[^(:]{0,80}: ")
_BRACKETS = re.compile(r"\([^()\n]{0,300}\)")
_AGAIN = re.compile(
    r"^(?:would|do|shall|should|may|can) (?:you|i|we) (?:rather |prefer |like |want )*(?:me |us )?(?:to )?",
    re.IGNORECASE,
)
_OR = re.compile(r"\bor\b|\s/\s", re.IGNORECASE)
_SUBJECT = r"(?:you|they|he|she|we|it|this|that|there|everything|all)"
_AUXILIARY = r"(?:have|has|had|did|do|does|are|were|was|is|will|can)"
_TWO_QUESTIONS = re.compile(
    rf"(?:^|[,;:!.] ){_AUXILIARY} {_SUBJECT}\b(?! (?:want|prefer|mean|like)\b)"
    rf"[^?]*\bor {_AUXILIARY} {_SUBJECT}\b[^?]+\?$",
    re.IGNORECASE,
)
_COUNT = re.compile(r"\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an|your|either|maybe|perhaps|to|by|with|via)\s+", re.IGNORECASE)


class Option(Struct, frozen=True):
    """One thing that can be chosen, as the agent showed it."""

    at: int
    """Its place, from 1."""
    text: str
    label: str = ""
    """The number or letter in front of it."""


class Listing(Struct, frozen=True):
    """A list in a message and what stands around it."""

    options: tuple[Option, ...]
    around: str


def listed(text: str) -> Listing | None:
    """The lines or `a) … b) …` of a list, two at least."""
    found: list[Option] = []
    around: list[str] = []
    level = 0
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if (match := _LINE.match(line)) and not (found and indent > level):
            level = indent
            label = match["label"] or match["tag"] or ""
            found.append(Option(len(found) + 1, match["text"].strip(), label))
        elif found and line.startswith(("  ", "\t")) and line.strip():
            last = found[-1]
            found[-1] = Option(last.at, f"{last.text}, {line.strip(' -*•–')}", last.label)
        else:
            around.append(line)
    if len(found) > 1:
        return Listing(tuple(found), "\n".join(around))
    return _row(text)


def _row(text: str) -> Listing | None:
    marks = list(_ROW.finditer(text))
    if len(marks) < 2:
        return None
    ends = [mark.start() for mark in marks[1:]]
    pieces = [text[mark.end() : end] for mark, end in zip(marks, ends, strict=False)]
    tail = text[marks[-1].end() :]
    rest = sentences(tail)
    options = [
        Option(at, piece.strip(" ,;.?\n"), mark.group(1))
        for at, (piece, mark) in enumerate(zip((*pieces, rest[0] if rest else ""), marks, strict=True), 1)
    ]
    after = tail[len(rest[0]) :] if rest else ""
    if rest and rest[0].endswith("?"):
        after = f"{after} which?"
    return Listing(tuple(options), text[: marks[0].start()] + "\n" + after)


_OFFERED = re.compile(
    r"^.*\b(?:able to|can) (?:offer|do|give|provide|propose|suggest)(?: you)?\s+(?=\S)", re.IGNORECASE
)
"""`For Saturday I am able to offer`: what stands before the first option belongs to all of them, or to none."""


def inline(before: str, question: str) -> tuple[Option, ...]:
    """`A, B and C. Which one?`, or `A or B?`: options in running text."""
    parts: list[str] = []
    if _OR.search(question) and not is_two_questions(question):
        parts = _pieces(question)
    if (
        len(parts) < 2
        and not before.endswith(("!", "?"))
        and cues().which.search(question)
        and cues().lists.search(before)
    ):
        parts = _pieces(before)
    return tuple(Option(at, part) for at, part in enumerate(parts, 1)) if len(parts) > 1 else ()


def is_two_questions(sentence: str) -> bool:
    """`Have you played before, or is it all new to you?`: clauses, each of its own, and nothing to pick."""
    return bool(_TWO_QUESTIONS.search(sentence))


def _pieces(sentence: str) -> list[str]:
    body = cues().head.sub("", sentence.strip(" ?.!"), count=1)
    asides = _BRACKETS.findall(body)
    pieces = iter(_BETWEEN.split(_BRACKETS.sub("\0", body)))
    told = iter(asides)
    whole = [re.sub("\0", lambda _: next(told), piece) for piece in pieces]
    verb = bool(whole) and whole[0].lower().startswith("to ") and not whole[-1].lower().startswith("to ")
    whole[:1] = [_OFFERED.sub("", each) for each in whole[:1]]
    parts = [_ARTICLE.sub("", _AGAIN.sub("", _LEAD.sub("", part).strip())) for part in whole]
    parts = _with_units([part for part in parts if part and len(part) <= 80])
    if verb and len(parts) > 1:
        parts[0] = parts[0].partition(" ")[2] or parts[0]
        return parts
    if parts and actions_in(parts[0]) and not any(actions_in(part) for part in parts[1:]):
        # `cancel now or in June`: the verb belongs to both, so that it speaks for neither.
        parts[0] = _behind_the_act(parts[0])
    return parts


def _with_units(parts: list[str]) -> list[str]:
    """`3, 6 or 12 months`: the unit belongs to all."""
    count, _, unit = parts[-1].partition(" ") if parts else ("", "", "")
    if not unit or not all(_COUNT.fullmatch(each) for each in (count, *parts[:-1])):
        return parts
    return [*(f"{part} {unit}" for part in parts[:-1]), parts[-1]]


def _behind_the_act(text: str) -> str:
    listed = text.split()
    at = next(at for at in range(1, len(listed) + 1) if actions_in(" ".join(listed[:at])))
    return " ".join(listed[at:]) or text
