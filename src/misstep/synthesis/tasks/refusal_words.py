"""A refused call → what the refusal says, and the words in it that tell why."""

import re
from collections.abc import Collection, Iterable, Iterator

from misstep.core.tool import Answer
from misstep.core.words import STOPWORDS, stem, words
from misstep.synthesis.tasks.acting import Loss
from misstep.synthesis.tasks.surveying import leaves, text

_SHORTEST = 3
_MOST_WORDS = 5
_ROOT = 6
_CLASS = re.compile(r"^\w+: ")
"""What code calls its refusal: nobody who speaks to a person would."""
_NO_REASON = ("thank", "error", "failed", "invalid", "already")
"""That it is refused, or is so already, and not why."""
_CLAUSE = re.compile(r"[,;:.!?()]+(?:\s|$)|\s[-–—]\s|\b(?:and|but|so|or|then)\b", re.IGNORECASE)
_TELLS_TO = re.compile(
    r"\s*(?:please |just |you (?:can|could|may|should|must|have to|need to|will have to) |try to )*"
    r"(?:ask|contact|call|see|speak|talk|phone|ring|e-?mail|write|visit|consult|wait|come|go|use|try|choose|check|pick|take"
    r"|give|apply|inform|tell|report|submit|request|refer|turn|log|sign|raise|get)\b"
    r"(?! (?:is|are|was|were|has|have|had|can|could|may|must|will|would|does|do|did|not|cannot)\b)",
    re.IGNORECASE,
)
"""A clause that begins so says what to do instead, and not why."""
_CAPITALS = re.compile(r"[A-Z][\w'’-]*(?:\s+(?:(?:of|the|and|&|de|van|von)\s+)?[A-Z][\w'’-]*)*")
_SO = re.compile(r"\b(?:is|are|was|were|been|being|already|not yet)\s+(?:already\s+)?([a-z]{3,})\b")
"""What something is said to be: sealed, promised."""

EVERYDAY = frozenset(
    """able another anything anyone available back best better bit call case chance change changed complete
    completed confirm confirmed correct current currently day different else email end ever everyone far final find fine
    first follow following full further give given glad good great happy head hold home hope hour immediately including
    information item kind know last later least leave left less let letter like line list little long look lot made main
    make mean meant minute moment month morning much name need needed new next nice night none note number often old one
    ones open order out part people person place please pleased point possible previous put question ready really record
    recorded request requested rest right same second see seem send sent set show side simple since small someone
    something soon sorry start state still successful successfully thing things think three time today together tomorrow
    tonight total try turn two update updated use used usual want way week welcome well whole without word work working
    write wrong year yesterday taken done care help message everything value lookup yet now""".split()
)
"""Words that anybody says of anything: they give no reason."""


def said_in(loss: Loss) -> str:
    return _told_by(loss.answer)


def _told_by(answer: Answer) -> str:
    return " ".join(text(value) for _, value in leaves(answer.content) if not isinstance(value, bool))


def words_of(loss: Loss, claims: Collection[str]) -> list[str]:
    """Words of the refusal that nobody has who claims that it was done; `claims`: those that such a claim has."""
    known = {_root(word) for word in (*claims, *EVERYDAY, *_NO_REASON)}
    return list(dict.fromkeys(_telling(said_in(loss), known)))[:_MOST_WORDS]


def so_by_now(loss: Loss, own: Iterable[str]) -> list[str]:
    """What the refusal says that something is, told as being so already; `own`: what the call would do, in words."""
    known = {_root(word) for word in (*own, *EVERYDAY, *_NO_REASON)}
    told = (_SO.findall(clause) for clause in _clauses(_told_by(loss.answer)) if not _TELLS_TO.match(clause))
    found = dict.fromkeys(word for some in told for word in some if word not in STOPWORDS and _root(word) not in known)
    return [f"(already {word})" for word in found][:_MOST_WORDS]


def instructions_in(answer: Answer) -> list[str]:
    """What a refusal says that can be done instead: `ask the site manager`."""
    return [clause for clause in _clauses(_told_by(answer)) if _TELLS_TO.match(clause)]


def names_in(answer: Answer, values: Iterable[str]) -> list[str]:
    """Names of people and things, as far as capitals or `values` show that they are names."""
    told = _CLASS.sub("", _told_by(answer))
    first = [found for clause in _clauses(told) if (found := _CAPITALS.match(clause.strip()))]
    alone = {found[0] for found in first if " " not in found[0]}
    named = {found for found in _CAPITALS.findall(told) if found not in alone}
    return [*sorted(named), *(sorted(alone & {word for value in values for word in value.split()}) if alone else ())]


def _clauses(said: str) -> list[str]:
    return [each for each in _CLAUSE.split(_CLASS.sub("", said)) if each and each.strip()]


def _telling(said: str, known: set[str]) -> Iterator[str]:
    """Of `council tax arrears` nothing, where arrears are known: what stands before a noun is part of its name."""
    for run in _runs(said):
        last = max((at for at, word in enumerate(run) if _root(word) in known), default=-1)
        yield from (word for word in run[last + 1 :] if len(word) >= _SHORTEST and word.isalpha())


def _runs(said: str) -> Iterator[list[str]]:
    """Words with neither a small one nor a stop between them."""
    for clause in _clauses(said):
        run: list[str] = []
        for word in words(clause):
            if word in STOPWORDS:
                yield run
                run = []
            else:
                run.append(word)
        yield run


def _root(word: str) -> str:
    """A translator is one who can translate: what begins alike is of one kin."""
    return stem(word)[:_ROOT]
