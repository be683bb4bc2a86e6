"""Traces that name no session → which of them go on with which, as far as their prompts tell what came before.

A framework that is asked again tells its model all that was said so far. So the first prompt of the later trace begins
with the last prompt of the earlier one and the answer to it.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import accumulate

from msgspec import Struct

from misstep.ingestion.decoding import written
from misstep.ingestion.spans.said import Call, Result, Said, Text
from misstep.ingestion.spans.span import Span
from misstep.ingestion.spans.step import Step
from misstep.ingestion.spans.values import text


class _Ends(Struct, frozen=True):
    name: str
    began_ns: int
    opening: list[int]
    """What the first prompt holds up to each of its parts, as a digest."""
    closing: int
    """What the last prompt and its answer hold."""


def firsts_of(traces: Iterable[tuple[str, list[Span]]], step_of: Callable[[Span], Step]) -> dict[str, str]:
    """For each trace that goes on with others, the first of them; none where it could be one of two."""
    found = filter(None, (_ends(name, spans, step_of) for name, spans in traces))
    ended: defaultdict[int, list[str]] = defaultdict(list)
    firsts: dict[str, str] = {}
    for each in sorted(found, key=lambda ends: ends.began_ns):
        candidates = next((ended[told] for told in reversed(each.opening[:-1]) if told in ended), None)
        if candidates is not None and len(candidates) == 1:
            before = candidates.pop()  # what was said once is not gone on with twice
            firsts[each.name] = firsts.get(before, before)
        ended[each.closing].append(each.name)
    return firsts


def _ends(name: str, spans: list[Span], step_of: Callable[[Span], Step]) -> _Ends | None:
    begun = sorted(spans, key=lambda span: span.start_ns)
    first = _asked(begun, step_of)
    last = _asked(sorted(spans, key=lambda span: span.end_ns, reverse=True), step_of)
    if first is None or last is None:
        return None
    return _Ends(name, begun[0].start_ns, _digests(first.heard), [0, *_digests((*last.heard, *last.said))][-1])


def _asked(spans: Iterable[Span], step_of: Callable[[Span], Step]) -> Step | None:
    """The first question to a model."""
    return next((step for span in spans if (step := step_of(span)).kind == "model" and step.heard), None)


def _digests(said: Iterable[Said]) -> list[int]:
    return list(accumulate(map(hash, _told(said)), lambda before, own: hash((before, own))))


def _told(said: Iterable[Said]) -> Iterator[Hashable]:
    """The parts that a later prompt repeats as they are: neither instructions nor reasoning."""
    for each in said:
        for part in each.parts if each.by != "system" else ():
            match part:
                case Text(text=words):
                    # smolagents closes what a model wrote of code, where the model did not.
                    yield each.by, words.strip().removesuffix("</code>").removesuffix("<end_code>").rstrip("` \n")
                case Call(id=call_id):
                    yield "call", call_id or (part.name, part.malformed or written(part.arguments))
                case Result():
                    yield "result", text(part.content).strip()
                case _:
                    pass
