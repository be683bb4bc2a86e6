"""What a conversation has brought so far, and how far each goal in it has come."""

from misstep.agents.zoo.offer import Capability
from misstep.agents.zoo.reading import Clause, clauses
from misstep.agents.zoo.records import Record, marks
from misstep.core.tool import JSON


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
        self.noted = ""
        """What the user put right when asked to agree."""
        self.asked_again: set[str] = set()
        self.report: str | None = None

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
        self.plainer = False
        """The last question was not understood: the next one must be plainer."""
        self.lacking: set[str] = set()
        self.restrictions: list[Clause] = []
        self.succeeded: set[tuple[str, str]] = set()
        """What a policy requires first and was done."""

    @property
    def ruled_out(self) -> list[str]:
        """Literal values that the user wants left alone."""
        return [atom.text for clause in self.restrictions if clause.kind == "rules-out" for atom in clause.atoms]

    @property
    def proof_marks(self) -> frozenset[str]:
        """What says who asks, and not what is asked for."""
        return marks([str(value) for value in self.proofs])

    @property
    def wishes(self) -> list[str]:
        """What was said, without what rules something out."""
        return [" ".join(each.text for each in clauses(text) if each.kind != "rules-out") for text in self.said]

    @property
    def exclusions(self) -> list[str]:
        return [clause.text for clause in self.restrictions if clause.kind == "rules-out"]

    @property
    def general_exclusions(self) -> list[Clause]:
        """What rules out a kind of act; a clause that names a certain thing is about that thing only."""
        ruling = [clause for clause in self.restrictions if clause.kind == "rules-out"]
        return [clause for clause in ruling if not any(atom.kind == "code" for atom in clause.atoms)]

    @property
    def limit(self) -> float | None:
        limits = [clause.limit for clause in self.restrictions if clause.limit is not None]
        return min(limits) if limits else None

    def allows(self, record: Record) -> bool:
        """Whether nothing that the user said speaks against a record."""
        if any(str(value) in self.ruled_out for value in record.fields.values()):
            return False
        amounts = [value for value in record.fields.values() if isinstance(value, float)]
        return self.limit is None or not amounts or min(amounts) <= self.limit
