"""A trace → the answers that repeat what the user had taken for true, though a tool had just shown the opposite."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from misstep.core.event import Message, ToolResult
from misstep.core.trace import Trace
from misstep.core.words import lead_up, sentences, split_identifier
from misstep.objectives.values import leaves
from misstep.objectives.vocabulary import lemma

_OPPOSITES = tuple(
    (frozenset(one.split()), frozenset(other.split()))
    for one, other in (
        ("down offline unreachable dead unavailable crashed", "up online serving running healthy available alive ok"),
        ("closed shut", "open opened"),
        ("late delayed overdue", "punctual on-time early"),
        ("empty", "full"),
        ("broken faulty defective", "working intact functional ok"),
        ("expired", "valid active"),
        ("cancelled canceled", "active confirmed booked"),
        ("free vacant", "taken occupied"),
    )
)
_REFUTING = {
    word: frozenset(map(lemma, theirs))
    for one, other in _OPPOSITES
    for mine, theirs in ((one, other), (other, one))
    for word in sorted(mine)
}
_STATED = re.compile(rf"(?:\b(?:is|are|was|were)|'s) (?:\w+ )?({'|'.join(sorted(_REFUTING))})\b", re.IGNORECASE)
_NEGATED = re.compile(
    r"\b(?:never|not|n't|still not|yet to be)(?: \w+ly)?(?: been| yet| even| ever)*(?: \w+ly)? (?P<verb>\w{3,}ed|sent"
    r"|paid|made|done|given|taken|shown|built)\b"
    r"|(?:was|is|were|are|did|has|have|had)n't(?: been| ever| even| yet)* (?P<other>\w{3,}ed|sent|paid)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:never|not|no)\b|n't\b", re.IGNORECASE)
_WEIGHS = re.compile(
    r"\b(?:but|however|although|though|shows?|records?|according|actually|in fact|says|listed|marked|appears?|seems?"
    r"|unfortunately|let me|check\w*|contrary)\b|\?",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:if|when|unless|in case|once|should|would|could|don't|do not|please)\b", re.IGNORECASE)
_VALUES = 60


class Premise(NamedTuple):
    """Where it was repeated, said and shown to be otherwise, with the two words."""

    at: int
    said_at: int
    shown_at: int
    said: str
    shown: str


def premises_kept(trace: Trace) -> Iterator[Premise]:
    """One for each reply; whoever sets the two against each other does not merely repeat."""
    said: list[tuple[int, str, frozenset[str], bool]] = []
    shown: tuple[int, str, str, bool] | None = None
    said_at = -1
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            said, shown, said_at = [(at, *each) for each in _taken_for_true(event.text)], None, at
        elif isinstance(event, ToolResult) and said and not event.is_error:
            shown = _refuted(at, event, said) or shown
        elif isinstance(event, Message) and event.role == "agent" and shown is not None:
            shown_at, word, value, negated = shown
            if not _WEIGHS.search(event.text) and _repeats(event.text, word, value, negated=negated):
                yield Premise(at, said_at, shown_at, word, value)
            shown = None


_IS_SO = r"(?:is|are|was|were|has been|have been|had been|'s been|got|been|being) (?:\w+ )?"
_FLAGS = 500


def flags_overlooked(trace: Trace) -> Iterator[Premise]:
    """Answers that go along with what a user takes to be so, though a tool had said of the same that it is not."""
    flags: dict[str, tuple[int, bool] | None] = {}
    asked: tuple[int, str] | None = None
    for at, event in enumerate(trace.events):
        if isinstance(event, ToolResult):
            asked = None  # what was looked up in between may have changed it
            for name, value in _flags_in(event):
                known = flags.get(name, (at, value))
                # Of several things, one may be so and another not.
                flags[name] = (at, value) if known is not None and known[1] == value else None
        elif isinstance(event, Message) and event.role == "user":
            asked = (at, event.text)
        elif isinstance(event, Message) and event.role == "agent" and asked is not None:
            found = _goes_along(asked[1], event.text, flags)
            if found is not None:
                shown_at, word = found
                yield Premise(at, asked[0], shown_at, word, f"not {word}")
            asked = None


def _flags_in(event: ToolResult) -> Iterator[tuple[str, bool]]:
    for name, value in islice(leaves(event.content), _FLAGS):
        if isinstance(value, bool):
            parts = [part for part in split_identifier(name) if part not in ("is", "has", "was", "been", "already")]
            if len(parts) == 1 and len(parts[0]) > _SHORT:
                yield parts[0], value


def _goes_along(said: str, reply: str, flags: Mapping[str, tuple[int, bool] | None]) -> tuple[int, str] | None:
    if _WEIGHS.search(reply) or _DENIES.search(reply):
        return None
    low = said.casefold()
    for name, flag in flags.items():
        if flag is None or flag[1] or name not in low:
            continue
        form = re.compile(rf"{_IS_SO}{re.escape(name)}\b", re.IGNORECASE)
        spoken = next((each for each in sentences(said) if form.search(each)), None)
        if spoken is None or _DENIES.search(spoken) or _SUPPOSES.search(spoken) or not _PRESUMES.search(spoken):
            continue
        if form.search(reply):
            return flag[0], name
    return None


# Who says it plainly may tell something new; who builds on it takes it for granted.
_PRESUMES = re.compile(r"\b(?:since|because|given|now that|as|so|seeing)\b|\?$", re.IGNORECASE)
_SUPPOSES = re.compile(
    r"\b(?:if|when|unless|in case|once|would|could|will|whether|until|should|please)\b", re.IGNORECASE
)
_SHORT = 3


def _taken_for_true(text: str) -> Iterator[tuple[str, frozenset[str], bool]]:
    """A word of the user's for how things stand, what would refute it, and whether it was said with a not."""
    for sentence in sentences(text):
        if _CONDITION.search(sentence):
            continue
        for match in _NEGATED.finditer(sentence):
            verb = match["verb"] or match["other"]
            yield verb.casefold(), frozenset({lemma(verb.casefold())}), True
        for match in _STATED.finditer(sentence):
            if not _DENIES.search(lead_up(sentence, match.start())):
                yield match[1].casefold(), _REFUTING[match[1].casefold()], False


def _refuted(
    at: int, result: ToolResult, said: list[tuple[int, str, frozenset[str], bool]]
) -> tuple[int, str, str, bool] | None:
    fields = list(islice(leaves(result.content), _FLAGS))
    values = [str(value).casefold() for _, value in fields if isinstance(value, str)][:_VALUES]
    for _, word, refuting, negated in said:
        if not negated and any(value and lemma(word) in map(lemma, split_identifier(name)) for name, value in fields):
            continue  # a field of that name bears the user out
        value = next((each for each in values if " " not in each and lemma(each) in refuting), None)
        if value is not None:
            return at, word, value, negated
    return None


def _repeats(text: str, word: str, value: str, *, negated: bool) -> bool:
    if negated:
        positive = re.search(rf"\b(?:is|was|were|are|has been|have been) (?:\w+ )?{re.escape(value)}\b", text, re.I)
        return positive is None and any(
            _DENIES.search(sentence) and re.search(r"\b(?:sorry|apolog\w+|never|yes|right)\b", sentence, re.I)
            for sentence in sentences(text)
        )
    return re.search(rf"\b{re.escape(word)}\b", text, re.I) is not None and not re.search(
        rf"\b{re.escape(value)}\b|\b(?:not|n't)\W+(?:\w+ )?{re.escape(word)}\b", text, re.I
    )
