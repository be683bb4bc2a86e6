"""A call → whether it did its job, and in which words; a claim → which tools could have done what it says."""

import re
from bisect import bisect_left
from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.evidence.claims import Claim, says_little
from misstep.detectors.evidence.outcomes import failed, told
from misstep.objectives.matching import plain
from misstep.objectives.once import once_per_trace
from misstep.objectives.values import leaves
from misstep.objectives.vocabulary import Vocabulary, effect_of, kin, meaning

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


def is_a_quote(trace: Trace, text: str, at: int) -> bool:
    """A tool had said just that, not long ago."""
    words = plain(text).strip(" .!*")
    end = bisect_left(trace.exchanges, at, key=lambda each: each.at)
    return any(
        each.result is not None and words in plain(told(each.result))
        for each in trace.exchanges[max(0, end - 40) : end]
    )


@once_per_trace
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
    texts: set[str] = set()
    for name, leaf in leaves(value):
        if leaf is False or leaf == "":
            continue
        texts.add(name)
        if isinstance(leaf, str):
            texts.add(leaf[:2000])
    return frozenset[str]().union(*map(meaning, texts))


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
