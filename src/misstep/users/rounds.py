"""What the agent has said before → whether an exchange comes round, and whether it was answered then."""

from misstep.users.moves import Move
from misstep.wording.values import folded

_ROUNDS = 3
"""How often one exchange may come round."""


class Rounds:
    """Keeps each message with what the person did about it."""

    def __init__(self) -> None:
        self._times: dict[tuple[str, str], int] = {}
        self._answered: set[str] = set()

    def comes_round(self, message: str, move: Move, pressed: int) -> bool:
        """One time too many; who insists goes round once more each time."""
        key = (folded(message), move.gist)
        self._times[key] = self._times.get(key, 0) + 1
        return self._times[key] >= _ROUNDS + pressed

    def answered(self, message: str) -> None:
        """A fact was told, or a choice made."""
        self._answered.add(folded(message))

    def was_answered(self, message: str) -> bool:
        """Who says it again all the same has not listened."""
        return folded(message) in self._answered
