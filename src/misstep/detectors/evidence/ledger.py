"""A trace → what was done, tried in vain and shown in it, and where first: read once, then looked up."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.evidence.claims import Claim, told_as_past
from misstep.detectors.evidence.outcomes import call_key, failed, sameness
from misstep.detectors.evidence.support import Done, acts_done, codes_in, did_its_job, stems_in
from misstep.objectives.matching import plain
from misstep.objectives.once import once_per_trace
from misstep.objectives.values import leaves, shape
from misstep.objectives.vocabulary import Vocabulary, effect_of, kin, vocabulary, widened

_SHOWN = 400
"""Of one result so many values are kept: the rest of a long list is nobody's news."""


class Ledger:
    """What had happened by any place; made once for a trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace, self._known = trace, vocabulary(trace)
        self.done = acts_done(trace)
        self._done_places = [each.exchange.at for each in self.done]
        self._tools: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._codes: dict[str, dict[str, int]] = {}
        self._shapes: dict[str, dict[str, int]] = {}
        self._calls: dict[object, int] = {}
        self._vain: dict[str, list[Exchange]] = {}
        self._vain_codes: dict[str, dict[str, int]] = {}
        self._read: dict[str, int] = {}
        self._shown: dict[str, list[Exchange]] = {}
        self._said_as_past: dict[str, int] = {}
        for each in self.done:
            self._enter_done(each)
        for exchange in trace.exchanges:
            self._enter(exchange)
        for at, message in trace.messages:
            if message.role == "user":
                for verb in told_as_past(message.text):
                    self._said_as_past.setdefault(verb, at)

    def _enter_done(self, each: Done) -> None:
        at, tool = each.exchange.at, each.exchange.call.tool
        self._tools.setdefault(tool, at)
        self._calls.setdefault(call_key(each.exchange.call), at)
        for stem in each.stems:
            self._stems.setdefault(stem, at)
        codes, shapes = self._codes.setdefault(tool, {}), self._shapes.setdefault(tool, {})
        for code in each.codes:
            codes.setdefault(code, at)
            if any(map(str.isdigit, code)):
                shapes.setdefault(shape(code), at)

    def _enter(self, exchange: Exchange) -> None:
        tool, result = exchange.call.tool, exchange.result
        reads = effect_of(self._trace, tool) == "reads"
        if not reads and not did_its_job(self._trace, exchange):
            self._vain.setdefault(tool, []).append(exchange)
            codes = self._vain_codes.setdefault(tool, {})
            for code in codes_in(exchange):
                codes.setdefault(code, exchange.at)
        if result is None or result.is_error:
            return
        if reads:
            for stem in stems_in(result.content):
                self._read.setdefault(stem, exchange.at)
        for _, (_, value) in zip(range(_SHOWN), leaves(result.content), strict=False):
            self._shown.setdefault(plain(str(value)), []).append(exchange)

    def done_between(self, after: int, before: int) -> Sequence[Done]:
        return self.done[bisect_left(self._done_places, after + 1) : bisect_left(self._done_places, before)]

    def done_by(self, tools: Iterable[str], before: int) -> bool:
        return any(self._tools.get(tool, before) < before for tool in tools)

    def was_made(self, exchange: Exchange) -> bool:
        """The same call had worked before."""
        return self._calls.get(call_key(exchange.call), exchange.at) < exchange.at

    def tried(self, tools: Iterable[str], before: int, after: int = -1) -> list[Exchange]:
        """What was tried in vain between two places, the latest few, in order."""
        found: list[Exchange] = []
        for tool in tools:
            listed = self._vain.get(tool, [])
            end = bisect_left(listed, before, key=lambda each: each.at)
            found += [each for each in listed[max(0, end - _LATEST) : end] if each.at > after]
        return sorted(found, key=lambda each: each.at)

    def tells_of(self, verbs: Iterable[str], before: int) -> bool:
        """A look-up had shown one of these words."""
        return any(self._read.get(verb, before) < before for verb in verbs)

    def was_said_as_past(self, verb: str, before: int) -> bool:
        return self._said_as_past.get(verb, before) < before

    def reached(self, tools: Iterable[str], codes: Iterable[str], before: int) -> bool:
        """One of these codes was in a call of these tools that worked, or in its result."""
        return any(self._codes.get(tool, {}).get(code, before) < before for tool in tools for code in codes)

    def unreached(self, claim: Claim, tools: frozenset[str], before: int) -> str | None:
        """A target that a claim names, that no call reached while one like it was, or that was tried in vain."""
        for code in sorted(claim.codes):
            if self.reached(tools, (code,), before):
                continue
            in_vain = any(self._vain_codes.get(tool, {}).get(code, before) < before for tool in tools)
            if in_vain or self.reached_alike(code, tools, before):
                return code
        return None

    def reached_alike(self, code: str, tools: Iterable[str], before: int) -> bool:
        return any(self._shapes.get(tool, {}).get(shape(code), before) < before for tool in tools)

    def bears_out(self, claim: Claim, meant: frozenset[str], before: int) -> bool:
        """Some call did what is claimed, or says that it did, or fits the claim's words no worse than what is meant."""
        if self.done_by(meant, before) or self._stems.get(claim.verb, before) < before:
            return True
        known: Vocabulary = self._known
        verbs = kin(claim.verb) if claim.verb else frozenset[str]()
        best = max((known.overlap(known.tools[name], claim.stems) for name in meant), default=0.0)
        for name, at in self._tools.items():
            tool = known.tools.get(name)
            if at < before and (
                tool is None or not verbs.isdisjoint(tool.acts) or known.overlap(tool, widened(claim.stems)) > best
            ):
                return True
        return False

    def was_seen_afterwards(self, exchange: Exchange, verb: str, before: int) -> bool:
        """A later look-up shows what a call was to bring about, though its own outcome is unknown."""
        for _, value in leaves(exchange.call.arguments):
            listed = self._shown.get(plain(str(value)), [])
            first = bisect_left(listed, exchange.at + 1, key=lambda each: each.at)
            for each in listed[first : first + _LATEST]:
                told = first == 0 or verb in _stems_of(each) or _differs(each, listed[first - 1])
                if exchange.at < each.at < before and told:
                    return True
        return False


def _differs(later: Exchange, earlier: Exchange) -> bool:
    """The same question got another answer: something has happened in between."""
    if later.result is None or earlier.result is None or call_key(later.call) != call_key(earlier.call):
        return False
    return sameness(later.result.content) != sameness(earlier.result.content)


_LATEST = 20


def _stems_of(exchange: Exchange) -> frozenset[str]:
    content: JSON = exchange.result.content if exchange.result else None
    return stems_in(content)


@once_per_trace
def ledger(trace: Trace) -> Ledger:
    return Ledger(trace)


def only_waits(trace: Trace, exchange: Exchange) -> bool:
    """The call was taken in and not refused, but its work is still to come."""
    result = exchange.result
    return (
        result is not None
        and not failed(result, effect_of(trace, exchange.call.tool))
        and not did_its_job(trace, exchange)
        and bool(result.content)
    )
