"""What a user wrote → clauses: what is wanted, asked or ruled out; and yes or no."""

import re
from datetime import date
from typing import Literal

from msgspec import Struct

from misstep.core.words import Atom, as_number, atoms, content_stems, sentences, words

_CUT = re.compile(
    r"\s*(?:;|,\s*(?:and|but|then|so|also)\b|\band\s+(?:then|also|please)\b|\b(?:and|then)\b(?=\s+(?:i|please|could|can|would"
    r"|tell|let|do|don't|never)\b)|\s+—\s+|\s+–\s+|\bbut\b)\s*",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:don't|do\s+not|never|without|avoid|no\s+need|not\s+to|except|other\s+than|rather\s+not|mustn't|must\s+not"
    r"|shouldn't|should\s+not|not\s+want|don’t|leave\b.*\balone|hands\s+off|stay\s+away|no\s+(?=\w+s?\b(?!\s+than)))",
    re.IGNORECASE,
)
_IGNORANCE = re.compile(
    r"\b(?:don't|do not|don’t|can't|cannot)\s+(?:have|know|remember|recall|see|find|think|understand)\b", re.I
)
_LIMIT = re.compile(
    r"\b(?:at\s+most|no\s+more\s+than|not\s+more\s+than|under|below|less\s+than|up\s+to|max(?:imum)?(?:\s+of)?|cheaper\s+than"
    r"|nothing\s+(?:over|above)|not\s+(?:over|above)|within)\s*[€$£]?\s*(\d[\d.,]*)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:(?:and|so|also|hi|hello|hey|good)\b[^,.!?]{0,16}?[,.!]?\s+)*(?:what|when|where|which|who|whose|how|why|is|are|was|were|has|have|did|does|do)\b"
    r"|\b(?:tell\s+me|let\s+me\s+know|i(?:'d|\s+would)?\s+(?:like|want|need)\s+to\s+(?:know|see|check|find\s+out)|wonder(?:ing)?"
    r"|check\s+(?:if|whether|on|what|when|how)|look\s+up|find\s+out|show\s+me|give\s+me\s+the|curious|(?:what|when|where|how|which|who|whose|why)\b.*\?$)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|ok|okay|please\s+do|go\s+ahead|do\s+it|correct|right|exactly|absolutely|of\s+course|fine|agreed"
    r"|confirmed?|that(?:'s|’s|\s+is)\s+(?:right|correct|fine|it|the\s+one)|sounds\s+good|proceed|indeed|perfect|great)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^\W*(?:no|nope|nah|stop|wait|don't|don’t|do\s+not|not\b|never|wrong|cancel\s+that|neither|none)\b", re.IGNORECASE
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class Clause(Struct, frozen=True):
    """A part of a message that wants, asks or rules out one thing."""

    text: str
    kind: Literal["wants", "asks", "rules-out"]
    stems: tuple[str, ...]
    atoms: tuple[Atom, ...]
    limit: float | None = None


def clauses(text: str) -> list[Clause]:
    """A message taken apart."""
    found: list[Clause] = []
    for sentence in sentences(text):
        found.extend(_clause(part) for part in _CUT.split(sentence) if words(part))
    return found


def _clause(text: str) -> Clause:
    limit = _LIMIT.search(text)
    kind = "rules-out" if rules_out(text) else "asks" if _ASKS.search(text.strip()) else "wants"
    return Clause(
        text=text,
        kind=kind,
        stems=tuple(content_stems(text)),
        atoms=tuple(atoms(text)),
        limit=as_number(limit.group(1).rstrip(".,")) if limit else None,
    )


def rules_out(text: str) -> bool:
    """Whether a clause forbids something. That somebody does not know something forbids nothing."""
    return bool(_NEGATIVE.search(_IGNORANCE.sub("", text)))


def lacks(text: str) -> bool:
    """Whether somebody says that they do not have or know what they were asked for."""
    return bool(_IGNORANCE.search(text)) or bool(re.search(r"\b(?:no idea|not sure|unsure)\b", text, re.IGNORECASE))


def puzzled(text: str) -> bool:
    """Whether somebody asks what a question meant, instead of answering it."""
    return text.rstrip().endswith("?")


def restricts(text: str) -> bool:
    """Whether a sentence limits how a request may be met."""
    return rules_out(text) or bool(_LIMIT.search(text))


def agreement(text: str) -> bool | None:
    """Yes, no, or neither."""
    if _NO.search(text):
        return False
    return True if _YES.search(text) else None


def as_date(text: str) -> str | None:
    """A date in one of the usual forms → ISO; None where the year or the sense is missing."""
    if match := re.search(r"(\d{4})-(\d\d)-(\d\d)", text):
        return match.group()
    lowered = text.lower()
    month = next((n for n, name in enumerate(_MONTHS, 1) if re.search(rf"\b{name}", lowered)), None)
    year = re.search(r"\b(\d{4})\b", lowered)
    day = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", lowered)
    if match := re.search(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b", lowered):
        return _iso(int(match[3]), int(match[2]), int(match[1]))
    return _iso(int(year[1]), month, int(day[1])) if month and year and day else None


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
