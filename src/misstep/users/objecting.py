"""What speaks against something → what the person says of it, and what they have doubted and put right by then."""

from collections.abc import Sequence

from misstep.core.scenario import Goal
from misstep.users.confirming import misreported
from misstep.users.contradicting import Objection, Pick, repeated_wrongly
from misstep.users.ledger import Ledger
from misstep.users.moves import Move
from misstep.users.speaking import Speaker


class Objecting:
    """One person's objections. A fact is doubted once, and put right once after a report."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._doubted: set[str] = set()
        """Facts that a proposal seemed to get wrong."""
        self._corrected: set[str] = set()
        """Facts that were put right after a report."""

    def to(self, against: Objection, goal: Goal | None) -> Move:
        gist = f"objects: {against.kind}"
        if (entry := against.entry) is not None:
            if against.kind == "doubtful" and entry.name not in self._doubted:
                self._doubted.add(entry.name)
                return Move(gist, self._speaker.doubt(entry))
            return Move(gist, self._speaker.wrong(entry))
        if against.kind == "picked":
            return Move(gist, self._speaker.say("confirmations", "wrong_pick", value=against.value))
        if against.kind == "other" and goal is not None:
            return Move(gist, self._speaker.goal(goal.ask, "confirmations", "other"))
        return Move(gist, self._speaker.say("confirmations", "declined"))

    def to_slip(self, text: str, ledger: Ledger) -> Move | None:
        """A question in which a fact that was told comes back with a slip."""
        entry = repeated_wrongly(text, ledger, self._speaker.told)
        if entry is None or entry.name in self._corrected:
            return None
        self._corrected.add(entry.name)
        return Move(f"corrects {entry.name}", self._speaker.wrong(entry))

    def to_report(self, stated: Sequence[str], ledger: Ledger, picks: Sequence[Pick]) -> Objection | None:
        """What a report gets wrong that was not put right before."""
        against = misreported(stated, ledger, picks, self._corrected)
        if against is None or against.entry is None:
            return None
        if against.kind == "wrong" or against.entry.name in self._doubted:
            self._corrected.add(against.entry.name)
        return against
