"""An Act → the wish in plain words, with nothing round it and none of its values: what stands after "I'd like to"."""

import re
from collections.abc import Iterator
from random import Random

from misstep.core.words import sentences, stem, stems, words
from misstep.wording.requests.act import Act
from misstep.wording.requests.descriptions import preposition_before
from misstep.wording.requests.forms import is_of_speaker, noun_of
from misstep.wording.requests.inflection import is_plural, participle, singular
from misstep.wording.requests.material import Material, head_stem, material_of
from misstep.wording.requests.questions import filled
from misstep.wording.requests.synonyms import verbs_like
from misstep.wording.requests.verb_phrases import Filled, nouns_at, pays_towards, wish_slots

_CLAUSES = ("when ", "how many ", "how much ", "who ", "where ", "which ", "until ", "on what ", "at what ")
"""What is known that is no field."""
_OWN = r"\b(?:(\w+)\s+)?(?:an?|the)\s+(?:\w+\s+)?{}(?:['’]s\s+([a-z]+(?:\s+(?!of|in|by|for|to)[a-z]+)?))?\b"
_FOR_OTHERS = re.compile(r"\b(?:me|let)\b|_ \w+ \w+")
"""Ways to put a verb that are said to others only, or leave no place for what follows."""
_CLAUSE = re.compile(r"[:;,(]")
_GIVEN = frozenset({"send", "give", "offer", "lend"})
_JOINING = frozenset({"add", "append", "attach"})
_LEADS = frozenset("to about for in into on from of with".split())


def wish_of(act: Act, *, said: str = "") -> str:
    """The wish in the tool's verb and noun; in another verb where that is what the person `said`."""
    material = material_of(act, (), Random(0))
    if act.kind == "question" and act.wants:
        slots = filled(material, "close")
        return f"know {_known(slots)}" if slots else f"know {act.wants}"
    deed = material.deed
    if not deed.verb:
        return f"use '{deed.called}'"
    slots = filled(material, "close") if pays_towards(material) else _slots(material, said)
    done = min(slots["do" if "do" in slots and not _lets(slots) else "i_do"], key=_plainness)
    if deed.reads:
        done = re.sub(r"^(\w+) me\b(?= )", r"\1", done)
        done = re.sub(r"^(?:show|tell|give|get|fetch|find|display|print|return|describe) ", "see ", done)
    return _with_what_it_is_about(material, done)


def _slots(material: Material, said: str) -> Filled:
    deed = material.deed
    own = f"{deed.verb} {deed.link}".strip()
    others = () if deed.fixed or deed.reads else verbs_like(deed.verb, deed.sense)
    others = tuple(each for each in others if not _FOR_OTHERS.search(each))
    heard = set(stems(said))
    patterns = (own, *others)
    spoken = next((each for each in patterns if _is_said(each, heard)), own) if said else own
    return wish_slots(material, [spoken], nouns_at(material, "close", deed.noun))


def _is_said(pattern: str, heard: set[str]) -> bool:
    """Whether all words of a verb are heard, the verb in some form of it."""
    head, *rest = [word for word in pattern.split() if word != "_"]
    return bool(heard & {stem(head), stem(participle(head))}) and all(stem(word) in heard for word in rest)


def _lets(slots: Filled) -> bool:
    return slots["do"][0].startswith("let me ")


def _plainness(way: str) -> tuple[bool, int, str]:
    return " new " in way, len(way), way


def _known(slots: Filled) -> str:
    """When, how many, who; else the field by its name."""
    clauses = [way for way in slots.get("what_is", ()) if way.startswith(_CLAUSES)]
    return min(clauses or slots.get("what", ()) or slots["what_is"], key=_plainness)


def _with_what_it_is_about(material: Material, done: str) -> str:
    """With one thing more that it is about: `to the contact`, `for the order`, `to my address book`."""
    description = _CLAUSE.split((sentences(material.act.description) or [""])[0], maxsplit=1)[0].lower()
    said = {stem(singular(word)) for word in words(done)}
    for lead, noun in (*_of_records(material, description), *_of_speaker(material, description)):
        if head_stem(noun) in said:
            continue
        thing = f"the {material.deed.noun}"
        if lead == "of" and f"{thing} " in done:
            return done.replace(thing, f"{thing} of {noun}")
        joins = lead == "to" and material.deed.verb in _JOINING and not done.startswith(material.deed.verb)
        return f"{done} {'in' if joins else lead} {noun}"
    return done


def _of_records(material: Material, description: str) -> Iterator[tuple[str, str]]:
    """Records that the facts tell the numbers of, or that it touches, as the description leads to them."""
    told = dict.fromkeys(noun_of(each) for each in material.act.sayings)
    head, named = head_stem(material.deed.noun), stems(material.act.description)
    for noun in dict.fromkeys((*told, *material.act.there)):
        if not noun or head_stem(noun) == head or (is_of_speaker(noun) and material.mine):
            continue
        led, has = _led(noun, description)
        has = f"'s {has}" if has else ""
        before = preposition_before(noun, description) or led
        if before or (material.makes and (noun in told or head_stem(noun) in named)):
            which = "another" if f"another {noun}" in description else "the"
            yield before or "for", f"{which} {noun}{has}"


def _of_speaker(material: Material, description: str) -> Iterator[tuple[str, str]]:
    """`to me` for `Send a customer a mail`, `to my address book` for `to a customer's address book`."""
    if not (material.mine and material.makes):
        return
    for word in dict.fromkeys(re.findall(r"[a-z]+", description)):
        if not is_of_speaker(word) or is_plural(word):
            continue
        lead, has = _led(word, description)
        lead = lead or ("to" if material.deed.verb in _GIVEN else "")
        if lead:
            yield lead, f"my {has}" if has else "me"


def _led(noun: str, description: str) -> tuple[str, str]:
    """What leads to a noun in a description, and what it speaks of that the thing has: `to`, `address book`."""
    found = re.search(_OWN.format(noun), description)
    if found is None:
        return "", ""
    return (found[1] if found[1] in _LEADS else ""), found[2] or ""
