"""What a conversation has brought so far, how far each goal in it has come, and what stops one."""

from typing import Literal

from misstep.agents.zoo.english import Clause, clauses
from misstep.agents.zoo.offer import Capability, Parameter
from misstep.agents.zoo.records import Record, marks
from misstep.core.tool import JSON


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


class Task:
    """One goal of the user, and what has been settled about it."""

    def __init__(self, capability: Capability, clause: str, message: str) -> None:
        self.capability = capability
        self.clause = clause
        self.message = message
        self.settled: dict[str, JSON] = {}
        """The fields of the records that were chosen for it."""
        self.chosen: dict[str, JSON] = {}
        """What the user named or picked from a list, by field."""
        self.answers: dict[str, JSON] = {}
        """What the user answered when asked for it."""
        self.wants_another = False
        """Looking for something to take the place of what was settled."""
        self.agreed = False
        self.asked_again: set[str] = set()

    def settle(self, record: Record) -> None:
        for name, value in (record.inherited | record.fields).items():
            self.settled.setdefault(name, value)


class Notes:
    """What was said, and what follows from it."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.answers: dict[str, JSON] = {}
        self.answers_for: dict[tuple[str, str], JSON] = {}
        """Answers that were meant for one tool only."""
        self.said_for: dict[str, str] = {}
        """The messages that were such answers, and for which tool."""
        self.proofs: list[JSON] = []
        """What the user said to prove something."""
        self.established: dict[str, JSON] = {}
        """Whom or what the conversation is about, once that was made sure of."""
        self.lacking: set[str] = set()
        self.succeeded: set[tuple[str, str]] = set()
        """What a policy requires first and was done."""
        self.wishes: list[str] = []
        """What was said, without what rules something out."""
        self.exclusions: list[Clause] = []
        self.limit: float | None = None

    def hear(self, message: str) -> None:
        self.said.append(message)
        parts = clauses(message)
        self.wishes.append(" ".join(each.text for each in parts if each.kind != "rules-out"))
        self.exclusions += [each for each in parts if each.kind == "rules-out"]
        limits = [each.limit for each in parts if each.limit is not None]
        self.limit = min([*limits, *([] if self.limit is None else [self.limit])], default=None)

    @property
    def ruled_out(self) -> list[str]:
        """Literal values that the user wants left alone."""
        return [atom.text for clause in self.exclusions for atom in clause.atoms]

    @property
    def proof_marks(self) -> frozenset[str]:
        """What says who asks, and not what is asked for."""
        return marks([str(value) for value in self.proofs])

    def allows(self, record: Record) -> bool:
        """Whether nothing that the user said speaks against a record."""
        if any(str(value) in self.ruled_out for value in record.fields.values()):
            return False
        amounts = [value for value in record.fields.values() if isinstance(value, float)]
        return self.limit is None or not amounts or min(amounts) <= self.limit
