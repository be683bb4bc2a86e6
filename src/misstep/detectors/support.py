"""A claim and the calls before it → whether something that happened bears it out."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from msgspec import Struct

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.claims import Claim, says_little
from misstep.detectors.outcomes import failed, outcome, told
from misstep.objectives.matching import plain
from misstep.objectives.values import leaves, shape
from misstep.objectives.vocabulary import Vocabulary, effect_of, kin, meaning, widened

_WAITS = re.compile(r"(?:queued|pending|scheduled|in[ _-]progress|processing|awaiting|waiting)\b", re.IGNORECASE)
_SAYS_HOW = re.compile(r"(?:status|state|result|outcome)", re.IGNORECASE)
_RECEIPT_SIZE = 3


class Done(Struct, frozen=True):
    """A call that did something, and the stems of all that it and its result say."""

    exchange: Exchange
    stems: frozenset[str]
    codes: frozenset[str]


def did_its_job(trace: Trace, exchange: Exchange) -> bool:
    """The call came back with nothing that says that it did nothing: no error, not empty, not waiting."""
    result = exchange.result
    if result is None or failed(result, effect_of(trace, exchange.call.tool)):
        return False
    return not _is_empty(trace, exchange.call.tool, result.content) and not _only_waits(result.content)


def _is_empty(trace: Trace, tool: str, content: JSON) -> bool:
    if content in ({}, []):
        return True
    if content is not None and content != "":
        return False
    # A tool with no declared output says nothing when all went well, unless the world says that nothing happened.
    known = trace.tool_named.get(tool)
    schema = known.output_schema if known else None
    return trace.changes == () or bool(schema and schema.get("type", "null") != "null")


def _only_waits(content: JSON) -> bool:
    """A bare receipt that waits; a whole record that waits is a record like any other."""
    if not isinstance(content, Mapping):
        return False
    fields = cast("Mapping[str, JSON]", content)
    return len(fields) <= _RECEIPT_SIZE and any(
        _SAYS_HOW.fullmatch(name) and isinstance(value, str) and _WAITS.match(value) for name, value in fields.items()
    )


def was_seen_afterwards(trace: Trace, exchange: Exchange, verb: str, at: int) -> bool:
    """The call's own outcome is unknown, but a later look-up shows what it was to bring about."""
    if outcome(exchange, effect_of(trace, exchange.call.tool)) != "unknown":
        return False
    before, wanted = set[str](), {plain(str(value)) for _, value in leaves(exchange.call.arguments)}
    for each in trace.exchanges:
        if each.at >= at or each.result is None or each.result.is_error:
            continue
        shown = {plain(str(value)) for _, value in leaves(each.result.content)}
        if each.at < exchange.at:
            before |= shown
        elif (
            each.at > exchange.at
            and wanted & shown
            and (wanted & shown - before or verb in stems_in(each.result.content))
        ):
            return True
    return False


def is_a_quote(trace: Trace, text: str, at: int) -> bool:
    """A tool had said just that."""
    words = plain(text).strip(" .!*")
    return any(
        each.result is not None and each.at < at and words in plain(told(each.result)) for each in trace.exchanges
    )


def acts_done(trace: Trace) -> tuple[Done, ...]:
    """The calls that did something to the world, in order."""
    return tuple(
        Done(exchange, _stems_of(trace, exchange), codes_in(exchange))
        for exchange in trace.exchanges
        if effect_of(trace, exchange.call.tool) != "reads" and did_its_job(trace, exchange)
    )


def _stems_of(trace: Trace, exchange: Exchange) -> frozenset[str]:
    tool = trace.tool_named.get(exchange.call.tool)
    named = meaning(f"{exchange.call.tool} {tool.description if tool else ''}")
    content = exchange.result.content if exchange.result else None
    return frozenset(named) | stems_in(exchange.call.arguments) | stems_in(content)


def stems_in(value: JSON) -> frozenset[str]:
    """The stems of a payload: of its texts, and of the names of its fields that hold something."""
    found: set[str] = set()
    for name, leaf in leaves(value):
        if leaf is False or leaf == "":
            continue
        found.update(meaning(name))
        if isinstance(leaf, str):
            found.update(_text_stems(leaf[:2000]))
    return frozenset(found)


@lru_cache(maxsize=8192)
def _text_stems(text: str) -> tuple[str, ...]:
    return meaning(text)


def codes_in(exchange: Exchange) -> frozenset[str]:
    """Everything that the call named and its result gave, in the form in which codes are compared."""
    content = exchange.result.content if exchange.result else None
    return frozenset(
        plain(str(value)).lstrip("#")
        for part in (exchange.call.arguments, content)
        for _, value in leaves(part)
        if not isinstance(value, bool)
    )


def tools_meant(claim: Claim, known: Vocabulary) -> frozenset[str]:
    """The tools that do what a claim says: by its verb, by a word for the same act, or by an act that it names."""
    if not says_little(claim.verb):
        for verbs in (frozenset({claim.verb}), kin(claim.verb)):
            named = frozenset(tool.name for tool in known.effectful if not tool.acts.isdisjoint(verbs))
            if named:
                return named
        return frozenset()
    return frozenset(tool.name for tool in known.effectful if not tool.acts.isdisjoint(claim.focus))


def bears_out(claim: Claim, meant: frozenset[str], done: Sequence[Done], known: Vocabulary) -> bool:
    """Some call did what is claimed, or says that it did, or fits the claim's words no worse than what is meant."""
    best = max((known.overlap(known.tools[name], claim.stems) for name in meant), default=0.0)
    verbs = kin(claim.verb) if claim.verb else frozenset[str]()
    for each in done:
        tool = known.tools.get(each.exchange.call.tool)
        if each.exchange.call.tool in meant or tool is None:
            return True
        if claim.verb in each.stems or not verbs.isdisjoint(tool.acts):
            return True
        if known.overlap(tool, widened(claim.stems)) > best:
            return True
    return False


def unreached(claim: Claim, done: Iterable[Done], tried: Iterable[Exchange]) -> str | None:
    """A target that a claim names, that no call reached while one like it was reached, or that was tried in vain."""
    reached = frozenset[str]().union(*(each.codes for each in done))
    in_vain = frozenset[str]().union(*(codes_in(each) for each in tried))
    shapes = {shape(code) for each in done for code in each.codes if any(digit.isdigit() for digit in code)}
    for code in sorted(claim.codes - reached):
        if code in in_vain or shape(code) in shapes:
            return code
    return None
