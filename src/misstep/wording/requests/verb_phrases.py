"""A deed and ways to refer to its thing → verb phrases in all moods: `cancel it`, `cancelling it`, `cancelled`."""

from collections.abc import Callable, Sequence

from misstep.core.words import stem
from misstep.wording.requests.act import Closeness
from misstep.wording.requests.forms import spoken_name
from misstep.wording.requests.grammar import expand
from misstep.wording.requests.inflection import gerund, is_plural, participle, singular
from misstep.wording.requests.material import Material, Spoken, head_stem
from misstep.wording.requests.referring import new_ways, other_ways, others_ways, owner_of, tail_ways, thing_ways
from misstep.wording.requests.slots import is_of_speaker
from misstep.wording.requests.synonyms import nouns_like, outcome_frames, verbs_like

Filled = dict[str, list[str]]

_GIVEN_TO_ME = frozenset({"show", "get", "fetch", "tell", "give", "find", "read"})
_NOT_BY_ME = frozenset({"show", "list", "display", "describe", "print", "return", "tell", "give"})
_CHANGES = frozenset(
    {"update", "change", "edit", "modify", "set", "amend", "adjust", "correct", "patch", "alter", "revise"}
)
_MINE = ("my account", "my profile")
_JOINED = ("joined", "registered", "enrolled", "subscribed")
_LOOKS = ("look up", "check", "find out")
_DRAWS = 4
"""Ways to put one slot that are made for a choice."""
_SEPARABLE = frozenset("off out up down away back over along in on".split())
_PARTICLES = _SEPARABLE | {"through", "to", "for"}


def filled(material: Material, closeness: Closeness) -> Filled:
    """The slots of the rules for a wish, at a closeness; those that cannot be filled are missing."""
    if material.act.kind == "question" and material.act.wants:
        return _question(material, closeness)
    if closeness == "foreign":
        return _foreign(material)
    deed = material.deed
    if not deed.verb:
        return _unnamed(material) if closeness == "close" else {}
    others = () if deed.fixed else verbs_like(deed.verb)
    patterns = [f"{deed.verb} {deed.link}".strip()] if closeness == "close" else list(others)
    return _wish(material, patterns, _nouns(material, closeness, deed.noun))


def _nouns(material: Material, closeness: Closeness, noun: str) -> list[str]:
    own = is_of_speaker(noun) and material.mine
    others = list(nouns_like(noun)) if closeness == "synonym" and not own else []
    return [*others, *others, noun] if others else [noun]


def _wish(material: Material, patterns: Sequence[str], nouns: Sequence[str]) -> Filled:
    slots: Filled = {}
    if not patterns:
        return slots
    for _ in range(_DRAWS):
        pattern, noun = material.random.choice(patterns), material.random.choice(nouns)
        if changed := _changed(material):
            _add_change(material, slots, pattern, changed)
        else:
            _add_deed(material, slots, pattern, noun)
    return slots


def _add_deed(material: Material, slots: Filled, pattern: str, noun: str) -> None:
    random, deed = material.random, material.deed
    things = thing_ways(material, noun)
    thing = f"{random.choice(things)}{owner_of(material)}" if things else ""
    goes = f" {deed.tail}" if deed.tail else ""
    tail = f"{goes}{random.choice(tail_ways(material, used=thing))}"
    by_me = deed.verb not in _NOT_BY_ME and " me" not in pattern and not _served(material)
    addressed = f"{pattern} me" if deed.reads and pattern in _GIVEN_TO_ME else pattern
    _put(slots, "do", f"{phrase(addressed, thing)}{tail}")
    _put(slots, "doing", f"{phrase(addressed, thing, gerund)}{tail}")
    if by_me:
        _put(slots, "i_do", f"{phrase(pattern, thing)}{tail}")
    if not thing:
        return
    several = is_plural(noun) and material.object_key is None
    if _passive(pattern) and not deed.reads:
        _put(slots, "done", f"{done(pattern)}{goes}")
        _put(slots, "thing", thing)
        _put(slots, "tail", random.choice(tail_ways(material, used="".join(slots["thing"]))))
        _agree(slots, several)
        if not by_me:
            _put(slots, "i_do", f"{random.choice(('have', 'get'))} {thing} {done(pattern)}{tail}")
    if not material.makes and addressed == pattern:
        _put(slots, "thing", thing)
        _put(slots, "tail", random.choice(tail_ways(material, used="".join(slots["thing"]))))
        _put(slots, "do_it", f"{phrase(pattern, 'them' if several else 'it')}{goes}")


def _changed(material: Material) -> Spoken | str | None:
    """What is to change, where a deed changes something of a thing: the content that is told, or the name of it."""
    if material.deed.verb not in _CHANGES or material.deed.fixed:
        return None
    if told := [each for each in material.contents if each.inline]:
        return told[0]
    names = [spoken_name(each.name) for each in material.act.sayings if each.role == "content"]
    return names[0] if names else None


def _add_change(material: Material, slots: Filled, pattern: str, changed: Spoken | str) -> None:
    random = material.random
    name = changed if isinstance(changed, str) else changed.name
    name = name.removeprefix("new ")
    to = f" to {changed.mark}" if not isinstance(changed, str) and random.random() < 0.8 else ""
    if "_" in pattern and to:
        return
    key, noun = material.object_key, singular(material.deed.noun)
    if key is not None and not (material.mine and is_of_speaker(key.noun)):
        things = [f"the {name} of {noun} {key.mark}", f"the {name} of {key.mark if key.code else f'{noun} {key.mark}'}"]
    elif material.mine or not noun or head_stem(name) == head_stem(noun):
        things = [f"{'my' if material.mine else 'the'} {name}", f"the {name}"]
    else:
        things = [f"the {name} of the {noun}", f"the {noun}'s {name}"]
    thing = random.choice(things)
    _put(slots, "do", f"{phrase(pattern, thing)}{to}")
    _put(slots, "i_do", f"{phrase(pattern, thing)}{to}")
    _put(slots, "doing", f"{phrase(pattern, thing, gerund)}{to}")
    if _passive(pattern):
        _put(slots, "done", done(pattern))
        _put(slots, "thing", thing)
        _put(slots, "tail", to)
        _agree(slots, is_plural(name))
        _put(slots, "do_it", phrase(pattern, "it"))


def _agree(slots: Filled, several: bool) -> None:
    slots["is"], slots["has"], slots["needs"] = (
        (["are"], ["have"], ["need"]) if several else (["is"], ["has"], ["needs"])
    )


def _put(slots: Filled, name: str, way: str) -> None:
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
        if len(thing.split()) > 2 and parts[at + 1 :] and parts[at + 1] in _PARTICLES:
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
    meaning = material.deed.meaning
    refs, random = other_ways(material, material.deed.noun), material.random
    slots: Filled = {"ref": refs, "a_ref": new_ways(material), "refs": others_ways(material)}
    used = "".join(refs)
    slots["tail"] = tail_ways(material, used=used)
    slots["to"] = [tail for tail in slots["tail"] if tail]
    if changed := _changed(material):
        name = changed if isinstance(changed, str) else changed.name
        slots["field"] = [name.removeprefix("new ")]
        slots["my"] = ["my"] if material.mine else ["the"]
        now = "" if isinstance(changed, str) else changed.mark
        slots["now"] = (
            [f": it's {now} now", f", and it's {now} from now on", f"; {now} is the right one"] if now else [""]
        )
    said: list[str] = []
    for _ in range(_DRAWS):
        frames = meaning.foreign if meaning is not None else ()
        one = expand(frames, rules={}, slots=slots, random=random) or _outcome(material, refs)
        said.extend([one] if one else [])
    asked = [each for each in said if each.endswith("?")]
    return {"foreign": [each for each in said if not each.endswith("?")], "foreign_question": asked}


def _outcome(material: Material, refs: list[str]) -> str | None:
    """What a field is to become, with a value that is told anyway or that is a plain word."""
    random = material.random
    by_value = {str(each.saying.value).lower(): each.mark for each in material.told if each.inline}
    pairs = [
        (spoken_name(field), by_value.get(str(value).lower()) or str(value))
        for field, value in material.act.outcome
        if str(value).lower() in by_value or (isinstance(value, str) and value.isalpha() and value.islower())
    ]
    if not pairs:
        return None
    field, value = random.choice(pairs)
    usable = [ref for ref in refs if ref != value]
    frames = outcome_frames(alone=not usable)
    return expand(frames, rules={}, slots={"field": (field,), "value": (value,), "ref": usable}, random=random)


_WHOLE = frozenset({"result", "value", "output", "response", "answer"})
"""Names that only say that this is the answer, where they stand for all of it."""


def _subject(material: Material) -> tuple[str, str]:
    """What a question asks for, and what that is of; nothing where it is of nothing else."""
    wants, noun, about = spoken_name(material.act.wants), singular(material.deed.noun), material.act.about
    if material.act.whole and wants in _WHOLE and noun:
        wants = "content" if head_stem(about) == head_stem(noun) else noun
        return wants, about if wants == noun else noun
    if not _says_the_same(wants, noun):
        return wants, noun
    return wants, "" if _says_the_same(wants, about) else about


def _says_the_same(wants: str, noun: str) -> bool:
    """`car price per day` of `price per day`."""
    asked, named = {stem(singular(word)) for word in wants.split()}, {stem(singular(word)) for word in noun.split()}
    return bool(asked) and (asked <= named or named <= asked or head_stem(wants) == head_stem(noun))


def _question(material: Material, closeness: Closeness) -> Filled:
    slots: Filled = {}
    wants, subject = _subject(material)
    if not subject:
        if closeness != "foreign":
            _add_question(material, slots, wants, "", closeness)
        return slots
    for _ in range(_DRAWS):
        noun = singular(material.random.choice(_nouns(material, closeness, subject)))
        things = other_ways(material, noun) if closeness == "foreign" else thing_ways(material, noun)
        if not things and closeness == "foreign":
            return {}
        thing = f"{material.random.choice(things)}{owner_of(material)}" if things else ""
        _add_question(material, slots, wants, thing, closeness)
    return slots


def _add_question(material: Material, slots: Filled, wants: str, thing: str, closeness: Closeness) -> None:
    """What is asked for: when something happened, how many are in something, or simply a field."""
    random = material.random
    happened, _, ending = wants.rpartition(" ")
    if happened in _JOINED and ending == "on" and material.mine and is_of_speaker(singular(material.deed.noun)):
        _put(slots, "what_is", f"when I {happened}")
        what = f"the day I {happened}"
    elif ending in ("on", "at") and happened.endswith(("ed", "nt", "id", "en", "ght", "de")) and thing:
        was = "were" if is_plural(thing) and thing[-1].isalpha() else "was"
        _put(slots, "was_thing", f"{was} {thing}")
        _put(slots, "thing_was", f"{thing} {was}")
        slots["happened"] = [happened]
        what = f"{'the day' if ending == 'on' else 'the time'} {thing} {was} {happened}"
        _put(slots, "what_is", f"when {thing} {was} {happened}")
    elif wants.split()[:1] in (["in"], ["on"], ["at"]):
        _put(slots, "what_is", f"how many there are {wants}{owner_of(material) or f' for {thing}'}")
        return
    else:
        what = random.choice(_asked_for(material, wants, thing))
        _put(slots, "what_is", f"what {what} {'are' if is_plural(wants) else 'is'}")
    _put(slots, "what", what)
    verb = material.deed.verb if closeness == "close" else random.choice(_LOOKS)
    if closeness != "foreign" and (verb in _GIVEN_TO_ME or verb in _LOOKS):
        _put(slots, "look", phrase(f"{verb} me" if verb in _GIVEN_TO_ME else verb, what))


def _asked_for(material: Material, wants: str, thing: str) -> list[str]:
    if thing in _MINE:
        return [f"my {wants}", f"the {wants} on {thing}", f"the {wants} you have for me"]
    if not thing:
        return [f"the {wants}"]
    if wants.endswith("reason"):
        return [f"the {wants} for {thing}"]
    return [f"the {wants} of {thing}", f"the {wants} of {thing}", f"the {wants} for {thing}"]
