"""A trace → the acts and answers that rest on how a user says things stand, where a look-up showed otherwise."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct

from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.trace import Trace
from misstep.core.words import lead_up, sentences, split_identifier, words
from misstep.detectors.evidence.premises import Premise
from misstep.detectors.evidence.trouble import asks
from misstep.objectives.values import leaves
from misstep.objectives.vocabulary import effect_of, lemma, meaning

# Words for where things end up, each with those that rule it out. Only what no thing can be at the same time.
_RULED_OUT_BY = (
    (
        "cancelled canceled",
        "active confirmed landed flown departed arrived operated completed delivered attended dispatched shipped"
        " running boarded performed held live on-time",
    ),
    ("cancelled canceled grounded postponed rescheduled", "landed flown departed arrived operated performed attended"),
    ("lost undelivered", "delivered collected handed-over picked-up received"),
    ("delayed late overdue", "on-time punctual early"),
    ("broken faulty defective", "working intact functional operational healthy"),
    ("damaged", "intact undamaged"),
    ("expired lapsed", "valid active current renewed"),
    ("renewed extended", "expired lapsed"),
    ("paid settled", "unpaid outstanding overdue unsettled past-due"),
    ("unpaid outstanding", "paid settled"),
    ("approved granted accepted", "rejected denied declined refused pending under-review"),
    ("rejected denied declined refused", "approved granted accepted"),
    ("shipped dispatched", "processing pending packing unshipped awaiting-stock backordered"),
    ("delivered", "in-transit processing pending shipped dispatched undelivered returned lost"),
    ("sold", "available unsold"),
    ("suspended blocked frozen locked deactivated", "active open unlocked unblocked enabled"),
    ("completed finished", "pending in-progress unfinished cancelled canceled scheduled"),
    ("failed", "passed succeeded successful completed"),
    ("passed", "failed"),
    ("refunded reimbursed", "unrefunded charged captured"),
    ("returned", "on-loan checked-out overdue outstanding"),
    ("closed", "open"),
    ("overbooked full", "available"),
)
_REFUTING: Mapping[str, frozenset[str]] = {
    word: frozenset(value for ours, theirs in _RULED_OUT_BY if word in ours.split() for value in theirs.split())
    for word in sorted({word for ours, _ in _RULED_OUT_BY for word in ours.split()})
}
_STATED = re.compile(
    rf"(?:\b(?:is|are|was|were|got|gets|been|being|went|came|arrived|marked|declared)|'s|'re)(?: \w+)?"
    rf" (?P<word>{'|'.join(_REFUTING)})\b|\b(?:my|the|our|that|this) (?P<before>{'|'.join(_REFUTING)}) \w+",
    re.IGNORECASE,
)
_ONLY_SUPPOSED = re.compile(
    r"\b(?:if|whether|when|unless|in case|once|should|would|could|might|(?-i:may)|not|never|no|want|please|will"
    r"|until|says?"
    r"|said|told|think|thought|maybe|perhaps|wonder|confirm|check)\b|n't\b",
    re.IGNORECASE,
)
_WEIGHS = re.compile(
    r"\b(?:but|however|although|though|shows?|showing|records?|recorded|according|actually|in fact|listed"
    r"|marked|appears?"
    r"|seems?|unfortunately|contrary|despite|even so|cannot|unable|not|our (?:system|files?|data)|review"
    r"|investigat\w+)\b"
    r"|n't\b(?! (?:doubt|worry|hesitate))",
    re.IGNORECASE,
)
# "It was cancelled, what do I get?" asks for something else than whether it was.
_ASKS_ON = re.compile(r"[^,;]{0,80}[,;] (?!(?:right|correct|true|yes|no|was|is|has|did|are|were)\b)", re.IGNORECASE)
_STATES = frozenset(
    ("status", "state", "condition", "outcome", "stage", "phase", "standing", "disposition", "verdict", "decision")
)
_READ = 200
_SHORT, _LONG = 40, 400


class _Claim(Struct):
    """What a user says of how things stand, and what became of it."""

    at: int
    word: str
    shown: tuple[int, str] | None = None
    acted_at: int | None = None
    borne_out: bool = False


def false_grounds(trace: Trace) -> Iterator[Premise]:
    """One for each claim: at the act that names it as its ground, or at the answer that repeats it."""
    claims: list[_Claim] = []
    calls: dict[str, ToolCall] = {}
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "user":
            claims = [_Claim(at, word) for word in _claimed(event.text)]
        elif isinstance(event, ToolCall) and claims:
            calls[event.call_id] = event
            _note_act(trace, at, event, claims)
        elif isinstance(event, ToolResult) and claims and not event.is_error:
            call = calls.get(event.call_id)
            if call is not None and effect_of(trace, call.tool) == "reads":
                _hold_against(at, event, claims)
        elif isinstance(event, Message) and event.role == "agent" and claims:
            yield from _given_in(at, event.text, claims)
            claims = []


def _claimed(text: str) -> list[str]:
    found: dict[str, None] = {}
    for sentence in sentences(text.replace("’", "'")):
        for match in _STATED.finditer(sentence):
            # What is said after it may be a wish; what comes before it decides how it is meant.
            word = (match["word"] or match["before"]).casefold()
            asked = sentence.endswith("?") and not _ASKS_ON.match(sentence, match.end())
            if not asked and not _ONLY_SUPPOSED.search(lead_up(sentence, match.end())):
                found[word] = None
    return list(found)


def _hold_against(at: int, result: ToolResult, claims: list[_Claim]) -> None:
    """Note the state that a result shows; one that bears the user out, anywhere in it, settles the matter."""
    fields = [(split_identifier(name), value) for name, value in islice(leaves(result.content), _READ)]
    states = [
        (str(value).casefold().strip().replace(" ", "-").replace("_", "-"))
        for name, value in fields
        if isinstance(value, str) and not _STATES.isdisjoint(name)
    ]
    for each in claims:
        stem = lemma(each.word)
        each.borne_out = (
            each.borne_out
            or any(
                (bool(value) and stem in map(lemma, name))
                # A long text without a record is a page of rules, and names all that there is.
                or (
                    isinstance(value, str) and (len(value) <= _SHORT or bool(states)) and stem in meaning(value[:_LONG])
                )
                for name, value in fields
            )
        )
        refuting = next((state for state in states if _rules_out(state, each.word)), None)
        if refuting is not None:
            each.shown = (at, refuting)


def _rules_out(state: str, word: str) -> bool:
    return state in _REFUTING[word] or state in (f"un{word}", f"not-{word}", f"non-{word}")


def _note_act(trace: Trace, at: int, call: ToolCall, claims: list[_Claim]) -> None:
    if effect_of(trace, call.tool) == "reads":
        return
    said = {stem for _, value in leaves(call.arguments) if isinstance(value, str) for stem in meaning(value[:200])}
    for each in claims:
        if each.shown is not None and each.acted_at is None and lemma(each.word) in said:
            each.acted_at = at


def _given_in(at: int, reply: str, claims: list[_Claim]) -> Iterator[Premise]:
    spoken = reply.replace("’", "'")
    if _WEIGHS.search(spoken) or asks(spoken):
        return
    said = {lemma(word) for word in words(spoken)}
    for each in claims:
        if each.shown is None or each.borne_out or {lemma(part) for part in each.shown[1].split("-")} <= said:
            continue
        if each.acted_at is not None:
            yield Premise(each.acted_at, each.at, each.shown[0], each.word, each.shown[1])
        elif lemma(each.word) in said:
            yield Premise(at, each.at, each.shown[0], each.word, each.shown[1])
