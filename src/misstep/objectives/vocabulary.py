"""The tools on offer → the stems that name each, and how much a stem says about which tool is meant."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.tool import Effect
from misstep.core.trace import Trace
from misstep.core.words import STOPWORDS, split_identifier, stem, words
from misstep.objectives.once import once_per_trace

_HYPHENED_MAIL = re.compile(r"\be-(?=mail)", re.IGNORECASE)

# Words that tool descriptions open with and that say nothing about the act.
_OPENERS = frozenset(
    stem(word) for word in "use used tool function call method api allows allow lets helps this".split()
)

# Verbs that leave it to a noun to say what is done.
_LIGHT = frozenset(stem(word) for word in "execute perform process initiate carry".split())

# Everyday English words for one act. A world in other words just gains nothing from them.
_KIN = tuple(
    frozenset(stem(word) for word in group.split())
    for group in (
        "cancel void annul call revoke",
        "delete remove erase drop discard purge wipe clear trash",
        "send mail email message notify contact text forward reply respond answer tell inform",
        "change update modify edit alter amend adjust correct switch",
        "refund reimburse repay",
        "book reserve schedule",
        "pay charge bill",
        "raise increase lower decrease reduce set change update adjust",
        "fire dismiss terminate sack",
        "move transfer shift wire",
        "buy purchase order place",
        "create add make open register set",
        "close shut deactivate disable terminate",
        "replace exchange swap",
        "issue grant give",
        "stop halt suspend pause freeze block",
        "share publish post",
    )
)

# Regular participles meet their verbs as stems; these do not.
_IRREGULAR = {
    "sent": "send", "made": "make", "paid": "pay", "written": "write", "wrote": "write", "taken": "take",
    "took": "take", "given": "give", "gave": "give", "bought": "buy", "sold": "sell", "held": "hold", "kept": "keep",
    "built": "build", "rebuilt": "rebuild", "chosen": "choose", "brought": "bring", "drawn": "draw",
    "withdrawn": "withdraw", "withdrew": "withdraw", "frozen": "freeze", "froze": "freeze", "unfrozen": "unfreeze",
    "hidden": "hide", "hid": "hide", "undone": "undo", "redone": "redo", "overwritten": "overwrite", "begun": "begin",
    "began": "begin", "spent": "spend", "thrown": "throw", "lent": "lend", "left": "leave", "resent": "resend",
    "rewritten": "rewrite", "repaid": "repay", "prepaid": "prepay", "sought": "seek", "taught": "teach",
    "dealt": "deal", "forgiven": "forgive", "bound": "bind", "sunk": "sink", "swept": "sweep",
}  # fmt: skip


class ToolWords(Struct, frozen=True):
    """The stems that name one tool."""

    name: str
    effect: Effect
    acts: frozenset[str]
    """The stems that say what it does: where its name begins and what its description opens with."""
    named: frozenset[str]
    """The stems of its name."""
    all: frozenset[str]
    """The stems of its name and of its description."""


class Vocabulary(Struct, frozen=True):
    """The words of all tools on offer."""

    tools: Mapping[str, ToolWords]
    counts: Mapping[str, int]
    """In how many tools' words each stem is."""

    def weight(self, stem: str) -> float:
        """1 for a stem that only one tool has, less the more tools share it, 0 for one that none has."""
        count = self.counts.get(stem, 0)
        return 1.0 / count if count else 0.0

    def overlap(self, tool: ToolWords, said: Iterable[str]) -> float:
        """How much of a tool's own words a text says."""
        return sum(self.weight(each) for each in set(said) if each in tool.all)

    @property
    def effectful(self) -> Iterable[ToolWords]:
        return (tool for tool in self.tools.values() if tool.effect != "reads")

    def acts_named(self, said: Iterable[str]) -> frozenset[str]:
        """The names of the tools that do something, by a stem of their own act, in a text."""
        said = frozenset(said)
        return frozenset(tool.name for tool in self.effectful if not said.isdisjoint(tool.acts))


@once_per_trace
def vocabulary(trace: Trace) -> Vocabulary:
    """The words of the tools that a trace offered."""
    return _vocabulary(tuple((tool.name, tool.description, tool.effect) for tool in trace.tools))


@lru_cache(maxsize=256)
def _vocabulary(tools: tuple[tuple[str, str, Effect], ...]) -> Vocabulary:
    known = {name: _tool_words(name, description, effect) for name, description, effect in tools}
    counts = Counter(each for tool in known.values() for each in tool.all)
    return Vocabulary(known, dict(counts))


@lru_cache(maxsize=4096)
def _tool_words(name: str, description: str, effect: Effect) -> ToolWords:
    parts = [lemma(part) for part in split_identifier(name) if part not in STOPWORDS]
    told = [each for each in meaning(description) if each not in _OPENERS]
    first = told[0] if told else ""
    if not told:
        acts = {*parts[:1], *parts[-1:]}
    elif first in parts:
        acts = {first}
    else:
        acts = {first, *parts[:1]}
    if acts <= _LIGHT:  # what is executed is the act: a payment is paid
        acts |= {stem(part[:-4]) if part.endswith("ment") else part for part in parts if part not in _LIGHT}
    return ToolWords(name, effect, frozenset(acts), frozenset(parts), frozenset(parts) | frozenset(told))


@lru_cache(maxsize=65536)
def lemma(word: str) -> str:
    """The stem of a word, by way of its verb where it is an irregular participle."""
    return stem(_IRREGULAR.get(word, word))


def is_participle(word: str) -> bool:
    """Said of what was done: cancelled, sent."""
    return word in _IRREGULAR or (len(word) > 3 and word.endswith("ed"))


@once_per_text
def meaning(text: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning, in order, with irregular verbs made regular."""
    said = words(_HYPHENED_MAIL.sub("e", text) if "-" in text else text)
    return tuple(lemma(word) for word in said if word not in STOPWORDS and (len(word) > 1 or word.isdigit()))


@lru_cache(maxsize=8192)
def kin(stem: str) -> frozenset[str]:
    """A stem and those of other everyday words for the same act."""
    return frozenset({stem}).union(*(group for group in _KIN if stem in group))


def widened(stems: Iterable[str]) -> frozenset[str]:
    """Stems and all their kin."""
    return frozenset[str]().union(*(kin(each) for each in stems))


def effect_of(trace: Trace, tool: str) -> Effect:
    """What calling a tool does; of one that was not on offer, nothing is known, and that means destroys."""
    known = trace.tool_named.get(tool)
    return known.effect if known else "destroys"
