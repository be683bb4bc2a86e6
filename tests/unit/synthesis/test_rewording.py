"""A model puts openings in other words; what loses or invents a fact leaves the grammar's words standing."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

from made_once import made_once

from misstep.llm import Asking, Model, ModelError, ModelSettings, Reply, model_named
from misstep.llm.exchange import Request
from misstep.llm.recorded import Recording
from misstep.synthesis.making import Synthesis, Wish, synthesized
from misstep.synthesis.synthesizing import synthesize
from misstep.synthesis.tasks import checking
from misstep.synthesis.tasks.tasking import Tasks, tasks_of
from misstep.worlds import world_named

PLAIN = {"noise": ["none"], "goals": [1, 2], "premise": ["true", "false"]}
SHOP = world_named("shop").make
COUNT, SEED = 8, 4


class Rewriter:
    """Answers each request for a rewording by a function of the message."""

    def __init__(self, rewrite: Callable[[str], str]) -> None:
        self.asked = 0
        self._rewrite = rewrite

    async def reply(self, request: Request) -> Reply:
        self.asked += 1
        question = json.loads(next(said.text for said in request.messages if said.role == "user"))
        return Reply(text=json.dumps({"text": self._rewrite(question["message"])}))


def broken(message: str) -> str:
    raise ModelError("unreachable", "nobody is there")


def made(model: Model | None, **factors: list[str]) -> Synthesis:
    """What `synthesize` makes, of tasks that are found once."""
    wish = Wish(factors={**PLAIN, **factors}, model=model)
    return asyncio.run(
        synthesized(
            SHOP, found().tasks, unreached=found().unreached, count=COUNT, seed=SEED, wish=wish, met=checking.met
        )
    )


@made_once
def found() -> Tasks:
    return asyncio.run(tasks_of(SHOP, seed=SEED, count=60))


@made_once
def unmodelled(specificity: str = "") -> Synthesis:
    return made(None, **({"specificity": [specificity]} if specificity else {}))


def test_a_faithful_rewording_takes_the_place_of_the_grammars_words() -> None:
    grammars = unmodelled()
    model = Asking(Rewriter(lambda message: f"So, here goes. {message}"), "fake")
    models = asyncio.run(synthesize(SHOP, count=COUNT, seed=SEED, factors=PLAIN, model=model))
    assert models.figures.reworded == len(models.scenarios) > 0
    assert all("So, here goes." in scenario.user.opening for scenario in models.scenarios)
    assert [each.objective for each in models.scenarios] == [each.objective for each in grammars.scenarios]
    assert [each.user.facts for each in models.scenarios] == [each.user.facts for each in grammars.scenarios]


def test_a_rewording_that_invents_or_loses_is_asked_again_and_then_not_taken() -> None:
    for spoilt in (lambda message: f"{message} It is about Zanzibar 99417.", lambda _: "Please do it."):
        source = Rewriter(spoilt)
        models = made(Asking(source, "fake"), specificity=["all"])
        assert models.scenarios == unmodelled("all").scenarios
        assert models.figures.reworded == 0
        assert models.figures.kept_words == {"a fact was lost, changed or invented": len(models.scenarios)}
        assert source.asked == 2 * len(models.scenarios)


def test_a_model_that_cannot_be_reached_is_left_alone_soon() -> None:
    source = Rewriter(broken)
    models = made(Asking(source, "fake"))
    assert models.scenarios == unmodelled().scenarios
    assert source.asked < len(models.scenarios)
    assert sum(models.figures.kept_words.values()) == len(models.scenarios)


def test_slips_of_the_fingers_are_left_as_they_are() -> None:
    models = made(Asking(Rewriter(lambda message: f"Hm. {message}"), "fake"), noise=["heavy"])
    assert not any(scenario.user.opening.startswith("Hm.") for scenario in models.scenarios)
    assert models.figures.reworded + sum(models.figures.kept_words.values()) == len(models.scenarios)


def test_what_was_recorded_is_reworded_again_without_the_model(tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    first = made(Asking(Recording(Rewriter(lambda message: f"Right. {message}"), file), "fake"))
    again = made(model_named(ModelSettings(name="fake", replay=str(file))))
    assert again.scenarios == first.scenarios
    assert again.figures == first.figures
