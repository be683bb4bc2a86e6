"""A sentence that an agent tells as a fact → a figure in it for something of which the look-up had just given none."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct

from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import as_number, atoms, split_identifier
from misstep.detectors.evidence.emptiness import is_empty
from misstep.detectors.evidence.made_up import MadeUp
from misstep.detectors.evidence.named import named, stands_before
from misstep.detectors.evidence.outcomes import effect_of, failed
from misstep.objectives.once import once_per_trace
from misstep.objectives.values import is_identifying
from misstep.objectives.values import leaves as scalars
from misstep.objectives.vocabulary import lemma, meaning
from misstep.provenance.reading import canonical, days_in, leaves

_FIGURE = re.compile(r"(?<![\w.,:/#-])[-+]?[€$£]?(\d+(?:[.,]\d+)*)(?![\w:/]|[.,-]\d)")
_WAITS = re.compile(
    r"(?:queued|pending|in[ _-]\w+|processing|awaiting|waiting|not[ _-](?:yet|available|ready|found)|unavailable"
    r"|unknown"
    r"|no[ _-](?:data|results?|reading|record)|incomplete|open|outstanding|missing|delayed|offline|n/?a|error|to follow"
    r"|due|scheduled|requested|submitted|received|under[ _-]\w+|being[ _-]\w+|on[ _-]\w+|tba|tbd)\b",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    r"\b(?:not|no|nothing|nobody|will|please|try|blank|empty|silent|yet|still|pending|waiting|awaiting|unavailable|missing|unknown|none|later|expected|due|ago|days?|hours?"
    r"|weeks?|minutes?|months?|until|since|last|previous\w*|earlier|sampled|estimate\w*|once|soon|future|failed|error)\b"
    r"|n't\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?<!\d)[,;](?!\d)|,\s|;\s|\s[–—-]\s|\b(?:and|while|whereas|but|with)\b", re.IGNORECASE)
_UNITS = frozenset(
    "kmh kph mph eur usd gbp pct percent value values data result results status date number total amount".split()
)
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d\d(?![\d:])")
_CONVERTED = re.compile(r"(?<=\d)([^()\d]{0,12})\([^()]*\)")
_SHORTEST = 3
_MOST = 60
_ALIASES, _BACK = 100, 20
_FEW = 2


class Gap(Struct, frozen=True):
    """What a look-up was about and gave nothing of: by the names of the thing, or by the field that it left empty."""

    at: int
    names: frozenset[str] = frozenset()
    fields: tuple[frozenset[str], ...] = ()


def gaps_in(trace: Trace, looks: Sequence[Exchange]) -> list[Gap]:
    """What the look-ups of a turn left open; a later one that answers closes what an earlier one left."""
    found: dict[str, Gap] = {}
    for exchange in looks[-_BACK:]:
        result, key = exchange.result, _about(exchange)
        at = exchange.result_at
        if result is None or at is None or effect_of(trace, exchange.call) not in ("reads", None):
            continue
        if _is_barren(exchange):
            names = _known_names(trace).get(at)
            if names is None:
                names = _known_names(trace)[at] = _names_of(trace, exchange)
            if names:
                found[key] = Gap(at, names)
        else:
            found.pop(key, None)
            if fields := tuple(_empty_fields(result.content)):
                found[f"{key} fields"] = Gap(at, fields=fields)
    return list(found.values())


def _about(exchange: Exchange) -> str:
    return " ".join(sorted(canonical(str(value)) for _, value in scalars(exchange.call.arguments)))


def _is_barren(exchange: Exchange) -> bool:
    """It failed, is empty, or says that it waits, and gives no figure but what it was asked with and days."""
    result = exchange.result
    if result is None or failed(result, "reads") or is_empty(result.content):
        return True
    if isinstance(result.content, (str, int, float)):
        return False
    asked = {canonical(str(value)) for _, value in scalars(exchange.call.arguments)}
    waits = False
    for _, value in leaves(result.content):
        text = "" if value is None or isinstance(value, bool) else str(value)
        waits = waits or value is None or (isinstance(value, str) and _WAITS.match(value) is not None)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and canonical(text) not in asked:
            return False
        if isinstance(value, str) and _FIGURE.search(text) and canonical(text) not in asked:
            return False
    return waits or any(value in ([], {}) for value in _held(result.content))


def _held(content: JSON) -> Iterator[JSON]:
    if isinstance(content, Mapping):
        yield from cast("Mapping[str, JSON]", content).values()


@once_per_trace
def _known_names(_: Trace) -> dict[int, frozenset[str]]:
    """What was found for each place that was asked about."""
    return {}


def _names_of(trace: Trace, exchange: Exchange) -> frozenset[str]:
    """What the thing is called: what was asked with, and the names that stand beside that in an earlier record."""
    asked = {str(value) for _, value in scalars(exchange.call.arguments) if not isinstance(value, bool)}
    found = {value.casefold() for value in asked if len(value) >= _FEW and not value.isdigit()}
    numbered = ((name, value) for name, value in scalars(exchange.call.arguments) if str(value).isdigit())
    found |= {f"{' '.join(split_identifier(name))} {value}" for name, value in numbered}
    keys = {canonical(value) for value in asked if is_identifying(value) or len(value) >= _SHORTEST}
    end = bisect_left(trace.exchanges, exchange.at, key=lambda each: each.at)
    for earlier in trace.exchanges[max(0, end - _BACK) : end]:
        if earlier.result is None:
            continue
        for record in _records(earlier.result.content):
            values = [str(value) for _, value in scalars(record) if isinstance(value, str)]
            if not keys.isdisjoint(map(canonical, values)):
                found |= {each.casefold() for each in values if each[:1].isupper() and _SHORTEST < len(each) <= 40}
    return frozenset(each for each in found if any(map(str.isalpha, each)))


def _records(content: JSON) -> Iterator[JSON]:
    """The rows of a list, one level down at most."""
    if isinstance(content, (list, tuple)):
        yield from cast("Sequence[JSON]", content)[:_ALIASES]
    elif isinstance(content, Mapping):
        for value in cast("Mapping[str, JSON]", content).values():
            if isinstance(value, (list, tuple)):
                yield from cast("Sequence[JSON]", value)[:_ALIASES]


def _empty_fields(content: JSON, deeper: int = 1) -> Iterator[frozenset[str]]:
    """The words of the names of fields that hold nothing, in one record."""
    if not isinstance(content, Mapping):
        return
    for name, value in cast("Mapping[str, JSON]", content).items():
        stems = frozenset(
            lemma(part) for part in split_identifier(name) if part not in _UNITS and len(part) >= _SHORTEST
        )
        if value is None and stems:
            yield stems
        elif deeper:
            yield from _empty_fields(value, deeper - 1)


def filled_in(trace: Trace, at: int, actor: str, sentence: str, gaps: Sequence[Gap]) -> tuple[MadeUp, Gap] | None:
    """A figure for what was left open, that stands nowhere in the trace and cannot be worked out."""
    bare = _CONVERTED.sub(" ", sentence)
    for gap in gaps:
        parts = _parts_naming(bare, gap.names) if gap.names else _parts_of_fields(bare, gap.fields)
        for part in parts:
            unknown = (text for text in _figures(part) if sum(map(str.isdigit, text)) >= _FEW)
            telling = next((text for text in unknown if not _is_known(trace, at, text, actor)), None)
            telling = telling or _unknown_time(trace, at, part, actor)
            if telling is not None and not _NOT_YET.search(part):
                return MadeUp(telling, 0.75), gap
    return None


def left_open(gaps: Sequence[Gap], told: Sequence[str]) -> list[Gap]:
    """The gaps of which no sentence says that there is none: who owns up to one fills in nothing."""
    owned = [each for each in told if _NOT_YET.search(each)]
    return [gap for gap in gaps if not any(_is_about(gap, each) for each in owned)]


def _is_about(gap: Gap, sentence: str) -> bool:
    low = sentence.casefold()
    if any(_find(low, name) >= 0 for name in gap.names):
        return True
    said = frozenset(meaning(sentence))
    return any(each <= said for each in gap.fields)


def _parts_naming(sentence: str, names: frozenset[str]) -> Iterator[str]:
    """From where the thing is named on."""
    low = sentence.casefold()
    starts = [start + len(name) for name in names if (start := _find(low, name)) >= 0]
    if starts:
        yield sentence[min(starts) :]


def _find(low: str, name: str) -> int:
    match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", low)
    return match.start() if match else -1


def _parts_of_fields(sentence: str, fields: Sequence[frozenset[str]]) -> Iterator[str]:
    for part in _CLAUSE.split(sentence):
        said = frozenset(meaning(part))
        if any(each <= said for each in fields):
            yield part


def _figures(text: str) -> Iterator[str]:
    return (match[1] for match in _FIGURE.finditer(text))


def _unknown_time(trace: Trace, at: int, part: str, actor: str) -> str | None:
    """A day or a time of day that nobody had named."""
    if any(not named(trace).knows_day(day, at) for day in days_in(part)):
        return next((atom.text for atom in atoms(part) if atom.kind == "date"), None)
    times = (match.group() for match in _CLOCK.finditer(part))
    return next((time for time in times if not stands_before(trace, at, time, actor)), None)


def _is_known(trace: Trace, at: int, text: str, actor: str) -> bool:
    """It stands somewhere, or is the sum, the difference, the product or the quotient of two numbers that do."""
    number, known = as_number(text), named(trace)
    if number is None or known.knows_number(number, at) or known.knows_number(-number, at):
        return True
    if known.knows(text, at, actor) or (len(text) > _FEW and stands_before(trace, at, text, actor)):
        return True
    given = known.numbers_before(at, _MOST)
    if len(given) == 0:
        return False
    near = {round(each, 2) for each in given}
    return any(
        {round(number - each, 2), round(number + each, 2), round(each - number, 2), round(number * each, 2)} & near
        or (each and round(number / each, 2) in near)
        for each in given
        if each
    )
