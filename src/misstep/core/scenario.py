"""A Scenario: a situation to put an agent in; with the user's side (Person, Fact, Goal) and the Faults."""

from collections.abc import Mapping
from typing import Literal, cast

import msgspec
from msgspec import Struct

from misstep.core.errors import FormatError
from misstep.core.objective import Objective
from misstep.core.policy import Policy
from misstep.core.tool import JSON

FORMAT = "misstep.scenario/1"

Scalar = str | int | float | bool


class Fault(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What to do to which event: the calls it fits, which of them, and what happens to those."""

    kind: str
    tool: str = "*"
    """A tool's name, or a pattern with `*`; for a handoff, the name of the agent it goes to."""
    target: Literal["tool", "handoff"] = "tool"
    arguments: dict[str, JSON] = {}
    """Only calls whose arguments fit these patterns."""
    occurrence: int | None = None
    """Only the n-th call that fits, from 1; None means each."""
    times: int | None = None
    """At most so many times in a trial."""
    probability: float = 1.0
    """Drawn from the trial's seed."""
    parameters: dict[str, JSON] = {}


class Given(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A call that a scenario has made: to set the scene, which is on no tape, or by the user with a tool of theirs."""

    tool: str
    arguments: dict[str, JSON] = {}

    def __hash__(self) -> int:
        return hash((self.tool, *self.arguments))  # what is in the arguments need not be hashable


class Fact(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Something that the person knows and may tell."""

    name: str
    """What people call it: "order number", "email"."""
    value: Scalar
    words: tuple[str, ...] = ()
    """Other words that ask for it."""
    says: tuple[str, ...] = ()
    """Other ways to put the value."""
    reveal: Literal["opening", "asked", "never"] = "asked"
    at_first: Scalar | None = None
    """What the person says by mistake, to be put right one turn after it was told."""
    from_tool: Given | None = None
    """Not known by heart: when asked for it, the person makes this call with a tool of their own and reads it there.
    Never in an opening."""
    goals: tuple[int, ...] = ()
    """The places of the goals that it is about, from 0; none means all. Until one of them comes up, it answers and
    contradicts nothing."""


class Goal(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Something that the person wants, in the words that the person would use."""

    ask: str
    wish: str = ""
    """The same said again, with nothing round it: "refund the order", or a plain question; `ask` where it is empty."""
    after: bool = False
    """Brought up only once the goal before it is settled."""


class Favour(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Something that the person does with a tool of their own when the agent asks for it."""

    name: str
    """What is to be done, in the words of one who asks: "restart the router"."""
    call: Given
    words: tuple[str, ...] = ()
    """Other words that ask for it: "switch it off and on again"."""


class Person(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The user of a scenario: what they want, know and will put up with."""

    opening: str = ""
    """Said first, word for word; made from the goals and the facts of the opening where it is empty."""
    facts: tuple[Fact, ...] = ()
    goals: tuple[Goal, ...] = ()
    constraints: tuple[str, ...] = ()
    """Sentences that limit how the goals may be reached; said with the opening unless the opening says them."""
    favours: tuple[Favour, ...] = ()
    """What the person does when asked, and says what it showed."""
    declines: tuple[str, ...] = ()
    """Words of proposals that this person says no to."""
    patience: int = 12
    """Turns before the person gives up."""
    presses: int = 0
    """How often the person insists after a refusal."""
    tells: int = 0
    """At most so many facts in one reply; 0 means as many as were asked for."""
    asides: tuple[str, ...] = ()
    """Sentences that ask for nothing, said a turn each, before the goals that come `after`."""
    voice: str = "plain"
    """The register that the person speaks in: "plain", "formal", "terse", "chatty" …"""
    script: tuple[str, ...] = ()
    """Where there is one, the person says just this, a line a turn."""


class Scenario(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
    tag_field="format",
    tag=FORMAT,
):
    """A situation to put an agent in: from an abstract goal to a frozen script, one type."""

    name: str
    summary: str = ""
    seed: int = 0
    """What the world's state is made from."""
    tools: tuple[str, ...] = ()
    """The tools on offer; none means all."""
    policy: Policy | None = None
    """In place of the toolbox's own."""
    given: tuple[Given, ...] = ()
    """Calls that set the scene, on top of the state that the seed makes."""
    user: Person = Person()
    faults: tuple[Fault, ...] = ()
    objective: Objective | None = None
    factors: dict[str, Scalar] = {}
    """What it was made from, written before any agent has run: `difficulty`, `ambiguity`, `goals` …"""
    task: str = ""
    """What it is a variant of: scenarios of one task stand or fall together, and are no independent evidence."""
    aims: tuple[str, ...] = ()
    """Failure modes that it is meant to provoke."""
    origin: str = "written by hand"

    def __post_init__(self) -> None:
        if not self.name or any(character in self.name for character in "/#\\\n"):
            raise ValueError(f"a scenario's name must be there and have no '/', '#' or line end; got {self.name!r}")


def scenario_from(data: JSON, *, place: str) -> Scenario:
    """Build a Scenario from parsed TOML or JSON; `place` is named in the error."""
    form = cast(Mapping[str, JSON], data).get("format", FORMAT) if isinstance(data, Mapping) else FORMAT
    if form != FORMAT:
        newer = " Update Misstep to read it." if str(form).startswith("misstep.scenario/") else ""
        raise FormatError(f"{place} has the format {form!r}; this version of Misstep reads {FORMAT!r}.{newer}")
    try:
        return msgspec.convert(data, Scenario, strict=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise FormatError(f"{place} is no scenario: {error}.") from None
