"""A tool's description → the words of it that say what is done, to what, and what leads there."""

import re
from collections.abc import Collection
from functools import lru_cache

from misstep.core.words import sentences, stem
from misstep.wording.requests.inflection import infinitive, singular
from misstep.wording.requests.synonyms import known_verbs

_LEAD = re.compile(
    r"^(?:(?:this|the|a|an)\s+)?(?:(?:\w+\s+)?(?:tool|function|api|endpoint|method|command|action|operation)\s+)?"
    r"(?:(?:that|which)\s+)?(?:(?:is\s+)?(?:used|useful|meant|designed)\s+|can\s+be\s+used\s+)?(?:you\s+can\s+)?"
    r"(?:(?:that|which|to|for|will|can|lets\s+(?:you|users?)|allows?(?:\s+you|\s+users?)?(?:\s+to)?)\s+)*",
    re.IGNORECASE,
)
PREPOSITIONS = frozenset(
    "to for from about with in on of into at as by using via onto under within between after".split()
)
DETERMINERS = frozenset(
    """a an the all one some any your my his her its their this that these those new existing given specified particular
    single certain another each every specific current more multiple several""".split()
)
ASKS = frozenset("what which who whom whose when where why how whether".split())
"""`What an engineer does`, `Whether a lamp is on`: neither a verb nor a noun, whatever follows."""
ENDS = PREPOSITIONS | ASKS | frozenset("that if so and or but is are was be you it then".split())
PARTICLES = frozenset("away off out up down back over".split())
WRITES_DOWN = frozenset("record note log register document remember".split())
MARKS = frozenset("mark flag".split())
"""In a description, these say that something is kept; what happened stands in the clause behind them."""
_COPULAS = frozenset("was is were are been got".split())
_NO_VERB_AFTER = frozenset("the a an this that which".split())
"""A description that begins so is the name of something: `The brightest stars`."""
SAYS_NOTHING = frozenset("return give provide output yield supply obtain".split())
"""In a description, what a tool does for its caller; nobody would ask for it so."""
_HANGS = frozenset("put take get bring send hand give set lay place hang turn carry pull push throw leave let".split())
"""Verbs that mean what stands behind the thing says: `put … back on the shelf`, `take … off the list`."""
_SETS_DOWN = frozenset("put lay place hang".split())
_PLACES = frozenset("on onto in into under".split())
_STATES = frozenset("is are".split())
_GOALS = frozenset("to into onto off".split())
_MOST_HANGING = 5
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|\S")
PLAIN_NAME = re.compile(r"[a-z][a-z' -]*")
_FAR = 5
"""Words between a preposition and the noun that it belongs to."""
_LONGEST = 4


@lru_cache(maxsize=4096)
def preposition_before(noun: str, description: str) -> str:
    """What leads to a noun in a description: `to` for the contact in `Forward a mail to a contact`; or nothing."""
    wanted = stem(singular(noun.rpartition(" ")[2].lower()))
    for sentence in sentences(description)[:1]:
        said = [word.lower().replace("e-mail", "email") for word in _WORD.findall(sentence)]
        for at, word in enumerate(said):
            if stem(singular(word)) != wanted or (at + 1 < len(said) and said[at + 1].endswith(("'s", "’s"))):
                continue
            if (found := _leading(said[max(0, at - _FAR) : at])) is not None:
                return found
    return ""


def _leading(before: list[str]) -> str | None:
    """The last preposition; of `to the end of` the first."""
    found = None
    for word in reversed(before):
        if word in ",:;.()":
            break
        if word in PREPOSITIONS:
            found = word
            if word != "of":
                break
    return "" if found in ("by", "using", "via", "as") else found


def first_words(description: str) -> list[str]:
    """The words of the first sentence, without what only says that this is a tool."""
    first = (sentences(description.strip()) or [""])[0]
    lead = _LEAD.match(first)
    said = _WORD.findall(_LEAD.sub("", first, count=1))
    only_article = lead is not None and lead[0].strip().lower() in _NO_VERB_AFTER
    return ["", *said] if only_article else said


def unwrapped(said: list[str], tokens: list[str]) -> list[str]:
    """What is done, out of a description that says that it is kept: `Record that a plant was watered`, `Mark a band
    as confirmed`; nothing where only the name can tell.
    """
    low = [word.lower() for word in said]
    if len(low) < 3 or (tokens and tokens[0] in WRITES_DOWN | MARKS):
        return [] if len(low) > 1 and low[1] == "that" else said
    if low[1] == "that" and infinitive(low[0], WRITES_DOWN):
        for at, word in enumerate(low[:-1]):
            if at > 2 and word in _COPULAS and low[at + 1] not in _COPULAS:
                verb = _done_to(low[at + 1], tokens)
                until = at - 1 if low[at - 1] in ("has", "have") else at
                return [verb, *said[2:until], *said[at + 2 :]] if verb else []
        return []
    if infinitive(low[0], MARKS) and "as" in low[2:-1]:
        at = low.index("as", 2)
        verb = _done_to(low[at + 1], tokens)
        return [verb, *said[1:at], *said[at + 2 :]] if verb else said
    return said


def _done_to(done: str, tokens: list[str]) -> str:
    """The verb of a participle, where the name has it or it is known: `watered` → water."""
    if done in tokens and len(tokens) > 1:
        return ""
    return infinitive(done, frozenset(tokens)) or infinitive(done, known_verbs() - SAYS_NOTHING) or ""


def hanging(said: list[str]) -> tuple[str, str] | None:
    """A thing, and what stands behind it and makes the verb's sense: `Take a guest off the list` → guest, off the list.

    Behind a clause (`a book that was read`) only a particle can begin it. A lone particle is no more than that.
    """
    low = [word.lower() for word in said]
    if len(low) < 3 or not infinitive(low[0], _HANGS) or low[1] in PARTICLES:
        return None
    led = infinitive(low[0], _SETS_DOWN) is not None
    for at, word in enumerate(low[1:], 1):
        if not PLAIN_NAME.fullmatch(word):
            return None
        if word in PARTICLES or (led and word in _PLACES):
            phrase, thing = _to_its_end(low[at:]), noun_phrase(low[:at])
            return (thing, phrase) if phrase and thing else None
        led = led and word not in ENDS
    return None


def goal(said: list[str], names: Collection[str]) -> str:
    """Where the thing goes, where that is always the same: `to the workshop`, `off the menu`.

    Nothing where it is one of several, or where `names` tell which one: `to another room`, `to the customer`.
    """
    low = [word.lower() for word in said]
    thing = noun_phrase(said).split()
    start = next((at for at in range(len(low)) if thing and low[at : at + len(thing)] == thing), 0) + len(thing)
    if not thing or low[start : start + 1] == [] or low[start] not in _GOALS or low[start] in names:
        return ""
    end = next((at for at, word in enumerate(low) if at > start + 1 and _ends(word)), len(low))
    phrase = low[start:end]
    known = {stem(singular(name)) for name in names}
    told = any(stem(singular(word)) in known for word in phrase[2:])
    definite = len(phrase) in (3, 4) and phrase[1] == "the"
    return " ".join(phrase) if definite and not told else ""


def _to_its_end(low: list[str]) -> str:
    """`back on the shelf`, `off the list`; whom it goes to is told by itself."""
    lead = next((at for at, word in enumerate(low) if word not in PARTICLES), len(low))
    if low[lead : lead + 1] and low[lead] in _PLACES | {"of"}:
        lead += 1
    elif low[0] != "off":
        return ""
    end = next((at for at, word in enumerate(low) if at >= lead and _ends(word)), len(low))
    return " ".join(low[:end]) if lead < end <= _MOST_HANGING else ""


def _ends(word: str) -> bool:
    return word in ENDS or word in PARTICLES or not PLAIN_NAME.fullmatch(word)


def condition(said: list[str]) -> tuple[str, str, str] | None:
    """What a description asks whether it is so: the thing, its `is` and what it is.

    `Set whether a lamp is on loan` → lamp, is, on loan.
    """
    low = [word.lower() for word in said]
    if len(low) < 5 or low[1] not in ("whether", "if"):
        return None
    at = next((at for at, word in enumerate(low) if word in _STATES), 0)
    noun = noun_phrase(low[1:at]) if at else ""
    end = next((at for at, word in enumerate(low) if not PLAIN_NAME.fullmatch(word) or word == "or"), len(low))
    is_so = low[at + 1 : end]
    return (noun, low[at], " ".join(is_so)) if noun and 0 < len(is_so) <= _LONGEST else None


def owner_in(said: list[str]) -> str:
    """What the thing of a description is of: `bed` in `Set the humidity of a bed`."""
    low = [word.lower() for word in said]
    at = next((at for at, word in enumerate(low[:-2]) if word == "of" and low[at + 1] in DETERMINERS), None)
    return noun_phrase(low[at:]) if at is not None else ""


def has_article(said: list[str]) -> bool:
    """Whether the verb of a description is followed by `a`."""
    return len(said) > 1 and said[1].lower() in ("a", "an")


def noun_phrase(said: list[str]) -> str:
    """The noun after the verb of a description: `account` in `Show a customer's account: name, …`."""
    kept = _phrase(said)
    if len(kept) > 1 and kept[-1] in PARTICLES:
        kept.pop()
    return " ".join(kept) if len(kept) <= _LONGEST else ""


def alternatives(description: str) -> tuple[str, ...]:
    """What a deed can be done to, where a description names two things: `Switch the vent or heater of a bed`."""
    said = [word.lower() for word in first_words(description)]
    at = next((at for at, word in enumerate(said[:-1]) if word == "or"), 0)
    plain = 2 <= at <= 3 and said[at - 2] in DETERMINERS | {said[0]} and said[at + 1] not in DETERMINERS
    return (said[at - 1], said[at + 1]) if plain and PLAIN_NAME.fullmatch(said[at + 1]) else ()


def particle(said: list[str]) -> str:
    """What belongs to the verb and stands behind the noun: `away` in `Throw a parcel away`."""
    kept = _phrase(said)
    if len(said) > 1 and said[1].lower() in PARTICLES:
        return said[1].lower()
    return kept[-1] if len(kept) > 1 and kept[-1] in PARTICLES else ""


def _phrase(said: list[str]) -> list[str]:
    kept: list[str] = []
    to_somebody = said[1:2] and said[1].lower() in DETERMINERS
    for word in (each.lower() for each in said[1:]):
        if word in DETERMINERS | PARTICLES and not kept:
            continue
        if word.endswith(("'s", "’s")) or (to_somebody and kept and word in ("a", "an")):  # `Send a customer an e-mail`
            kept = []
            continue
        if word in ENDS or not PLAIN_NAME.fullmatch(word) or (kept and word in ("the", "a", "an")):
            break
        kept.append(word)
    return kept
