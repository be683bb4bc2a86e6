"""Openings that the grammar made → the same in a model's words, where these keep every fact and invent none."""

import asyncio
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, structs

from misstep.core.errors import InvalidTrialError
from misstep.llm import Model
from misstep.synthesis.composing import Composition
from misstep.wording.requests import paraphrased

_AT_ONCE = 4
_MOST_ERRORS = 3
"""So many times in a row that the model itself fails, and it is not asked again."""


class Reworded(Struct, frozen=True, kw_only=True):
    """Compositions, and how many openings are the model's; of the others, why the grammar's words stay."""

    made: tuple[Composition, ...]
    reworded: int = 0
    kept: dict[str, int] = {}


async def reworded(made: Sequence[Composition], model: Model, *, seed: int) -> Reworded:
    """Ask the model for each opening, a few at a time; what it does to one says nothing about the others."""
    gate = asyncio.Semaphore(_AT_ONCE)
    asking = _Asking(model, seed)

    async def one(at: int, each: Composition) -> tuple[Composition, str]:
        async with gate:
            return await asking.ask(at, each)

    results = await asyncio.gather(*(one(at, each) for at, each in enumerate(made)))
    kept = Counter(why for _, why in results if why)
    return Reworded(
        made=tuple(each for each, _ in results),
        reworded=sum(not why for _, why in results),
        kept={why: kept[why] for why in sorted(kept)},
    )


class _Asking:
    """Remembers how often the model failed, to leave off in time."""

    def __init__(self, model: Model, seed: int) -> None:
        self._model = model
        self._seed = seed
        self._errors = 0
        self._last = ""

    async def ask(self, at: int, made: Composition) -> tuple[Composition, str]:
        spoken, person = made.spoken, made.scenario.user
        if spoken is None or spoken.worded.text not in person.opening:
            return made, "slips of the fingers or a lead-in are in it"
        if self._errors >= _MOST_ERRORS:
            return made, self._last
        try:
            said = await paraphrased(
                spoken.worded, spoken.act, self._model, voice=person.voice, seed=self._seed * 10_000 + at
            )
        except InvalidTrialError as error:
            if error.blame == "infrastructure":
                self._errors += 1
                self._last = error.reason[:160]
                return made, self._last
            return made, "a fact was lost, changed or invented"
        self._errors = 0
        opening = person.opening.replace(spoken.worded.text, said.text)
        scenario = structs.replace(made.scenario, user=structs.replace(person, opening=opening))
        skeleton = made.skeleton.replace(spoken.worded.skeleton, said.skeleton)
        return structs.replace(made, scenario=scenario, skeleton=skeleton), ""
