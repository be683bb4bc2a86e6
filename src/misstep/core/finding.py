"""FailureMode, Finding and Verdict: how agents fail, the claim that one did, and what follows from it."""

from typing import Literal, get_args

from msgspec import Struct

from misstep.core.blame import Blame

Severity = Literal["low", "medium", "high", "critical"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
Relation = Literal["direct", "contributing", "none"]
Outcome = Literal["pass", "fail", "undecided", "invalid", "disputed"]
"""Disputed: a failure that a person has called unfair, and that counts for nothing until that is taken back."""


class Mapping(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counterpart in another taxonomy, and how close it is."""

    id: str
    relation: Relation = "direct"


class Neighbour(Struct, frozen=True, forbid_unknown_fields=True):
    """Another mode that this one is taken for, and how to tell them apart."""

    mode: str
    difference: str


class FailureMode(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A named way in which agents fail, with a definition that a person can apply."""

    id: str
    family: str
    definition: str
    neighbours: tuple[Neighbour, ...] = ()
    severity: Severity
    graver_when: str = ""
    """What makes one case of it graver than the severity says, or milder; empty where nothing does."""
    examples: tuple[str, ...] = ()
    """What it looks like in a trace, each in a sentence or two."""
    owasp: tuple[Mapping, ...] = ()
    mast: tuple[Mapping, ...] = ()
    atlas: tuple[Mapping, ...] = ()
    detector: Literal["code", "objective", "modelled", "none"] = "none"
    """What decides it: code on the trace, code with the objective, a model, or nothing yet."""


class Finding(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A versioned claim that a trace shows (or does not show) a mode at certain events."""

    mode: str
    events: tuple[int, ...]
    """Places in the trace, the guilty one first."""
    because: str
    """One sentence that a person can check against those events."""
    trace: str = ""
    present: bool = True
    severity: Severity = "medium"
    confidence: float = 1.0
    cause: int | None = None
    """The event that caused it, once attributed."""
    claimed_by: str = ""
    """`detector:NAME`, or a person's name."""
    version: int = 1
    taxonomy: str = ""
    asi: tuple[str, ...] = ()
    """Ids of OWASP's agentic top ten that the mode maps to directly."""


class Interval(Struct, frozen=True, forbid_unknown_fields=True):
    """A rate with what it was measured from and how far it can be trusted."""

    rate: float
    low: float
    high: float
    n: int
    level: float = 0.95


class Verdict(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What the runs of a scenario, or of many, say about the agent."""

    outcome: Outcome
    blame: Blame | None = None
    runs: int = 1
    success: Interval | None = None
    reasons: tuple[str, ...] = ()
    """One sentence for each check that was not met, or for what broke."""
    modes: tuple[str, ...] = ()
    """The modes of the findings that it rests on."""
    notes: tuple[str, ...] = ()
    """What is worth knowing of how it was done, and no failure."""
    not_needed: tuple[str, ...] = ()
    """What should have been asked, and the user said unasked."""
