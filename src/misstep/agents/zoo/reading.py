"""What a user wrote → clauses: what is wanted, asked or ruled out; and yes or no."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Literal

from msgspec import Struct

from misstep.agents.zoo.quoting import veiled
from misstep.core.once import once_per_text
from misstep.core.words import Atom, as_number, atoms, content_stems, words

_CUT = re.compile(
    r"\s{0,20}(?:;|,\s{0,20}(?:and|but|then|so|also)\b|\band\s+(?:then|also|please)\b|\b(?:and|then)\b(?=\s{1,20}(?:i|please|could|can|would"
    r"|tell|let|do|don't|never)\b)|\s{1,20}—\s{1,20}|\s{1,20}–\s{1,20}|\bbut\b)\s{0,20}",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:don't|do\s+not|never|without|avoid|no\s+need|not\s+to|except|other\s+than|rather\s+not|mustn't|must\s+not"
    r"|shouldn't|should\s+not|not\s+want|don’t|leave\b.*\balone|hands\s+off|stay\s+away|no\s+(?=\w+s?\b(?!\s+than)))",
    re.IGNORECASE,
)
_IGNORANCE = re.compile(
    r"\b(?:don't|do not|don’t|can't|cannot|can’t|couldn't|couldn’t|could not|didn't|didn’t|did not)\s+"
    r"(?:have|know|remember|recall|see|find|think|understand|tell|follow|work\s+out|get)\b",
    re.I,
)
_NOT_MEANT = re.compile(
    r"\b(?:if|that|hope)\s+(?:you|it|that)\s+(?:don't|don’t|do\s+not|doesn't|doesn’t)\s+mind\b"
    r"|(?:['’](?:d|ve|s)|\b(?:had|have|has))\s+never\b|\bnever\s+(?:mind|got|did)\b|\bno\s+(?:rush|hurry|problem|worries|idea)\b",
    re.I,
)
_LIMIT = re.compile(
    r"\b(?:at\s+most|no\s+more\s+than|not\s+more\s+than|under|below|less\s+than|up\s+to|max(?:imum)?(?:\s{1,20}of)?|cheaper\s+than"
    r"|nothing\s+(?:over|above)|not\s+(?:over|above)|within)\s{0,20}[€$£]?\s{0,20}(\d[\d.,]*)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"\b(?:(?:could|can|would|will|might|may)\s+(?:you|i|we|it)|do\s+you\s+think|is\s+it\s+possible|is\s+there\s+(?:any|a)\s+(?:chance|way)"
    r"|any\s+chance|any\s+way|what\s+i(?:['’](?:m|d|ve)|\s+(?:am|was|would|want|need|have|hope|wish))\b)",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:tell\s+(?:me|us)|be(?:ing)?\s+told|inform(?:ed)?|remind\s+me|(?:me|us|to)\s+know|find\s+out|look\s+up|show\s+me|read\s+me|give\s+me\s+the|curious"
    r"|check\s+(?:if|whether|on|what|when|how|which)|ask(?:ing)?\s+(?:you\s+(?:for|about)|about|(?:you\s+)?(?:what|when|where|which|who|how)\b)"
    r"|(?:like|want|need|wish|love|hoping|trying)\s+to\s+(?:know|see|check|learn|hear)"
    r"|(?:get|read|bring)\s+(?:me|us)\s+(?:the|my)|check\s+(?:the|my|up)|look(?:ing)?\s+up|advise\s+(?:me|us)|enquire|need\s+the\s+(?:[\w'’-]+\s+){1,4}?(?:of|for)"
    r"|wonder(?:ing|ed)?\b(?!\s+(?:if|whether)\s+(?:you|i|we)\s+(?:could|can|would|might)))\b",
    re.IGNORECASE,
)
_CHATS = re.compile(
    r"^\W*(?:i\s+(?:do\s+)?(?:trust|hope|apologi[sz]e|look\s+forward|regret)|i\s+was\s+unable|thank|thanks|sorry|(?:with\s+)?kind\s+regards"
    r"|have\s+a\s+\w+|i(?:['’]m|\s+am)\s+sure)\b(?!\s+to\b)(?!.*\b(?:if|that)\s+(?:you|i)\b)",
    re.IGNORECASE,
)
_OPENS_QUESTION = re.compile(
    r"^(?:(?:and|so|also|hi|hello|hey|good|well|right|now)\b[^,.!?]{0,16}?[,.!]?\s{1,20}){0,3}"
    r"(?:(?:what|when|where|which|who|whose|how|why|is|are|was|were|has|did|does)(?:['’]s)?\b|(?:do|have)\s{1,20}(?:you|i|we|they|any|the|my)\b)",
    re.IGNORECASE,
)
_BARE_QUESTION = re.compile(
    r"^(?:question:\s*)?(?:the|my)\s+(?:[\w'’-]+\s+){1,4}?(?:of|for)\s+(?!.*\b(?:is|are|has|have|needs?|should|must|can|to\s+be)\b)",
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
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")
_NOWHERE = re.compile(r"(?!)")
_COMMA = re.compile(r",\s{1,20}(?:but\s+)?|\s{1,20}[-—–]\s{1,20}|\s{1,20}but\s+")
_STATES = re.compile(r"\d|[@:=“\"]|\b(?:is|are|was|were)\b|['’]s\b")
_WRITING = re.compile(
    r"\b(?:i\s+am|i['’]m|i\s+was)\s+(?:writing|getting\s+in\s+touch|contacting\s+you)\b"
    r"(?:\s+(?:to\s+you\s+)?(?:with\s+regard\s+to|in\s+order\s+to|about|to|because))?|^\W*dear\s+[^,]*,",
    re.IGNORECASE,
)
_IRREGULAR = {
    "sent": "send", "made": "make", "written": "write", "wrote": "write", "given": "give", "gave": "give",
    "taken": "take", "took": "take", "paid": "pay", "found": "find", "shown": "show", "ran": "run", "told": "tell",
    "kept": "keep", "left": "leave", "chosen": "choose", "brought": "bring", "bought": "buy", "sold": "sell",
    "lost": "lose", "drawn": "draw", "held": "hold", "built": "build", "began": "begin", "begun": "begin",
}  # fmt: skip
_CLOCK = re.compile(r"(?<![\d:.])(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?\s*(?P<half>[ap])\.?m\b\.?", re.I)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class Clause(Struct, frozen=True):
    """A part of a message that wants, asks or rules out one thing."""

    text: str
    kind: Literal["wants", "asks", "rules-out", "chats"]
    stems: tuple[str, ...]
    atoms: tuple[Atom, ...]
    limit: float | None = None


def clauses(text: str) -> list[Clause]:
    """A message taken apart; what is quoted or stands in brackets is kept whole."""
    return [_clause(part) for part in _parts(text, _CUT) if words(part)]


def _parts(text: str, cut: re.Pattern[str]) -> list[str]:
    bare = _BRACKETS.sub(lambda match: "¤" * len(match.group()), veiled(text, ends=True))
    found: list[str] = []
    for start, end in _pieces(bare, _SENTENCE_END, 0, len(bare)):
        found.extend(text[first:last].strip() for first, last in _pieces(bare, cut, start, end))
    return [each for each in found if each]


def _pieces(bare: str, cut: re.Pattern[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in cut.finditer(bare, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def _clause(text: str) -> Clause:
    limit = _LIMIT.search(text)
    own = _WRITING.sub(" ", _BRACKETS.sub(" ", veiled(text)))
    return Clause(
        text=text,
        kind="rules-out" if rules_out(own) else _kind(own),
        stems=tuple(_IRREGULAR.get(word, word) for word in content_stems(own)),
        atoms=tuple(atoms(text)),
        limit=as_number(limit.group(1).rstrip(".,")) if limit else None,
    )


def _kind(text: str) -> Literal["wants", "asks", "chats"]:
    if _asks(text):
        return "asks"
    return "chats" if _CHATS.search(text) and not _REQUEST.search(text) else "wants"


def _asks(text: str) -> bool:
    """Whether somebody wants to know something. Many a question asks for something to be done."""
    if _TELLING.search(text):
        return True
    if _REQUEST.search(text):
        return False
    if _BARE_QUESTION.search(text.strip()):
        return True
    return bool(_OPENS_QUESTION.search(text.strip())) or puzzled(text)


def rules_out(text: str) -> bool:
    """Whether a clause forbids something. That somebody does not know something forbids nothing."""
    return bool(_NEGATIVE.search(_NOT_MEANT.sub("", _IGNORANCE.sub("", text))))


def lacks(text: str) -> bool:
    """Whether somebody says that they do not have or know what they were asked for."""
    return bool(_IGNORANCE.search(text)) or bool(re.search(r"\b(?:no idea|not sure|unsure)\b", text, re.IGNORECASE))


def without_denials(text: str) -> str:
    """A message without the parts that only say what somebody does not have: no word of them is a value."""
    kept: list[str] = []
    for sentence in _parts(text, _NOWHERE):
        kept += (
            [sentence]
            if not lacks(sentence)
            else [each for each in _parts(sentence, _COMMA) if not lacks(each) and _STATES.search(each)]
        )
    return " ".join(kept)


@once_per_text
def twenty_four_hours(text: str) -> str:
    """A text with its times of day written as 09:00 and 13:30."""

    def written(match: re.Match[str]) -> str:
        hour = int(match["hour"]) % 12 + 12 * (match["half"].lower() == "p")
        return f"{hour:02d}:{match['minute'] or '00'}"

    return _CLOCK.sub(written, text)


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
