"""What a person is about to do, and what the turn that it comes in adds to it: corrections, and temper."""

from msgspec import Struct

from misstep.core.errors import InvalidTrialError
from misstep.core.scenario import Person
from misstep.users.speaking import Speaker
from misstep.wording.facts import Entry

_PATIENT = 5
"""Who has less patience than this leaves without a warning."""
AGREES = "agrees"


class Move(Struct, frozen=True):
    """The words, and what kind of move it is, to notice a loop."""

    gist: str
    text: str | None
    lost: tuple[Entry, ...] | None = None
    """Of a question that was answered in part: what the rest may mean, if anything."""


GIVE_UP = Move("gives up", None)
DONE = Move("done", None)
LOST = Move("is lost", None)
"""Asked back before, and there is nothing left to guess."""


def corrected(move: Move, speaker: Speaker) -> Move:
    """What was told wrongly at the last turn is put right first; a yes has to wait for that."""
    if move is GIVE_UP or not (corrections := speaker.put_right(move.text or "")):
        return move
    rest = "" if move.gist == AGREES else move.text or ""
    return Move(f"corrects, {move.gist}", " ".join((*corrections, rest)).strip())


def tempered(text: str, person: Person, turns: int, speaker: Speaker) -> str:
    """Patience that runs out is heard; before a question, so that this stays the last thing said."""
    left = person.patience - turns
    if person.patience < _PATIENT or left > 2 or not turns:
        return text
    temper = speaker.say("turns", "impatient" if left == 2 else "last_call")
    return f"{temper} {text}" if text.endswith("?") else f"{text} {temper}"


def not_understood(text: str) -> InvalidTrialError:
    """Our error, with what helps against it."""
    return InvalidTrialError(
        "user-simulator",
        f"The simulated user did not understand twice in a row; the second time it was {text!r}. "
        "Give the fact that it asks for these words in `words`, or leave the question out of the scenario.",
    )
