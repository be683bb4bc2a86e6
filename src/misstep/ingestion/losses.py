"""Counts of what traces lack, gathered while a file is read → a Loss for each kind that occurred."""

from misstep.core.trace import Trace
from misstep.ingestion.nouns import Loss

NO_SESSION = "conversations name no session"
NO_RESULT = "calls have no result"
NO_TOOLS = "conversations do not tell which tools were on offer"
NO_SCHEMA = "tools on offer are told without a schema"


class Losses:
    """How often something could have been lost, and how often it was."""

    def __init__(self) -> None:
        self._of: dict[str, int] = {}
        self._lost: dict[str, int] = {}
        self._advice: dict[str, str] = {}

    def count(self, what: str, of: int, lost: int, advice: str = "") -> None:
        """Of so many more things this may be true, and of so many it is. `what` is a clause: `calls have no result`."""
        self._of[what] = self._of.get(what, 0) + of
        self._lost[what] = self._lost.get(what, 0) + lost
        if lost and advice:
            self._advice[what] = advice

    def lacking(self, trace: Trace, *, unanswered: int, listed: bool, advice: str = "") -> None:
        """What detectors want of any trace; `listed`: whether its tools are those on offer, and not just those used."""
        advice = advice or "write the tools' answers too, each with the id of its call"
        self.count(NO_RESULT, len(trace.exchanges), unanswered, advice)
        self.count(NO_TOOLS, 1, not listed, "write down which tools the model was offered, with their schemas")
        if listed:
            bare = sum(not tool.input_schema for tool in trace.tools)
            self.count(NO_SCHEMA, len(trace.tools), bare, "write down the schema of each tool's arguments")

    def report(self) -> tuple[Loss, ...]:
        """What was lost at all, in the order in which it was first seen."""
        return tuple(
            Loss(what, self._lost[what], max(self._of[what], self._lost[what]), self._advice.get(what, ""))
            for what in self._of
            if self._lost[what]
        )
