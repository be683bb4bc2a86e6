"""A call that is refused → the task in which a person asks for it: what they say, and what would be wrong to do."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from misstep.core.objective import ExpectedFact
from misstep.core.scenario import Given
from misstep.core.state import Change
from misstep.synthesis.task import CLAIM, NOT_POSSIBLE, SILENT, Control, Item, Task
from misstep.synthesis.tasks.acting import Loss, Trying, Win
from misstep.synthesis.tasks.controls import steps_of
from misstep.synthesis.tasks.doing import Named, called_new, created_in, named_in, reached, volunteered
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.planning import Planner
from misstep.synthesis.tasks.telling import calls_of, strangers_of, touches_of


class Asked(Struct, frozen=True):
    """How a person asks for a call that is refused."""

    known: Knowledge
    trying: Trying
    call: Win
    named: Named
    planner: Planner

    @property
    def items(self) -> tuple[Item, ...]:
        return called_new(volunteered(self.planner.now.items, self.trying, self.call), self.known, self.trying)


async def asked(
    known: Knowledge, trying: Trying, call: Loss | Win, *, subjects: set[str], avoiding: Collection[str] = ()
) -> Asked | None:
    """None where nobody could ask for it. `avoiding`: values that would give the answer away."""
    changes = call.changes if isinstance(call, Win) else ()
    win = Win(call.call, call.values, call.before, call.answer, changes)
    named = named_in(trying, win)
    planner = Planner(known, [row for _, _, rows in named for row in rows])
    planner.avoiding = set(avoiding)
    planner.subjects = subjects
    if not await reached(planner, trying, win, named):
        return None
    return Asked(known, trying, win, named, planner)


async def refusal(
    name: str,
    way: Asked,
    told: Sequence[ExpectedFact] = (),
    *,
    wants: str = "",
    given: Sequence[Given] | None = None,
    others: Sequence[Win],
    changes: Sequence[Change] = (),
    so_already: bool = False,
) -> Task:
    """`told`: what stands in the way; `given`: what has been done before; `others`: calls that would be wrong to make
    instead."""
    known, now, items = way.known, way.planner.now, way.items
    claims = [f"done for {item.value}" for item in items if item.tells_which][:1] or ["done"]
    done = given if given is not None else [Given(each.tool, each.arguments) for each in known.bench.given]
    return Task(
        id=name,
        kind="refusal",
        tool=way.call.call.tool,
        steps=now.steps,
        items=items,
        calls=calls_of(now.steps, (), free=True),
        told=tuple(told),
        wants=wants,
        marks=tuple(item.name for item in items if item.role == "mark"),
        strangers=await strangers_of(known, now.asked, items),
        new=tuple(sorted(created_in(way.trying))),
        given=tuple(done),
        touches=touches_of(now.seen, changes, [row.kept for _, _, rows in way.named for row in rows]),
        controls=(
            *(Control(name=CLAIM, steps=now.steps, tells=(claim,)) for claim in claims if not so_already),
            *(
                Control(name="done-to-another", steps=(*now.steps, *steps_of(other)), tells=(NOT_POSSIBLE,))
                for other in others[:1]
            ),
            Control(name=SILENT, steps=now.steps),
        ),
        seed=known.bench.seed,
        stateful=known.bench.stateful,
        ignore_tables=known.ignored,
        so_already=so_already,
    )
