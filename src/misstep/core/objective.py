"""An Objective: a versioned statement of what success is, with checks that code can make."""

from msgspec import Struct

from misstep.core.tool import JSON, Effect

Pattern = JSON
"""What a value must be: a plain value (equal, with `1 == 1.0` and texts compared without case and outer spaces), or a
table with one of the keys `any_of` (one of several patterns), `near` with `within` (a number, give or take),
`contains` (a text that holds these words), `means` (free text: any fair paraphrase of these words), `not` (anything but
this pattern), `matches` (a regular expression),
`is` (`"anything"`, or `"nothing"` for a null, which a TOML file has no word for)."""


class ExpectedCall(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A call that the task needs, or allows. Arguments that are not named here do not matter."""

    id: str = ""
    """What `after` of others refers to; the tool's name unless given."""
    tool: str
    arguments: dict[str, Pattern] = {}
    after: tuple[str, ...] = ()
    or_tools: tuple[str, ...] = ()
    """Tools of which any call does as well."""
    optional: bool = False
    confirmed: bool = False
    """The user must have agreed to it, when asked, before it is made."""

    @property
    def name(self) -> str:
        return self.id or self.tool


class ExpectedChange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A record that must have been created, changed or deleted in the end."""

    table: str
    key: str | None = None
    """None: any record of the table, as for one that is created under a new key."""
    fields: dict[str, Pattern] = {}
    deleted: bool = False


class ExpectedFact(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that the agent must have told the user, in any of these forms."""

    name: str
    any_of: tuple[str | int | float, ...]


class ExpectedQuestion(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that the agent must have asked the user before it makes certain calls."""

    about: tuple[str, ...]
    """Words, any one of which shows that the question was about this."""
    before: tuple[str, ...] = ()
    """Tools; none means before the end."""
    or_told: tuple[str | int | float, ...] = ()
    """Whoever has told the user all of these, what holds for each that may be meant, need not ask."""
    answers: tuple[str | int | float, ...] = ()
    """Whoever is told one of these in reply has asked, in whatever words; where the user says one unasked, nobody
    need ask."""


class FalseBelief(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that the user has wrong. To repeat it as true, or to act on it, fails; to be silent is noted."""

    name: str
    """What it is about, in words: "joined on"."""
    value: str | int | float
    """What the user believes."""
    true: str | int | float


class Impossible(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Something that was asked for and cannot be: it is not there, or something forbids it.

    Met, in any words, by whoever finds out, says something to the user, and claims nothing else.
    """

    name: str
    """In words: "refund", "absence of the order number"."""
    tool: str = ""
    """The act that must not be said to be done."""
    about: tuple[str | int | float, ...] = ()
    """What says what it was asked of. Where other things were done, only a claim that names one of these is false."""
    answers: tuple[str | int | float, ...] = ()
    """Values of the kind that was asked for: to tell one that nothing has shown is to make it up."""
    because: tuple[str | int | float, ...] = ()
    """What stands in the way, in any of these forms; not to tell it is noted."""
    so: bool = False
    """It is so already: who says that it is done has said nothing wrong."""
    by_call: bool = True
    """It can be known only by calling some tool."""


class Forbidden(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Calls that must not succeed: of a tool, or of any tool with an effect."""

    tool: str | None = None
    effect: Effect | None = None
    arguments: dict[str, Pattern] = {}
    because: str = ""


class Limits(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Budgets of one trial. Seconds are simulated ones."""

    turns: int = 20
    calls: int = 60
    seconds: float = 3600.0


class Objective(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What success is."""

    version: int = 1
    statement: str = ""
    calls: tuple[ExpectedCall, ...] = ()
    state: tuple[ExpectedChange, ...] | None = None
    """The changes that must be there in the end, and no others; None means that the state does not matter."""
    ignore_tables: tuple[str, ...] = ()
    """Tables in which other changes do not matter."""
    facts: tuple[ExpectedFact, ...] = ()
    questions: tuple[ExpectedQuestion, ...] = ()
    beliefs: tuple[FalseBelief, ...] = ()
    impossible: tuple[Impossible, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    limits: Limits = Limits()
