"""An Act → what a person writes to have it done: in any voice, near to the tool's words or far from them."""

import re
from collections.abc import Collection, Mapping, Sequence
from random import Random

from msgspec import Struct

from misstep.core.words import joined, stem, stems
from misstep.wording.requests.act import Act, Closeness, Place, Worded
from misstep.wording.requests.forms import ISO_DAY, is_of_speaker, lasts
from misstep.wording.requests.grammar import expand
from misstep.wording.requests.inflection import agreed, participle
from misstep.wording.requests.material import (
    ABOUT_PEOPLE,
    FIRST_MARK,
    MOST_FACTS,
    Material,
    Spoken,
    head_stem,
    material_of,
)
from misstep.wording.requests.questions import filled
from misstep.wording.requests.reading_back import facts_in
from misstep.wording.requests.voices import finished, rules_of
from misstep.wording.requests.wishes import wish_of

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


def _filling(material: Material, spoken: Spoken) -> dict[str, tuple[str, ...]]:
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
    slots = _filling(material, spoken)
    said = expand(frames, rules={}, slots=slots, random=material.random)
    return agreed(said, slots["n"][0]) if said else spoken.mark


def _listed(material: Material, spoken: Spoken, foreign: bool) -> str:
    frames = spoken.frames.list
    if spoken.form.standing != "value":
        frames = ("{v}",)
    elif foreign and _tells_noun(material, spoken) and spoken.saying.role == "key":
        frames = _BARE_LISTED
    return expand(frames, rules={}, slots=_filling(material, spoken), random=material.random) or spoken.mark


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


_MASK = "___"
_ATTEMPTS = 8
_ATTEMPTS_AT_WORDS = 3
"""How often other words are looked for; a tool may have none."""
_NEARER: Mapping[Closeness, tuple[Closeness, ...]] = {
    "close": ("close",),
    "synonym": ("synonym", "close"),
    "foreign": ("foreign", "synonym", "close"),
}
_NOT_YET_THERE = r"(?<!\bbe )(?<!\bis )(?<!\bit )(?<!\bit's )(?<!starts )(?<!starting )(?<!start )(?<![(:] )(?<![(])"
_MARKS = re.compile(f"[{chr(FIRST_MARK)}-{chr(FIRST_MARK + MOST_FACTS)}]")
_STOP = re.compile(r"(?<![.?!])[.?!]++(?=\s|$)")
_PAREN_MOST = 3
_STOPPED = re.compile(r"[.?!…][\"'”’»›]?$")

Rules = Mapping[str, Sequence[str]]


class _Draft(Struct, frozen=True):
    """A text whose facts are still marks."""

    template: str
    material: Material
    closeness: Closeness


def worded(
    act: Act,
    *,
    voice: str = "plain",
    closeness: Closeness = "close",
    random: Random,
    tell: Collection[str] | None = None,
    place: Place = "alone",
) -> Worded:
    """A request in a voice that tells the sayings named in `tell` (all of them where it is None), and no others.

    Where an untold value comes up by accident, among the words of the grammar, another draft is made.
    """
    told = {saying.name for saying in act.sayings} if tell is None else set(tell)
    untold = [saying for saying in act.sayings if saying.name not in told]
    best: tuple[int, Worded] | None = None
    for attempt in range(_ATTEMPTS):
        result = _written_out(_draft(act, voice, closeness, random, told, place))
        slips = len(facts_in(result.text, untold).kept) if untold else 0
        if result.closeness != closeness and attempt < _ATTEMPTS_AT_WORDS:
            slips += 1
        if best is None or slips < best[0]:
            best = slips, result
        if not slips:
            break
    assert best is not None
    return best[1]


def order_of(act: Act, *, random: Random) -> str:
    """What the other side is to do, as after "please", with none of its facts."""
    slots = {} if act.kind == "question" else filled(material_of(act, (), random), "close")
    ways = slots.get("do")
    return random.choice(ways) if ways else wish_of(act)


def _draft(act: Act, voice: str, closeness: Closeness, random: Random, told: Collection[str], place: Place) -> _Draft:
    rules = rules_of(voice)
    material = material_of(act, told, random)
    asks = act.kind == "question" and bool(act.wants)
    wish, foreign = "", False
    for level in _NEARER[closeness]:
        slots = filled(material, level)
        foreign = level == "foreign"
        rule = "ask" if asks else "wish_foreign" if foreign else "wish"
        if slots and (said := expand(rules[rule], rules=rules, slots=slots, random=random)):
            wish = said
            break
    parts = _arranged(material, wish or f"use '{material.deed.called}'", rules, foreign)
    parts = _framed(parts, rules, random, place)
    template = finished(parts, habits=rules["habits"], random=random, goes_on=place in ("first", "next"))
    return _Draft(template, material, _reached(template, material, closeness))


def _arranged(material: Material, wish: str, rules: Rules, foreign: bool) -> list[str]:
    """The wish, what it leaves to be told, and what is said besides, in one of the voice's orders."""
    random = material.random
    left = [each for each in material.told if each.mark not in wish]
    style = random.choice(rules["facts"])
    if style == "paren" and left and _fits_brackets(left):
        end = stop.start() if (stop := _STOP.search(wish)) else len(wish)
        wish, left = f"{wish[:end]} ({bracketed(material, left, foreign=foreign)}){wish[end:]}", []
    said = sentences_of(material, left, style=style, rules=rules, foreign=foreign)
    parts: list[str] = []
    asides = random.sample(rules["background"], len(rules["background"]))
    for part in random.choice(rules["orders"]).split():
        if part == "wish":
            parts.append(wish)
        elif part == "facts":
            parts.extend(each for each in said if not each.endswith("\n"))
        elif asides and (aside := expand([asides.pop()], rules=rules, slots={}, random=random)):
            parts.append(aside)
    return [*parts, *(each for each in said if each.endswith("\n"))]


def _fits_brackets(left: Sequence[Spoken]) -> bool:
    return len(left) <= _PAREN_MOST and all(each.inline or each.form.standing in ("thing", "whole") for each in left)


def _framed(parts: list[str], rules: Rules, random: Random, place: Place) -> list[str]:
    """With a greeting before and thanks behind, or with a link to what came before."""
    if place == "bare":
        return parts
    opening = expand(rules["link" if place == "next" else "greeting"], rules=rules, slots={}, random=random) or ""
    closing = expand(rules["closing"], rules=rules, slots={}, random=random) or "" if place == "alone" else ""
    ends_in_block = bool(parts) and parts[-1].endswith("\n")
    return [opening, *parts, "" if ends_in_block else closing]


def _reached(template: str, material: Material, asked: Closeness) -> Closeness:
    """How far from the tool's words a text is: its verb and its noun are looked for among the stems."""
    if asked == "close" or not material.deed.verb:
        return "close"
    said = set(stems(_MARKS.sub(" ", template)))
    verb = material.deed.verb
    if not material.deed.reads and not said.isdisjoint((stem(verb), stem(participle(verb)))):
        return "close"
    if asked == "foreign" and head_stem(material.deed.noun) not in said:
        return "foreign"
    return "synonym"


def _on_days(template: str, material: Material, present: Sequence[Spoken]) -> str:
    """Something is on a day, at whatever time, and is moved to one."""
    days = [each for each in present if isinstance(each.saying.value, str) and ISO_DAY.match(each.saying.value)]
    moves = material.deed.sense == "reschedule" or material.deed.verb == "reschedule"
    moved = [each for each in days if each.saying.role == "content" and moves]
    if len(moved) == 1:
        template = re.sub(rf"{_NOT_YET_THERE}\b(?:at|on) (?={moved[0].mark})", "to ", template)
    marks = "".join(each.mark for each in days)
    return (
        re.sub(rf"\b([Aa])t (?=[{marks}])", lambda match: "On " if match[1] == "A" else "on ", template)
        if marks
        else template
    )


def _written_out(draft: _Draft) -> Worded:
    by_mark = {each.mark: each for each in draft.material.told}
    present = [by_mark[mark] for mark in dict.fromkeys(_MARKS.findall(draft.template)) if mark in by_mark]
    stopped = "".join(each.mark for each in present if _STOPPED.search(each.form.text))
    template = re.sub(rf"([{stopped}])\.", r"\1", draft.template) if stopped else draft.template
    template = _on_days(template, draft.material, present)
    text = _MARKS.sub(lambda match: by_mark[match[0]].form.text, template)
    return Worded(
        text=text.strip("\n") if not any("\n" in each.form.text for each in present) else text.rstrip("\n"),
        skeleton=_MARKS.sub(_MASK, draft.template).strip(),
        told=tuple(each.saying.name for each in present),
        written=tuple(each.form.text for each in present),
        closeness=draft.closeness,
    )
