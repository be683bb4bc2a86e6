"""What a user wrote → quotes, clauses that want, ask or rule out, the acts they speak of, days, and yes or no."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Literal

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.words import Atom, as_number, atoms, content_stems, stem, words

_QUOTE = re.compile(
    r"“(?P<a>[^”]{1,4000})”|\"(?P<b>[^\"]{1,4000})\"|‘(?P<c>[^’]{1,4000})’(?!\w)"
    r"|(?<![\w'])'(?P<d>[^\s'](?:[^']|'(?=\w)){0,4000}?)'(?!\w)"
)
_VEIL = "¤"
_CUT = re.compile(
    r"\s{0,20}(?:;|,\s{0,20}(?:and|but|then|so|also)\b|\band\s{1,20}(?:then|also|please)\b|\b(?:and|then)\b(?=\s{1,20}(?:i|please|could|can|would"
    r"|tell|let|do|don't|never)\b)|\s{1,20}[—–]\s{1,20}|\bbut\b)\s{0,20}",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:don['’]t|do\s{1,20}not|never|without|avoid|not\s{1,20}to|except|other\s{1,20}than|rather\s{1,20}not|must(?:n't|\s{1,20}not)"
    r"|should(?:n't|\s{1,20}not)|not\s{1,20}want|leave\b.*\balone|no\s{1,20}(?=\w+s?\b(?!\s{1,20}than)))",
    re.IGNORECASE,
)
_IGNORANCE = re.compile(
    r"\b(?:(?:don|can|couldn|didn)['’]t|(?:do|can|could|did)\s{0,20}not)\s{1,20}"
    r"(?:have|know|remember|recall|see|find|think|understand|tell)\b|\bno\s{1,20}idea\b",
    re.IGNORECASE,
)
_NOT_MEANT = re.compile(
    r"\bif\s{1,20}(?:you|it)\s{1,20}(?:don|doesn)['’]t\s{1,20}mind\b|(?:['’](?:d|ve|s)|\bha(?:d|ve|s))\s{1,20}never\b|\bnever\s{1,20}mind\b"
    r"|\bno\s{1,20}(?:rush|hurry|problem|worries)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(?:at\s{1,20}most|no[t]?\s{1,20}more\s{1,20}than|under|below|less\s{1,20}than|up\s{1,20}to|max(?:imum)?(?:\s{1,20}of)?|cheaper\s{1,20}than"
    r"|no(?:t|thing)\s{1,20}(?:over|above)|within)\s{0,20}[€$£]?\s{0,20}(\d[\d.,]*)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\b(?:(?:could|can|would|will|might|may)\s{1,20}(?:you|i|we|it)|do\s{1,20}you\s{1,20}think|is\s{1,20}it\s{1,20}possible|is\s{1,20}there\s{1,20}(?:any|a)"
    r"\s{1,20}(?:chance|way)|any\s{1,20}chance|what\s{1,20}i(?:['’](?:m|d|ve)|\s{1,20}(?:am|was|would|want|need|have|hope|wish))\b)",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:tell\s{1,20}(?:me|us)|be(?:ing)?\s{1,20}told|inform(?:ed)?|(?:me|us|to)\s{1,20}know|find\s{1,20}out|look(?:ing)?\s{1,20}up|show\s{1,20}me"
    r"|curious|check\s{1,20}(?:if|whether|on|what|when|how|which|the|my)|advise\s{1,20}(?:me|us)|enquire"
    r"|ask(?:ing)?\s{1,20}(?:(?:you\s{1,20})?(?:about|what|when|where|which|who|how)\b|you\s{1,20}for)"
    r"|(?:like|want|need|wish|love|hoping|trying)\s{1,20}to\s{1,20}(?:know|see|check|learn|hear)|(?:get|read|bring)\s{1,20}(?:me|us)\s{1,20}the"
    r"|wonder(?:ing|ed)?\b(?!\s{1,20}(?:if|whether)\s{1,20}(?:you|i|we)\s{1,20}(?:could|can|would|might)))\b",
    re.IGNORECASE,
)
_OPENS_QUESTION = re.compile(
    r"^(?:(?:and|so|also|hi|hello|hey|good|well|right|now)\b[^,.!?]{0,16}?[,.!]?\s{1,20})*"
    r"(?:(?:what|when|where|which|who|whose|how|why|is|are|was|were|has|did|does)(?:['’]s)?\b|(?:do|have)\s{1,20}(?:you|i|we|they|any|the|my)\b)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|ok|okay|please\s{1,20}do|go\s{1,20}ahead|do\s{1,20}it|correct|right|exactly|absolutely|of\s{1,20}course|fine"
    r"|agreed|confirmed?|that(?:['’]s|\s{1,20}is)\s{1,20}(?:right|correct|fine|it|the\s{1,20}one)|sounds\s{1,20}good|proceed|perfect)\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^\W*(?:no|nope|stop|wait|don['’]t|do\s{1,20}not|not\b|never|wrong|cancel\s{1,20}that|neither|none)\b",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s{1,20}|\n+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class Quote(Struct, frozen=True):
    """A quoted passage: what stands between the marks, and where it starts and ends with them."""

    text: str
    start: int
    end: int


@once_per_text
def quotes(text: str) -> tuple[Quote, ...]:
    """The quoted passages of a text, in order."""
    return tuple(
        Quote(next(each for each in match.groups() if each is not None), match.start(), match.end())
        for match in _QUOTE.finditer(text)
    )


@once_per_text
def veiled(text: str) -> str:
    """The same text, as long as it was, with signs in place of what is quoted; nobody's own words stand there."""
    for quote in quotes(text):
        text = text[: quote.start] + _VEIL * (quote.end - quote.start) + text[quote.end :]
    return text


class Clause(Struct, frozen=True):
    """A part of a message that wants, asks or rules out one thing."""

    text: str
    kind: Literal["wants", "asks", "rules-out"]
    stems: tuple[str, ...]
    atoms: tuple[Atom, ...]
    limit: float | None = None
    acts: frozenset[str] = frozenset()
    """The stems of the verbs that mean one of the acts which it speaks of."""


@once_per_text
def clauses(text: str) -> tuple[Clause, ...]:
    """A message taken apart; what is quoted or stands in brackets is kept whole."""
    bare = veiled(text)
    for quote in quotes(text):  # The sentence around a quoted one can end with it.
        if quote.text[-1] in ".!?":
            bare = f"{bare[: quote.end - 1]}{quote.text[-1]}{bare[quote.end :]}"
    bare = _BRACKETS.sub(lambda match: _VEIL * len(match.group()), bare)
    parts = [text[start:end].strip() for first, last in _pieces(bare, _SENTENCE_END, 0, len(bare))
             for start, end in _pieces(bare, _CUT, first, last)]  # fmt: skip
    return tuple(_clause(part) for part in parts if words(part))


def _pieces(bare: str, cut: re.Pattern[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in cut.finditer(bare, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


@once_per_text
def _clause(text: str) -> Clause:
    limit = _LIMIT.search(text)
    own = _BRACKETS.sub(" ", veiled(text))
    said = tuple(content_stems(own))
    return Clause(
        text=text,
        kind="rules-out" if _rules_out(own) else "asks" if _asks(own) else "wants",
        stems=said,
        atoms=tuple(atoms(text)),
        limit=as_number(limit.group(1).rstrip(".,")) if limit else None,
        acts=_acts_in(text, frozenset(said)),
    )


def _asks(text: str) -> bool:
    """Whether somebody wants to know something. Many a question asks for something to be done."""
    asking = _OPENS_QUESTION.search(text.strip()) or puzzled(text)
    return bool(_TELLING.search(text) or (asking and not _REQUEST.search(text)))


def _rules_out(text: str) -> bool:
    """Whether a clause forbids something. That somebody does not know something forbids nothing."""
    return bool(_NEGATIVE.search(_NOT_MEANT.sub("", _IGNORANCE.sub("", text))))


def lacks(text: str) -> bool:
    """Whether somebody says that they do not have or know what they were asked for."""
    return bool(_IGNORANCE.search(text))


def puzzled(text: str) -> bool:
    """Whether somebody asks, instead of answering."""
    return text.rstrip().endswith("?")


def restricts(text: str) -> bool:
    """Whether a sentence limits how a request may be met."""
    return _rules_out(text) or bool(_LIMIT.search(text))


def agreement(text: str) -> bool | None:
    """Yes, no, or neither."""
    if _NO.search(text):
        return False
    return True if _YES.search(text) else None


@once_per_text
def as_date(text: str) -> str | None:
    """A date in one of the usual forms → ISO; None where the year or the sense is missing."""
    if match := re.search(r"(\d{4})-(\d\d)-(\d\d)", text):
        return match.group()
    if match := re.search(r"\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b", text):
        return _iso(int(match[3]), int(match[2]), int(match[1]))
    lowered = text.lower()
    month = next((n for n, name in enumerate(_MONTHS, 1) if re.search(rf"\b{name}", lowered)), None)
    year = re.search(r"\b(\d{4})\b", lowered)
    day = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", lowered)
    return _iso(int(year[1]), month, int(day[1])) if month and year and day else None


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


_ACTS = (
    "add create make insert enter register record|set up|put in|put down|write down",
    "write create save|put down",
    "change update amend edit modify alter correct adjust revise|bring up to date|put right",
    "replace overwrite rewrite redo",
    "delete remove erase drop scrap discard|get rid|do away|throw away|throw out|take off",
    "cancel stop abort scrap drop|call off",
    "close end terminate shut|shut down",
    "empty clear|clear out",
    "send dispatch|send out|send off|shoot over|fire off|get out|go out|get over",
    "post publish issue|put up|put out",
    "schedule arrange plan book|set up|put down|put in",
    "reserve book secure",
    "invite ask|ask along|bring in|bring along",
    "share|pass on|let see|give access",
    "forward|send on|pass on",
    "move shift transfer relocate reschedule|put off",
    "exchange swap switch trade replace",
    "complete finish|tick off|check off|cross off|mark done",
    "reply answer respond|write back|get back",
)
"""Everyday verbs that mean one act, and phrases for the same: what any tool could do, whatever it does it to."""


@cache
def _groups() -> tuple[tuple[frozenset[str], re.Pattern[str]], ...]:
    found: list[tuple[frozenset[str], re.Pattern[str]]] = []
    for line in _ACTS:
        single, *phrasal = line.split("|")
        spoken = [r"(?:\s{1,20}\S+){0,4}?\s{1,20}".join(_inflected(part) for part in each.split()) for each in phrasal]
        phrases = re.compile(rf"\b(?:{'|'.join(spoken) or '(?!)'})\b", re.IGNORECASE)
        found.append((frozenset(stem(word) for word in single.split()), phrases))
    return tuple(found)


def _inflected(word: str) -> str:
    irregular = {"get": "g[eo]t(?:ting|ten)?", "put": "put(?:ting)?", "send": "sen[dt](?:ing)?"}
    return irregular.get(word, rf"{word}\w{{0,4}}" if len(word) > 3 else word)


def _acts_in(text: str, said: frozenset[str]) -> frozenset[str]:
    named = [verbs for verbs, phrases in _groups() if verbs & said or phrases.search(text)]
    return said.union(*named)
