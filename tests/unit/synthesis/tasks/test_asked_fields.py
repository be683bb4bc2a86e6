"""What is asked for and believed, and what a thing is to be called: only what people have a name for."""

import asyncio
from collections.abc import Callable
from functools import cache

from misstep.synthesis.task import Task
from misstep.synthesis.tasks.tasking import tasks_of
from misstep.tools.functions import as_toolbox
from misstep.tools.held import held


def bakery() -> list[Callable[..., object]]:
    goods = {
        code: {"code": code, "good": good, "price": price}
        for code, good, price in (
            ("RY-1", "rye loaf", 4.2),
            ("SP-2", "spelt roll", 1.1),
            ("OA-3", "oat bun", 1.4),
            ("WH-4", "wheat loaf", 3.8),
        )
    }
    baskets = {
        number: {
            "basket": number,
            "buyer": buyer,
            "baker": baker,
            "lines": {code: count},
            "tags": tags,
            "label": label,
            "day": f"2025-03-{number - 30}",
        }
        for number, buyer, baker, code, count, tags, label in (
            (41, "Ann Lee", 7, "RY-1", 2, ["early", "cash"], "blue sky"),
            (42, "Ben Oak", 8, "SP-2", 12, ["late", "card"], "red barn"),
            (43, "Cat Fig", 7, "OA-3", 6, ["early", "card"], "old mill"),
            (44, "Dan Elm", 9, "RY-1", 1, ["noon", "cash"], "green hill"),
        )
    }
    bakers = {number: {"baker": number, "town": town} for number, town in ((7, "Holm"), (8, "Vik"), (9, "Sund"))}

    def find_baskets(label: str) -> list[dict[str, object]]:
        """Find baskets by words of their label."""
        return [each for each in baskets.values() if label in str(each["label"])]

    def basket(basket: int) -> dict[str, object]:
        """All about a basket."""
        return baskets[basket]

    def contents(basket: int) -> dict[str, object]:
        """What is in a basket."""
        return {"basket": basket, "lines": baskets[basket]["lines"]}

    def all_goods() -> list[dict[str, object]]:
        """All goods."""
        return list(goods.values())

    def baker(baker: int) -> dict[str, object]:
        """All about a baker."""
        return bakers[baker]

    def relabel(basket: int, label: str) -> dict[str, object]:
        """Give a basket another label."""
        baskets[basket]["label"] = label
        return baskets[basket]

    def move(basket: int, day: str) -> dict[str, object]:
        """Move the day on which a basket is fetched (YYYY-MM-DD)."""
        baskets[basket]["day"] = day
        return baskets[basket]

    return [move, find_baskets, basket, contents, all_goods, baker, relabel]


@cache
def made() -> tuple[Task, ...]:
    make = asyncio.run(held(as_toolbox(bakery))).make
    assert make is not None
    return asyncio.run(tasks_of(lambda seed: make(), seed=1, count=80)).tasks


def test_what_stands_under_the_code_of_another_record_is_no_field_to_ask_for() -> None:
    asked = {task.wants.casefold() for task in made() if task.kind == "question"}
    assert asked
    assert not any(code in wanted for wanted in asked for code in ("ry", "sp 2", "oa 3", "wh 4")), asked


def test_nobody_has_the_number_of_another_record_or_one_of_several_values_wrong() -> None:
    believed = {premise.field for task in made() for premise in task.premises}
    assert believed
    assert not believed & {"baker", "tags"}, believed


def test_by_what_records_are_looked_up_the_new_one_is_called_new() -> None:
    given = {item.name for task in made() if task.tool == "relabel" for item in task.items if item.role == "content"}
    assert given == {"new label"}


def test_what_another_record_alone_has_is_new_to_the_one_that_is_to_get_it() -> None:
    for task in made():
        for item in task.items if task.tool == "move" and task.kind == "act" else ():
            if item.role == "content":
                anothers = str(item.value) in {f"2025-03-{day}" for day in (11, 12, 13, 14)}
                assert item.name == ("new day" if anothers else "day"), item
    assert any(item.name == "new day" for task in made() for item in task.items)
