"""What a request is about → the ways to refer to it: by its id, by what marks it out, as one's own, or as a new one."""

from misstep.core.words import split_identifier, stem, stems
from misstep.wording.requests.descriptions import alternatives, first_words, owner_in, preposition_before
from misstep.wording.requests.forms import ISO_DAY, is_of_speaker, noun_of, spoken_name
from misstep.wording.requests.grammar import expand
from misstep.wording.requests.inflection import is_mass, is_plural, plural, singular, with_article
from misstep.wording.requests.material import DAYS, Material, Spoken, head_stem
from misstep.wording.requests.synonyms import meaning_of, nouns_like

_TAILS = 2
"""At most so many facts hang on to a wish."""
_WITH_VALUE = ("to", "into", "for", "from", "about", "on", "in", "at", "under", "onto")
_WITH_NAME = frozenset({"text", "subject", "reason", "described", "new_time", "start", "minutes"})
"""Kinds that have a phrase of their own behind a wish."""
_MONEY = frozenset(
    map(
        stem,
        """payment transfer refund transaction deposit withdrawal invoice bill fine fee donation credit charge loan tip
        bonus discount budget expense voucher""".split(),
    )
)
"""Things that are so and so much: a refund of 20."""
_BOUNDS = ("from", "to", "until")
_UNPLURAL = (" of ", " in ", " to ", " for ", " on ")


def thing_ways(material: Material, noun: str) -> list[str]:
    """Ways to refer to what the deed is done to, by this noun."""
    if not noun:
        return []
    if owner := recorded_of(material):
        return [f"the {noun} of the {owner}"]
    if material.makes:
        return _new(noun)
    if either := _either(material, noun):
        return either
    if key := material.object_key:
        return _keyed(material, noun, key)
    if marks := [
        each.mark for each in material.told if each.form.standing == "thing" and each.saying.role != "content"
    ]:
        return marks[:1]
    if is_of_speaker(noun) and (named := [each for each in material.act.sayings if each.name == noun]):
        told = [each.mark for each in material.told if each.saying in named and each.inline]
        return [f"{noun} {told[0]}", f"the {noun} {told[0]}"] if told else [f"the {noun}"]
    if is_of_speaker(noun) and material.mine:
        return ["my account"] if not is_plural(noun) else [f"the {noun}"]
    owners = ["my", "my", "the"] if material.mine else ["the"]
    adjectives = [
        each.mark for each in material.told if each.frames.adjective and _is_word(each) and _is_of(each, noun)
    ]
    described = f"{adjectives[0]} {noun}" if adjectives else noun
    return [f"{owner} {described}" for owner in owners]


def recorded_of(material: Material) -> str:
    """Whose value it is that is recorded, and no new thing: the pet's in `Record the weight of a pet`."""
    deed, contents = material.deed, [each for each in material.act.sayings if each.role == "content"]
    told = any(head_stem(deed.noun) in stems(spoken_name(each.name)) for each in contents)
    records = deed.meaning is not None and deed.meaning is meaning_of("record")
    return owner_in(first_words(material.act.description)) if records and told else ""


def owner_named(material: Material, field: str) -> tuple[str, Spoken | None]:
    """Whose a field is that is all that a tool speaks of, and which one: the participant of `update_email`."""
    own = [noun for each in material.act.sayings if each.role == "key" and (noun := noun_of(each))]
    noun = material.in_number(owner_in(first_words(material.act.description)) or (own[0] if len(own) == 1 else ""))
    if not noun or head_stem(field) != head_stem(material.deed.noun) or (material.mine and is_of_speaker(noun)):
        return "", None
    return noun, material.key_of(noun)


def _either(material: Material, noun: str) -> list[str]:
    """Of two things that a description names, the one that is told, or both: `the vent or heater`."""
    both = alternatives(material.act.description)
    if noun not in both or noun in split_identifier(material.act.tool):
        return []
    told = [each.mark for each in material.told if each.inline and str(each.saying.value).lower() in both]
    return [f"the {told[0]}"] if told else [f"the {' or '.join(both)}"]


def _is_word(spoken: Spoken) -> bool:
    return spoken.inline and spoken.saying.role == "mark" and spoken.form.text.isalpha()


def _is_of(spoken: Spoken, noun: str) -> bool:
    """Whether it is the thing's own: the colour of an item makes no white order."""
    owner = spoken.name.rpartition(" ")[0]
    return not owner or head_stem(owner) == head_stem(noun)


def _new(noun: str) -> list[str]:
    if is_plural(noun) or is_mass(noun):
        return [with_article(noun), noun]
    return [with_article(noun), with_article(noun), f"a new {noun}"]


def _keyed(material: Material, noun: str, key: Spoken) -> list[str]:
    one = singular(noun)
    if is_of_speaker(one) and material.mine and not key.noun:
        return [f"the account {key.mark}"]
    ways = [f"{one} {key.mark}", f"{one} {key.mark}"]
    if key.kind == "number":
        ways += [f"my {one} {key.mark}", f"my {one} ({key.mark})"] if material.mine else [f"the {one} {key.mark}"]
        ways += [f"the {one} with the {key.name.rpartition(' ')[2]} {key.mark}"] if key.noun else []
        ways += [key.mark] if key.code else []
    elif key.kind == "title":
        ways = [f"the {one} {key.mark}", f"the {one} called {key.mark}"]
    elif key.kind == "query":
        ways = (
            [f"the {noun} {key.mark}"]
            if not is_plural(noun)
            else [f"the {noun} that match {key.mark}", f"{noun} with {key.mark} in them"]
        )
    else:
        ways += [f"the {one} {key.mark}", key.mark]
    return ways


def other_ways(material: Material, noun: str) -> list[str]:
    """Ways to refer to it without the tool's noun, which is given; none where there are no other words for it."""
    key = material.object_key
    ways = [each.mark for each in material.told if each.form.standing == "thing" and each.saying.role != "content"]
    if key is not None and (key.code or key.kind == "path"):
        ways += [key.mark, key.mark]
    if is_of_speaker(noun) and material.mine and not (key and is_of_speaker(key.noun)):
        return [*ways, "my profile", "my profile"]
    for other in nouns_like(noun):
        if key is not None:
            ways += [f"the {other} {key.mark}", f"{other} {key.mark}"]
        elif not ways:
            ways += [
                f"{'those' if is_plural(other) else 'that'} {other}",
                f"{'my' if material.mine else 'the'} {other}",
            ]
    return ways


def others_ways(material: Material) -> list[str]:
    """The same for several: `purchases`."""
    return [plural(noun) for noun in nouns_like(material.deed.noun) if not any(each in noun for each in _UNPLURAL)]


def new_ways(material: Material) -> list[str]:
    """The same for a new one: `a memo`."""
    return [with_article(noun) for noun in nouns_like(material.deed.noun)]


def tail_ways(material: Material, used: str = "") -> list[str]:
    """Phrases that hang on to a wish, each with its space: whom it goes to, what it is to say; and nothing."""
    ways = [""]
    attached = [
        phrase
        for each in material.told
        if each.mark not in used and (phrase := _attached(material, each)) and not phrase.startswith("of ")
    ]
    if attached:
        count = min(len(attached), _TAILS)
        both = " ".join(attached[:count])
        both = both.replace(" with ", " and ") if all(each.startswith("with ") for each in attached[:count]) else both
        ways += [f" {attached[0]}", f" {both}", f" {both}"]
        if material.makes:
            ways = ways[1:]
    return ways


def owner_of(material: Material) -> str:
    """What belongs right behind the thing, with its space: `of order W-1`."""
    phrases = (phrase for each in material.told if (phrase := _attached(material, each)).startswith("of "))
    return next((f" {phrase}" for phrase in phrases), "")


def of_owner(thing: str, owner: str) -> str:
    """With what belongs behind it; `bed B2`, and not the bed of bed B2, nor the weight of the pet of pet P-1."""
    named = owner.removeprefix(" of ")
    if owner == named:
        return thing
    kind = head_stem(named.rpartition(" ")[0])
    rest, _, last = thing.rpartition(" of ")
    if head_stem(thing) != kind:
        return f"{thing}{owner}"
    return f"{rest} of {named}" if rest and last else named


def _is_given(material: Material, spoken: Spoken) -> bool:
    """Whether it is whom or what something is assigned to: all that is said of it besides what it is."""
    meaning = material.deed.meaning
    others = [each for each in material.act.sayings if head_stem(each.name) != head_stem(material.deed.noun)]
    beside = [each for each in others if each.argument and each.role != "mark"]
    return meaning is not None and meaning is meaning_of("assign") and beside == [spoken.saying]


def _leads_in_time(material: Material, spoken: Spoken) -> str:
    """`from` for the argument `from_day`; `to` for the time that something is moved to."""
    first, *rest = split_identifier(spoken.saying.argument) or [""]
    if first in _BOUNDS and rest and ISO_DAY.match(str(spoken.saying.value)):
        return first
    return "to" if material.deed.sense == "reschedule" and spoken.kind in DAYS else ""


def _attached(material: Material, spoken: Spoken) -> str:
    if not spoken.inline or spoken is material.object_key:
        return ""
    own = spoken.noun and is_of_speaker(spoken.noun) and material.mine
    before = preposition_before(spoken.noun or spoken.name, material.act.description)
    if spoken.saying.role == "key" and before and not own and (spoken.noun or spoken.code):
        return f"{before} {spoken.noun or spoken.name} {spoken.mark}"
    if _is_given(material, spoken) and not before:
        return f"to {spoken.mark}"
    if spoken.saying.role != "content":
        return ""
    if lead := _leads_in_time(material, spoken):
        return f"{lead} {spoken.mark}"
    if head_stem(material.deed.noun) in stems(spoken.name):
        return ""
    if before in _WITH_VALUE and spoken.kind not in _WITH_NAME and not spoken.noun:
        return f"{before} {spoken.mark}"
    if before in _WITH_VALUE and spoken.noun:
        return f"{before} {spoken.noun} {spoken.mark}"
    tails = spoken.frames.tail
    if not tails:
        return ""
    if head_stem(material.deed.noun) not in _MONEY:  # nobody speaks of a band of 2,400
        tails = [tail for tail in tails if not tail.startswith("of {v}") or spoken.kind != "amount"]
    if not material.makes:
        tails = [tail for tail in tails if not tail.startswith("that ")]
    slots = {"v": (spoken.mark,), "n": (spoken.name,), "my": ("the",)}
    return expand(tails, rules={}, slots=slots, random=material.random) or ""
