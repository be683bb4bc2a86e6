"""A text and the labels in it → what it states: `label is value`, `label: value`, `value as the label` and the like."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from misstep.agents.zoo.quoting import opens_quote, veiled
from misstep.core.words import STOPWORDS, words

_NOUN = r"(?:\s+(?:number|id|code|address|no\.|nr\.|no\b|nr\b)(?!\w))?"
_ASIDE = r"(?:\s+(?:on|in|for|of|to|at|i|we|you|that)\b(?:\s+[\w'’-]+){0,4}?)?"
_IS = (
    r"(?:\s+(?:is|are|was|will\s+be|would\s+be|should\s+be|shall\s+be|must\s+be|needs\s+to\s+be|has\s+to\s+be|should\s+read|reads|says)\b"
    r"|['’]s\b|\s*[:=]|,?\s+(?:it|that|this)(?:['’]s|\s+is|\s+should\s+be)\b|,?\s+(?:i|we)(?:['’]ve|\s+have)(?:\s+got)?(?:\s+(?:is|for\s+you\s+is))?\b)"
    r"(?:\s+now\b)?(?:\s+(?:as\s+follows|the\s+following))?\s*[:=]?"
)
_TO = (
    r"(?:\s+(?:is|are|be|being|should|must|needs|has|get|gets))*(?:\s+(?:to\s+be\s+)?\w+(?:ed|en|t))?"
    r"\s+(?:to|into)\b(?!\s+(?:be|get|do)\b)"
)
_OF = r"\s+(?:of|for|on)(?:\s+[\w'’#-]+){1,5}?"
_DETERMINER = r"(?:the|my|our|your|its|his|her|their|a|an|this|that)"
_BREAK = re.compile(
    r"[;!?()\n]|\.(?=\s|$|¤)|,(?=\s|$)|\s{1,20}[-—–]\s"
    r"|\s{1,20}(?:and|but|so|then|with|as|for|please|thanks|thank)\s{1,20}(?=(?:it|that|this|the|my|our|its|your|his|her|please|i|you|for|as|we|there|can|could|would)\b)"
    r"|\s{1,20}(?:and|but)\s{1,20}(?=(?:it|that)['’]s)|\s{1,20}(?:please|thanks|cheers)\b",
    re.IGNORECASE,
)
_SEGMENT_START = re.compile(
    rf"(?:^|[.;:,!?(\n]\s{{0,20}}|[-—–]\s|\band\s+){_DETERMINER}?\s{{0,20}}$|\b(?:under|with|by)\s{{1,20}}{_DETERMINER}?\s{{0,20}}$",
    re.I,
)
_FRESH = ("new",)
_CONCRETE = re.compile(r"[\d+/¤#]|[A-Z]{1,3}-\d|https?:|[\w.+-]+@")
_GIVES = r"\b(?:it(?:['’]s|\s+is)|that(?:['’]s|\s+is)|put|use|take|have|got|make\s+it|make|with|is|enter|set)\s+"
_PRECEDING = re.compile(
    rf"(?P<value>[^,;!?()¤\n]{{1,80}}?|(?<!¤)¤+)\s{{1,20}}(?:as|for)\s{{1,20}}{_DETERMINER}?\s{{0,20}}$", re.IGNORECASE
)
_WONDERS = re.compile(r"\b(?:what|which|when|who|know|tell|need|want)\b", re.IGNORECASE)
_FILED = re.compile(r"\bunder\s+(?=[A-Z][\w'’-]+\s+[A-Z])")


class Stated(Struct, frozen=True):
    """What a text says about one label."""

    label: str
    value: str
    fresh: bool
    """What something is to become, rather than what it is."""
    firm: bool
    """Said with a word or a sign between the two, or a value that is no common word."""
    start: int
    end: int


class Labels(Struct, frozen=True):
    """The names that values could be given under, and the words that mark one as new."""

    names: tuple[str, ...]
    fresh: tuple[str, ...] = _FRESH


@lru_cache(maxsize=4096)
def stated(text: str, labels: Labels) -> tuple[Stated, ...]:
    """Everything that a text states under one of the labels, in order."""
    bare = veiled(text)
    found: list[Stated] = []
    for match in _pattern(labels).finditer(bare):
        spoken = _named(match.group("term"), labels)
        new = bool(match.group("new"))
        one = _after(text, bare, match, spoken, new) or _before(text, bare, match, spoken, new)
        if one is not None:
            found.append(one)
    found.extend(_filed_under(text, bare))
    return tuple(found)


def _after(text: str, bare: str, match: re.Match[str], label: str, new: bool) -> Stated | None:
    rest = bare[match.end() :]
    for link, fresh in (
        (_NOUN + _TO, True),
        (_NOUN + _OF + _TO, True),
        (_NOUN + _IS, new),
        (_NOUN + _ASIDE + _IS, new),
        (_NOUN, new),
    ):
        linked = re.match(link + r"\s*", rest, re.IGNORECASE)
        if linked is None or (linked.end() and _BREAK.search(rest[: linked.end()].replace(", ", "  "))):
            continue
        start = match.end() + linked.end()
        value, end = _value_at(text, bare, start)
        plain = link == _NOUN
        if not value or (plain and not _stands_alone(bare, match, start, value)):
            continue
        if _says_something(value) or bare[start:].lstrip(" :=").startswith("¤"):
            firm = not plain or bool(_CONCRETE.match(bare[start:].lstrip()))
            return Stated(label, value, fresh, firm, match.start(), end)
    return None


def _stands_alone(bare: str, match: re.Match[str], start: int, value: str) -> bool:
    """Whether a value may follow its label without a word between: `postcode 12345`, `name Ann Lee`, `, size large`."""
    first = value.split(maxsplit=1)[0]
    if not re.match(r"\s", bare[match.end() :]):
        return False
    if _CONCRETE.match(bare[start:].lstrip()) or (first[0].isupper() and first != "I"):
        return True
    if first.lower() in STOPWORDS:
        return False
    return bool(_SEGMENT_START.search(bare[: match.start()])) and len(value.split()) <= 4


def _before(text: str, bare: str, match: re.Match[str], label: str, new: bool) -> Stated | None:
    """`it's 12345 for the postcode`, `with X as the label`."""
    lead = _PRECEDING.search(bare[: match.start()])
    if lead is None:
        return None
    start = lead.start("value")
    opener = list(
        re.finditer(_GIVES + r"|(?:^|[.:]\s+)|\b(?:and|,)\s+", bare[start : lead.end("value")], re.IGNORECASE)
    )
    start += opener[-1].end() if opener else 0
    value = text[start : lead.end("value")].strip()
    quote = opens_quote(value)
    value = quote.text if quote else value
    if (not opener and not _CONCRETE.match(bare[start:])) or not value or value.split()[0].lower() in STOPWORDS:
        return None
    if quote is None and _WONDERS.search(value):
        return None
    specified = bool(opener) and opener[-1].group().strip().lower() == "with"
    return Stated(label, value, new or specified, True, start, match.end())


def _filed_under(text: str, bare: str) -> Iterator[Stated]:
    """`look under Ann Lee`: what somebody is filed under is a name."""
    for match in _FILED.finditer(bare):
        value, end = _value_at(text, bare, match.end())
        if value:
            yield Stated("name", value, False, False, match.start(), end)


def _value_at(text: str, bare: str, start: int) -> tuple[str, int]:
    """The value that starts there: a quote as a whole, else what comes before the next break."""
    rest = bare[start:]
    start += len(rest) - len(rest.lstrip(" :="))
    if quote := opens_quote(text[start:]):
        return quote.text, start + quote.end
    broken = _BREAK.search(bare, start)
    end = broken.start() if broken else len(bare)
    return text[start:end].strip(" ,."), end


def _says_something(value: str) -> bool:
    said = words(value)
    return any(word not in STOPWORDS for word in said) or any(sign.isdigit() for sign in value)


@lru_cache(maxsize=64)
def _pattern(labels: Labels) -> re.Pattern[str]:
    names = sorted({*labels.names}, key=lambda each: (-len(each), each))
    new = "|".join(re.escape(each) for each in labels.fresh)
    terms = "|".join(_spelt(each) for each in names) or "(?!)"
    return re.compile(rf"(?<![\w/@.-])(?:(?P<new>{new})\s+)??(?P<term>{terms})(?![\w@/])", re.IGNORECASE)


def _spelt(name: str) -> str:
    """A label as people write it: `e-mail`, `post code`, `telephone`."""
    return r"[\s_-]+".join(_spelt_word(each) for each in name.split())


def _spelt_word(word: str) -> str:
    between = r"[-\s]?" if len(word) >= 8 else "-?"
    return (r"\w{0,4}" if len(word) == 5 else "") + between.join(re.escape(letter) for letter in word)


def _named(written: str, labels: Labels) -> str:
    squeezed = _squeezed(written)
    return next(
        (each for each in labels.names if _squeezed(each) == squeezed),
        next((each for each in labels.names if squeezed.endswith(_squeezed(each))), written.lower()),
    )


def _squeezed(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text).lower()


def labels_for(names: Iterable[str], fresh: Iterable[str] = ()) -> Labels:
    """Labels from spoken names, and from the last word of those that have several."""
    whole = dict.fromkeys(each for each in names if each)
    last = [each.split()[-1] for each in whole if " " in each]
    ends = [each for each in last if len(each) > 3 and each not in STOPWORDS]
    return Labels(tuple(dict.fromkeys([*whole, *ends])), tuple(dict.fromkeys([*_FRESH, *fresh])))
