"""Parts of one conversation → what the person knows: facts with names of their own, and when each comes out."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from misstep.core.scenario import Fact, Scalar
from misstep.core.words import STOPWORDS, split_identifier
from misstep.synthesis.fact_names import FactName, fact_name, things_in
from misstep.synthesis.ground import Ground
from misstep.synthesis.parts import Part
from misstep.synthesis.task import Item, Task
from misstep.synthesis.tasks.looks import noun_of
from misstep.wording.requests.forms import is_nominal

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def facts_of(parts: Sequence[Part], opening: Sequence[Part], ground: Ground) -> tuple[Fact, ...]:
    """A fact for each thing that the person can say, of the parts in their order; `opening`: the parts said first.

    What two parts have in common is one fact. What goes by one name with two values is told apart by what it is for:
    the text of the note from that of the mail, a number from the one for the price; or else by number.
    """
    things = things_in(ground)
    said = [[(fact_name(item, ground, things), item) for item in part.items] for part in parts]
    alike = _Alike()
    held: dict[tuple[FactName, Scalar, int], list[tuple[Part, Item]]] = {}
    for part, items in zip(parts, said, strict=True):
        which = alike.place(part, items)
        for name, item in items:
            held.setdefault((name, item.value, which[_kept_by(name)]), []).append((part, item))
    order = [*opening, *(part for part in parts if part not in opening)]
    called = _all_apart([alike.told_apart(name, users[0][1], which) for (name, _, which), users in held.items()])
    return tuple(
        structs.replace(
            _fact(name, users, opening),
            goals=tuple(dict.fromkeys(order.index(part) for part, _ in users)),
        )
        for name, users in zip(called, held.values(), strict=True)
    )


def _kept_by(name: FactName) -> str:
    """What is told apart together: all that is known of an order; of what is nothing's, each by itself."""
    return f"{name.thing} {name.fresh}" if name.thing else name.field


class _Alike:
    """Things of one name that the parts speak of: as many as have different values for one of their fields."""

    def __init__(self) -> None:
        self._known: defaultdict[str, list[dict[FactName, Scalar]]] = defaultdict(list)
        self._uses: defaultdict[str, list[_Use]] = defaultdict(list)

    def place(self, part: Part, items: Sequence[tuple[FactName, Item]]) -> dict[str, int]:
        """Which one of its name each thing of a part is."""
        own: defaultdict[str, dict[FactName, Scalar]] = defaultdict(dict)
        for name, item in items:
            own[_kept_by(name)][name] = item.value
        return {kept: self._which(kept, values, part) for kept, values in own.items()}

    def _which(self, kept: str, values: Mapping[FactName, Scalar], part: Part) -> int:
        known = self._known[kept]
        fitting = [at for at, each in enumerate(known) if all(each.get(name, v) == v for name, v in values.items())]
        shared = (at for at in fitting if values.items() & known[at].items())
        at = next(shared, fitting[0] if fitting else len(known))
        if at == len(known):
            known.append({})
            self._uses[kept].append(_use_of(part.task))
        known[at].update(values)
        return at

    def told_apart(self, name: FactName, item: Item, which: int) -> FactName:
        """`text of the note` beside `text of the mail`; the id of the order whose price is asked for; or by number."""
        uses = self._uses[_kept_by(name)]
        own, others = uses[which], [each for at, each in enumerate(uses) if at != which]
        if not others:
            return name
        if own.noun and own.noun not in [each.noun for each in others] and own.noun not in _kept_by(name).split():
            return name.of_use(own.noun, content=item.role == "content")
        wanted = own.wants not in [each.wants for each in others] and is_nominal(own.wants)
        if name.thing and own.wants and wanted:
            return structs.replace(name, what_for=f"I want the {own.wants} of")
        return structs.replace(name, ordinal=_ORDINALS[which % len(_ORDINALS)])


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


def _use_of(task: Task) -> _Use:
    noun = noun_of("_".join(split_identifier(task.tool)[1:])).rpartition(" ")[2]
    noun = "" if noun in STOPWORDS else noun
    return _Use(noun, task.wants if task.kind == "question" else "")


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
    acting = [part for part in parts if any(step.role == "act" for step in part.steps)]
    # Many agents ask before whatever they do; what was wished in one breath may be asked about in one.
    asked_of = len([part for part in acting if part not in opening]) + any(part in opening for part in acting)
    yeses = max(asked_of, sum(part.confirmations for part in parts))
    later = sum(part not in opening for part in parts)
    return 1 + later + quiet + questions + slips + yeses + presses
