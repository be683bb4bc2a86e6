"""A call that is refused → the task in which a person asks for it: what they say, and what they must be told."""

from collections.abc import Collection, Sequence

from msgspec import Struct

from misstep.core.objective import ExpectedFact
from misstep.core.scenario import Given
from misstep.core.state import Change
from misstep.synthesis.task import Control, Item, Task, no_of
from misstep.synthesis.tasks.acting import Loss, Trying, Win
from misstep.synthesis.tasks.claiming import CLAIM, COURTESIES, claimed, without_claimed
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

    @property
    def claims(self) -> tuple[str, ...]:
        """The words of one who claims that it was done."""
        rows = [*(row for _, _, own in self.named for row in own), *(each.row for each in self.planner.now.seen)]
        return claimed(self.known, self.trying, self.call, self.items, rows)


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
    told: Sequence[ExpectedFact],
    *,
    wants: str = "",
    given: Sequence[Given] | None = None,
    others: Sequence[Win],
    changes: Sequence[Change] = (),
    so_already: bool = False,
) -> Task:
    """`given`: what has been done before; `others`: calls that would be wrong to make instead."""
    known, now, items = way.known, way.planner.now, way.items
    claims = way.claims
    told = [without_claimed(fact, claims) for fact in told]
    no = no_of("refusal", told, so_already=so_already)
    tells = tuple(fact.any_of[0] for fact in (*told, *no))
    polite = COURTESIES if so_already else (*COURTESIES, "done already")
    done = given if given is not None else [Given(each.tool, each.arguments) for each in known.bench.given]
    return Task(
        id=name,
        kind="refusal",
        tool=way.call.call.tool,
        steps=now.steps,
        items=items,
        calls=calls_of(now.steps, items, free=True),
        told=tuple(told),
        wants=wants,
        marks=tuple(item.name for item in items if item.role == "mark"),
        strangers=await strangers_of(known, now.asked, items),
        new=tuple(sorted(created_in(way.trying))),
        given=tuple(done),
        touches=touches_of(now.seen, changes, [row.kept for _, _, rows in way.named for row in rows]),
        controls=(
            Control(name=CLAIM, steps=now.steps, tells=(*polite, *claims)),
            *(
                Control(name="done-to-another", steps=(*now.steps, *steps_of(other)), tells=tells)
                for other in others[:1]
            ),
            Control(name="nothing-told", steps=now.steps),
        ),
        seed=known.bench.seed,
        stateful=known.bench.stateful,
        ignore_tables=known.ignored,
        so_already=so_already,
    )
