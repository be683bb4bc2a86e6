"""A trace → the calls by which a sum goes beyond what a user had set for all together."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from msgspec import Struct

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import as_number, sentences, split_identifier
from misstep.detectors.evidence.limits import limits_in
from misstep.detectors.evidence.orders import plainly
from misstep.detectors.evidence.outcomes import failed
from misstep.detectors.evidence.records import Record, record_of, records_in
from misstep.objectives.matching import number_in, plain
from misstep.objectives.values import is_identifying, leaves
from misstep.objectives.vocabulary import ToolWords, meaning, vocabulary

_ALL_TOGETHER = re.compile(
    r"\b(?:(?:in|as a|grand|combined|the|a|sum) total|total(?:s|ling)?|totalling|altogether|together|combined"
    r"|in all|overall"
    r"|over ?all|all told|all in(?: all)?|in sum|(?:the|a) sum|across (?:all|every\w*|both|the (?:board|lot|whole))"
    r"|between (?:them|all|the (?:two|three|four|lot))|for (?:everything|all of (?:it|them)|the lot)|as a whole"
    r"|(?:the )?whole (?:lot|thing|order|trip|set|bunch|campaign|project)|added up|add up to|all of (?:them|it)"
    r"|aggregate"
    r"|cumulative(?:ly)?)\b",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"\b(?:each|apiece|every|per (?!day|week|month|year|hour|night|annum))\b|\b(?:individual(?:ly)?|single)\b",
    re.IGNORECASE,
)
_CEILING = re.compile(
    r"\b(?:ceiling|cap|limit|budget|maximum|max)\b[^.\d;]{0,40}?[€$£]?\s?(?P<after>\d[\d,.]{0,20}\d|\d)"
    r"|(?P<before>(?<!\d)\d[\d,.]{0,20}\d|\d)\s?[€$£%]?[^.\d;]{0,30}?\b(?:is|as|being) (?:the|my|our|a|your)(?: \w+)? "
    r"(?:ceiling|cap|limit|budget|maximum|max)\b",
    re.IGNORECASE,
)
_MONEY = frozenset(
    meaning(
        "price cost amount total fare fee rate sum charge budget spend euro euros eur usd gbp dollar pound money value"
    )
)
_SETS = frozenset(meaning("set adjust change update modify increase raise allocate assign edit lower reduce put"))
_AT_REST = frozenset(
    """paused inactive disabled ended archived cancelled canceled stopped off removed closed deleted draft
    finished""".split()
)
_COUNTS = frozenset(meaning("quantity qty count pieces nights people guests page limit days id number index version"))
_KEPT = 400


class Overrun(NamedTuple):
    """The call with which the sum went too far, where the limit was set and in what words, and the sum."""

    at: int
    set_at: int
    said: str
    most: float
    total: float


class _Cap(NamedTuple):
    at: int
    said: str
    most: float
    stems: frozenset[str]


class _Sums(Struct):
    """What stands under one kind of act: each thing with its latest amount."""

    amounts: dict[str, float]
    listed: bool = False


def overruns(trace: Trace) -> Iterator[Overrun]:
    """One for each limit at most: the first call that brings the sum above it."""
    caps = _caps(trace)
    if not caps:
        return
    known = vocabulary(trace)
    sums: dict[str, _Sums] = {}
    broken: set[int] = set()
    for exchange in trace.exchanges:
        tool = known.tools.get(exchange.call.tool)
        cap = next((each for each in reversed(caps) if each.at < exchange.at), None)
        if tool is None or tool.effect == "reads" or cap is None:
            continue
        if exchange.result is None or failed(exchange.result, tool.effect):
            continue
        total = _after(trace, exchange, tool, cap, sums)
        if total is not None and cap.at not in broken:
            broken.add(cap.at)
            yield Overrun(exchange.at, cap.at, cap.said, cap.most, total)


def _caps(trace: Trace) -> list[_Cap]:
    """The limits that users set on a sum; whoever speaks of one again with another number lifts it."""
    found: list[_Cap] = []
    for at, message in trace.messages:
        if message.role != "user":
            continue
        for sentence in sentences(plainly(message.text[:4000])):
            most = _most_of_all(sentence)
            if most is not None:
                found.append(_Cap(at, " ".join(sentence.split())[:160], most, frozenset(meaning(sentence.lower()))))
            elif found and found[-1].at < at and any(number > found[-1].most for number in _most_in(sentence)):
                found.append(_Cap(at, "", float("inf"), frozenset()))
    return found


def _most_of_all(sentence: str) -> float | None:
    if not _ALL_TOGETHER.search(sentence) or sentence.endswith("?"):
        return None
    parts = re.split(r"[,;:]\s|\s(?:and|but)\s", sentence) if _EACH.search(sentence) else [sentence]
    for part in parts:
        if len(parts) > 1 and (not _ALL_TOGETHER.search(part) or _EACH.search(part)):
            continue
        numbers = _most_in(part)
        if len(numbers) == 1 and (most := numbers.pop()) > 0:
            return most
    return None


def _most_in(text: str) -> set[float]:
    """The numbers that are said to be the most."""
    numbers = {each.number for each in limits_in(text) if each.at_most and each.measure == "number"}
    said = _CEILING.search(text) if not numbers else None
    number = as_number((said["after"] or said["before"]).rstrip(".,")) if said else None
    return numbers if number is None else {number}


def _after(trace: Trace, exchange: Exchange, tool: ToolWords, cap: _Cap, sums: dict[str, _Sums]) -> float | None:
    """What the sum comes to with this call, where it was within the limit before and is not any more."""
    shown = _total_shown(exchange, cap)
    entries = _entries(exchange, cap)
    if not entries:
        _take_out(exchange, sums)
        return shown
    kept = sums.setdefault(min(tool.acts, default=tool.name), _Sums({}))
    if len(kept.amounts) > _KEPT:
        return None
    if not kept.listed and not kept.amounts:
        before = _listed_before(trace, exchange, tool, entries)
        kept.listed = bool(before)
        kept.amounts.update(before)
    was = sum(kept.amounts.values())
    kept.amounts.update(entries)
    total = sum(kept.amounts.values())
    if was <= cap.most < total and len(kept.amounts) > 1:
        return total
    return shown


def _is_counted(name: str, cap: _Cap) -> bool:
    stems = frozenset(meaning(" ".join(split_identifier(name))))
    return stems.isdisjoint(_COUNTS) and (not stems.isdisjoint(cap.stems) or not stems.isdisjoint(_MONEY))


def _amount(record: Mapping[str, JSON], cap: _Cap) -> tuple[str, float] | None:
    """The only number that can be what is counted; what is money, or is named as the limit names it."""
    numbers = [
        (name, number)
        for name, value in record.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and (number := number_in(value)) is not None
    ]
    counted = [pair for pair in numbers if _is_counted(pair[0], cap)]
    # Where pieces are counted beside, the number may be the price of one.
    return counted[0] if len(counted) == 1 and len(numbers) == 1 else None


def _key(record: Mapping[str, JSON]) -> str:
    """The thing that it is about: its ids, or else all the short texts."""
    texts = [plain(str(value)) for value in record.values() if isinstance(value, str) and len(value) <= 64]
    return "|".join(
        [text for text in texts if is_identifying(text)] or [text for text in texts if len(text.split()) < 5]
    )


def _entries(exchange: Exchange, cap: _Cap) -> dict[str, float]:
    """The things of a call with their amounts, from what it passes on or from what came back."""
    arguments = exchange.call.arguments
    several = [(_key(each), _amount(each, cap)) for each in records_in(arguments)]
    if several and all(key and amount for key, amount in several):
        return {key: amount[1] for key, amount in several if amount}
    own, key = _amount(arguments, cap), _key(arguments)
    if own is not None and key:
        return {key: own[1]}
    came = exchange.result.content if exchange.result is not None else None
    if key and isinstance(came, Mapping) and not any(isinstance(each, (int, float)) for each in arguments.values()):
        cost = _amount(cast("Record", came), cap)
        if cost is not None and not _names_a_total(cost[0]):
            return {key: cost[1]}
    return {}


def _names_a_total(name: str) -> bool:
    return not {"total", "sum", "overall", "combined", "balance"}.isdisjoint(split_identifier(name))


def _total_shown(exchange: Exchange, cap: _Cap) -> float | None:
    """A sum that the tool itself shows after the act, and that lies above the limit."""
    came = exchange.result.content if exchange.result is not None else None
    for name, value in leaves(cast("JSON", came)) if isinstance(came, Mapping) else ():
        parts = split_identifier(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or parts[-1:] == ["balance"]:
            continue
        about = frozenset(meaning(" ".join(parts))) - frozenset(meaning("total sum overall combined"))
        names_it = not about.isdisjoint(cap.stems) or (not about and len(parts) == 1) or not about.isdisjoint(_MONEY)
        if _names_a_total(name) and names_it and about.isdisjoint(_COUNTS) and value > cap.most:
            return float(value)
    return None


def _take_out(exchange: Exchange, sums: dict[str, _Sums]) -> None:
    """Whatever else is done to a thing may end it: it is not counted from then on."""
    named = {plain(str(value)) for _, value in leaves(exchange.call.arguments) if isinstance(value, str)}
    for kept in sums.values():
        for key in [key for key in kept.amounts if not named.isdisjoint(key.split("|"))]:
            del kept.amounts[key]


def _listed_before(trace: Trace, exchange: Exchange, tool: ToolWords, entries: Mapping[str, float]) -> dict[str, float]:
    """What the things beside it stood at, where the call sets anew what a list had shown for each."""
    if len(entries) != 1:
        return {}
    key, amount = next(iter(entries.items()))
    listed = next(filter(None, (record_of(trace, part, exchange.at) for part in key.split("|"))), None)
    if listed is None or len(listed.beside) < 2:
        return {}
    field = _set_anew(exchange, tool, listed.record, amount)
    own = next((name for name, value in listed.record.items() if plain(str(value)) in key.split("|")), None)
    if field is None or own is None:
        return {}
    found: dict[str, float] = {}
    for record in listed.beside:
        stands = number_in(record.get(field))
        resting = any(isinstance(value, str) and value.casefold() in _AT_REST for value in record.values())
        if stands is None or own not in record:
            return {}
        found[plain(str(record[own]))] = 0.0 if resting else stands
    # The key of the call may hold more than that name.
    if key not in found:
        return {}
    return found


def _set_anew(exchange: Exchange, tool: ToolWords, record: Record, amount: float) -> str | None:
    """The field that the call changes: it comes back with the new value, or the tool says that it sets."""
    numbers = {name: number for name, value in record.items() if (number := number_in(value)) is not None}
    content = exchange.result.content if exchange.result is not None else None
    came: Record = cast("Record", content) if isinstance(content, Mapping) else {}
    for name, number in numbers.items():
        if number != amount and number_in(came.get(name)) == amount:
            return name
    about = frozenset(meaning(" ".join(exchange.call.arguments))) | tool.all
    named = [name for name in numbers if not about.isdisjoint(meaning(" ".join(split_identifier(name))))]
    sets = not _SETS.isdisjoint(tool.acts | tool.named)
    return named[0] if sets and len(named) == 1 and numbers[named[0]] != amount else None
