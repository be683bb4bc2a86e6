"""Expected calls and the calls that a trace made → which met which, and what is missing or out of order."""

from collections.abc import Sequence

from msgspec import Struct

from misstep.core.objective import ExpectedCall
from misstep.core.trace import Exchange, Trace
from misstep.objectives.matching import fits_all, misfits


class Missing(Struct, frozen=True):
    """An expected call that was not made, and the nearest call of the same tool that was."""

    expected: ExpectedCall
    nearest: Exchange | None = None
    """Made or attempted, and not itself a call that was expected elsewhere."""
    differing: tuple[str, ...] = ()
    """The names of the arguments in which the nearest differs; none where it was right, but failed."""


class Matched(Struct, frozen=True):
    """An expected call and the successful call that met it."""

    expected: ExpectedCall
    exchange: Exchange


class CallMatch(Struct, frozen=True):
    """How the calls of a trace meet the expected ones."""

    matched: tuple[Matched, ...]
    missing: tuple[Missing, ...]
    disordered: tuple[Matched, ...]
    """Those of the matched ones that came before something that they had to follow."""
    unexpected: tuple[Exchange, ...]
    """Successful calls that met no expectation."""


def match_calls(trace: Trace, expected: Sequence[ExpectedCall]) -> CallMatch:
    """The assignment that meets most expectations, the needed ones first, in the order asked for where one exists."""
    made = [exchange for exchange in trace.exchanges if exchange.succeeded]
    candidates = [_candidates(each, made) for each in expected]
    needed_first = sorted(range(len(expected)), key=lambda at: expected[at].optional)
    earliest = _earliest(expected, candidates)
    taken: dict[int, int] = {}
    for each in needed_first:
        in_order = [at for at in candidates[each] if at >= earliest[each]]
        _ = _assign(each, candidates, taken, in_order, set())
    for each in needed_first:
        if each not in taken.values():
            _ = _assign(each, candidates, taken, candidates[each], set())
    given = {each: made[at] for at, each in taken.items()}
    matched = tuple(Matched(expected[each], given[each]) for each in sorted(given))
    met = {exchange.at for exchange in given.values()}
    spare = [exchange for exchange in trace.exchanges if exchange.at not in met]
    missing = tuple(
        _missing(call, [each for each in spare if not _is_meant_for_another(each, call, expected)])
        for at, call in enumerate(expected)
        if at not in given and not call.optional
    )
    unexpected = tuple(exchange for at, exchange in enumerate(made) if at not in taken)
    return CallMatch(matched, missing, _disordered(matched), unexpected)


def _is_meant_for_another(exchange: Exchange, call: ExpectedCall, expected: Sequence[ExpectedCall]) -> bool:
    """Right as it is for something else that was asked for, though it failed there or was made twice."""
    made = exchange.call
    return not fits_all(call.arguments, made.arguments) and any(
        other is not call and other.tool == made.tool and other.arguments and fits_all(other.arguments, made.arguments)
        for other in expected
    )


def _candidates(expected: ExpectedCall, made: Sequence[Exchange]) -> list[int]:
    return [
        at
        for at, exchange in enumerate(made)
        if exchange.call.tool in expected.or_tools
        or (exchange.call.tool == expected.tool and fits_all(expected.arguments, exchange.call.arguments))
    ]


def _earliest(expected: Sequence[ExpectedCall], candidates: Sequence[Sequence[int]]) -> list[int]:
    """For each, the first place at which everything that it must follow can have happened."""
    by_name = {call.name: at for at, call in enumerate(expected)}
    earliest = [0] * len(expected)
    for _ in expected:
        for at, call in enumerate(expected):
            for name in call.after:
                before = by_name.get(name)
                if before is None or before == at:
                    continue
                first = next((place for place in candidates[before] if place >= earliest[before]), None)
                if first is not None:
                    earliest[at] = max(earliest[at], first + 1)
    return earliest


def _assign(
    each: int, candidates: Sequence[Sequence[int]], taken: dict[int, int], open_to: Sequence[int], tried: set[int]
) -> bool:
    """Give an expectation a call, moving others to other calls where need be."""
    for at in open_to:
        if at in tried:
            continue
        tried.add(at)
        holder = taken.get(at)
        if holder is None or _assign(holder, candidates, taken, candidates[holder], tried):
            taken[at] = each
            return True
    return False


def _missing(call: ExpectedCall, spare: Sequence[Exchange]) -> Missing:
    same = [exchange for exchange in spare if exchange.call.tool == call.tool]
    if not same:
        return Missing(call)
    ranked = [(misfits(call.arguments, exchange.call.arguments), exchange) for exchange in same]
    # Of calls that are equally near the one that took effect says most, and of those the last.
    differing, nearest = min(ranked, key=lambda pair: (len(pair[0]), not pair[1].succeeded, -pair[1].at))
    return Missing(call, nearest, differing)


def _disordered(matched: Sequence[Matched]) -> tuple[Matched, ...]:
    places: dict[str, int] = {}
    for each in matched:
        places[each.expected.name] = min(each.exchange.at, places.get(each.expected.name, each.exchange.at))
    return tuple(
        each for each in matched if any(places.get(name, -1) > each.exchange.at for name in each.expected.after)
    )
