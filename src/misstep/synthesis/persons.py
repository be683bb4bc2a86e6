"""Parts of one conversation → what the person knows: facts with names of their own, and when each comes out."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from misstep.core.scenario import Fact, Scalar
from misstep.core.words import STOPWORDS, split_identifier
from misstep.synthesis.fact_names import FactName, fact_name, things_in
from misstep.synthesis.ground import Ground
from misstep.synthesis.parts import Part
from misstep.synthesis.task import Item
from misstep.synthesis.tasks.looks import noun_of
from misstep.wording.requests.forms import is_nominal

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def facts_of(parts: Sequence[Part], opening: Sequence[Part], ground: Ground) -> tuple[Fact, ...]:
    """A fact for each thing that the person can say, of the parts in their order; `opening`: the parts said first.

    What two parts have in common is one fact. What goes by one name with two values is told apart by what it is for:
    the text of the note from that of the mail, a number from the one for the price; or else by number.
    """
    things = things_in(ground)
    held: dict[tuple[FactName, Scalar], list[tuple[Part, Item]]] = {}
    for part in parts:
        for item in part.items:
            held.setdefault((fact_name(item, ground, things), item.value), []).append((part, item))
    uses: defaultdict[FactName, dict[Scalar, _Use]] = defaultdict(dict)
    for (name, value), users in held.items():
        uses[name][value] = _use_of(*users[0])
    order = [*opening, *(part for part in parts if part not in opening)]
    called = _all_apart([_told_apart(name, value, uses[name]) for name, value in held])
    return tuple(
        structs.replace(
            _fact(name, users, opening),
            goals=tuple(dict.fromkeys(order.index(part) for part, _ in users)),
        )
        for name, users in zip(called, held.values(), strict=True)
    )


def _all_apart(names: Sequence[FactName]) -> list[FactName]:
    """By number, where what they are for makes two names one after all."""
    said = [name.said for name in names]
    return [
        structs.replace(name, ordinal=_ORDINALS[said[:at].count(name.said) % len(_ORDINALS)])
        if said.count(name.said) > 1
        else name
        for at, name in enumerate(names)
    ]


class _Use(Struct, frozen=True):
    """What a fact is for."""

    noun: str
    """What its act is about, in a word."""
    wants: str
    """What is asked for; nothing where something is to be done."""
    content: bool


def _use_of(part: Part, item: Item) -> _Use:
    task = part.task
    noun = noun_of("_".join(split_identifier(task.tool)[1:])).rpartition(" ")[2]
    noun = "" if noun in STOPWORDS else noun
    return _Use(noun, task.wants if task.kind == "question" else "", item.role == "content")


def _told_apart(name: FactName, value: Scalar, uses: Mapping[Scalar, _Use]) -> FactName:
    """`text of the note` beside `text of the mail`; the id of the order whose price is asked for; or by number."""
    own, others = uses[value], [each for other, each in uses.items() if other != value]
    if not others:
        return name
    if own.noun and own.noun not in [each.noun for each in others] and own.noun not in name.words:
        return name.of_use(own.noun, content=own.content)
    wanted = own.wants not in [each.wants for each in others] and is_nominal(own.wants)
    if name.thing and own.wants and wanted:
        return structs.replace(name, what_for=f"I want the {own.wants} of")
    return structs.replace(name, ordinal=_ORDINALS[list(uses).index(value) % len(_ORDINALS)])


def _fact(name: FactName, users: Sequence[tuple[Part, Item]], opening: Sequence[Part]) -> Fact:
    item = users[0][1]
    said = any(part in opening and each.name in part.up_front for part, each in users)
    wrong = next((part.at_first[each.name] for part, each in users if each.name in part.at_first), None)
    own = next((part.looked_up[each.name] for part, each in users if each.name in part.looked_up), None)
    return Fact(
        name=name.said,
        value=item.value,
        words=tuple(word for word in dict.fromkeys((item.name, name.plain, *item.words)) if word != name.said),
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
