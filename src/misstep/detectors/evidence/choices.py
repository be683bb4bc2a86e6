"""A trace → the acts that rest on a choice among records that fitted equally well, which the agent made alone."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import split_identifier
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.look_ups import is_look_up, tells_only
from misstep.detectors.evidence.records import Record, records_in
from misstep.detectors.evidence.support import did_its_job
from misstep.detectors.evidence.weekdays import when
from misstep.objectives.matching import plain
from misstep.objectives.times import times_named
from misstep.objectives.values import leaves, says
from misstep.objectives.vocabulary import effect_of, lemma, meaning, vocabulary

# Words that choose without naming: the agent could tell which one is meant, or was free to take any.
_LEAVES_THE_CHOICE = re.compile(
    r"\b(?:"
    + "|".join(
        """last latest newest oldest earliest first second third most least any anyone anybody either both all each
        every everything everyone everybody whichever whatever random recent next previous default primary main
        usual current biggest largest smallest cheapest best closest nearest highest lowest shortest longest fastest
        nothing only than after before between pick choose them ones except soonest later
        sooner several two three four five""".split()
    )
    + r"|(?:under|over|below|above)(?= (?:\W?\d|the\b|that\b|budget))"
    r"|up to you|your choice|don't mind|no preference|doesn't matter|at most|at least|apart from|other than)\b",
    re.IGNORECASE,
)
# The same words in turns of phrase that choose nothing, or only a week.
_TURN_OF_PHRASE = re.compile(
    r"\b(?:first of all|at all|all the best|all (?:right|good|set|well|day|week|night)|above all|after all"
    r"|once and for all"
    r"|any (?:chance|idea|news|questions?|problems?|trouble|more|longer|help|way)|in any case|anytime"
    r"|(?:thanks|thank you|sorry|grateful)(?: so much| very much)? for (?:all|everything)[^.,;!?]{0,30}"
    r"|for the (?:first|last) time|(?:first|last|second) names?|second thoughts?|each other|first thing"
    r"|at (?:first|last)"
    r"|best (?:regards|wishes)|everything(?:'s| is| else is) (?:fine|good|ok|okay)|(?:before"
    r"|after) (?:yesterday|tomorrow"
    r"|that|then)|look(?:s|ing|ed)? after"
    r"|(?:next|last|this|coming|previous|current)(?= (?:week|month|year|time|night|morning|afternoon|evening"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)))\b",
    re.IGNORECASE,
)
# What we cannot reckon out, but the agent may well have.
_RELATIVE_TIME = re.compile(
    r"\b(?:(?P<week>weeks?)|(?P<month>months?)|(?P<part>morning|afternoon|evening|tonight|noon|midnight|lunch)"
    r"|(?:today|tomorrow|yesterday|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|ago|soon|upcoming|coming))\b",
    re.IGNORECASE,
)
_NAME = 4
_SAYS_WHERE_IT_STANDS = re.compile(
    r"(?:\w+_)?(?:status|state|active|available|enabled|valid|open|current|default|primary)", re.IGNORECASE
)


class BlindChoice(Struct, frozen=True):
    """An act on one of several records that nothing had told apart."""

    act: Exchange
    look_up: Exchange
    picked: Exchange
    """The call that took one record and left the others."""
    fitting: int
    """How many records fitted equally."""


def blind_choices(trace: Trace) -> Iterator[BlindChoice]:
    """At most one for each look-up."""
    for place, look_up in enumerate(trace.exchanges):
        if look_up.result is None or look_up.result.is_error or not is_look_up(trace, look_up):
            continue
        records = records_in(look_up.result.content)
        if len(records) < 2:
            continue
        choice = _choice(trace, place, records)
        if choice is not None:
            yield choice


_LOOKED_AT = 100
"""So many calls after a look-up are looked at; what comes later has other grounds."""


def _choice(trace: Trace, place: int, records: Sequence[Record]) -> BlindChoice | None:
    look_up, owner = trace.exchanges[place], _owners(records)
    touched: dict[int, Exchange] = {}
    reached: set[str] = set()
    for exchange in trace.exchanges[place + 1 : place + 1 + _LOOKED_AT]:
        if heard(trace).between(look_up.at, exchange.at):
            return None  # once the user has spoken again, the choice was theirs to make
        named = {plain(str(value)) for _, value in leaves(exchange.call.arguments)}
        numbered = set(_numbered(exchange.call.arguments))
        hits = {owner[value] for value in named | numbered if value in owner}
        for hit in hits:
            _ = touched.setdefault(hit, exchange)
        if len(touched) > 1:
            return None
        if hits or not reached.isdisjoint(named):
            if not _only_looks(trace, exchange) and did_its_job(trace, exchange):
                return _judged(trace, look_up, records, touched, exchange)
            reached |= _values(exchange)
    return None


def _only_looks(trace: Trace, exchange: Exchange) -> bool:
    tool = trace.tool_named.get(exchange.call.tool)
    return (tool is not None and tells_only(tool)) or effect_of(trace, exchange.call.tool) == "reads"


def _numbered(content: JSON) -> Iterator[str]:
    """The numbers that may be keys, each with the name of its field: 4711, and neither two nights nor a sum."""
    for name, value in leaves(content):
        if isinstance(value, int) and value >= _KEY and _SUMS.isdisjoint(split_identifier(name)):
            yield f"{name} {value}"


_KEY = 100
_SUMS = frozenset("price cost amount total sum fee fare balance value rate weight size count quantity year".split())


def _owners(records: Sequence[Record]) -> dict[str, int]:
    """Each text that is in one record alone, and that looks like a key, with that record; a number with its field."""
    owner: dict[str, int] = {}
    shared: set[str] = set()
    for index, record in enumerate(records):
        held = {plain(value) for _, value in leaves(record) if isinstance(value, str) and " " not in value}
        for value in held.union(_numbered(record)):
            if owner.setdefault(value, index) != index:
                shared.add(value)
    return {value: index for value, index in owner.items() if value not in shared and len(value) > 1}


def _values(exchange: Exchange) -> set[str]:
    content = exchange.result.content if exchange.succeeded and exchange.result else None
    return {
        plain(value)
        for _, value in leaves(content)
        if isinstance(value, str) and any(character.isdigit() for character in value)
    }


def _judged(
    trace: Trace, look_up: Exchange, records: Sequence[Record], touched: Mapping[int, Exchange], act: Exchange
) -> BlindChoice | None:
    (picked,) = touched
    text = "\n".join(heard(trace).recent(act.at))
    if _LEAVES_THE_CHOICE.search(_TURN_OF_PHRASE.sub(" ", text)):
        return None
    allowed = _allowed(trace, act.call.tool, records)
    if picked not in allowed or _stands_out(records, picked):
        return None
    fits = {index: _said_fields(records[index], text) for index in allowed}
    if any(fits[picked] < other or len(other) > len(fits[picked]) for other in fits.values()):
        return None  # the user's words pick another one: wrong, but not for want of asking
    equal = [index for index in allowed if fits[index] == fits[picked]]
    if len(equal) < 2 or not (fits[picked] or _is_meant_singly(trace, text, act, records)):
        return None
    if _time_may_tell(text, [records[index] for index in equal]):
        return None
    return BlindChoice(act, look_up, touched[picked], len(equal))


def _said_fields(record: Record, text: str) -> set[str]:
    """The names of the fields whose values the user said, wholly or by a name in them."""
    fields = list(leaves(record))
    wholly = {name for name, value in fields if says(text, value) or _says_a_time(text, value)}
    return wholly | {f"{name}, in part" for name, value in fields if _says_a_name(text, value)}


def _says_a_name(text: str, value: JSON) -> bool:
    """One of a few words that make up a name."""
    parts = value.split() if isinstance(value, str) else []
    return 2 <= len(parts) <= _NAME and any(part.istitle() and len(part) > 2 and says(text, part) for part in parts)


def _says_a_time(text: str, value: JSON) -> bool:
    return isinstance(value, str) and len(value) <= 40 and not times_named(text).isdisjoint(times_named(value[-8:]))


def _time_may_tell(text: str, records: Sequence[Record]) -> bool:
    """The user spoke of a time that we cannot reckon out, and the records are not all of one such time."""
    spans = {match.lastgroup for match in _RELATIVE_TIME.finditer(text)}
    return any(len({_times_in(record, span) for record in records}) > 1 for span in spans)


def _times_in(record: Record, span: str | None) -> frozenset[object]:
    """When a record is, as far as a week, a month, a part of a day or a day can tell."""
    found: set[object] = set()
    for name, value in leaves(record):
        said = when(value) if isinstance(value, str) else None
        if said is None:
            continue
        if span == "week":
            found.add((name, said.week or said.day or said.weekday or said.times))
        elif span == "month":
            found.add((name, said.day[:2] if said.day else said))
        elif span == "part":
            found.add((name, frozenset(_part_of_day(hour) for hour, _ in said.times), said.day, said.weekday))
        else:
            found.add((name, said.day, said.weekday))
    return frozenset(found)


def _part_of_day(hour: int) -> int:
    return 0 if hour < _NOON else 1 if hour < _EVENING else 2


_NOON, _EVENING = 12, 17


_ONE_OF_MINE = re.compile(r"\b(?:my|the|our|his|her|their|this|that)\s+((?:[\w'-]+\s+){0,2}[\w'-]+)", re.IGNORECASE)


def _is_meant_singly(trace: Trace, text: str, act: Exchange, records: Sequence[Record]) -> bool:
    """The user spoke of one such thing as if there were only one: "my booking", "the card"."""
    nouns = {stem for name in records[0] for stem in meaning(name)} | vocabulary(trace).tools[act.call.tool].named
    return any(
        lemma(word) in nouns and not word.endswith("s")
        for match in _ONE_OF_MINE.finditer(text)
        for word in match[1].lower().split()
    ) or any(says(text, value) for _, value in leaves(act.call.arguments))


def _allowed(trace: Trace, tool: str, records: Sequence[Record]) -> list[int]:
    """The records that the rules let the act be done to."""
    rules = trace.policy.of_kind("only-if", tool, effect_of(trace, tool)) if trace.policy is not None else ()
    allowed = list(range(len(records)))
    for rule in rules:
        field, values = str(rule.parameters.get("field", "")), rule.parameters.get("values")
        if isinstance(values, list):
            fine = cast("list[JSON]", values)
            allowed = [at for at in allowed if field not in records[at] or records[at][field] in fine]
    return allowed


def _stands_out(records: Sequence[Record], picked: int) -> bool:
    """The picked record is the only one in its state, which may be why only it was meant."""
    for name, value in records[picked].items():
        if isinstance(value, bool) or (isinstance(value, str) and _SAYS_WHERE_IT_STANDS.fullmatch(name)):
            others = [record.get(name) for at, record in enumerate(records) if at != picked]
            if value not in others:
                return True
    return False
