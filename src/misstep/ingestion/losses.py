"""Counts of what traces lack, gathered while a file is read → a Loss for each kind that occurred."""

from misstep.ingestion.nouns import Loss


class Losses:
    """How often something could have been lost, and how often it was."""

    def __init__(self) -> None:
        self._of: dict[str, int] = {}
        self._lost: dict[str, int] = {}
        self._advice: dict[str, str] = {}

    def seen(self, what: str, advice: str = "", *, times: int = 1) -> None:
        """One more thing of which this may be true. `what` is a clause: `tool spans carry no result`."""
        self._of[what] = self._of.get(what, 0) + times
        if advice:
            self._advice[what] = advice

    def lost(self, what: str, *, times: int = 1) -> None:
        """And of one it is true."""
        self._lost[what] = self._lost.get(what, 0) + times

    def report(self) -> tuple[Loss, ...]:
        """What was lost at all, in the order in which it was first seen."""
        kinds = dict.fromkeys([*self._of, *self._lost])
        return tuple(
            Loss(what, self._lost[what], max(self._of.get(what, 0), self._lost[what]), self._advice.get(what, ""))
            for what in kinds
            if self._lost.get(what)
        )
