"""A trace → the values in it that are not for everybody: by their form, by the names of fields, by the rules."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.trace import Trace
from misstep.core.words import sentences, split_identifier, stem, words
from misstep.objectives.once import once_per_trace
from misstep.provenance.reading import canonical, has_digit, leaves, tokens

_SECRET_NAMES = frozenset(
    stem(word)
    for word in "password passwd passphrase secret token apikey credential pin cvv cvc ssn otp passcode".split()
)
# Names of two words; one of them alone is common.
_SECRET_PAIRS = tuple(
    frozenset(map(stem, pair.split()))
    for pair in ("api key", "private key", "access key", "security code", "secret key", "wifi key", "wlan key")
)
# What opens a door: a code that guests are told who may come in, and that goes to nobody else.
_OPENED = frozenset(
    stem(word)
    for word in """door gate alarm access entrance keysafe safe lockbox lock keybox keypad unlock disarm master garage
    vault locker cabinet padlock shutter barrier override wifi wlan recovery backup""".split()
)
_OPENS = frozenset(map(stem, ("code", "codes", "combination", "combinations")))
_OPENS_AS_ONE = frozenset(stem(f"{thing}code") for thing in "door gate alarm access entry key safe unlock lock".split())
# Of a code: which one it is, not what it says.
_OF_A_CODE = frozenset(
    map(
        stem,
        """error status postal zip product country area currency state class type name model serial part item article
        colour color booking order reference ref""".split(),
    )
)
# A number of tokens, or the kind of one, is no token.
_COUNTS = frozenset(
    map(stem, "count total usage used limit max min number type policy length hint expires expiry at".split())
)
_SECRET_FORM = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----|\bsk-[A-Za-z0-9_-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}"
    r"|\bxox[abprs]-[A-Za-z0-9-]{10,}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}|\bAIza[\w-]{30,}"
)
# "Secrets of the vault never go into a mail", "a code must not be sent to anybody".
_KEPT_IN = re.compile(
    r"(?P<what>(?:[\w'-]+\s){1,6}?)(?:must |may |should |is |are |shall |do |does |can |will )*(?:never"
    r"|not)(?: to)?(?: ever)?"
    r"(?: be)? (?:go|goes|sent|shared?|disclosed?|revealed?|given(?: out)?|leave|leaves|passed(?: on)?|forwarded)\b",
    re.IGNORECASE,
)
_LEAST, _MOST = 4, 4000


class Secret(Struct, frozen=True):
    """A value that is not for everybody, where it came from, and the stems of its field's name."""

    at: int
    """Below zero: it stands in the rules."""
    value: str
    field: frozenset[str]
    place: str = ""
    """The path of its field in the result that gave it."""
    opens: bool = False
    """It is the code of a door, an alarm or a safe, which who is let in may well be told."""


@once_per_trace
def secrets(trace: Trace) -> dict[str, Secret]:
    """The secrets in tool results and in the rules, by their letters and digits; where first."""
    found: dict[str, Secret] = {}
    kept = _kept_in(trace)
    for text in _rules(trace):
        for match in _forms_in(text):
            found.setdefault(canonical(match.group()), Secret(-1, match.group(), frozenset()))
    for exchange in trace.exchanges:
        if exchange.result is None or exchange.result_at is None:
            continue
        for place, value in leaves(exchange.result.content):
            for secret in _secrets_in(exchange.result_at, place, value, kept):
                found.setdefault(canonical(secret.value), secret)
    return _without_open_ones(trace, found) if any(each.opens for each in found.values()) else found


def _without_open_ones(trace: Trace, found: dict[str, Secret]) -> dict[str, Secret]:
    """A number that stands elsewhere as an ordinary value tells nobody how to open a door."""
    shown: set[str] = set()
    for exchange in trace.exchanges:
        for place, value in leaves(exchange.result.content if exchange.result is not None else None):
            key = canonical(str(value)) if len(str(value)) <= _CODE_MOST else ""
            if key in found and found[key].opens and not _opens(place):
                shown.add(key)
    return {key: each for key, each in found.items() if key not in shown}


def _secrets_in(at: int, place: str, value: object, kept: frozenset[str]) -> Iterator[Secret]:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return
    text, name = str(value), place.rpartition(".")[2].partition("[")[0]
    if _is_secret_name(name, kept) and _LEAST <= len(text) <= _MOST:
        if " " not in text.strip() and len(canonical(text)) >= _LEAST:
            yield Secret(at, text, _stems(place.rpartition(".")[2]), place)
    elif _opens(place) and len(text) <= _CODE_MOST:
        if len(canonical(text)) >= _LEAST and has_digit(text) and _CODE.fullmatch(text.strip()):
            field = _stems(name) if _opens(name) else _stems(" ".join(place.split(".")[-2:]))
            yield Secret(at, text, field, place, opens=True)
    elif isinstance(value, str):
        for match in _forms_in(text):
            yield Secret(at, match.group(), frozenset(), place)
        yield from _told_in(at, place, text)


_CODE = re.compile(r"[\w#*+-]++(?:[ .-][\d#*]++)*+")
_CODE_MOST = 40
# "The alarm code is 4471#", "code for the gate: 22-19-03", "wifi password hunter22".
_TOLD = re.compile(
    r"\b(?P<what>(?:[A-Za-z]{1,30}+[ -]){0,2}(?:code|combination|password|passcode|passphrase)"
    r"(?: (?:for|of|to)(?: [A-Za-z]{1,30}+){1,4}?)?)\s{0,20}(?:is|:"
    r"|=)?\s{0,20}[\"'“]?(?P<value>[\w#*]{0,40}\d[\w#*]*+(?:-\d[\w#*]*+)*+)",
    re.IGNORECASE,
)
_SAID_OF = _OPENED | frozenset(map(stem, ("password", "passcode", "passphrase")))


def _told_in(at: int, place: str, text: str) -> Iterator[Secret]:
    """The codes that a remark in a record gives, each with what it is the code of."""
    low = text[:_MOST].lower()
    if "code" not in low and "combination" not in low and "pass" not in low:
        return
    for match in _TOLD.finditer(text[:_MOST]):
        named = frozenset(map(stem, words(match["what"])))
        if not named.isdisjoint(_SAID_OF) and len(canonical(match["value"])) >= _LEAST:
            yield Secret(at, match["value"], named, place, opens=True)


@lru_cache(maxsize=4096)
def _opens(place: str) -> bool:
    """By the name of the field, or of what it stands in: `alarm_code`, `codes.alarm`."""
    fields = [_stems(part.partition("[")[0]) for part in place.split(".")[-2:]]
    last, named = fields[-1], frozenset[str]().union(*fields)
    if not last.isdisjoint(_OF_A_CODE | _COUNTS):
        return False
    return not last.isdisjoint(_OPENS_AS_ONE) or not (named.isdisjoint(_OPENED) or named.isdisjoint(_OPENS))


def _forms_in(text: str) -> Iterator[re.Match[str]]:
    if any(map(text.__contains__, _SIGNS)):
        yield from _SECRET_FORM.finditer(text)


# One of these is in every secret that is known by its form, and is quickly looked for.
_SIGNS = ("PRIVATE KEY", "sk-", "AKIA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "xox", "eyJ", "AIza")


@lru_cache(maxsize=4096)
def _is_secret_name(name: str, kept: frozenset[str]) -> bool:
    named = _stems(name)
    if not named.isdisjoint(_COUNTS):
        return False
    return not named.isdisjoint(_SECRET_NAMES | kept) or any(pair <= named for pair in _SECRET_PAIRS)


@lru_cache(maxsize=4096)
def _stems(name: str) -> frozenset[str]:
    return frozenset(stem(part) for part in split_identifier(name))


def _rules(trace: Trace) -> list[str]:
    prose = [trace.policy.text] if trace.policy is not None else []
    return prose + [message.text for _, message in trace.messages if message.role == "system"]


def _kept_in(trace: Trace) -> frozenset[str]:
    """The stems of what the rules say must not get out: the noun that such a sentence begins with."""
    found: set[str] = set()
    for text in _rules(trace):
        found |= _nouns_kept_in(text)
    return frozenset(found)


@once_per_text
def _nouns_kept_in(text: str) -> frozenset[str]:
    found: set[str] = set()
    for sentence in sentences(text):
        match = _KEPT_IN.match(sentence) if _NEVER.search(sentence) else None
        if match is not None:
            nouns = [stem(word) for word in words(match["what"].partition(" of ")[0]) if len(word) > _SHORT]
            found.update(nouns[-1:])
    return frozenset(found)


_NEVER = re.compile(r"not|never", re.IGNORECASE)


_SHORT = 3


def secrets_in(trace: Trace, content: object) -> Iterator[Secret]:
    """The known secrets that a value holds, as a whole or as a word of a text."""
    known = secrets(trace)
    if not known:
        return
    spaced = [each for each in known.values() if " " in each.value.strip()]
    for _, value in leaves(content):
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            text = str(value)
            for key in dict.fromkeys([canonical(text), *map(canonical, tokens(text))]):
                if key in known:
                    yield known[key]
            yield from (each for each in spaced[:_FEW] if each.value.strip() in text)


_FEW = 20
