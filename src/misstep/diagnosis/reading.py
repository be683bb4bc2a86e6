"""A turn's text → what it does with words: states new values, only plans, assumes, claims to have looked, or closes."""

import re

from msgspec import Struct

from misstep.core.words import atoms, sentences

# Taking something for granted that could have been found out, or putting something in its place.
_ASSUMES = re.compile(
    r"\b(?:let's assume|(?:we|i)(?:'ll| will| can| could| must)?(?: \w+)? assum\w+|assuming|simulat\w+|hypothe\w+"
    r"|placeholders?|mock(?:ed|ing)?(?: \w+)?|dummy|for demonstration(?: purposes)?|YOUR_\w+|path[/_]to[/_]\w+)\b",
    re.IGNORECASE,
)
# Said by one who has run nothing: what was found was found by hand, if at all.
_BY_HAND = re.compile(
    r"\bmanual(?:ly)?\b|\b(?:i|we)(?:'ve| have)(?: \w+)? "
    r"(?:checked|found|visited|accessed|located|retrieved|reviewed|looked|examined|identified|gathered|verified)\b",
    re.IGNORECASE,
)
_PLANS = re.compile(
    r"\b(?:i|we)(?:'ll| will| need to| should| can)\b|\blet's\b|\bplease\b|\bnext step|\bplan\b|\bonce (?:we|you|i)\b"
    r"|\bto (?:solve|begin|start|proceed|verify|ensure)\b",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"\b(?:i (?:agree|concur|confirm)|agreed|verified|validated|confirm(?:s|ed)?|accurate|correct|consensus|terminate)"
    r"\b",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"\W*(?:terminate|done|finished|finish|end|stop|thank you)\W*", re.IGNORECASE)
_NUMBERING = re.compile(r"^[^\S\n]*(?:\d+[.)]|step \d+)|^#+[^\n]*", re.IGNORECASE | re.MULTILINE)
_LINK = re.compile(r"\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)|https?://\S+")
_NAME = re.compile(r"(?<![.!?:*#\-] )(?<!\n)\b[A-ZÀ-Ý][\w'’-]{2,}")
_MARKED = re.compile(r"\*\*\s{0,20}([^*\n]{1,80}?)\s{0,20}\*\*|\\boxed\{([^}\n]{1,60})\}")
_COMMA = re.compile(r"(?<=\d),(?=\d)")
_BETWEEN = re.compile(r"[^\w]+")
_MOST_ANSWERS = 12
_READ = 6000
"""So much of a turn is read: pages that an agent pastes are no statements of its own."""


class Reading(Struct, frozen=True):
    """What a turn's words do."""

    values: frozenset[str]
    """Literal values and names that it states, as plain text."""
    stated: frozenset[str]
    """Those of them that stand in sentences which tell something; a plan or a wish tells nothing."""
    assumes: str = ""
    """The words in which it takes something for granted."""
    by_hand: str = ""
    """The words in which it claims to have looked for itself."""
    agreeing: float = 0.0
    """The share of its sentences that call something right."""
    closes: bool = False
    """It says nothing but that this is the end."""


def read(text: str, prose: str) -> Reading:
    """What is in a turn; `prose` is the text without its code."""
    opening = prose[:_READ]
    told = [sentence for sentence in sentences(opening) if len(sentence) > 3]
    assumes = _ASSUMES.search(text) if _has(text, _SIGNS_OF_ASSUMING) else None
    by_hand = _BY_HAND.search(prose) if _has(prose, _SIGNS_OF_LOOKING) else None
    agreeing = sum(1 for sentence in told if _AGREES.search(sentence)) if _AGREES.search(opening) else 0
    return Reading(
        values=values_in(opening),
        stated=values_in("\n".join(sentence for sentence in told if _tells(sentence))),
        assumes=assumes[0] if assumes else "",
        by_hand=by_hand[0] if by_hand else "",
        agreeing=agreeing / len(told) if told else 0.0,
        closes=_CLOSING.fullmatch(text.strip()) is not None,
    )


# One of these is in all that the form matches, and is quickly looked for.
_SIGNS_OF_ASSUMING = ("assum", "simulat", "hypothe", "placeholder", "mock", "dummy", "demonstration", "your_", "path")
_SIGNS_OF_LOOKING = ("manual", "'ve ", " have ")


def _has(text: str, signs: tuple[str, ...]) -> bool:
    return any(map(text.lower().__contains__, signs))


def _tells(sentence: str) -> bool:
    """What is taken for granted is as good as told."""
    return not _PLANS.search(sentence) or _ASSUMES.search(sentence) is not None


def values_in(text: str) -> frozenset[str]:
    """The literal values and names in a text; links point to something and state nothing."""
    bare = _NUMBERING.sub(" ", _LINK.sub(" ", text) if "](" in text or "://" in text else text)
    literal = {
        plain(atom.text)
        for atom in atoms(bare)
        if atom.kind != "url" and not (atom.kind == "number" and len(atom.text) == 1)
    }
    return frozenset(literal | {name.lower() for name in _NAME.findall(bare)})


def weight(values: frozenset[str]) -> float:
    """How much a turn states: a literal value counts for one, a bare name for half."""
    return sum(1.0 if " " in value or any(map(str.isdigit, value)) else 0.5 for value in values)


def answers_in(text: str, prose: str) -> tuple[str, ...]:
    """What a closing turn puts forward: what it marks, or else the literal values in it; the longest say most."""
    marked = {plain(bold or boxed) for bold, boxed in _MARKED.findall(text)}
    found = marked or {plain(atom.text) for atom in atoms(prose[:_READ])}
    told = sorted((value for value in found if len(value) > 1), key=lambda value: (-len(value), value))
    return tuple(told[:_MOST_ANSWERS])


def plain(text: str) -> str:
    """A text in lower case with its words one space apart; digits keep no commas between them."""
    low = text.lower()
    return low if low.isalnum() else " ".join(_BETWEEN.sub(" ", _COMMA.sub("", low)).split())
