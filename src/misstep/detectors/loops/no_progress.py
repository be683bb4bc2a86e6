"""Trace → stretches of differing calls, or of turns, that taught the agent nothing new and changed nothing."""

import re
from collections.abc import Iterator

from msgspec import Struct

from misstep.core.finding import Finding
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.emptiness import finds_nothing, is_empty
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.look_ups import is_look_up
from misstep.detectors.evidence.news import news_from_users
from misstep.detectors.evidence.outcomes import call_key, effect_of, failed, sameness
from misstep.detectors.evidence.same_question import asked_again
from misstep.detectors.loops.oscillation import back_and_forth
from misstep.objectives.matching import plain
from misstep.provenance.reading import canonical, leaves

_CALLS = 6
"""So many calls in vain are a stretch: two or three that find nothing are how one searches."""
_KNOWN_ALREADY = 8
"""Where most of them do answer, with what was known before, it takes more."""
_LEAST_DIFFERENT = 4
_READ = 400
"""Of one result so many values are looked at."""


class _Stretch(Struct):
    """Calls in a row that brought nothing new."""

    places: list[int]
    keys: list[object]
    vain: int = 0
    """How many of them failed or came back empty."""

    def is_long(self) -> bool:
        least = _CALLS if self.vain * 2 >= len(self.places) else _KNOWN_ALREADY
        return len(self.places) >= least and len(set(self.keys)) >= max(_LEAST_DIFFERENT, len(self.keys) // 2)


@detector("no-progress", version=4)
def no_progress(trace: Trace) -> Iterator[Finding]:
    """Points at every call of the stretch, or at each asking of the same question after the first."""
    if len(trace.exchanges) >= _CALLS:
        rounds = {exchange.at for stretch in back_and_forth(trace) for exchange in stretch}
        for stretch in _stretches(trace):
            if stretch.is_long() and not rounds.issuperset(stretch.places):
                yield Finding(
                    mode="no-progress",
                    events=tuple(stretch.places),
                    because=f"{len(stretch.places)} calls in a row, {len(set(stretch.keys))} of them different, "
                    "changed nothing and brought nothing that was not known before.",
                    confidence=0.8 if stretch.vain * 2 >= len(stretch.places) else 0.7,
                )
    for places in asked_again(trace):
        yield Finding(
            mode="no-progress",
            events=tuple(places[1:]),
            because=f"The agent asked the same question {len(places)} times over and did nothing else meanwhile.",
            confidence=0.8,
        )


def _stretches(trace: Trace) -> Iterator[_Stretch]:
    known: set[JSON] = set()
    news = news_from_users(trace)
    running, since = _Stretch([], []), 0
    for exchange in trace.exchanges:
        if news[exchange.at] != since:
            yield running
            running, since = _Stretch([], []), news[exchange.at]
        brought = _brought(trace, exchange, known)
        if brought == "something":
            yield running
            running = _Stretch([], [])
            continue
        running.places.append(exchange.at)
        running.keys.append(call_key(exchange.call))
        running.vain += brought == "nothing"
    yield running


def _brought(trace: Trace, exchange: Exchange, known: set[JSON]) -> str:
    """`nothing` for an error or an empty answer, `the known` for an answer without news, else `something`."""
    result, effect = exchange.result, effect_of(trace, exchange.call)
    if result is None:
        return "something"  # what came of it is not on record
    asked = [value for _, value in leaves(exchange.call.arguments)]
    in_the_dark = any(_key(value) not in known and _is_own_wording(trace, value, exchange.at) for value in asked)
    known.update(map(_key, asked))
    if failed(result, effect) or is_empty(result.content):
        silent = result.content in (None, "") and not result.is_error
        # A tool of which nothing is known may have done its work without a word.
        return "something" if silent and effect != "reads" else "nothing"
    if (
        in_the_dark
        and is_look_up(trace, exchange)
        and finds_nothing(result.content, lambda value: _key(value) in known)
    ):
        return "nothing"
    fresh = False
    for count, (_, value) in enumerate(leaves(result.content)):
        if count >= _READ:
            break
        key = _key(value)
        fresh = fresh or key not in known
        known.add(key)
    return "the known" if effect == "reads" and not fresh else "something"


def _is_own_wording(trace: Trace, value: JSON, at: int) -> bool:
    """Words that the agent came up with, and not one of several things that were named and are gone through."""
    if not isinstance(value, str) or not _WORDED.search(value):
        return False
    return not any(plain(value) in plain(text) for text in heard(trace).recent(at))


# Names and paths are gone through one by one; a search is in words.
_WORDED = re.compile(r"(?<![\w./\\:@-])(?=[^\WA-Z\d_])[^\W\d_]{3,}(?![\w/\\:@-])")


def _key(value: JSON) -> JSON:
    return canonical(value[:200]) if isinstance(value, str) else sameness(value)
