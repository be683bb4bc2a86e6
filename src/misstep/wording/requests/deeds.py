"""A tool's name and description → its verb and what that is done to, as far as these can be told from words alone."""

import re
from functools import lru_cache

from msgspec import Struct, structs

from misstep.core.words import split_identifier, stem
from misstep.wording.requests.descriptions import (
    ASKS,
    DETERMINERS,
    ENDS,
    PARTICLES,
    PLAIN_NAME,
    PREPOSITIONS,
    SAYS_NOTHING,
    condition,
    first_words,
    goal,
    hanging,
    has_article,
    noun_phrase,
    owner_in,
    particle,
    preposition_before,
    unwrapped,
)
from misstep.wording.requests.forms import is_of_speaker
from misstep.wording.requests.inflection import infinitive, is_plural, singular, with_article
from misstep.wording.requests.synonyms import Meaning, in_full, known_verbs, meaning_of

_ADVERBS = PARTICLES | {"in", "on"}
"""Right behind a verb, these make another verb of it: `check in`."""
_TO_A_THING = frozenset("to into onto for about at".split())
_TO_A_PLACE = frozenset("to into onto for in on under".split())
_WHOSE = frozenset("my our your".split())
_HEADS = frozenset("count total num number sum list get all".split())
"""At the head of a name, these say how something is told, not what it is."""
_NO_SUPERLATIVES = frozenset("request interest forest harvest contest protest digest manifest conquest".split())
_BESIDE = frozenset("to into onto for from with at against on in under".split())


class Deed(Struct, frozen=True):
    """What a tool does, in words: `reply` `to` `mail`."""

    verb: str
    """Empty where the tool has no verb that can be told."""
    noun: str = ""
    link: str = ""
    """What stands between the two: `to`."""
    called: str = ""
    """The tool's name, as a person would read it out."""
    makes: bool = False
    reads: bool = False
    indefinite: bool = False
    """The description speaks of one such thing, not of the thing: `append a line`."""
    tail: str = ""
    """What stands behind the thing and says what is done to it: `to repair`."""
    fixed: bool = False
    """With what follows it, the verb means something of its own, for which there are no other words: `check in`."""

    sense: str = ""
    """Another verb, in whose sense this one is meant: to move a meeting is to reschedule it."""

    @property
    def meaning(self) -> Meaning | None:
        """What the verb means here, where that is known."""
        return None if self.fixed else meaning_of(self.sense or self.verb)


class _Object(Struct, frozen=True):
    """What a verb is done to, with what leads to it and what follows it."""

    noun: str
    link: str = ""
    tail: str = ""


@lru_cache(maxsize=4096)
def deed_of(tool: str, description: str = "", given: str = "", names: frozenset[str] = frozenset()) -> Deed:
    """Read a tool; what the name says goes before what the description says.

    `given` is a noun for what the tool is told the key of, for where neither says what it is done to; `names` are words
    of all that it is told, which need no saying in the deed.
    """
    tokens = [in_full(token) for token in split_identifier(tool) if not token.isdigit()]
    called = " ".join(tokens) or tool.strip()
    tokens = [token for at, token in enumerate(tokens) if token not in _WHOSE or at == len(tokens) - 1]
    said = unwrapped(first_words(description), tokens)
    at, verb = _verb(tokens, said)
    if not verb:
        return Deed("", _until_end(_of_nobody(_without_heads(tokens))), called=called)
    if stem(_told_verb(tokens, said)) == stem(verb) and (whole := _whole(verb, said, called, names)):
        return whole
    found = _object(tokens, at, verb, said, given)
    found = _said_object(found, tokens, verb, said, names)
    if not found.tail and _is_one(found.noun, noun_phrase(said)) and _same_sense(_told_verb(tokens, said), verb):
        found = structs.replace(found, tail=goal(said, names))
    link, noun = found.link, found.noun
    tail = "" if _is_among(found.tail, names) else found.tail
    if not link and not tail and noun == noun_phrase(said) and verb == _told_verb(tokens, said):
        link = particle(said)
    fixed = bool(tail) or link in _ADVERBS or (bool(link) and not _governs(verb))
    meaning = None if fixed else meaning_of(verb)
    makes = meaning is not None and meaning.makes and not is_plural(noun)
    reads = meaning is not None and meaning.reads
    indefinite = has_article(said) and noun == noun_phrase(said)
    return Deed(verb, noun, link, called, makes, reads, indefinite, tail, fixed)


def _whole(verb: str, said: list[str], called: str, names: frozenset[str]) -> Deed | None:
    """A verb that only means something with all that stands behind it: `put the book back on the shelf`."""
    if set_whether := condition(said):
        noun, is_, so = set_whether
        return Deed(verb, noun, "whether", called, tail=f"{is_} {so}", fixed=True)
    found = hanging(said)
    if found is None or _is_among(found[1], names):  # `Put a note on an order`: which one is told by itself
        return None
    return Deed(verb, found[0], called=called, tail=found[1], fixed=True)


def _same_sense(one: str, other: str) -> bool:
    return stem(one) == stem(other) or (meaning_of(one) is not None and meaning_of(one) is meaning_of(other))


def _is_among(tail: str, names: frozenset[str]) -> bool:
    return bool(tail) and stem(singular(tail.rpartition(" ")[2])) in {stem(singular(name)) for name in names}


def _governs(verb: str) -> bool:
    """Whether other words for a verb lead to its thing as well: `get back to` for `reply to`."""
    meaning = meaning_of(verb)
    return meaning is not None and any(way.split()[-1] in PREPOSITIONS - _ADVERBS for way in meaning.means)


def _without_heads(tokens: list[str]) -> list[str]:
    """`num requests` → requests; a name that is nothing but such words stays."""
    at = next((at for at, token in enumerate(tokens) if token not in _HEADS and not _is_most(token)), 0)
    return tokens[at:]


def _is_most(word: str) -> bool:
    """`brightest`: it says which of them are shown, and not what they are."""
    return (word.endswith("est") and len(word) > 5 and word not in _NO_SUPERLATIVES) or word in ("top", "best", "worst")


def _of_nobody(tokens: list[str]) -> list[str]:
    """`member loans` → loans: whose they are is known."""
    return tokens[1:] if len(tokens) > 1 and is_of_speaker(tokens[0]) else tokens


def _verb(tokens: list[str], said: list[str]) -> tuple[int | None, str]:
    """Where in the name the verb stands, if it does, and the verb."""
    known = known_verbs()
    told = _told_verb(tokens, said)
    if told:
        for at, token in enumerate(tokens):
            if stem(token) == stem(told) and (not at or _is_told_of(said, tokens[0], known)):
                return at, told
    verbs = [(at, token) for at, token in enumerate(tokens) if token in known]
    if not verbs and not told and len(tokens) == 2 and tokens[1] in _ADVERBS:
        return 0, tokens[0]
    if verbs and verbs[0][0] == 0 and not (told and len(tokens) > 1 and _is_a_noun(tokens[0], said)):
        return verbs[0]
    if told and verbs and verbs[0][0] == 0:
        return None, told
    if told and (not verbs or verbs[0][0] == len(tokens) - 1):
        return None, told
    return verbs[0] if verbs else (None, told)


def _is_a_noun(word: str, said: list[str]) -> bool:
    """Whether a description speaks of a thing by that word: `order` in `the status of an order`."""
    before = DETERMINERS | PREPOSITIONS
    return any(
        stem(singular(each.lower())) == stem(word) and said[at].lower() in before for at, each in enumerate(said[1:])
    )


def _is_told_of(said: list[str], first: str, known: frozenset[str]) -> bool:
    """Whether a description's first word can be the verb of a name that begins with another word.

    Where that is a verb too, the description has to go on to a thing: `Cancels the order` of `order_cancel`, but not
    `doctors` of `list_doctors`.
    """
    if infinitive(first, known) is None:
        return True
    rest = [word.lower() for word in said[1:]]
    goes_on = rest[:1] and (rest[0] in DETERMINERS or stem(first) in {stem(singular(word)) for word in rest})
    return bool(goes_on) and infinitive(said[0].lower(), known) is not None


def _told_verb(tokens: list[str], said: list[str]) -> str:
    """The verb that a description opens with, known or not: then it stands in the name, or before an article."""
    if not said or not PLAIN_NAME.fullmatch(said[0].lower()):
        return ""
    word = said[0].lower()
    if word in ASKS:
        return ""
    follows = said[1].lower() if len(said) > 1 else ""
    if follows == "of" or (word in tokens and is_plural(word)):  # `sum of the fees`, `Files in a folder`
        return ""
    if found := infinitive(word, known_verbs()):
        return "get" if found in SAYS_NOTHING and found not in tokens else found
    if infinitive(word, SAYS_NOTHING):
        return "get"
    if word in tokens and (len(tokens) > 1 or follows in DETERMINERS):
        return word
    if word.endswith("s") and word[:-1] in tokens:
        return word[:-1]
    return word if follows in ("a", "an") and word not in ENDS | DETERMINERS else ""


def _object(tokens: list[str], at: int | None, verb: str, said: list[str], given: str) -> _Object:
    """What leads to the thing, the thing, and what follows it: out of the name where it has one."""
    spoken = noun_phrase(said)
    if at is None:
        return _Object(spoken or " ".join(_of_nobody(tokens)))
    before, after = _until_end(tokens[:at]), tokens[at + 1 :]
    if after and after[0] in PARTICLES:
        return _Object(_until_end(after[1:]) or spoken or before or given, after[0])
    if after and after[0] in PREPOSITIONS:
        same = bool(said) and stem(_told_verb(tokens, said)) == stem(verb)
        named = _until_end(after[1:])
        if named:
            thing = "" if _governs(verb) else given
            return _led_to(after[0], named, said, spoken or before, same=same, given=thing)
        return _ended(after[0], said, before, same=same, given=given)
    named = _until_end(after) or ("" if spoken else before)
    if named in ("all", "one", "many", "by") or (spoken and _is_done(named)):
        tail = f"as {named}" if f"as {named}" in " ".join(said).lower() else ""
        return _Object(spoken, tail=tail)
    return _Object(named or spoken)


def _said_object(found: _Object, tokens: list[str], verb: str, said: list[str], names: frozenset[str]) -> _Object:
    """The thing of the description where that of the name is only beside it: `Assign a case to a judge`.

    Also where the description knows nothing of the name's thing, and what it speaks of is what the tool is told.
    """
    meaning = meaning_of(verb)
    spoken = noun_phrase(said)
    same = bool(said) and stem(_told_verb(tokens, said)) == stem(verb)
    if not same or not spoken or found.link or found.tail or (meaning is not None and meaning.reads):
        return found
    if _is_one(spoken, found.noun):
        return found
    heads = {stem(singular(name)) for name in names}
    text = " ".join(said)
    if stem(singular(found.noun.rpartition(" ")[2])) in {stem(singular(word.lower())) for word in said}:
        return _Object(spoken) if preposition_before(found.noun, text) in _BESIDE else found
    if (owner := owner_in(said)) and meaning is meaning_of("update"):
        return _Object(owner)
    return _Object(spoken) if stem(singular(spoken.rpartition(" ")[2])) in heads else found


def _is_done(named: str) -> bool:
    """`mark_done`, `set_read`: what a thing becomes, not a thing."""
    return named.endswith("ed") or named in ("done", "read", "paid", "sent", "seen", "lost", "found")


def _led_to(lead: str, named: str, said: list[str], spoken: str, *, same: bool, given: str) -> _Object:
    """Of a name like `send_to_repair`: that is the thing, or where a thing of the description goes."""
    follows = said[1].lower() if len(said) > 1 else ""
    thing = spoken or given
    own = _is_one(thing, named) or (not same and lead in ("for", "about", "in", "on"))
    if follows == lead or own or not thing:
        return _Object(named, lead) if lead in _TO_A_THING | _ADVERBS else _Object(thing)
    return _Object(thing, tail=_tail(lead, named, said) if lead in _TO_A_PLACE else "")


def _ended(lead: str, said: list[str], before: str, *, same: bool, given: str) -> _Object:
    """Of a name like `check_in` or `reply_to`, which leaves open what that is done to."""
    follows = said[1].lower() if len(said) > 1 else lead
    spoken = noun_phrase([said[0], *said[2:]] if len(said) > 1 and follows == lead else said)
    if lead in _ADVERBS:
        return _Object((spoken if same else "") or before or given or spoken, lead)
    noun = spoken or before or given
    return _Object(noun, lead if noun and follows == lead and lead in _TO_A_THING else "")


def _tail(lead: str, named: str, said: list[str]) -> str:
    """With an article where the description has one."""
    spoken = f" {' '.join(said).lower()} "
    if any(f" {word} {named} " in spoken for word in DETERMINERS):
        return f"{lead} the {named}"
    return f"{lead} {with_article(named) if re.search(rf' an? [^ ]+ {re.escape(named)} ', spoken) else named}"


def _is_one(one: str, other: str) -> bool:
    return stem(singular(one.rpartition(" ")[2])) == stem(singular(other.rpartition(" ")[2]))


def _until_end(tokens: list[str]) -> str:
    kept: list[str] = []
    for token in tokens:
        if token in ENDS:
            break
        kept.append(token)
    return " ".join(
        token for at, token in enumerate(kept) if token not in ("new", "a", "the", "all") or at == len(kept) - 1
    )
