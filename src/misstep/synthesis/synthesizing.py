"""Tools → scenarios with known right answers, varied along the factors; every one of them solved by its own plan."""

from collections.abc import Mapping, Sequence

from misstep.core.progress import Tell, nobody
from misstep.core.scenario import Scalar
from misstep.llm import Model
from misstep.synthesis.ground import MakeToolbox
from misstep.synthesis.making import Maker, Synthesis, Wish, maker_for, synthesized
from misstep.synthesis.mining import Profile
from misstep.synthesis.personas import Persona, persona_named
from misstep.synthesis.tasks.checking import met
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.synthesis.timely import TimelyMaker

_FEWEST_TASKS = 60
_MOST_TASKS = 200


async def synthesize(
    make_toolbox: MakeToolbox,
    *,
    count: int = 100,
    seed: int = 0,
    factors: Mapping[str, Sequence[Scalar]] | None = None,
    persona: str | Persona | None = None,
    like: Profile | None = None,
    strength: int = 2,
    model: Model | None = None,
) -> Synthesis:
    """Make `count` scenarios for these tools; fewer where some do not stand up to being executed.

    Factors that are named take these levels, and are crossed so that every combination of `strength` levels occurs; the
    others stay as they usually are. Where nothing is named, everything is varied. A persona sets its own levels; `like`
    draws them as they are in traces. A `model` puts the openings in other words, each checked against its facts.
    For tools that may hang, give a TimelyMaker.
    """
    wish = Wish(
        factors=dict(factors or {}),
        persona=persona_named(persona) if isinstance(persona, str) else persona,
        like=like,
        strength=strength,
        model=model,
    )
    return await fulfilled(wish, make_toolbox, count=count, seed=seed)


async def fulfilled(
    wish: Wish, make_toolbox: MakeToolbox, *, count: int = 100, seed: int = 0, tell: Tell = nobody
) -> Synthesis:
    """The same for a wish that is there already; `tell` hears how far it has come."""
    many = max(_FEWEST_TASKS, min(_MOST_TASKS, count))
    found = await tasks_of(make_toolbox, seed=seed, count=many, owners=wish.owners, tell=tell)
    hung = make_toolbox.hung_but(found.reached) if isinstance(make_toolbox, TimelyMaker) else {}
    unreached = {**found.unreached, **hung}
    return await synthesized(
        make_toolbox, found.tasks, unreached=unreached, count=count, seed=seed, wish=wish, met=met, tell=tell
    )


async def maker_of(make_toolbox: MakeToolbox, *, seed: int = 0) -> Maker:
    """For whoever chooses the rows: makes a scenario of each, along all factors."""
    found = await tasks_of(make_toolbox, seed=seed, count=_FEWEST_TASKS)
    return await maker_for(make_toolbox, found.tasks, seed=seed, wish=Wish(), met=met)
