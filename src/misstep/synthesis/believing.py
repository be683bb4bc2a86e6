"""A part and the records that there are → what the person may have wrong without seeming to mean another record."""

from random import Random

from msgspec import structs

from misstep.core.scenario import Scalar
from misstep.synthesis.ground import Ground, spoken_value
from misstep.synthesis.parts import Part
from misstep.synthesis.task import Item, Premise, is_key
from misstep.synthesis.tasks.looks import fresh, is_code

_TRIES = 6
_FEWEST = 2


def beliefs(part: Part, ground: Ground) -> tuple[Premise, ...]:
    """What the person may have wrong, of what the task neither changes nor is told by.

    What they believe must not lead to another record: nothing has that value; or the number of the right one is said,
    and the value is one that many have.
    """
    if all(item.role == "content" for item in part.items):
        return ()  # nothing would say which record it is about
    spoken_of = {name for name, _ in part.task.outcome} | {item.name for item in part.items}
    open_ = (
        each
        for each in part.task.premises
        if each.field not in spoken_of and not isinstance(each.true, bool) and not is_key(each.field)
    )
    found = (_harmless(each, part, ground) for each in open_)
    return tuple(each for each in found if each is not None)


def _harmless(premise: Premise, part: Part, ground: Ground) -> Premise | None:
    held = ground.held.get(premise.field, {})
    if not held.get(spoken_value(premise.false)):
        return premise
    # With the number said wrongly at first, what is believed would be all that there is to go by.
    numbered = any(_is_number_of_one(item) and item.name not in part.at_first for item in part.items)
    if numbered and held[spoken_value(premise.false)] >= _FEWEST and held.get(spoken_value(premise.true), 0) >= _FEWEST:
        return premise
    made = _made_up(premise.true, held, Random(f"belief/{part.task.id}/{premise.field}"))
    return structs.replace(premise, false=made) if made is not None else None


def _is_number_of_one(item: Item) -> bool:
    """`W-1234`, or a request number 301: it fits one record and no other."""
    whole = isinstance(item.value, int) and is_key(item.name)
    return item.role == "key" and (is_code(item.value) or whole)


def _near(number: int, random: Random) -> int:
    """One that somebody may have got wrong: a year by a few years, an amount by something like a tenth."""
    step = 1 if 1000 <= number <= 2100 else max(1, abs(number) // 50)
    return abs(number + random.choice((-1, 1)) * random.randint(1, 9) * step)


def _made_up(true: Scalar, held: dict[str, int], random: Random) -> Scalar | None:
    """Another number, day or time that no record has; of words none can be made up."""
    if isinstance(true, str) and not any(each.isdigit() for each in true):
        return None
    for _ in range(_TRIES):
        made = _near(true, random) if isinstance(true, int) else fresh(true, true, random)
        if made != true and not held.get(spoken_value(made)):
            return made
    return None
