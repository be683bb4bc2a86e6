"""A text and the labels in it → what it states: `label is value`, `label: value`, `value as the label` and the like."""

import re
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct

from misstep.agents.zoo.english import Quote, quotes, veiled
from misstep.core.words import STOPWORDS, words

_NOUN = r"(?:\s{1,20}(?:number|id|code|address|no\.?|nr\.?)(?!\w))?"
_ASIDE = r"(?:\s{1,20}(?:on|in|for|of|to|at|i|we|you|that)\b(?:\s{1,20}[\w'’-]+){0,4}?)?"
_IS = (
    r"(?:\s{1,20}(?:is|are|was|(?:will|would|should|must)\s{1,20}(?:be|read)|reads|says)\b|['’]s\b|\s{0,20}[:=]"
    r"|,?\s{1,20}(?:it|that|this)(?:['’]s|\s{1,20}is|\s{1,20}should\s{1,20}be)\b|,?\s{1,20}(?:i|we)(?:['’]ve|\s{1,20}have)(?:\s{1,20}got)?\b)"
    r"(?:\s{1,20}(?:now|as\s{1,20}follows|the\s{1,20}following)\b)?\s{0,20}[:=]?"
)
_TO = (
    r"(?:\s{1,20}(?:is|are|be|being|should|must|needs|has|get|gets)){0,6}(?:\s{1,20}(?:to\s{1,20}be\s{1,20})?\w+(?:ed|en|t))?"
    r"\s{1,20}(?:to|into)\b(?!\s{1,20}(?:be|get|do)\b)"
)
_OF = r"\s{1,20}(?:of|for|on)(?:\s{1,20}[\w'’#-]+){1,5}?"
_DETERMINER = r"(?:the|my|our|your|its|his|her|their|a|an|this|that)"
_BREAK = re.compile(
    r"[;!?()\n]|\.(?=\s|$|¤)|,(?=\s|$)|\s{1,20}[-—–]\s|\s{1,20}(?:please|thanks)\b|\s{1,20}(?:and|but)\s{1,20}(?=(?:it|that)['’]s)"
    r"|\s{1,20}(?:and|but|so|then|with|as|for)\s{1,20}(?=(?:it|that|this|the|my|our|its|your|please|i|you|for|as|we|can|could|would)\b)",
    re.IGNORECASE,
)
_SEGMENT_START = re.compile(
    rf"(?:(?:^|[.;:,!?(\n]\s{{0,20}}|[-—–]\s|\band\s{{1,20}}){_DETERMINER}?|\b(?:under|with|by)\s{{1,20}}{_DETERMINER}?)\s{{0,20}}$",
    re.IGNORECASE,
)
_CONCRETE = re.compile(r"[\d+/¤#]|[A-Z]{1,3}-\d|https?:|[\w.+-]+@")
_GIVES = re.compile(
    r"\b(?:it(?:['’]s|\s{1,20}is)|that(?:['’]s|\s{1,20}is)|put|use|take|have|got|make\s{1,20}it|make|with|is|enter|set)\s{1,20}"
    r"|(?:^|[.:]\s{1,20})|\b(?:and|,)\s{1,20}",
    re.IGNORECASE,
)
_PRECEDING = re.compile(
    rf"(?P<value>[^,;!?()¤\n]{{1,80}}?|(?<!¤)¤+)\s{{1,20}}(?:as|for)\s{{1,20}}{_DETERMINER}?\s{{0,20}}$", re.IGNORECASE
)
_WONDERS = re.compile(r"\b(?:what|which|when|who|know|tell|need|want)\b", re.IGNORECASE)
_LINKS = tuple(
    (re.compile(link + r"\s{0,20}", re.IGNORECASE), becomes)
    for link, becomes in ((_NOUN + _TO, True), (_NOUN + _OF + _TO, True), (_NOUN + _ASIDE + _IS, False), (_NOUN, False))
)


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


class Labels(Struct, frozen=True, eq=False):
    """The names that values could be given under, and the words that mark one as new."""

    names: tuple[str, ...]
    fresh: tuple[str, ...] = ("new",)


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
    return tuple(found)


def _after(text: str, bare: str, match: re.Match[str], label: str, new: bool) -> Stated | None:
    for link, becomes in _LINKS:
        linked = link.match(bare, match.end())
        if linked is None or (linked.group() and _BREAK.search(linked.group().replace(", ", "  "))):
            continue
        start, plain = linked.end(), link is _LINKS[-1][0]
        value, end = _value_at(text, bare, start)
        if not value or (plain and not _stands_alone(bare, match, start, value)):
            continue
        if _says_something(value) or bare[start:].lstrip(" :=").startswith("¤"):
            firm = not plain or bool(_CONCRETE.match(bare[start:].lstrip()))
            return Stated(label, value, becomes or new, firm, match.start(), end)
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
    lead = _PRECEDING.search(bare[max(0, match.start() - 120) : match.start()])
    if lead is None:
        return None
    offset = max(0, match.start() - 120)
    start, end = lead.start("value") + offset, lead.end("value") + offset
    openers = list(_GIVES.finditer(bare, start, end))
    start = openers[-1].end() if openers else start
    value = text[start:end].strip()
    quote = _opens_quote(value)
    value = quote.text if quote else value
    if (not openers and not _CONCRETE.match(bare[start:])) or not value or value.split()[0].lower() in STOPWORDS:
        return None
    if quote is None and _WONDERS.search(value):
        return None
    specified = bool(openers) and openers[-1].group().strip().lower() == "with"
    return Stated(label, value, new or specified, True, start, match.end())


def _value_at(text: str, bare: str, start: int) -> tuple[str, int]:
    """The value that starts there: a quote as a whole, else what comes before the next break."""
    rest = bare[start:]
    start += len(rest) - len(rest.lstrip(" :="))
    if quote := _opens_quote(text[start:]):
        return quote.text, start + quote.end
    broken = _BREAK.search(bare, start)
    end = broken.start() if broken else len(bare)
    return text[start:end].strip(" ,."), end


def _opens_quote(text: str) -> Quote | None:
    """The quote that a text starts with."""
    found = quotes(text.lstrip(" :"))
    return found[0] if found and found[0].start == 0 else None


def _says_something(value: str) -> bool:
    said = words(value)
    return any(word not in STOPWORDS for word in said) or any(sign.isdigit() for sign in value)


@lru_cache(maxsize=512)
def _pattern(labels: Labels) -> re.Pattern[str]:
    names = sorted({*labels.names}, key=lambda each: (-len(each), each))
    new = "|".join(re.escape(each) for each in labels.fresh)
    terms = "|".join(_spelt(each) for each in names) or "(?!)"
    return re.compile(rf"(?<![\w/@.-])(?:(?P<new>{new})\s{{1,20}})??(?P<term>{terms})(?![\w@/])", re.IGNORECASE)


def _spelt(name: str) -> str:
    """A label as people write it: `e-mail`, `post code`, `telephone`."""
    return r"[\s_-]+".join(f"(?:{_spelt_word(each)})" for each in name.split())


def _spelt_word(word: str) -> str:
    if len(word) >= 8:
        return rf"{re.escape(word[:4])}[-\s]?{re.escape(word[4:])}"
    return rf"{re.escape(word[:1])}-?{re.escape(word[1:])}" + (rf"|\w{{4}}{re.escape(word)}" if len(word) == 5 else "")


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
    return Labels(tuple(dict.fromkeys([*whole, *ends])), tuple(dict.fromkeys(["new", *fresh])))
