"""Statements → the facts that they would have the person tell, though nobody asked."""

from msgspec import Struct

from misstep.core.words import content_stems
from misstep.users.answering import wanted
from misstep.users.ledger import Ledger
from misstep.wording.cues import cues
from misstep.wording.facts import Entry
from misstep.wording.topics import actions_in
from misstep.wording.understanding import Ask, Reading
from misstep.wording.values import holds, spot


class Hint(Struct, frozen=True):
    """What a message seems to want."""

    entries: tuple[Entry, ...] = ()
    maybe: tuple[Entry, ...] = ()
    open: bool = False
    """It wants something, or does not say that anything is settled."""


def hinted(reading: Reading, ledger: Ledger, told: dict[str, int]) -> Hint:
    """`It stays blank until there is an account number in the box` asks for one; a report asks for nothing."""
    if reading.signals & {"done", "more", "greeting"}:
        return Hint()
    entries: dict[str, Entry] = {}
    maybe: dict[str, Entry] = {}
    needing = False
    for sentence in reading.stated:
        clauses = [piece.strip() for piece in cues().clause.split(sentence.strip(" .!")) if piece.strip()]
        needs = [clause for clause in clauses if cues().need.search(clause)]
        needing = needing or bool(needs)
        for clause in clauses if needs else ():
            found = _wanted(clause, sentence, ledger, told, reading.text)
            (entries if clause in needs else maybe).update({entry.name: entry for entry in found})
    settled = bool(reading.signals & {"refusal", "wait"}) or _is_of_the_matter(reading.text, ledger)
    rest = tuple(entry for name, entry in maybe.items() if name not in entries)
    wants = (needing and "wait" not in reading.signals) or not settled
    return Hint(tuple(entries.values()), () if entries else rest, wants)


def _is_of_the_matter(text: str, ledger: Ledger) -> bool:
    """It has values, or words of the goals: enough to take it for an answer."""
    seen = spot(text)
    told = bool(seen.atoms) or any(holds(seen, each) for entry in ledger.entries for each in entry.forms)
    goals = {root for goal in ledger.person.goals for root in content_stems(goal.ask)}
    return told or bool(ledger.actions & actions_in(text)) or not goals.isdisjoint(content_stems(text))


def _wanted(clause: str, sentence: str, ledger: Ledger, told: dict[str, int], text: str) -> list[Entry]:
    """Facts that the clause names outright, and that nobody has said yet."""
    parts = tuple(piece.strip() for piece in cues().joint.split(clause) if piece.strip())
    found = wanted(Ask(sentence, parts or (clause,)), ledger, told)
    seen = spot(text)
    return [
        entry
        for entry in found.entries
        if not found.generic
        and entry.fact.reveal != "never"
        and entry.name not in told
        and not any(holds(seen, each) for each in entry.forms)
    ]
