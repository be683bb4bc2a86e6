"""What a run came to, as one frozen struct; and `summary.json`, the file that holds it."""

from typing import Literal

import msgspec
from msgspec import Struct

from misstep.core.finding import Severity
from misstep.exploration.robustness import Robustness
from misstep.synthesis.flaws import Flaws

FORMAT = "misstep.summary/1"

Method = Literal["none", "wilson", "this scenario only", "clustered by scenario", "all levels at once"]

Acts = Literal["on calls", "from the start", "on the list"]
"""What a fault does its work on: single calls, or the list of tools, in every trial from its start or only later."""


class Rate(Struct, frozen=True, kw_only=True):
    """A share of trials with its interval; no rate where there was nothing to measure."""

    rate: float | None = None
    low: float = 0.0
    high: float = 1.0
    n: int = 0
    level: float = 0.95
    method: Method = "none"


class PassHat(Struct, frozen=True, kw_only=True):
    """The chance that k trials of one scenario all pass."""

    k: int
    rate: float
    low: float
    high: float
    scenarios: int
    """How many had k decided trials or more."""


class Counts(Struct, frozen=True, kw_only=True):
    """How trials ended."""

    trials: int = 0
    passed: int = 0
    failed: int = 0
    invalid: int = 0
    undecided: int = 0
    disputed: int = 0


class Slice(Struct, frozen=True, kw_only=True):
    """The trials that share something: a scenario, a fault, a factor's level."""

    name: str
    counts: Counts
    success: Rate
    scenarios: int = 1
    struck: int = 0
    """For a fault: the trials in which it really happened."""
    acts: Acts = "on calls"
    difficulty: str = ""
    modes: dict[str, int] = {}
    reasons: dict[str, int] = {}
    """For a scenario: why trials failed that have no finding, in a few words."""


class Place(Struct, frozen=True):
    """A tool's name, or `reply`, and how many traces show a mode there."""

    step: str
    traces: int


class ModeCount(Struct, frozen=True, kw_only=True):
    """A failure mode, in how many traces and findings it was seen, and where mostly."""

    mode: str
    severity: Severity
    traces: int
    findings: int
    share: Rate
    places: tuple[Place, ...]
    passed: int = 0
    """How many of the traces are of trials that passed."""
    failed: int = 0
    """And of trials that failed."""


class Transition(Struct, frozen=True, kw_only=True):
    """Failing trials whose last good step and first failing step were these."""

    after: str
    at: str
    trials: int


class Risk(Struct, frozen=True, kw_only=True):
    """One of OWASP's ten risks of agentic applications: trials that tried it, and trials that broke by it."""

    id: str
    title: str
    tried: int
    broke: int
    modes: tuple[str, ...]
    """The failure modes that map to it directly."""
    contributed: int = 0
    """Further trials, that showed only modes which help the risk along."""
    contributing: tuple[str, ...] = ()


class Broken(Struct, frozen=True, kw_only=True):
    """Trials that were invalid for one reason."""

    blame: str
    reason: str
    trials: int


class Reason(Struct, frozen=True, kw_only=True):
    """Trials that failed without a finding for one reason, and the first of them."""

    reason: str
    trials: int
    scenario: str
    trial: int


class SetAside(Struct, frozen=True, kw_only=True):
    """Verdicts that a person calls unfair, in that person's words, and of how many trials they are."""

    scenario: str
    because: str
    by: str
    trials: int


class Marked(Struct, frozen=True, kw_only=True):
    """Trials with a mark that is no verdict, and what success is without them."""

    trials: int = 0
    share: Rate = Rate()
    """Of the trials that are not invalid and could have it."""
    success_without: Rate = Rate()


class Failing(Struct, frozen=True, kw_only=True):
    """One line of what failed: a failure mode, or a reason of trials that show none, and how many trials failed."""

    what: str
    trials: int
    mode: str | None = None


class First(Struct, frozen=True, kw_only=True):
    """The conversation to read first, and the name of its place in the page."""

    scenario: str
    trial: int
    because: str
    anchor: str


class Start(Struct, frozen=True, kw_only=True):
    """Where a reader starts."""

    failing: tuple[Failing, ...]
    """Most frequent first."""
    first: First | None
    why: str
    """What the next command is for."""
    command: str


class Modelled(Struct, frozen=True, kw_only=True):
    """What a model that played the users came to."""

    model: str
    turns: int
    """Of all users, in the model's words or not."""
    stood_in: dict[str, int] = {}
    """Why the plain person spoke in its place, and in how many turns."""


class Summary(Struct, frozen=True, kw_only=True, tag_field="format", tag=FORMAT):
    """What a run came to."""

    agent: str
    world: str
    """What the tools were, as `--tools` names them."""
    seed: int
    version: str
    command: str
    """Runs all of it again."""
    trials: int
    passed: int
    failed: int
    invalid: int
    undecided: int
    success: Rate
    """Over the trials that were decided: those that passed or failed."""
    pass_hat: tuple[PassHat, ...]
    modes: dict[str, int]
    """How many traces show each failure mode, most frequent first; invalid trials are left out."""
    blame: dict[str, int]
    ends: dict[str, int]
    failures: tuple[ModeCount, ...]
    unexplained: int
    """Trials that failed without a finding."""
    scenarios: tuple[Slice, ...]
    faults: tuple[Slice, ...]
    factors: dict[str, tuple[Slice, ...]]
    transitions: tuple[Transition, ...]
    owasp: tuple[Risk, ...]
    broken: tuple[Broken, ...]
    errors: dict[str, int]
    """What went wrong in Misstep's own code without deciding a trial, and how often."""
    reasons: tuple[Reason, ...] = ()
    """Why trials failed that have no finding, most frequent first."""
    showing: int = 0
    """Traces that show any failure mode."""
    showing_passed: int = 0
    """How many of those are of trials that passed."""
    decided: bool = True
    """False where so many verdicts are set aside that the others decide nothing."""
    disputed: int = 0
    disputes: tuple[SetAside, ...] = ()
    lapsed: tuple[SetAside, ...] = ()
    """Disputes of scenarios that say something else by now: they set nothing aside."""
    strained: Marked = Marked()
    """The user had to say one wish twice running."""
    not_needed: Marked = Marked()
    """A question that the objective demands was not needed, for the user had said it unasked."""
    noted: int = 0
    """Trials of which something is worth knowing that is no failure."""
    notes: dict[str, int] = {}
    """What that is, and of how many trials."""
    start: Start | None = None
    modelled: Modelled | None = None
    """Where a model played the users."""
    robustness: Robustness | None = None
    """How success depends on the factors, the user and chance."""
    flaws: Flaws | None = None
    """What is wrong with the tools themselves, where somebody has looked."""


def summary_json(summary: Summary) -> bytes:
    """`summary.json`: indented, with a line end; the same summary gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(summary), indent=2) + b"\n"


def summary_from(data: bytes) -> Summary:
    """Read `summary.json` back."""
    return msgspec.json.decode(data, type=Summary)
