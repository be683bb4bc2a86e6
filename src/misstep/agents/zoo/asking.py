"""What stops a task: a question that only the user can answer, or the end of what can be done."""

from typing import Literal

from misstep.agents.zoo.offer import Parameter
from misstep.agents.zoo.records import Record


class AskError(Exception):
    """A question to the user; the task goes on with the answer."""

    def __init__(
        self,
        kind: Literal["facts", "choice", "confirm"],
        question: str,
        *,
        parameters: tuple[Parameter, ...] = (),
        field: str = "",
        options: tuple[Record, ...] = (),
        shown: tuple[str, ...] = (),
        only_for: str | None = None,
    ) -> None:
        super().__init__(question)
        self.kind: Literal["facts", "choice", "confirm"] = kind
        self.question = question
        self.parameters = parameters
        self.field = field
        self.fills = field
        """The parameter that the chosen record's field is for."""
        self.options = options
        self.shown = shown
        self.only_for = only_for


class StuckError(Exception):
    """The task cannot be done; the message says why, in words for the user."""
