"""A deed and ways to refer to its thing → verb phrases in all moods: `cancel it`, `cancelling it`, `cancelled`."""

import re
from collections.abc import Callable, Sequence

from misstep.core.words import split_identifier, stem, stems
from misstep.wording.requests.act import Closeness
from misstep.wording.requests.forms import day_until, is_nominal, is_of_speaker, kind_of, lasts, spoken_name
from misstep.wording.requests.grammar import expand
from misstep.wording.requests.inflection import agreed, gerund, is_plural, participle
from misstep.wording.requests.material import ABOUT_PEOPLE, Material, Spoken, head_stem
from misstep.wording.requests.referring import (
    new_ways,
    of_owner,
    other_ways,
    others_ways,
    owner_named,
    owner_of,
    recorded_of,
    tail_ways,
    thing_ways,
)
from misstep.wording.requests.synonyms import is_owed, known_verbs, nouns_like, outcome_frames, verbs_like

Filled = dict[str, list[str]]

GIVEN_TO_ME = frozenset({"show", "get", "fetch", "tell", "give", "find", "read"})
_NOT_BY_ME = frozenset({"show", "list", "display", "describe", "print", "return", "tell", "give"})
_CHANGES = frozenset(
    {"update", "change", "edit", "modify", "set", "amend", "adjust", "correct", "patch", "alter", "revise"}
)
DRAWS = 4
"""Ways to put one slot that are made for a choice."""
_NAMING = re.compile(r" (?:with|under|giving|by) ")
"""What belongs to the verb, and not to a sentence that has another."""
_SEPARABLE = frozenset("off out up down away back over along in on".split())
_PARTICLES = _SEPARABLE | {"through", "to", "for"}


def wishes(material: Material, closeness: Closeness) -> Filled:
    """The slots of the rules for a wish, at a closeness; those that cannot be filled are missing."""
    if closeness == "foreign":
        return _foreign(material)
    deed = material.deed
    if not deed.verb:
        return _unnamed(material) if closeness == "close" else {}
    if pays_towards(material):
        return _paid(material) if closeness == "close" else {}
    others = () if deed.fixed else verbs_like(deed.verb, deed.sense)
    patterns = [f"{deed.verb} {deed.link}".strip()] if closeness == "close" else list(others)
    return wish_slots(material, patterns, nouns_at(material, closeness, deed.noun))


def pays_towards(material: Material) -> bool:
    """An amount is paid, and not simply all that is owed."""
    amounts = (each for each in material.act.sayings if each.role == "content" and kind_of(each) == "amount")
    return material.deed.verb == "pay" and is_owed(material.deed.noun) and next(amounts, None) is not None


def _paid(material: Material) -> Filled:
    """`pay 5.90 towards my fine`; with the amount untold, `make a payment towards my fine`."""
    random, slots = material.random, Filled()
    told = [each.mark for each in material.contents if each.kind == "amount" and each.inline]
    for _ in range(DRAWS):
        thing = random.choice(thing_ways(material, material.deed.noun))
        way = f"pay {told[0]} towards {thing}" if told else f"make a payment towards {thing}"
        put(slots, "i_do", way)
        put(slots, "do", f"let me {way}")
        put(slots, "doing", f"letting me {way}")
    return slots


def nouns_at(material: Material, closeness: Closeness, noun: str) -> list[str]:
    """The noun, and other words for it where these are wanted."""
    own = is_of_speaker(noun) and material.mine
    others = list(nouns_like(noun)) if closeness == "synonym" and not own else []
    return [*others, *others, noun] if others else [noun]


def wish_slots(material: Material, patterns: Sequence[str], nouns: Sequence[str]) -> Filled:
    slots: Filled = {}
    if not patterns:
        return slots
    for _ in range(DRAWS):
        pattern, noun = material.random.choice(patterns), material.random.choice(nouns)
        if changed := _changed(material):
            _add_change(material, slots, pattern, changed)
        else:
            _add_deed(material, slots, pattern, noun)
    return slots


def _add_deed(material: Material, slots: Filled, pattern: str, noun: str) -> None:
    random, deed = material.random, material.deed
    things = thing_ways(material, noun)
    thing = of_owner(random.choice(things), owner_of(material)) if things else ""
    way = random.choice(tail_ways(material, used=thing))
    goes = f" {deed.tail}" if deed.tail and way.split()[:1] != deed.tail.split()[:1] else ""
    tail = f"{goes}{way}"
    if _is_own(material):
        _add_own(material, slots, pattern, thing, tail)
        return
    by_me = deed.verb not in _NOT_BY_ME and " me" not in pattern and not _served(material)
    addressed = f"{pattern} me" if deed.reads and pattern in GIVEN_TO_ME else pattern
    put(slots, "do", f"{phrase(addressed, thing)}{tail}")
    put(slots, "doing", f"{phrase(addressed, thing, gerund)}{tail}")
    if by_me:
        put(slots, "i_do", f"{phrase(pattern, thing)}{tail}")
    if not thing:
        return
    several = is_plural(noun) and material.object_key is None
    if _passive(pattern) and not deed.reads:
        put(slots, "done", f"{done(pattern)}{goes}")
        put(slots, "thing", thing)
        put(slots, "tail", random.choice(tail_ways(material, used="".join(slots["thing"]))))
        _agree(slots, several)
        if not by_me:
            put(slots, "i_do", f"{random.choice(('have', 'get'))} {thing} {done(pattern)}{tail}")
    if not material.makes and addressed == pattern:
        put(slots, "thing", thing)
        put(slots, "tail", random.choice(tail_ways(material, used="".join(slots["thing"]))))
        put(slots, "do_it", f"{phrase(pattern, 'them' if several else 'it')}{goes}")


def _is_own(material: Material) -> bool:
    """Whether it is the speaker who does it, and the other side who lets them."""
    meaning = material.deed.meaning
    return meaning is not None and (meaning.own == "always" or (meaning.own == "mine" and material.mine))


def _add_own(material: Material, slots: Filled, pattern: str, thing: str, tail: str) -> None:
    """`borrow the book`; of the other side `let me borrow the book`."""
    if material.deed.meaning is not None and material.deed.meaning.gets and thing.startswith("my "):
        thing = f"the {thing.removeprefix('my ')}"
    put(slots, "i_do", f"{phrase(pattern, thing)}{tail}")
    put(slots, "do", f"let me {phrase(pattern, thing)}{tail}")
    put(slots, "doing", f"letting me {phrase(pattern, thing)}{tail}")
    if thing and material.object_key is not None:
        put(slots, "thing", thing)
        put(slots, "tail", tail)
        put(slots, "do_it", f"let me {phrase(pattern, 'it')}")


def _changed(material: Material) -> Spoken | str | None:
    """What is to change, where a deed changes something of a thing: the content that is told, or the name of it."""
    if material.deed.verb not in _CHANGES or material.deed.fixed:
        return None
    if told := [each for each in material.contents if each.inline]:
        return told[0]
    contents = [each for each in material.act.sayings if each.role == "content"]
    names = [spoken_name(each.name) for each in contents if not isinstance(each.value, bool)]
    return names[0] if names else None


def _add_change(material: Material, slots: Filled, pattern: str, changed: Spoken | str) -> None:
    random = material.random
    name = changed if isinstance(changed, str) else changed.name
    name = name.removeprefix("new ")
    to = f" to {changed.mark}" if not isinstance(changed, str) and random.random() < 0.8 else ""
    if "_" in pattern and to:
        return
    key, noun = material.object_key, material.thing
    if owner := owner_named(material, name)[0]:  # `the power of berth B-2`, and not of power B-2
        noun, key = owner, owner_named(material, name)[1] or key
    elif key is not None and head_stem(name) == head_stem(noun):
        noun = ""
    if lasts(name) and noun:
        things = [day_until(name, f"the {noun}" if key is None else f"{noun} {key.mark}")]
    elif key is not None and not (material.mine and is_of_speaker(key.noun)):
        named = f"{noun} {key.mark}".strip()
        things = [f"the {name} of {named}", f"the {name} of {key.mark if key.code else named}"]
    elif material.mine or not noun or head_stem(name) == head_stem(noun):
        things = [f"{'my' if material.mine else 'the'} {name}", f"the {name}"]
    else:
        things = [
            f"the {name} of the {noun}",
            f"the {noun}{chr(39) if noun.endswith('s') and is_plural(noun) else chr(39) + 's'} {name}",
        ]
    thing = random.choice(things)
    put(slots, "do", f"{phrase(pattern, thing)}{to}")
    put(slots, "i_do", f"{phrase(pattern, thing)}{to}")
    put(slots, "doing", f"{phrase(pattern, thing, gerund)}{to}")
    if _passive(pattern):
        put(slots, "done", done(pattern))
        put(slots, "thing", thing)
        put(slots, "tail", to)
        _agree(slots, is_plural(name))
        put(slots, "do_it", phrase(pattern, "it"))


def _agree(slots: Filled, several: bool) -> None:
    slots["is"], slots["has"], slots["needs"] = (
        (["are"], ["have"], ["need"]) if several else (["is"], ["has"], ["needs"])
    )


def put(slots: Filled, name: str, way: str) -> None:
    """One more way to fill a slot."""
    slots.setdefault(name, []).append(way)


def _served(material: Material) -> bool:
    meaning = material.deed.meaning
    return meaning is not None and meaning.served


def phrase(pattern: str, thing: str, form: Callable[[str], str] = str) -> str:
    """The verb in a form, with its thing: where the `_` is, or at the end."""
    head, *rest = pattern.split()
    parts = [form(head), *rest]
    if "_" in rest:
        at = parts.index("_")
        if len(thing.split()) > 2 and len(parts) == at + 2 and parts[at + 1] in _PARTICLES:
            parts = [*parts[:at], *parts[at + 1 :], thing]
        else:
            parts[at] = thing
    elif thing in ("it", "them") and len(rest) == 1 and rest[0] in _SEPARABLE:
        parts.insert(1, thing)
    elif thing:
        parts.append(thing)
    return " ".join(part for part in parts if part)


def done(pattern: str) -> str:
    """`called off`."""
    head, *rest = pattern.split()
    return " ".join([participle(head), *(word for word in rest if word != "_")])


def _passive(pattern: str) -> bool:
    rest = [word for word in pattern.split()[1:] if word != "_"]
    return not rest or (len(rest) == 1 and rest[0] in _PARTICLES)


def _unnamed(material: Material) -> Filled:
    """A tool that nobody can put in words is asked for by its name."""
    called = material.deed.called
    ways = [f"use '{called}'", f"use the '{called}' thing", f"run that '{called}' thing", f"run '{called}' for me"]
    way = material.random.choice(ways)
    doing = gerund(way.split()[0]) + way[way.index(" ") :]
    return {"do": [way], "i_do": [way], "doing": [doing]}


def _foreign(material: Material) -> Filled:
    deed, random = material.deed, material.random
    if pays_towards(material) or recorded_of(material):
        return {}
    meaning = deed.meaning
    refs = other_ways(material, deed.noun)
    slots: Filled = {"ref": refs, "a_ref": _new_ones(material), "refs": others_ways(material)}
    used = "".join(refs)
    slots["tail"] = [tail for tail in tail_ways(material, used=used) if material.makes or not _NAMING.match(tail)]
    slots["to"] = [tail for tail in slots["tail"] if tail.startswith((" to ", " into ", " onto "))]
    if changed := _changed(material):
        name = (changed if isinstance(changed, str) else changed.name).removeprefix("new ")
        slots["field"] = [name]
        slots["its"] = _its(material, name, refs)
        now = "" if isinstance(changed, str) else changed.mark
        slots["now"] = [frame.format(now) for frame in _frames_for_now(material, changed)] if now else [""]
    said: list[str] = []
    for _ in range(DRAWS):
        frames = meaning.foreign if meaning is not None else ()
        one = expand(frames, rules={}, slots=slots, random=random) or _outcome(material, refs)
        said.extend([_in_number(one, slots)] if one else [])
    asked = [each for each in said if each.endswith("?")]
    return {"foreign": [each for each in said if not each.endswith("?")], "foreign_question": asked}


def _frames_for_now(material: Material, changed: Spoken | str) -> tuple[str, ...]:
    """What it is by now: so it is with what people know of themselves; the rest is to be so from now on."""
    if material.mine and not isinstance(changed, str) and changed.kind in ABOUT_PEOPLE:
        return (": it's {} now", ", and it's {} from now on", "; {} is the right one")
    return (": it should be {}", ", and it should be {} from now on", "; {} is what it should be")


def _new_ones(material: Material) -> list[str]:
    """Nobody asks for a new one of what is there."""
    return new_ways(material) if material.makes or material.deed.reads or not material.deed.makes else []


def _in_number(said: str, slots: Filled) -> str:
    """With the verbs behind the field, or behind the field of something, in its number."""
    several = any(map(is_plural, slots.get("field", ())))
    names = [*(slots.get("its", ()) if several else ()), *filter(is_plural, slots.get("ref", ()))]
    for name in names:
        said = agreed(said, name, several=True)
    return said


def _its(material: Material, field: str, refs: list[str]) -> list[str]:
    """A field with what it is of: `my phone number`, `the night of the request`."""
    noun = material.thing
    owner, key = owner_named(material, field)
    if owner:
        return [f"the {field} of {owner} {key.mark}" if key is not None else f"the {field} of the {owner}"]
    if noun and lasts(field):
        return [day_until(field, ref) for ref in refs or thing_ways(material, noun)]
    if not noun or head_stem(field) == head_stem(noun) or (material.mine and is_of_speaker(noun)):
        return [f"{'my' if material.mine else 'the'} {field}"]
    return [f"the {field} of {ref}" for ref in refs or thing_ways(material, noun)]


def _outcome(material: Material, refs: list[str]) -> str | None:
    """What a field of the thing is to become, with a value that is told anyway or that says what is to be done."""
    random = material.random
    by_value = {str(each.saying.value).lower(): each.mark for each in material.told if each.inline}
    pairs = [
        (spoken_name(field), by_value.get(str(value).lower()) or str(value))
        for field, value in material.act.outcome
        if is_nominal(spoken_name(field))
        and (str(value).lower() in by_value or (isinstance(value, str) and _says_enough(material, value)))
    ]
    if not pairs or recorded_of(material):
        return None
    field, value = random.choice(pairs)
    usable = [ref for ref in refs or thing_ways(material, material.thing) if ref != value]
    slots = {"field": (field,), "value": (value,), "ref": usable}
    said = expand(outcome_frames(), rules={}, slots=slots, random=random)
    names = (field, *(f"{field} {link} {ref}" for ref in usable for link in ("of", "for")))
    for name in names if is_plural(field) else ():
        said = agreed(said, name, several=True) if said else None
    for ref in filter(is_plural, usable):
        said = (
            agreed(said, ref, several=True).replace(
                f"{ref} should have {value} as its", f"{ref} should have {value} as their"
            )
            if said
            else None
        )
    return said


def _says_enough(material: Material, value: str) -> bool:
    """A plain word that belongs to what is to be done: `approved`. Of a verb that nobody knows, any such word."""
    if not (value.isalpha() and value.islower()):
        return False
    told = set(stems(f"{' '.join(split_identifier(material.act.tool))} {material.act.description}"))
    return stem(value) in told or material.deed.verb not in known_verbs()
