"""Parts of one conversation → what the person knows: facts with names of their own, and when each comes out."""

from collections import defaultdict
from collections.abc import Sequence

from misstep.core.scenario import Fact, Scalar
from misstep.synthesis.parts import Part
from misstep.synthesis.task import Item

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def facts_of(parts: Sequence[Part], opening: Sequence[Part]) -> tuple[Fact, ...]:
    """A fact for each thing that the person can say, of the parts in their order; `opening`: the parts said first.

    What two parts have in common is one fact. What goes by one name with two values is told apart by number.
    """
    held: dict[tuple[str, Scalar], list[tuple[Part, Item]]] = {}
    for part in parts:
        for item in part.items:
            held.setdefault((item.name, item.value), []).append((part, item))
    values: defaultdict[str, list[Scalar]] = defaultdict(list)
    for name, value in held:
        values[name].append(value)
    return tuple(_fact(name, value, users, values[name], opening) for (name, value), users in held.items())


def _fact(
    name: str,
    value: Scalar,
    users: Sequence[tuple[Part, Item]],
    rivals: Sequence[Scalar],
    opening: Sequence[Part],
) -> Fact:
    item = users[0][1]
    said = any(part in opening and name in part.up_front for part, _ in users)
    wrong = next((part.at_first[name] for part, _ in users if name in part.at_first), None)
    own = next((part.looked_up[name] for part, _ in users if name in part.looked_up), None)
    many = len(rivals) > 1
    return Fact(
        name=f"{_ORDINALS[rivals.index(value) % len(_ORDINALS)]} {name}" if many else name,
        value=value,
        words=(name, *item.words) if many else item.words,
        says=item.says,
        reveal="opening" if said else "asked",
        at_first=wrong,
        from_tool=None if said else own,
    )


def turns_needed(parts: Sequence[Part], opening: Sequence[Part], *, tells: int, quiet: int, presses: int) -> int:
    """Turns of the person in a conversation in which nobody wastes any; `quiet` ones ask for nothing."""
    questions = 0
    for part in parts:
        asked = len(dict.fromkeys(item.name for item in part.asked))
        questions += -(-asked // tells) if tells and asked else int(bool(asked))
    slips = sum(len(part.at_first) for part in parts)
    yeses = sum(part.confirmations for part in parts)
    later = sum(part not in opening for part in parts)
    return 1 + later + quiet + questions + slips + yeses + presses
