"""A verb or a noun → its other forms: gerund, past participle, plural, and the article that goes before it."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

_VOWELS = "aeiou"
_ONE_SYLLABLE = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")
_VOWEL_SOUND = re.compile(r"[aeio]|u(?!ni|se|r[il]|s[ae]|k)|h(?:our|onest|eir)", re.IGNORECASE)

_AGREEING = (
    (" isn't ", " aren't "),
    (" is ", " are "),
    (" was ", " were "),
    (" has ", " have "),
    (" goes, ", " go, "),
    (" comes to ", " come to "),
    (" adds up ", " add up "),
    (", it's ", ", they're "),
)


class _Words(Struct, forbid_unknown_fields=True):
    verbs: str = ""
    words: str = ""


class _File(Struct, forbid_unknown_fields=True):
    participles: dict[str, str]
    doubling: _Words
    plurals: dict[str, str]
    mass: _Words


class _Tables(Struct, frozen=True):
    participles: dict[str, str]
    doubling: frozenset[str]
    plurals: dict[str, str]
    singulars: dict[str, str]
    mass: frozenset[str]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    text = files("misstep.wording.requests").joinpath("inflection.toml").read_text(encoding="utf-8")
    data = msgspec.convert(tomllib.loads(text), _File)
    return _Tables(
        data.participles,
        frozenset(data.doubling.verbs.split()),
        data.plurals,
        {many: one for one, many in data.plurals.items()},
        frozenset(data.mass.words.split()),
    )


def gerund(verb: str) -> str:
    """`cancel` → `cancelling`, `move` → `moving`, `die` → `dying`."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        return f"{verb[:-1]}ing"
    return f"{_doubled(verb)}ing"


def participle(verb: str) -> str:
    """`cancel` → `cancelled`, `send` → `sent`, `reply` → `replied`."""
    if known := _tables().participles.get(verb):
        return known
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in (*_VOWELS, ""):
        return f"{verb[:-1]}ied"
    return f"{_doubled(verb)}ed"


def _doubled(verb: str) -> str:
    doubles = verb in _tables().doubling or _ONE_SYLLABLE.fullmatch(verb)
    return verb + verb[-1] if doubles and len(verb) > 1 else verb


def infinitive(word: str, known: frozenset[str]) -> str | None:
    """`creates`, `creating` and `created` → `create`, where that is a known verb."""
    if word in known:
        return word
    for verb in _candidates(word):
        if verb in known:
            return verb
    return next((verb for verb, done in _tables().participles.items() if done == word and verb in known), None)


def is_participle(word: str, known: frozenset[str]) -> bool:
    """Whether it says what was done, and is nothing else: `taken`, `booked`; not `breed`, `cost` or `set`."""
    if word in _tables().participles.values():
        return word not in _tables().participles
    return word.endswith("ed") and any(verb in known for verb in _candidates(word))


def _candidates(word: str) -> tuple[str, ...]:
    if word.endswith("ies"):
        return (f"{word[:-3]}y",)
    if word.endswith("s") and not word.endswith("ss"):
        return (word[:-1], word[:-2]) if word.endswith(("ches", "shes", "sses", "xes", "zes", "oes")) else (word[:-1],)
    if word.endswith("ing"):
        return (word[:-3], f"{word[:-3]}e", word[:-4])
    if word.endswith("ied"):
        return (f"{word[:-3]}y",)
    if word.endswith("ed"):
        return (word[:-2], word[:-1], word[:-3])
    return ()


def plural(noun: str) -> str:
    """Of the last word: `pull request` → `pull requests`; a plural stays as it is."""
    head, space, last = noun.rpartition(" ")
    return f"{head}{space}{_plural(last)}" if not is_plural(noun) else noun


def _plural(word: str) -> str:
    if word in _tables().mass:
        return word
    if known := _tables().plurals.get(word):
        return known
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in (*_VOWELS, ""):
        return f"{word[:-1]}ies"
    return f"{word}s"


@lru_cache(maxsize=8192)
def singular(noun: str) -> str:
    """Of the last word: `pull requests` → `pull request`; a singular stays as it is."""
    if not is_plural(noun):
        return noun
    head, space, last = noun.rpartition(" ")
    if known := _tables().singulars.get(last):
        return f"{head}{space}{known}"
    if last.endswith("ies") and len(last) > 4:
        last = f"{last[:-3]}y"
    elif last.endswith(("sses", "xes", "ches", "shes", "zes")):
        last = last[:-2]
    else:
        last = last[:-1]
    return f"{head}{space}{last}"


@lru_cache(maxsize=8192)
def is_plural(noun: str) -> bool:
    """By its look: `orders`, `people`; not `status`, `address`, `news`."""
    last = noun.rpartition(" ")[2]
    tables = _tables()
    if last in tables.singulars:
        return tables.singulars[last] != last
    if last in tables.plurals or last in tables.mass:
        return False
    return len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "ous"))


def is_mass(noun: str) -> bool:
    """Whether it takes no article: `weather`, `feedback`."""
    return noun.rpartition(" ")[2] in _tables().mass


def with_article(noun: str) -> str:
    """`an order`, `a note`; a plural or a mass gets none."""
    if is_plural(noun):
        return noun
    if is_mass(noun):
        return f"some {noun}"
    return f"{'an' if _VOWEL_SOUND.match(noun) else 'a'} {noun}"


def agreed(text: str, name: str, *, several: bool | None = None) -> str:
    """With the verbs behind a name in its number: `the renewals is 1` → `the renewals are 1`."""
    if not (is_plural(name) if several is None else several):
        return text
    for one, many in _AGREEING:
        text = text.replace(f"{name}{one}", f"{name}{many}")
    return text
