"""The facts that a wish has left over → sentences and lists that tell them, with one long one on lines of its own."""

import re
from collections.abc import Mapping, Sequence

from misstep.core.words import joined, stems
from misstep.wording.requests.forms import lasts
from misstep.wording.requests.grammar import expand
from misstep.wording.requests.inflection import agreed
from misstep.wording.requests.material import ABOUT_PEOPLE, Material, Spoken, head_stem
from misstep.wording.requests.slots import is_of_speaker

_BARE = ("[it's|that's] {v}", "I mean {v}", "the reference is {v}", "the one I mean is {v}", "you'll find it under {v}")
_BARE_LISTED = ("{v}", "reference {v}", "ref. {v}")
_NOW = ("the new {n} is {v}", "{my} {n} is {v} now", "the {n} should be {v} from now on", "{my} new {n} is {v}")
"""Of what people know of themselves: so it is, whatever is on record."""
_TO_BECOME = (
    "the new {n} should be {v}",
    "the {n} should be {v} from now on",
    "{v} should be the new {n}",
    "put {v} for the {n}",
)
_MEANT = ("I mean {v}", "it's {v}", "that's {v}", "{v}, that is", "I'm talking about {v}")
_TO_BE = re.compile(r"put |make |it should |\{v\} goes|what it should|it'll be ")
"""Frames for what something is to be, not for what it is."""
_STARTS = ("my ", "the ", "it's ", "it ", "that's ")
_OWN_KINDS = frozenset({"email", "phone", "postcode", "number", "city"})


def sentences_of(
    material: Material, left: Sequence[Spoken], *, style: str, rules: Mapping[str, Sequence[str]], foreign: bool
) -> list[str]:
    """Sentences without a full stop each; a long value comes last, with its lead and line ends."""
    short = [each for each in left if each.form.standing != "block" and "\n" not in each.form.text]
    long = [each for each in left if each not in short]
    said: list[str] = []
    if style in ("list", "bare") and short:
        lead = expand(rules["lead"], rules=rules, slots={}, random=material.random) if style == "list" else ""
        listed = ", ".join(_listed(material, each, foreign) for each in short)
        said.append(f"{lead} {listed}".strip())
    else:
        said.extend(_clauses(material, short, foreign))
    return [*said, *(_block(material, each, rules) for each in long)]


def bracketed(material: Material, left: Sequence[Spoken], *, foreign: bool) -> str:
    """`order W-1, postcode 20144`."""
    return ", ".join(_listed(material, each, foreign) for each in left)


def _clauses(material: Material, short: Sequence[Spoken], foreign: bool) -> list[str]:
    """One or two facts a sentence."""
    said = [_stated(material, each, foreign) for each in short]
    sentences: list[str] = []
    at = 0
    while at < len(said):
        together = 2 if at + 1 < len(said) and material.random.random() < 0.6 else 1
        pair = said[at : at + together]
        sentences.append(joined(pair) if all(len(each) < 60 for each in pair) and _joins(pair) else ". ".join(pair))
        at += together
    return sentences


def _joins(pair: Sequence[str]) -> bool:
    return len(pair) == 1 or pair[1].startswith(_STARTS)


def _slots(material: Material, spoken: Spoken) -> dict[str, tuple[str, ...]]:
    own = (
        material.mine
        and spoken.kind in _OWN_KINDS
        and (not spoken.noun or is_of_speaker(spoken.noun) or spoken.saying.role == "key")
    )
    name = spoken.name.removeprefix("new ") if _changes(material, spoken) else spoken.name
    return {"v": (spoken.mark,), "n": (name,), "my": ("my",) if own else ("the",)}


def _stated(material: Material, spoken: Spoken, foreign: bool) -> str:
    standing = spoken.form.standing
    frames = spoken.frames.state
    if standing in ("clause", "whole"):
        frames = ("{v}",)
    elif standing == "thing":
        frames = _MEANT
    elif _changes(material, spoken) and not lasts(spoken.name):
        frames = _NOW if material.mine and spoken.kind in ABOUT_PEOPLE else _TO_BECOME
    elif foreign and _tells_noun(material, spoken) and spoken.saying.role == "key":
        frames = _BARE
    if spoken.saying.role != "content":
        frames = [frame for frame in frames if not _TO_BE.match(frame)] or frames
    slots = _slots(material, spoken)
    said = expand(frames, rules={}, slots=slots, random=material.random)
    return agreed(said, slots["n"][0]) if said else spoken.mark


def _listed(material: Material, spoken: Spoken, foreign: bool) -> str:
    frames = spoken.frames.list
    if spoken.form.standing != "value":
        frames = ("{v}",)
    elif foreign and _tells_noun(material, spoken) and spoken.saying.role == "key":
        frames = _BARE_LISTED
    return expand(frames, rules={}, slots=_slots(material, spoken), random=material.random) or spoken.mark


def _changes(material: Material, spoken: Spoken) -> bool:
    return spoken.saying.role == "content" and material.deed.verb in (
        "update",
        "change",
        "edit",
        "modify",
        "amend",
        "correct",
    )


def _tells_noun(material: Material, spoken: Spoken) -> bool:
    return head_stem(material.deed.noun) in stems(spoken.name)


def _block(material: Material, spoken: Spoken, rules: Mapping[str, Sequence[str]]) -> str:
    lead = expand(rules["block_lead"], rules=rules, slots={"n": (spoken.name,)}, random=material.random)
    return f"{lead}\n{spoken.mark}\n"
