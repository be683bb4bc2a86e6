"""A trace → the acts that rest on a choice among records that fitted equally well, which the agent made alone."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.requests import heard
from misstep.detectors.support import did_its_job
from misstep.objectives.matching import plain
from misstep.objectives.values import leaves, says
from misstep.objectives.vocabulary import effect_of

Record = Mapping[str, JSON]

# Words that choose without naming: the agent could tell which one is meant, or was free to take any.
_LEAVES_THE_CHOICE = re.compile(
    r"\b(?:"
    + "|".join(
        """last latest newest oldest earliest first second third most least any anyone either both all each every
        everything whichever whatever random recent next previous default primary main usual current biggest largest
        smallest cheapest best closest nearest highest lowest shortest longest fastest under over below above nothing
        only than after before between pick choose them""".split()
    )
    + r"|up to you|your choice|don't mind|no preference|doesn't matter|at most|at least)\b",
    re.IGNORECASE,
)
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
    for look_up in trace.exchanges:
        if look_up.result is None or look_up.result.is_error or effect_of(trace, look_up.call.tool) != "reads":
            continue
        records = records_in(look_up.result.content)
        if len(records) < 2:
            continue
        choice = _choice(trace, look_up, records)
        if choice is not None:
            yield choice


def records_in(content: JSON, depth: int = 2) -> Sequence[Record]:
    """The list of records in a result: itself, or the first in one of its fields."""
    if isinstance(content, list):
        items = cast("list[JSON]", content)
        return [cast("Record", item) for item in items] if all(isinstance(item, Mapping) for item in items) else []
    if isinstance(content, Mapping) and depth:
        for inner in cast("Record", content).values():
            if isinstance(inner, (list, Mapping)) and (found := records_in(cast("JSON", inner), depth - 1)):
                return found
    return []


def _choice(trace: Trace, look_up: Exchange, records: Sequence[Record]) -> BlindChoice | None:
    owner = _owners(records)
    # Once the user has spoken again, the choice was theirs to make.
    until = next((at for at, said in trace.messages if at > look_up.at and said.role == "user"), len(trace.events))
    touched: dict[int, Exchange] = {}
    reached: set[str] = set()
    for exchange in trace.exchanges:
        if not look_up.at < exchange.at < until:
            continue
        named = {plain(str(value)) for _, value in leaves(exchange.call.arguments)}
        hits = {owner[value] for value in named if value in owner}
        for hit in hits:
            _ = touched.setdefault(hit, exchange)
        if len(touched) > 1:
            return None
        if hits or not reached.isdisjoint(named):
            if effect_of(trace, exchange.call.tool) != "reads" and did_its_job(trace, exchange):
                return _judged(trace, look_up, records, touched, exchange)
            reached |= _values(exchange)
    return None


def _owners(records: Sequence[Record]) -> dict[str, int]:
    """Each text that is in one record alone, and that looks like a key, with that record."""
    owner: dict[str, int] = {}
    shared: set[str] = set()
    for index, record in enumerate(records):
        for value in {plain(value) for _, value in leaves(record) if isinstance(value, str) and " " not in value}:
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
    text = "\n".join(heard(trace, act.at))
    if _LEAVES_THE_CHOICE.search(text):
        return None
    allowed = _allowed(trace, act.call.tool, records)
    if picked not in allowed or _stands_out(records, picked):
        return None
    mine = _said_fields(records[picked], text)
    equal = [index for index in allowed if index == picked or mine <= _said_fields(records[index], text)]
    if len(equal) < 2:
        return None
    return BlindChoice(act, look_up, touched[picked], len(equal))


def _said_fields(record: Record, text: str) -> set[str]:
    """The names of the fields whose values the user said."""
    return {name for name, value in leaves(record) if says(text, value)}


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
