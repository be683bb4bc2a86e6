"""Parts of one conversation → what the person knows: facts with names of their own, and when each comes out."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from misstep.core.scenario import Fact, Scalar
from misstep.core.words import STOPWORDS, split_identifier
from misstep.synthesis.ground import Ground
from misstep.synthesis.parts import Part
from misstep.synthesis.task import Item, Task
from misstep.synthesis.tasks.looks import noun_of
from misstep.wording.requests.slots import is_of_speaker

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def facts_of(parts: Sequence[Part], opening: Sequence[Part], ground: Ground) -> tuple[Fact, ...]:
    """A fact for each thing that the person can say, of the parts in their order; `opening`: the parts said first.

    What two parts have in common is one fact. What goes by one name with two values is told apart by what it is for:
    the text of the note from that of the mail, a number from the one for the price; or else by number.
    """
    held: dict[tuple[str, Scalar], list[tuple[Part, Item]]] = {}
    for part in parts:
        for item in part.items:
            held.setdefault((_called(item, ground), item.value), []).append((part, item))
    uses: defaultdict[str, dict[Scalar, _Use]] = defaultdict(dict)
    for (name, value), users in held.items():
        uses[name][value] = _use_of(users[0][0].task)
    order = [*opening, *(part for part in parts if part not in opening)]
    return tuple(
        structs.replace(
            _fact(name, value, users, uses[name], opening, ground),
            goals=tuple(dict.fromkeys(order.index(part) for part, _ in users)),
        )
        for (name, value), users in held.items()
    )


def _called(item: Item, ground: Ground) -> str:
    """`doctor name`: what is called `name` would be the speaker's own."""
    noun = ground.noun_of(item)
    bare = bool(noun) and " " not in item.name and noun not in item.name and not is_of_speaker(noun)
    return f"{noun} {item.name}" if bare else item.name


def _words_of(item: Item, name: str, ground: Ground) -> tuple[str, ...]:
    """Other words for it, also with what it is a field of: `post status` for a status."""
    noun = ground.noun_of(item)
    of_kind = (item.name, f"{noun} {item.name}") if noun and noun not in item.name else ()
    return tuple(word for word in dict.fromkeys((*of_kind, *item.words)) if word != name)


class _Use(Struct, frozen=True):
    """What a fact is for."""

    noun: str
    """What its act is about, in a word."""
    purpose: str
    """`for the price`; nothing where it is for something to be done."""


def _use_of(task: Task) -> _Use:
    noun = noun_of("_".join(split_identifier(task.tool)[1:])).rpartition(" ")[2]
    noun = "" if noun in STOPWORDS else noun
    return _Use(noun, f"for the {task.wants}" if task.kind == "question" else "")


def _told_apart(name: str, value: Scalar, uses: Mapping[Scalar, _Use]) -> str:
    """`note text` beside `mail text`; `order id` beside `order id for the price`; or by number."""
    own, others = uses[value], [each for other, each in uses.items() if other != value]
    if own.noun and own.noun not in [each.noun for each in others] and own.noun not in name.split():
        return f"{own.noun} {name}"
    if own.purpose not in [each.purpose for each in others]:
        return f"{name} {own.purpose}".strip()
    return f"{_ORDINALS[list(uses).index(value) % len(_ORDINALS)]} {name}"


def _fact(
    name: str,
    value: Scalar,
    users: Sequence[tuple[Part, Item]],
    uses: Mapping[Scalar, _Use],
    opening: Sequence[Part],
    ground: Ground,
) -> Fact:
    item = users[0][1]
    said = any(part in opening and each.name in part.up_front for part, each in users)
    wrong = next((part.at_first[each.name] for part, each in users if each.name in part.at_first), None)
    own = next((part.looked_up[each.name] for part, each in users if each.name in part.looked_up), None)
    many = len(uses) > 1
    own_name = _told_apart(name, value, uses) if many else name
    return Fact(
        name=own_name,
        value=value,
        words=_words_of(structs.replace(item, words=(name, *item.words)) if many else item, own_name, ground),
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
