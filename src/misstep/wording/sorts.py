"""Values and question words ↔ sorts (a day, a person, a place …), so that a fact can be found by elimination."""

import re
from collections.abc import Iterable
from functools import lru_cache

from misstep.core.words import STOPWORDS, Atom, atoms, stem, words
from misstep.wording.lexicon import lexicon
from misstep.wording.values import spot

_TITLE = re.compile(r"(?:dr|mr|mrs|ms|prof)\.? [A-Z]", re.IGNORECASE)
_HOUSE = re.compile(r"\b\d{1,5}[a-z]? [A-Z][a-z]|\b[A-Z][a-z]+ \d{1,5}[a-z]?(?:,|$)")
_MEASURE = re.compile(r"\d[\d.,]*\s?[a-z²³°%]+")
_LONG_DIGITS = re.compile(r"[\d +()-]{7,}")
_KINDS = {
    "person": "name recipient attendee manager doctor merchant company",
    "place": "address city country destination origin folder venue postcode department merchant branch",
    "day": "date birthdate",
    "clock": "time",
    "span": "duration",
    "money": "amount",
    "count": "quantity people age",
    "code": "identifier digits",
    "phone": "phone",
    "text": "reason content message",
    "means": "method",
    "often": "frequency",
}
_BY_KIND = {
    kind: frozenset(sort for sort, kinds in _KINDS.items() if kind in kinds.split())
    for listed in _KINDS.values()
    for kind in listed.split()
}
_WANTED = (
    (r"^(?:[a-z]+ ){1,3}to$", ("person", "place")),
    (r"\b(?:who|whom|whose|who'll|anybody|anyone|somebody|someone|person)\b", ("person",)),
    (r"\bhow (?:long|many (?:minutes|hours|days|nights|weeks|months|years))\b", ("span",)),
    (r"\bhow many\b|\bhow big a (?:party|group)\b", ("count",)),
    (r"\bhow much\b|\b(?:what|which) (?:\w+ )?(?:will|would|does|did|might) (?:it|that|this) cost\b", ("money",)),
    (r"\bhow often\b", ("often",)),
    (r"\b(?:what|which) time\b|\bo'clock\b|\bhow early\b", ("clock",)),
    (r"\b(?:what|which) part of (?:the )?day\b", ("clock", "often")),
    (r"\b(?:what|which) (?:day|date|week|month|evening|morning|night|afternoon)\b|\bdates?\b", ("day",)),
    (r"\bwhen\b|\bhow soon\b|\bhow late\b", ("day", "clock")),
    (r"\bwhere\b|\bwhereabouts\b", ("place",)),
    (r"^(?:and |so )*how (?:would|do|will|should|shall|did) (?:you|i|we|it)\b|\bby what means\b", ("means",)),
    (r"\bwhy\b|\bhow come\b|\bwhat(?:'s| is| has)? (?:wrong|up with|brought|happened)\b", ("text",)),
)
_ASKED = tuple((re.compile(pattern, re.IGNORECASE), frozenset(sorts)) for pattern, sorts in _WANTED)


_WH = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_COUNTS = "one two three four five six seven eight nine ten eleven twelve".split()
_DAYS = {"day": 1, "night": 1, "week": 7, "fortnight": 14, "month": 30, "year": 360}
_SPAN = re.compile(
    rf"\b(?<!one of )(\d{{1,3}}|a(?= fortnight| \w+'s notice)|{'|'.join(_COUNTS)})"
    r"[ -](day|night|week|fortnight|month|year)s?\b(?! later| old| from now)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r" (?:you|we|i|they|he|she|it|the|your|our|this|that)\b", re.IGNORECASE)
"""No verb, as a question has it."""
_EARLY = 3
_PREPOSITIONS = frozenset(("to", "for", "from", "by", "with", "on", "at", "of", "in", "under"))
_LEADS = frozenset("""know knew tell ask asking advise state wonder wondering and or see me us sure check""".split())


@lru_cache(maxsize=4096)
def sorts_of(value: str, kinds: frozenset[str], name: str = "") -> frozenset[str]:
    """What a value can be told for, by its looks, by the kinds that its name has, and by the name's last word."""
    found = set(sorts_named(kinds))
    seen, said = spot(value), words(value)
    roots = [stem(word) for word in said]
    book = lexicon()
    if seen.days or any(each.kind == "date" for each in seen.atoms) or not book.timely.isdisjoint(roots):
        found.add("clock" if seen.times and not seen.days else "day")
    if seen.times:
        found.add("clock")
    if is_span(value):
        found = (found - {"day"}) | {"span"}
    if seen.prices:
        found.add("money")
    if not found & {"day", "clock", "span"}:
        found |= _plain_sorts(value)
    last = stem(words(name)[-1]) if words(name) else ""
    if last in book.places and not (found & {"number", "code", "phone"} or _MEASURE.fullmatch(value)):
        found.add("place")
    if last in book.people and "proper" in found:
        found.add("person")
    return frozenset(found)


def is_span(value: str) -> bool:
    """`three months`, `2 nights`."""
    said = words(value)
    return len(said) == 2 and (said[0].isdigit() or said[0] in lexicon().numbers) and stem(said[1]) in lexicon().units


def spans(text: str) -> tuple[int, ...]:
    """The spans in a text, in days: `two weeks`, `a month's notice`; those under a day are left out."""
    counts = {word: at for at, word in enumerate(_COUNTS, 1)}
    return tuple(
        counts.get(each[1].lower(), int(each[1]) if each[1].isdigit() else 1) * _DAYS[each[2].lower()]
        for each in _SPAN.finditer(text)
    )


def _plain_sorts(value: str) -> set[str]:
    found: set[str] = set()
    parts = atoms(value)
    alone = len(parts) == 1 and len(parts[0].text) == len(value)
    if (alone and parts[0].kind == "number") or value.lower() in lexicon().numbers:
        found.add("number")
    if _LONG_DIGITS.fullmatch(value):
        found.add("phone")
    if alone and parts[0].kind == "code":
        found.add("code")
    if _is_proper(value) and not any(each.kind in ("code", "email", "url") for each in parts):
        found.add("proper")
        if _TITLE.match(value):
            found.add("person")
    if not lexicon().places.isdisjoint(stem(word) for word in words(value)) or _HOUSE.search(value):
        found.add("place")
    if value.islower() and len(value.split()) > 1:
        found.add("text")
    return found


def _is_proper(value: str) -> bool:
    """Capitals on the words that carry meaning: `The Salt Road`, `Rook & Daughters`."""
    telling = [word for word in re.findall(r"[^\W\d_][\w'-]*", value) if word.lower() not in STOPWORDS]
    return bool(telling) and all(word[0].isupper() for word in telling)


@lru_cache(maxsize=4096)
def sorts_wanted(clause: str) -> frozenset[str]:
    """What a question word wants, the first of them in the clause; nothing where any value may answer."""
    first = next((match.start() for match in _WH.finditer(clause) if _may_ask(clause, match)), None)
    found = [
        (match.start(), at)
        for at, (pattern, _) in enumerate(_ASKED)
        for match in pattern.finditer(clause)
        if _may_ask(clause, match) and (first is None or match.start() <= first)
    ]
    return _ASKED[min(found)[1]][1] if found else frozenset()


def _may_ask(clause: str, match: re.Match[str]) -> bool:
    joins = match[0].lower().startswith(("when", "where"))
    before = clause[: match.start()]
    if joins and words(before) and _SUBJECT.match(clause, match.end()):
        return words(before)[-1] in _LEADS  # `give a shout when you come in` asks for no day
    return _asks_there(before, asks_behind_preposition=not joins)


def _asks_there(before: str, *, asks_behind_preposition: bool) -> bool:
    """Near the start or behind a verb of knowing; behind a noun a question word only joins: `a number where`."""
    listed = words(before)
    if len(listed) < _EARLY or listed[-1] in _LEADS or before.rstrip()[-1:] in ",;:-–—":
        return True
    return asks_behind_preposition and listed[-1] in _PREPOSITIONS


def sorts_named(kinds: Iterable[str]) -> frozenset[str]:
    """The sorts of which kinds are."""
    return frozenset(sort for kind in kinds for sort in _BY_KIND.get(kind, ()))


def fits_closely(sorts: frozenset[str], wanted: frozenset[str]) -> bool:
    """Surely of a sort that is wanted: a number is money where money is asked for, a name is a place only perhaps."""
    return bool(sorts & wanted) or ("number" in sorts and bool(wanted & {"money", "count"}))


def only_the_sort(kinds: Iterable[str], wanted: frozenset[str]) -> bool:
    """The kinds say no more than the question word does: `how much` names an amount, and wants money."""
    return all(not wanted.isdisjoint(_BY_KIND.get(kind, ())) for kind in kinds)


def may_be_of(sorts: frozenset[str], literals: Iterable[Atom], kinds: frozenset[str]) -> bool:
    """Whether a value may be what these kinds name, under another name: no date is an email, no name a number."""
    looks = {atom.kind for atom in literals}
    if "email" in kinds:
        return "email" in looks
    if kinds & {"identifier", "digits", "phone", "secret", "postcode"}:
        return bool(looks & {"code", "number"})
    wanted = sorts_named(kinds)
    return fits(sorts, wanted) if wanted else not looks


def fits(sorts: frozenset[str], wanted: frozenset[str]) -> bool:
    """Whether a value of these sorts can answer."""
    if sorts & wanted:
        return True
    loosely = {"person": {"proper"}, "place": {"proper"}, "money": {"number"}, "count": {"number"}}
    named = sorts - {"proper"} if sorts & {"person", "place"} else sorts  # who is a person is no place
    return any(loosely.get(each, set()) & named for each in wanted)
