"""A tool's name and description → its verb and what that is done to, as far as these can be told from words alone."""

import re
from functools import lru_cache

from msgspec import Struct

from misstep.core.words import sentences, split_identifier, stem
from misstep.wording.requests.inflection import infinitive, is_plural, singular
from misstep.wording.requests.synonyms import in_full, known_verbs, meaning_of

_LEAD = re.compile(
    r"^(?:(?:this|the|a|an)\s+)?(?:(?:\w+\s+)?(?:tool|function|api|endpoint|method|command|action|operation)\s+)?"
    r"(?:(?:that|which)\s+)?(?:(?:is\s+)?(?:used|useful|meant|designed)\s+|can\s+be\s+used\s+)?(?:you\s+can\s+)?"
    r"(?:(?:that|which|to|for|will|can|lets\s+(?:you|users?)|allows?(?:\s+you|\s+users?)?(?:\s+to)?)\s+)*",
    re.IGNORECASE,
)
_PREPOSITIONS = frozenset(
    "to for from about with in on of into at as by using via onto under within between after".split()
)
_DETERMINERS = frozenset(
    """a an the all one some any your my his her its their this that these those new existing given specified particular
    single certain another each every specific current more multiple several""".split()
)
_ENDS = _PREPOSITIONS | frozenset(
    "that which who whose where when how if so and or but is are was be you it then".split()
)
_SAYS_NOTHING = frozenset("return give provide output yield supply obtain".split())
"""In a description, what a tool does for its caller; nobody would ask for it so."""
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|\S")
_PLAIN_NAME = re.compile(r"[a-z][a-z' -]*")
_FAR = 5
"""Words between a preposition and the noun that it belongs to."""
_LONGEST = 4


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


@lru_cache(maxsize=4096)
def deed_of(tool: str, description: str = "") -> Deed:
    """Read a tool; what the name says goes before what the description says."""
    tokens = [in_full(token) for token in split_identifier(tool) if not token.isdigit()]
    said = _first_words(description)
    at, verb = _verb(tokens, said)
    called = " ".join(tokens) or tool.strip()
    if not verb:
        return Deed("", called=called)
    link, noun = _object(tokens, at, verb, said)
    meaning = meaning_of(verb)
    makes = meaning is not None and meaning.makes and not is_plural(noun)
    indefinite = _has_article(said) and noun == _noun_phrase(said)
    return Deed(verb, noun, link, called, makes, meaning is not None and meaning.reads, indefinite)


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
        if word in _PREPOSITIONS:
            found = word
            if word != "of":
                break
    return "" if found in ("by", "using", "via", "as") else found


def _first_words(description: str) -> list[str]:
    """The words of the first sentence, without what only says that this is a tool."""
    first = (sentences(description.strip()) or [""])[0]
    return _WORD.findall(_LEAD.sub("", first, count=1))


def _verb(tokens: list[str], said: list[str]) -> tuple[int | None, str]:
    """Where in the name the verb stands, if it does, and the verb."""
    known = known_verbs()
    told = _told_verb(tokens, said)
    if told:
        for at, token in enumerate(tokens):
            if stem(token) == stem(told):
                return at, told
    verbs = [(at, verb) for at, token in enumerate(tokens) if (verb := infinitive(token, known))]
    if verbs and verbs[0][0] == 0:
        return verbs[0]
    if told and (not verbs or verbs[0][0] == len(tokens) - 1):
        return None, told
    return verbs[0] if verbs else (None, told)


def _told_verb(tokens: list[str], said: list[str]) -> str:
    """The verb that a description opens with, known or not: then it stands in the name, or before an article."""
    if not said or not _PLAIN_NAME.fullmatch(said[0].lower()):
        return ""
    word = said[0].lower()
    if found := infinitive(word, known_verbs()):
        return "get" if found in _SAYS_NOTHING and found not in tokens else found
    if infinitive(word, _SAYS_NOTHING):
        return "get"
    if word in tokens and len(tokens) > 1:
        return word
    if word.endswith("s") and word[:-1] in tokens:
        return word[:-1]
    follows = said[1].lower() if len(said) > 1 else ""
    return word if follows in ("a", "an") and word not in _ENDS | _DETERMINERS else ""


def _object(tokens: list[str], at: int | None, verb: str, said: list[str]) -> tuple[str, str]:
    """What leads to the thing, and the thing: out of the name where it has one."""
    spoken = _noun_phrase(said)
    if at is None:
        return "", spoken or " ".join(tokens)
    after = tokens[at + 1 :]
    if after and after[0] in _PREPOSITIONS:
        named = _until_end(after[1:])
        follows = said[1].lower() if len(said) > 1 else after[0]
        if follows == after[0] and named:
            return after[0], named
        return "", spoken or _until_end(tokens[:at])
    named = _until_end(after) or ("" if spoken else _until_end(tokens[:at]))
    if named in ("all", "one", "many", "by"):
        named = ""
    return "", named or spoken


def _has_article(said: list[str]) -> bool:
    """Whether the verb of a description is followed by `a`."""
    return len(said) > 1 and said[1].lower() in ("a", "an")


def _until_end(tokens: list[str]) -> str:
    kept: list[str] = []
    for token in tokens:
        if token in _ENDS:
            break
        kept.append(token)
    return " ".join(
        token for at, token in enumerate(kept) if token not in ("new", "a", "the", "all") or at == len(kept) - 1
    )


def _noun_phrase(said: list[str]) -> str:
    """The noun after the verb of a description: `account` in `Show a customer's account: name, …`."""
    kept: list[str] = []
    for word in (each.lower() for each in said[1:]):
        if word in _DETERMINERS and not kept:
            continue
        if word.endswith(("'s", "’s")):
            kept = []
            continue
        if word in _ENDS or not _PLAIN_NAME.fullmatch(word):
            break
        kept.append(word)
    return " ".join(kept) if len(kept) <= _LONGEST else ""
