"""Trace → the features of each of its places: what stands there, what came before and what came of it."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from misstep.calibration.places import Place, as_text, place_at, places
from misstep.calibration.text import alike, grams, hashed, tokens
from misstep.core.finding import Finding
from misstep.core.trace import Trace

VERSION = 1
"""Raise it whenever a trace may get other features than before: what was fitted on the old ones is void then."""

Features = Mapping[str, float]

_TEXT = 4.0
_COUNTS = (0, 1, 2, 3, 5, 8, 13, 21, 34)
_LENGTHS = (0, 50, 200, 500, 1000, 2000, 4000, 8000)
_PLACES = (6, 10, 15, 25, 40, 70)
_TAG = re.compile(r"<[a-zA-Z_]\w*>")
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\(")
_REMEMBERED_CALLS = 16
_READ = 3000
"""How many characters of a text are read for their words."""


class Described(Struct, frozen=True):
    """A place and its features."""

    place: Place
    features: Features


def described(trace: Trace, findings: Iterable[Finding] = ()) -> tuple[Described, ...]:
    """Every place of the trace with its features; `findings` are what the rules found in it."""
    found = places(trace)
    rules = _rules(found, findings)
    walk = _Walk(trace, found)
    return tuple(Described(place, walk.features(number) | rules.get(number, {})) for number, place in enumerate(found))


def is_text(feature: str) -> bool:
    """Whether it is of a text's words, and so likely never to be seen again."""
    return ":" in feature


def _rules(found: tuple[Place, ...], findings: Iterable[Finding]) -> Mapping[int, dict[str, float]]:
    where = place_at(found)
    rules: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for finding in findings:
        if finding.present:
            for rank, at in enumerate(finding.events[:4]):
                if at in where:
                    rules[where[at]][f"rule={finding.mode}" if rank == 0 else f"rule-too={finding.mode}"] = 1.0
    return rules


def _bucket(number: int, edges: Sequence[int]) -> int:
    return next((rank for rank, edge in enumerate(edges) if number <= edge), len(edges))


class _Walk:
    """Goes through a trace once and remembers what was called, answered and failed so far."""

    def __init__(self, trace: Trace, found: tuple[Place, ...]) -> None:
        self._trace = trace
        self._places = found
        steps = [place for place in found if place.kind == "step"]
        self._last = steps[-1].at if steps else -1
        self._last_of = {place.actor: place.at for place in steps}
        self._steps_of: Counter[str] = Counter()
        self._calls: defaultdict[str, deque[tuple[str, frozenset[str]]]] = defaultdict(
            lambda: deque(maxlen=_REMEMBERED_CALLS)
        )
        self._called: Counter[str] = Counter()
        self._errors = 0
        self._errors_in_a_row = 0
        self._read: Place | None = None

    def features(self, number: int) -> dict[str, float]:
        place = self._places[number]
        size = _bucket(len(self._places), _PLACES)
        names = [f"kind={place.kind}", f"size={size}", f"size={size}&kind={place.kind}"]
        names.append(f"quarter={4 * number // len(self._places)}")
        if place.kind == "answer":
            names += self._answer(place)
            texts = dict(grams("answer", place.said[:500], pairs=False, weight=_TEXT))
        else:
            after = self._after(number)
            position, calling = self._position(place, size), self._calling(place)
            around, saying = self._around(place, after), _saying(place)
            names += [*position, *calling, *around, *saying, *self._together(place, after)]
            texts = self._texts(place, after)
            self._read = None
        return dict.fromkeys(names, 1.0) | texts

    def _after(self, number: int) -> Place | None:
        """The answer to a step: the next answer, unless its agent goes on before it."""
        actor = self._places[number].actor
        for other in self._places[number + 1 : number + 3]:
            if other.kind == "answer":
                return other
            if other.actor == actor:
                return None
        return None

    def _answer(self, place: Place) -> list[str]:
        outcome = "failed" if place.error else "succeeded"
        self._errors += place.error
        self._errors_in_a_row = self._errors_in_a_row + 1 if place.error else 0
        self._read = place
        count = _bucket(self._called[place.actor], _COUNTS)
        before = self._calls[place.actor]
        similar = sum(alike(before[-1][1], other) > 0.5 for _, other in before) - 1 if before else 0
        tool = hashed(place.actor)
        return [
            f"answer={outcome}",
            f"answered-by={tool}",
            f"answer={outcome}&by={tool}",
            f"calls-of-it={count}",
            f"calls-of-it={count}&by={tool}",
            f"similar-calls={min(similar, 4)}",
            f"similar-calls={min(similar, 4)}&by={tool}",
        ]

    def _position(self, place: Place, size: int) -> list[str]:
        self._steps_of[place.actor] += 1
        nth = self._steps_of[place.actor]
        actor = hashed(place.actor)
        within = hashed(place.within)
        names = [
            f"actor={actor}",
            f"nth={min(nth, 6)}",
            f"nth={min(nth, 4)}&actor={actor}",
            f"within={within}",
            f"within={within}&actor={actor}",
            f"actors={len(self._last_of)}&within={within}&actor={actor}",
            f"size={size}&within={within}",
        ]
        if place.at == self._last:
            names.append("last")
        if place.at == self._last_of[place.actor]:
            names += ["last-of-its-agent", f"last-of={actor}"]
        return names

    def _calling(self, place: Place) -> list[str]:
        names: list[str] = []
        for call in place.calls[:1]:
            tool = hashed(call.tool)
            text = as_text(call.arguments)
            words = frozenset(tokens(text[:_READ]))
            before = self._calls[call.tool]
            similar = min(sum(alike(words, other) > 0.5 for _, other in before), 4)
            count = _bucket(self._called[call.tool], _COUNTS)
            names += [f"tool={tool}", f"similar={similar}", f"similar={similar}&tool={tool}"]
            names += [f"equal={min(sum(text == other for other, _ in before), 3)}"]
            names += [f"count={count}", f"count={count}&tool={tool}"]
            if call.malformed is not None or self._has_unknown_arguments(call.tool, call.arguments):
                names += ["misfit-arguments", f"misfit-arguments&tool={tool}"]
        for call in place.calls:
            text = as_text(call.arguments)
            self._calls[call.tool].append((text, frozenset(tokens(text[:_READ]))))
            self._called[call.tool] += 1
        calls = _bucket(self._called.total(), _COUNTS)
        return [*names, f"calls={calls}", f"calls={calls}&within={hashed(place.within)}"]

    def _together(self, place: Place, after: Place | None) -> list[str]:
        """What means more together than apart: a linear model cannot find that out by itself."""
        calls = _bucket(self._called.total(), _COUNTS)
        within = hashed(place.within)
        read, came = _outcome(self._read), _outcome(after)
        nth = min(self._steps_of[place.actor], 6)
        names = [f"read={read}&came={came}&within={within}", f"nth={nth}&calls={calls}&within={within}"]
        called = _code_calls(place)
        for name in called:
            names += [f"code-calls={name}&calls={calls}", f"code-calls={name}&read={read}"]
        if not called and "```" in place.said:
            names += ["code-without-call", f"code-without-call&calls={calls}"]
        if place.at == self._last_of[place.actor]:
            names += [f"last&calls={calls}", f"last&read={read}", f"last&calls={calls}&within={within}"]
        return names

    def _has_unknown_arguments(self, tool: str, arguments: Mapping[str, object]) -> bool:
        offered = self._trace.tool_named.get(tool)
        known = offered.input_schema.get("properties") if offered is not None else None
        return isinstance(known, dict) and any(name not in known for name in arguments)

    def _around(self, place: Place, after: Place | None) -> list[str]:
        within = hashed(place.within)
        read, came = _outcome(self._read), _outcome(after)
        names = [f"read={read}", f"read={read}&within={within}", f"came={came}", f"came={came}&within={within}"]
        names += [f"errors={_bucket(self._errors, _COUNTS)}", f"errors-in-a-row={min(self._errors_in_a_row, 4)}"]
        if self._read is not None:
            names.append(f"read-size={_bucket(len(self._read.said), _LENGTHS)}")
        names += [f"came={came}&tool={hashed(call.tool)}" for call in place.calls[:1]]
        return names

    def _texts(self, place: Place, after: Place | None) -> dict[str, float]:
        told = "\n".join(prompt.text[-600:] for prompt in place.prompts)
        texts = dict(grams("told", told[-600:], pairs=False, weight=_TEXT))
        texts |= grams("said", place.said[:_READ], pairs=True, weight=_TEXT)
        arguments = " ".join(as_text(call.arguments) for call in place.calls)
        texts |= grams("arguments", arguments[:_READ], pairs=False, weight=_TEXT)
        for prefix, other in (("read", self._read), ("came", after)):
            if other is not None and other.error:
                texts |= grams(f"{prefix}-error", other.said[-600:], pairs=True, weight=_TEXT)
            elif other is not None:
                texts |= grams(f"{prefix}-answer", other.said[:300], pairs=False, weight=_TEXT)
        return texts


def _outcome(answer: Place | None) -> str:
    return "nothing" if answer is None else "error" if answer.error else "answer"


def _code_calls(place: Place) -> list[str]:
    return [hashed(name) for name in sorted(set(_CALLED.findall(place.said)))]


def _saying(place: Place) -> list[str]:
    form = "+".join(["words"] * bool(place.said.strip()) + ["call"] * bool(place.calls)) or "nothing"
    within = hashed(place.within)
    names = [f"form={form}", f"form={form}&within={within}", f"length={_bucket(len(place.said), _LENGTHS)}"]
    names.append(f"ends={hashed(' '.join(tokens(place.said[-40:])[-2:]))}")
    demanded = {tag for prompt in place.prompts for tag in _TAG.findall(prompt.text[-800:])}
    if demanded:
        names.append("tag-missing" if any(tag not in place.said for tag in demanded) else "tags-there")
    if place.prompts:
        names.append("prompted")
    if "```" in place.said:
        names.append("code")
    return [*names, *(f"code-calls={name}" for name in _code_calls(place))]
