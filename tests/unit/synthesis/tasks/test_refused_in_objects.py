"""Tools that refuse with an object: what it says is heeded, and neither its keys nor its sentences become values."""

import asyncio
from collections.abc import Callable

from made_once import made_once

from misstep.synthesis.tasks.tasking import Tasks, tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held

SIZES = ("small", "medium", "large")


def kennel() -> list[Callable[..., object]]:
    keepers = {
        "KP-31-07": {"name": "Ida Brook", "phone": "0113 496 0101", "town": "Leeds", "members": True},
        "KP-31-12": {"name": "Otto Fenn", "phone": "0113 496 0102", "town": "Hull", "members": False},
        "KP-32-01": {"name": "Una Marsh", "phone": "0113 496 0103", "town": "York", "members": True},
    }
    dogs = {
        f"DG-{number}": {"owner": owner, "called": called, "size": size, "papers": papers, "state": state}
        for number, owner, called, size, papers, state in (
            (71, "KP-31-07", "Bramble", "small", ["vaccination"], "here"),
            (72, "KP-31-12", "Captain", "large", ["vaccination", "pedigree"], "gone"),
            (73, "KP-32-01", "Duchess", "medium", ["chip"], "here"),
            (74, "KP-32-01", "Echo", "small", ["chip", "pedigree"], "here"),
        )
    }

    def no(message: str) -> dict[str, object]:
        return {"ok": False, "message": message}

    def get_keeper(keeper_number: str) -> dict[str, object]:
        """Get a keeper."""
        found = keepers.get(keeper_number)
        return {"ok": True, **found} if found else no(f"Keeper {keeper_number} not found")

    def dogs_for_keeper(keeper_number: str) -> dict[str, object]:
        """All dogs that a keeper has (number, name)"""
        if keeper_number not in keepers:
            return no(f"Keeper {keeper_number} not found")
        own = [{"dog_id": key, "called": dog["called"]} for key, dog in dogs.items() if dog["owner"] == keeper_number]
        return {"ok": True, "dogs": own}

    def get_dog(dog_id: str) -> dict[str, object]:
        """Get a dog."""
        return {"ok": True, **dogs[dog_id]} if dog_id in dogs else no(f"Dog {dog_id} not found")

    def add_papers(dog_id: str, papers: str) -> dict[str, object]:
        """Add papers to what is kept of a dog that is here"""
        if dog_id not in dogs:
            return no(f"Dog {dog_id} not found")
        if dogs[dog_id]["state"] != "here":
            return no(f"Dog is {dogs[dog_id]['state']}, nothing can be added")
        if papers in dogs[dog_id]["papers"]:
            return no("We have these already")
        dogs[dog_id]["papers"].append(papers)  # pyright: ignore
        return {"ok": True}

    def change_size(dog_id: str, size: str) -> dict[str, object]:
        """Put down another size of a dog."""
        if dog_id not in dogs:
            return no(f"Dog {dog_id} not found")
        if size not in SIZES:
            return no("size must be one of small, medium, large")
        if dogs[dog_id]["size"] == size:
            return no(f"It is {size} already")
        dogs[dog_id]["size"] = size
        return {"ok": True}

    return [get_keeper, dogs_for_keeper, get_dog, add_papers, change_size]


@made_once
def made() -> Tasks:
    make = asyncio.run(held(as_toolbox(kennel))).make
    assert make is not None
    return asyncio.run(tasks_of(lambda seed: make(), seed=5, count=60))


def test_no_sentence_and_no_key_of_a_refusal_goes_into_a_call() -> None:
    for task in made().tasks:
        for step in task.steps:
            for value in step.arguments.values():
                assert value not in ("ok", "message", False), task
                assert "not found" not in str(value), task
                assert "already" not in str(value), task


def test_a_look_up_whose_first_calls_are_refused_in_an_object_is_reached_all_the_same() -> None:
    assert made().unreached == {}


def test_values_that_a_refusal_in_an_object_lists_are_taken() -> None:
    sizes = {step.arguments["size"] for task in made().tasks for step in task.steps if "size" in step.arguments}
    assert sizes
    assert sizes <= set(SIZES)
