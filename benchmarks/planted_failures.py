"""Failures that levels of factors set off, drawn from a seed, and what an agent with one does with a row of levels."""

from collections.abc import Mapping
from itertools import count, pairwise, takewhile
from random import Random

from msgspec import Struct

from misstep.core.event import Event, Message, ToolCall, ToolResult
from misstep.core.scenario import Scalar
from misstep.core.trace import Trace

SPACE: dict[str, tuple[Scalar, ...]] = {
    "goals": (1, 2, 3, 4, 5, 6),
    "specificity": ("all", "some", "none"),
    "ambiguity": ("one", "several", "none"),
    "constraint": ("none", "order", "exclusion", "limit", "budget"),
    "distance": (0, 2, 4),
    "filler": (0, 60, 200),
    "noise": ("none", "typos", "heavy"),
    "correction": ("no", "yes"),
    "premise": ("true", "false"),
    "pressure": (0, 1, 2),
    "wording": ("close", "synonym", "foreign"),
    "fault": ("none", "latency", "rate-limit", "error", "timeout"),
    "place": ("look-up", "act"),
}
SHOWING = ("goals", "specificity", "ambiguity", "constraint", "correction", "premise", "pressure", "fault", "place")
"""The factors that change what even a faultless agent calls."""
GRADED = ("goals", "specificity", "distance", "filler", "noise", "pressure", "wording")
RAREST, MOST = 0.004, 0.02
_SAMPLE = 1_500

Row = Mapping[str, Scalar]


class Plant(Struct, frozen=True):
    """A failure: the levels that set it off together, and how often they do."""

    levels: dict[str, tuple[Scalar, ...]]
    often: float
    marks: bool = False
    steps: tuple[str, ...] = ()
    """What the agent must do besides: one tool right after another, both by name, with whether they failed."""

    @property
    def share(self) -> float:
        """Of uniform trials; its steps left aside."""
        share = self.often
        for name, levels in self.levels.items():
            share *= len(levels) / len(SPACE[name])
        return share

    def stage(self, row: Row) -> int:
        """How many of its parts are there, one after another."""
        return sum(1 for _ in takewhile(lambda part: row[part[0]] in part[1], self.levels.items()))

    def strikes(self, row: Row, trace: Trace | None, random: Random) -> bool:
        if self.stage(row) < len(self.levels) or random.random() >= self.often:
            return False
        return not self.steps or (trace is not None and steps_of(trace).issuperset(self.steps))

    @property
    def group(self) -> str:
        mild = any(SPACE[name][0] in levels for name, levels in self.levels.items())
        return "steps" if self.steps else "mild" if mild else "trouble"

    def __str__(self) -> str:
        parts = [
            f"{name} {'–'.join(str(end) for end in dict.fromkeys((at[0], at[-1])))}" for name, at in self.levels.items()
        ]
        return f"{' + '.join([*parts, *self.steps])}, {self.often:.0%}"


NOTHING = Plant({}, 1.0)
"""What never shows beforehand."""


def steps_of(trace: Trace) -> set[str]:
    done = [
        each.call.tool + ("!" if each.result is not None and each.result.is_error else "") for each in trace.exchanges
    ]
    return {f"{one} {other}" for one, other in pairwise(["start", *done, "end"])}


def plant(kind: str, random: Random) -> Plant:
    names = [name for name in SPACE if kind != "hidden" or name not in SHOWING]
    while True:
        levels: dict[str, tuple[Scalar, ...]] = {}
        for name in random.sample(names, random.choice((2, 3, 4))):
            at = random.randrange(0 if kind == "anything" else 1, len(SPACE[name]))
            harsher = name in GRADED and kind != "anything"
            levels[name] = SPACE[name][at:] if harsher else SPACE[name][at : at + 1]
        made = Plant(levels, random.choice((1.0, 0.7, 0.4)), marks=kind == "stages")
        if RAREST <= made.share < MOST:
            return made


def any_plant(name: str) -> Plant:
    """One to three levels at random, the mildest as likely as the harshest; for every third, steps of the agent too."""
    random = Random(f"plant/{name}")
    rows = [uniform_row(random) for _ in range(_SAMPLE)]
    traces = [conversation(row, NOTHING, random) for row in rows]
    steps = sorted({step for trace in traces for step in steps_of(trace)})
    stepping = random.random() < 1 / 3
    while True:
        levels: dict[str, tuple[Scalar, ...]] = {}
        for factor in random.sample(list(SPACE), random.choice((0, 1, 2) if stepping else (1, 2, 3))):
            at = random.randrange(len(SPACE[factor]))
            harsher = factor in GRADED and random.random() < 1 / 2
            levels[factor] = SPACE[factor][at:] if harsher and at else SPACE[factor][at : at + 1]
        many = random.choice((1, 2)) if stepping else 0
        made = Plant(levels, random.choice((1.0, 0.7, 0.4, 0.1)), steps=tuple(random.sample(steps, many)))
        struck = sum(made.strikes(row, trace, random) for row, trace in 3 * list(zip(rows, traces, strict=True)))
        if RAREST <= (struck / 3 / _SAMPLE if stepping else made.share) < MOST:
            return made


def uniform_row(random: Random) -> Row:
    return {name: random.choice(levels) for name, levels in SPACE.items()}


def conversation(row: Row, planted: Plant, random: Random) -> Trace:
    """What an agent does with such a row, in outline: look up, ask where it must, act, retry what failed."""
    events: list[Event] = []
    ids = count(1)

    def says(role: str) -> None:
        events.append(Message(actor=role, role="user" if role == "user" else "agent", text="…"))

    def calls(tool: str, *names: str, error: bool = False, empty: bool = False) -> None:
        call_id = f"c{next(ids)}"
        events.append(ToolCall(actor="agent", call_id=call_id, tool=tool, arguments=dict.fromkeys(names, "x")))
        content = None if empty else {"id": "x"}
        events.append(ToolResult(actor=tool, call_id=call_id, content=content, is_error=error))

    failing = row["fault"] in ("rate-limit", "error", "timeout")
    says("user")
    for goal in range(int(row["goals"])):
        tool = random.choice(("refund", "move", "cancel", "note"))
        if row["specificity"] != "all" and goal == 0:
            says("agent")
            says("user")
        if failing and goal == 0 and row["place"] == "look-up":
            calls("find", "name", error=True)
        calls("find", "name", empty=row["ambiguity"] == "none" and goal == 0)
        if row["ambiguity"] != "one" and goal == 0:
            says("agent")
            says("user")
        if row["constraint"] in ("limit", "budget") and goal == 0:
            calls("price", "id")
        if row["correction"] == "yes" and goal == 0:
            says("user")
            calls("find", "number")
        if failing and goal == 0 and row["place"] == "act":
            calls(tool, "id", error=True)
            calls("check", "id")
        calls(tool, *(("id", "reason") if row["premise"] == "true" else ("id",)))
        says("agent")
        says("user")
    for _ in range(int(row["pressure"])):
        says("user")
        calls("rules")
    for _ in range(planted.stage(row) if planted.marks else 0):
        calls("again", *("once", "twice", "thrice")[: planted.stage(row)])
    return Trace(id="", events=tuple(events), end="finished")
