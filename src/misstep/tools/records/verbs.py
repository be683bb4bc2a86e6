"""A tool's name and description → what it does to the things that it is about, and what these are called."""

from collections.abc import Sequence
from typing import Literal

from misstep.core.tool import Tool
from misstep.core.words import sentences, split_identifier, words

Verb = Literal["create", "get", "list", "search", "update", "delete", "send", "run"]

_VERBS: dict[Verb, frozenset[str]] = {
    "create": frozenset(
        """create add new insert make register book schedule write save store upload place draft issue compose append
        import generate open start record log submit reserve put upsert""".split()
    ),
    "get": frozenset("get read show view fetch retrieve describe lookup load inspect check see display stat".split()),
    "list": frozenset("list ls browse enumerate index all".split()),
    "search": frozenset("search find query filter match grep".split()),
    "update": frozenset(
        """update set edit change modify patch rename move replace assign unassign mark close reopen complete finish
        approve reject enable disable archive unarchive restore resolve cancel lock unlock pause resume adjust toggle
        transition merge refund confirm pay return exchange""".split()
    ),
    "delete": frozenset("delete remove drop destroy erase clear purge unlink del rm discard trash".split()),
    "send": frozenset("send notify post publish email reply forward broadcast share message tweet invite".split()),
    "run": frozenset(
        """run execute exec invoke call trigger compute calculate convert evaluate eval translate summarise summarize
        validate verify estimate compare ping echo think""".split()
    ),
}
_AS_NOUN = frozenset(
    "post message email record log index issue draft book schedule match query filter call reply return place".split()
)
"""Words that are as often a thing: they count as a verb only where nothing else does."""

_NO_NOUN = frozenset(
    """all new by id ids multiple batch bulk my recent details detail info information with for from to in of on a an
    the and or up one many current existing single latest full raw data tool please it as at""".split()
)

ENDS: dict[str, str] = {
    "close": "closed", "reopen": "open", "complete": "completed", "finish": "finished", "approve": "approved",
    "reject": "rejected", "enable": "enabled", "disable": "disabled", "archive": "archived", "unarchive": "active",
    "restore": "active", "resolve": "resolved", "cancel": "cancelled", "lock": "locked", "unlock": "unlocked",
    "pause": "paused", "resume": "active", "merge": "merged", "refund": "refunded", "confirm": "confirmed",
    "pay": "paid", "return": "returned",
}  # fmt: skip
"""The state in which a verb leaves a thing."""


def parts_of(tools: Sequence[Tool]) -> dict[str, list[str]]:
    """Each tool's name in words, without its server's name and the words that all names of a server open with."""
    split = {tool.name: split_identifier(tool.name.rpartition("__")[2] or tool.name) for tool in tools}
    while len(split) > 2 and len({parts[0] for parts in split.values()}) == 1 and min(map(len, split.values())) > 1:
        if any(_verb_of(parts[0]) for parts in split.values()):
            break
        split = {name: parts[1:] for name, parts in split.items()}
    return split


def verb_of(parts: Sequence[str], description: str) -> tuple[Verb, str]:
    """The verb and the word that said so; what says nothing runs."""
    for word in parts:
        if (verb := _verb_of(word)) and word not in _AS_NOUN:
            return verb, word
    for word in parts[:1]:
        if verb := _verb_of(word):
            return verb, word
    opening = words(next(iter(sentences(description)), ""))
    for word in opening[:6]:
        for form in (word, word.removesuffix("s"), word.removesuffix("es")):
            if (verb := _verb_of(form)) and form not in _AS_NOUN:
                return verb, form
    for word in parts:
        if verb := _verb_of(word):
            return verb, word
    return "run", parts[0] if parts else ""


def _verb_of(word: str) -> Verb | None:
    return next((verb for verb, known in _VERBS.items() if word in known), None)


def nouns_of(parts: Sequence[str], verb_word: str) -> list[str]:
    """What is left of a name without its verb, each word in the singular."""
    left = list(parts)
    if verb_word in left:
        left.remove(verb_word)
    if "by" in left:
        left = left[: left.index("by")] or left
    return [singular(word) for word in left if word not in _NO_NOUN and not word.isdigit()]


def singular(word: str) -> str:
    """`entries` → entry, `boxes` → box, `notes` → note; `status` stays."""
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    if len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plural(word: str) -> str:
    """`entry` → entries, `box` → boxes, `note` → notes."""
    if word.endswith("y") and word[-2:-1] not in ("a", "e", "i", "o", "u"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh", "z")) else "s")
