"""A question and ways to refer to what it is about → how people ask: for a field, when, how many, or which."""

import re

from misstep.core.words import split_identifier, stem
from misstep.wording.requests.act import Closeness
from misstep.wording.requests.forms import day_until, is_nominal, is_of_speaker, lasts, spoken_name
from misstep.wording.requests.inflection import is_participle, is_plural, participle, plural, singular
from misstep.wording.requests.material import Material, head_stem
from misstep.wording.requests.referring import of_owner, other_ways, others_ways, owner_of, tail_ways, thing_ways
from misstep.wording.requests.synonyms import known_verbs
from misstep.wording.requests.verb_phrases import DRAWS, GIVEN_TO_ME, Filled, nouns_at, phrase, put, wishes

_NUMBER = "number "
_NUMBER_OF = "number of "
_MINE = ("my account", "my profile")
_JOINED = ("joined", "registered", "enrolled", "subscribed")
_LOOKS = ("look up", "check", "find out")
_COUNTS = frozenset("count num number".split())
_SUMS = frozenset("total sum".split())
_GIVES = r"(?:(?:returns?|gets?|gives?|shows?)\s+)?(?:the\s+)?"
_HOW_MANY = re.compile(rf"{_GIVES}(?:how many\b|(?:total )?number of\b|count\b)", re.IGNORECASE)
_SUM_OF = re.compile(rf"{_GIVES}(?:(?:sum|total)\b(?! number)|add up\b)", re.IGNORECASE)
_LED = {
    "by": "who {} is by",
    "from": "where {} comes from",
    "to": "where {} goes to",
    "on": "on what day {} is",
    "at": "at what time {} is",
    "until": "until when {} is",
}
"""Fields that are called by a preposition, and what is asked for there."""
_LAST_DONE = re.compile(r"(?:last|first|next) \w+(?:ed|en|nt|id|ght|de)")
_WHOLE = frozenset({"result", "value", "output", "response", "answer"})
"""Names that only say that this is the answer, where they stand for all of it."""


def _subject(material: Material) -> tuple[str, str]:
    """What a question asks for, and what that is of; nothing where it is of nothing else."""
    wants, noun, about = spoken_name(material.act.wants), singular(material.deed.noun), material.act.about
    if not material.deed.verb and about and noun.startswith(f"{about} "):  # of `bed_climate`, the bed
        noun = about
    own = split_identifier(material.act.tool)
    if material.act.whole and about in own and set(wants.split()) <= set(own):  # of `judge_calendar`, the judge
        return wants, about
    if material.act.whole and wants in _WHOLE and noun:
        wants = "content" if head_stem(about) == head_stem(noun) else noun
        return wants, about if wants == noun else noun
    if not _says_the_same(wants, noun):
        return wants, noun
    return wants, "" if _says_the_same(wants, about) else about


def _says_the_same(wants: str, noun: str) -> bool:
    """`car price per day` of `price per day`."""
    if not is_nominal(wants):
        return False
    asked, named = {stem(singular(word)) for word in wants.split()}, {stem(singular(word)) for word in noun.split()}
    return bool(asked) and (asked <= named or named <= asked or head_stem(wants) == head_stem(noun))


def filled(material: Material, closeness: Closeness) -> Filled:
    """The slots of the rules for a wish or a question, at a closeness; those that cannot be filled are missing."""
    if material.act.kind != "question" or not material.act.wants:
        return wishes(material, closeness)
    if counted := _counted(material):
        return _how_many(material, closeness, counted, sums=_is_sum(material))
    slots = _question(material, closeness)
    if slots:
        several = is_plural(spoken_name(material.act.wants)) and not slots.keys() & {"happened", "how_many"}
        slots["is"], slots["s"] = (["are"], [" are"]) if several else (["is"], ["'s"])
    return slots


def _counted(material: Material) -> str:
    """What a tool counts or adds up, as its name or description says, where that is what is asked for."""
    act, wants = material.act, spoken_name(material.act.wants)
    head = split_identifier(act.tool)[:1]
    says = bool(head) and head[0] in _COUNTS | _SUMS
    noun = material.deed.noun
    if not noun or not (says or _HOW_MANY.match(act.description)):
        return ""
    answers = act.whole or wants in _COUNTS | _SUMS or head_stem(wants) == head_stem(noun)
    return plural(noun) if answers else ""


def _is_sum(material: Material) -> bool:
    head = split_identifier(material.act.tool)[:1]
    counts = _HOW_MANY.match(material.act.description) is not None
    return not counts and (head[0] in _SUMS or _SUM_OF.match(material.act.description) is not None)


def _how_many(material: Material, closeness: Closeness, counted: str, *, sums: bool) -> Filled:
    """`how many requests there are for telescope T40`; of amounts, what they come to."""
    slots = Filled()
    nouns = others_ways(material) if closeness == "foreign" else nouns_at(material, closeness, counted)
    for _ in range(DRAWS if nouns else 0):
        noun, tail = material.random.choice(nouns), material.random.choice(tail_ways(material))
        if sums:
            put(slots, "what", f"the total of the {noun}{tail}")
            put(slots, "what_is", f"what the {noun}{tail} come to in all")
        else:
            put(slots, "what", f"the number of {noun}{tail}")
            put(slots, "what_is", f"how many {noun} there are{tail}")
            put(slots, "how_many", f"{noun} are there{tail}")
    return {**slots, "is": ["is"], "s": ["'s"]} if slots else slots


def _question(material: Material, closeness: Closeness) -> Filled:
    slots: Filled = {}
    wants, subject = _subject(material)
    if not subject:
        if closeness != "foreign":
            _add_question(material, slots, wants, "", closeness)
        return slots
    for _ in range(DRAWS):
        noun = singular(material.random.choice(nouns_at(material, closeness, subject)))
        things = other_ways(material, noun) if closeness == "foreign" else thing_ways(material, noun)
        if not things and closeness == "foreign":
            return {}
        thing = of_owner(material.random.choice(things), owner_of(material)) if things else ""
        _add_question(material, slots, wants, thing, closeness)
    return slots


def _add_question(material: Material, slots: Filled, wants: str, thing: str, closeness: Closeness) -> None:
    """What is asked for: when something happened, how many are in something, or simply a field."""
    random = material.random
    happened, _, ending = wants.rpartition(" ")
    done = "made" if _is_done_again(happened, material.deed.noun) else happened
    if happened in _JOINED and ending == "on" and material.mine and is_of_speaker(singular(material.deed.noun)):
        put(slots, "what_is", f"when I {happened}")
        what = f"the day I {happened}"
    elif ending in ("on", "at") and happened.endswith(("ed", "nt", "id", "en", "ght", "de")) and thing:
        was = "were" if is_plural(thing) and thing[-1].isalpha() else "was"
        put(slots, "was_thing", f"{was} {thing}")
        put(slots, "thing_was", f"{thing} {was}")
        slots["happened"] = [done]
        what = f"{'the day' if ending == 'on' else 'the time'} {thing} {was} {done}"
        put(slots, "what_is", f"when {thing} {was} {done}")
    elif thing and lasts(wants):
        what = day_until(wants, thing)
        put(slots, "what_is", f"{ending} when {thing} is {happened}")
    elif material.act.counts and wants.endswith(" left") and (thing or material.mine):
        left = wants.removesuffix(" left")
        what = f"the number of {wants}"
        put(slots, "what_is", f"how many {left} {'I have' if material.mine else f'{thing} has'} left")
        put(slots, "how_many", f"{left} {'do I' if material.mine else f'does {thing}'} have left")
    elif thing and material.act.counts and is_participle(wants.removeprefix(_NUMBER), known_verbs()):
        counted = wants.removeprefix(_NUMBER)
        what = f"the number {counted} for {thing}"
        put(slots, "what_is", f"how many are {counted} for {thing}")
        put(slots, "how_many", f"are {counted} for {thing}")
    elif thing and (wants == "due" or _LAST_DONE.fullmatch(wants)):
        when = f"{thing} {'is' if wants == 'due' else 'was'} {wants}"
        what = f"the day {when}"
        put(slots, "what_is", f"when {when}")
    elif not thing and material.act.whole and is_plural(wants):
        tail = random.choice(tail_ways(material))
        what = f"the {wants}{tail}"
        put(slots, "what_is", f"which {wants} there are{tail}")
    elif thing and wants.startswith(_NUMBER_OF) and thing not in _MINE:
        counted = plural(wants.removeprefix(_NUMBER_OF))
        what = f"the {wants} of {thing}"
        put(slots, "what_is", f"how many {counted} {thing} has")
        put(slots, "how_many", f"{counted} does {thing} have")
    elif thing and material.act.counts and is_plural(wants) and thing not in _MINE:
        what = f"the number of {wants} of {thing}"
        put(slots, "what_is", f"how many {wants} {thing} has")
        put(slots, "how_many", f"{wants} does {thing} have")
    elif thing and wants in _LED:
        put(slots, "what_is", _LED[wants].format(thing))
        return
    elif wants.split()[:1] in (["in"], ["on"], ["at"]):
        put(slots, "what_is", f"how many there are {wants}{owner_of(material) or f' for {thing}'}")
        return
    else:
        what = random.choice(_asked_for(material, wants, thing))
        put(slots, "what_is", f"what {what} {'are' if is_plural(wants) else 'is'}")
    put(slots, "what", what)
    verb = material.deed.verb if closeness == "close" else random.choice(_LOOKS)
    if closeness != "foreign" and (verb in GIVEN_TO_ME or verb in _LOOKS):
        put(slots, "look", phrase(f"{verb} me" if verb in GIVEN_TO_ME else verb, what))


def _is_done_again(happened: str, noun: str) -> bool:
    """A refund is refunded only in the names of fields: people make one."""
    return bool(noun) and happened.endswith("ed") and participle(head_stem(noun)) == happened


def _asked_for(material: Material, wants: str, thing: str) -> list[str]:
    if thing in _MINE:
        return [f"my {wants}", f"the {wants} on {thing}", f"the {wants} you have on file for me"]
    if not thing:
        return [f"the {wants}"]
    if wants.endswith("reason"):
        return [f"the {wants} for {thing}"]
    return [f"the {wants} of {thing}", f"the {wants} of {thing}", f"the {wants} for {thing}"]
