"""Text → words, stems and the literal values in it: what all readers of text share, with no domain's vocabulary."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from misstep.core.once import once_per_text

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")
_VOWEL = re.compile(r"[aeiouy]")

STOPWORDS = frozenset(
    """a an the this that these those it its is are was were be been being am do does did doing done have has had having
    i you he she we they me him her us them my your his our their mine yours myself yourself to of in on at by for from
    with as into about over under than then so if or and but not no nor can could will would shall should may might must
    there here what which who whom whose when where why how please also just very too any some all each every more most
    up down out off again once only own same such let get got i'm i've i'd i'll you're you've it's that's don't can't
    thanks thank hello hi hey dear yes ok okay sure""".split()
)

Kind = Literal["email", "url", "date", "number", "code", "quoted"]


class Atom(Struct, frozen=True):
    """A literal value in a text: what a person could only have copied, not phrased."""

    kind: Kind
    text: str
    start: int


def split_identifier(name: str) -> list[str]:
    """`getOrder_by-ID` → get, order, by, id."""
    return list(_parts_of(name))


@once_per_text
def _parts_of(name: str) -> tuple[str, ...]:
    return tuple(part.lower() for word in re.split(r"[\W_]+", name) for part in _CAMEL.split(word) if part)


def words(text: str) -> list[str]:
    """The words of a text in lower case, identifiers taken apart."""
    return list(_words_in(text))


@once_per_text
def _words_in(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for word in _WORD.findall(text.replace("_", " ").replace("’", "'")):
        if word.islower():
            found.append(word)
        elif word.istitle() or word.isupper() or word.isdigit() or "'" in word:
            found.append(word.lower())
        else:
            found.extend(split_identifier(word))
    return tuple(found)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem: inflections and derivations of one word mostly meet. Idempotent on nothing; compare stems only."""
    base = word.lower().removesuffix("'s").removesuffix("'")
    if base in ("police", "department", "departments"):
        return base.removesuffix("s")  # of no kin to a policy, nor to a departure
    if len(base) > 3 or (len(base) == 3 and base.endswith("s")):
        base = _without_suffix(base)
    if len(base) > 4 and base[-1] in "ey":
        base = base[:-1]
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "aeiou0123456789":
        base = base[:-1]
    return base


_SUFFIXES = (
    ("ifications", 3, "if"), ("ification", 3, "if"), ("ifying", 3, "if"), ("ified", 3, "if"), ("ifies", 3, "if"),
    ("ations", 3, ""), ("ation", 3, ""), ("ating", 3, ""), ("ated", 3, ""), ("ates", 3, ""), ("ate", 3, ""),
    ("ments", 4, ""), ("ment", 4, ""), ("ables", 4, ""), ("able", 4, ""), ("ings", 3, ""), ("ing", 3, ""),
    ("ions", 4, ""), ("ion", 4, ""), ("ies", 2, ""), ("ied", 2, ""), ("ed", 3, ""),
    ("sses", 2, "ss"), ("xes", 2, "x"), ("zes", 3, "z"), ("ches", 2, "ch"), ("shes", 2, "sh"),
)  # fmt: skip
_LOST_ITS_E = re.compile(r"[^aeiouy][aeiouy][^aeiouwxy]")


def _without_suffix(base: str) -> str:
    for suffix, least, instead in _SUFFIXES:
        if base.endswith(suffix):
            rest = base[: -len(suffix)]
            if suffix in ("ies", "ied") and 2 <= len(rest) <= 3:
                return rest + "y"
            if suffix in ("ed", "ing") and _LOST_ITS_E.fullmatch(rest):
                return rest + "e"  # noted → note; a word that had no e would have doubled its last letter
            if len(rest) >= least and _VOWEL.search(rest):
                return rest + instead
    if base.endswith("s") and not base.endswith(("ss", "us", "is")):
        return base[:-1]
    return base


def stems(text: str) -> list[str]:
    """The stems of all words, in order."""
    return [stem(word) for word in _words_in(text)]


def content_stems(text: str) -> list[str]:
    """The stems of the words that carry meaning, in order."""
    return list(_content_stems(text))


@once_per_text
def _content_stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in _words_in(text) if word not in STOPWORDS)


def sentences(text: str) -> list[str]:
    """A text cut at sentence ends and line ends."""
    return list(_sentences_in(text))


@once_per_text
def _sentences_in(text: str) -> tuple[str, ...]:
    return tuple(bare for part in _SENTENCE.split(text) if (bare := part.strip()))


_LEAD_UP = 300


def lead_up(text: str, end: int) -> str:
    """What stands before a place, as far back as it can bear on it: a sentence may be of any length."""
    return text[max(end - _LEAD_UP, 0) : end]


def joined(parts: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    listed = list(parts)
    return f"{', '.join(listed[:-1])} {last} {listed[-1]}" if len(listed) > 1 else "".join(listed)


_MONTH = r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-zA-Z]*"
_ORDINAL = r"(?i:st|nd|rd|th)?"
# The counted repeats bound the work on long runs without a space: texts may be hostile. Only what is in words is read
# in either case, which would be slow for the rest.
_ATOM = re.compile(
    r"(?P<email>[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<url>(?i:https?)://[^\s<>\"')]+)"
    r"|(?P<date>\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d)?)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
    rf"|\b(?:\d{{1,2}}{_ORDINAL}\s{{1,20}}(?:(?i:of)\s{{1,20}})?{_MONTH}|{_MONTH}\s{{1,20}}\d{{1,2}}{_ORDINAL})\b(?:,?\s{{1,20}}\d{{4}})?)"
    r"|(?P<code>\#?(?=[A-Za-z0-9])(?=[\w/#-]{0,64}\d)(?=[\w/#-]{0,64}[A-Za-z#_/-])[A-Za-z0-9](?:[\w/#-]*\w)?|\#\d+)"
    r"|(?P<number>\d+(?:[.,]\d+)*)"
    r"|“(?P<quoted>[^”]{1,200})”|\"(?P<quoted2>[^\"]{1,200})\"",
)


def atoms(text: str) -> list[Atom]:
    """The literal values in a text, in order."""
    return list(_atoms_in(text))


@once_per_text
def _atoms_in(text: str) -> tuple[Atom, ...]:
    found: list[Atom] = []
    sign = _SIGN_OR_LINK if "://" in text else _SIGN
    at = 0
    while (told := sign.search(text, at)) is not None:
        match = _ATOM.search(text, _word_before(text, at, told.start()))
        if match is None:
            break
        kind = str(match.lastgroup).removesuffix("2")
        found.append(Atom(kind, match.group(str(match.lastgroup)), match.start(str(match.lastgroup))))  # pyright: ignore[reportArgumentType]
        at = match.end()
    return tuple(found)


# Each atom has one of these, and nothing but part of a word, or the name of a month, before the first of them.
_SIGN = re.compile(r"[\d@\"“]")
_SIGN_OR_LINK = re.compile(r"[\d@\"“:]")


def _word_before(text: str, first: int, sign: int) -> int:
    """Where the word with a sign in it begins, or the word before that where it begins with the sign."""
    start = max(first, text.rfind(" ", first, sign) + 1, text.rfind("\n", first, sign) + 1)
    if start == sign:
        near = max(first, sign - _NEAR)
        end = near + len(text[near:sign].rstrip())
        start = max(first, text.rfind(" ", first, end) + 1, text.rfind("\n", first, end) + 1)
    return start


_NEAR = 200


_NUMBER = re.compile(r"(\D*?)([+-]?)(\d[\d.,]*(?:[ \u00a0\u202f]\d{3}(?!\d)[\d.,]*)*)\D*")


def as_number(text: str) -> float | None:
    """`1,234.50`, `1.234,50`, `€12`, `12 kg` → a number; None where there is none, more than one, or a code."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    before, sign, digits = match.groups()
    if before and (before[-1].isalpha() or before[-1] in "_/"):
        return None
    bare = re.sub(r"\s", "", digits)
    if "," in bare and "." in bare:
        bare = bare.replace(",", "") if bare.rfind(".") > bare.rfind(",") else bare.replace(".", "").replace(",", ".")
    elif "," in bare:
        bare = bare.replace(",", ".") if re.search(r",\d{1,2}$", bare) else bare.replace(",", "")
    try:
        size = float(bare)
    except ValueError:
        return None
    return -size if sign == "-" or before.startswith("-") else size
