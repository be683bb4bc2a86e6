"""A sentence that an agent tells as a fact → a value in it that has no source anywhere in the trace."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.core.words import as_number, atoms
from misstep.detectors.evidence.named import Named, named, stands_before
from misstep.objectives.once import once_per_trace
from misstep.objectives.values import shape
from misstep.provenance.reading import days_in, leaves, looks_like_identifier, tokens


class MadeUp(Struct, frozen=True):
    """A value from nowhere, and how sure it is that it is one."""

    value: str
    sure: float


_CODE = re.compile(r"#?[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")
_LEAST_DIGITS = 3
_AMOUNT = re.compile(
    r"(?<![\w.,-])(?:[$€£]\s?(?P<first>\d[\d,]*(?:\.\d+)?)|(?P<second>\d[\d,]*\.\d\d)(?!\d|\.\d|\s?%)"
    r"|(?P<third>\d[\d,]*(?:\.\d+)?)\s?(?:[$€£]|(?:USD|EUR|GBP)\b))"
)
_MOST_NUMBERS = 60
"""Among more numbers than these, anything is the sum of something."""
_SMALL = 31


def made_up_code(trace: Trace, at: int, actor: str, sentence: str) -> MadeUp | None:
    """An id of just the kind that tools gave in this trace, but none that they gave."""
    for token in tokens(sentence):
        code = token.strip("#")
        if sum(map(str.isdigit, code)) < _LEAST_DIGITS or not _CODE.fullmatch(code) or code.isdigit():
            continue
        if not looks_like_identifier(code) or any(days_in(code)):
            continue
        kind = _kind(code)
        if kind is None or _is_known(trace, at, code, actor):
            continue
        if _kinds_given(trace).get(kind, at) < at:
            return MadeUp(code, 0.85)
    return None


def _kind(code: str) -> str | None:
    """What two ids of one sort share; none for a code that could be of any sort."""
    form = shape(code)
    if form[:1].isalpha() and form != "x" and not form.startswith("x"):
        return f"{form} {len(code)}"
    if len(code) >= 6 and code.isupper() and code.isalnum():
        return f"capitals {len(code)}"
    return None


@once_per_trace
def _kinds_given(trace: Trace) -> dict[str, int]:
    """The kinds of ids that results hold, with the place where first."""
    found: dict[str, int] = {}
    for exchange in trace.exchanges:
        if exchange.result is None or exchange.result_at is None:
            continue
        for token in _codes_in(exchange.result.content):
            if (kind := _kind(token)) is not None:
                found.setdefault(kind, exchange.result_at)
    return found


def _codes_in(content: JSON) -> Iterator[str]:
    for _, value in leaves(content):
        if isinstance(value, str) and any(map(str.isdigit, value)):
            for token in tokens(value):
                if _CODE.fullmatch(token) and sum(map(str.isdigit, token)) >= _LEAST_DIGITS:
                    yield token


def made_up_value(trace: Trace, at: int, actor: str, sentence: str) -> MadeUp | None:
    """Any figure, day or code that nobody had named; for where there was nothing to work it out from."""
    days = list(days_in(sentence))
    if days:
        known = all(named(trace).knows_day(day, at) for day in days)
        return None if known else MadeUp(_text_of_day(sentence), 0.75)
    for atom in atoms(sentence):
        bare = atom.text.strip("#")
        if atom.kind == "number" and (number := as_number(atom.text)) is not None:
            small = number == int(number) and abs(number) <= _SMALL
            if not small and not _is_known_number(trace, at, bare, number, actor):
                return MadeUp(atom.text, 0.8)
        elif atom.kind in ("code", "email") and looks_like_identifier(bare) and not _is_known(trace, at, bare, actor):
            return MadeUp(atom.text, 0.8)
    return None


def _text_of_day(sentence: str) -> str:
    return next((atom.text for atom in atoms(sentence) if atom.kind == "date"), sentence[:40])


def made_up_amount(trace: Trace, at: int, actor: str, sentence: str) -> MadeUp | None:
    """A sum of money that is neither known nor worked out from a few of the numbers that are."""
    for match in _AMOUNT.finditer(sentence):
        text = match["first"] or match["second"] or match["third"]
        number = as_number(text)
        if number is None or (number == int(number) and number <= _SMALL):
            continue
        if _is_known_number(trace, at, text, number, actor) or _worked_out(named(trace), at, number):
            continue
        return MadeUp(text, 0.7)
    return None


_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}\b")


def made_up_figures(trace: Trace, at: int, actor: str, sentence: str) -> MadeUp | None:
    """Two figures at once that are neither known nor worked out, or one together with a name that nobody had named."""
    unknown: list[str] = []
    for atom in atoms(sentence):
        number = as_number(atom.text) if atom.kind == "number" else None
        if number is None or (number == int(number) and abs(number) <= _SMALL):
            continue
        if not _is_known_number(trace, at, atom.text, number, actor) and not _worked_out(named(trace), at, number):
            unknown.append(atom.text)
    if not unknown:
        return None
    names = (name for name in _NAME.findall(sentence) if not stands_before(trace, at, name, actor))
    return MadeUp(unknown[0], 0.7) if len(unknown) > 1 or any(names) else None


def _is_known(trace: Trace, at: int, code: str, actor: str) -> bool:
    return stands_before(trace, at, code, actor) or named(trace).knows(code, at, actor)


def _is_known_number(trace: Trace, at: int, text: str, number: float, actor: str) -> bool:
    if any(stands_before(trace, at, form, actor) for form in dict.fromkeys((text, f"{number:g}"))):
        return True
    return named(trace).knows_number(number, at) or named(trace).knows(text, at, actor)


def _worked_out(known: Named, at: int, number: float) -> bool:
    """From up to three numbers: sums, differences, multiples, shares and per cents; in doubt, yes."""
    numbers = known.numbers_before(at, _MOST_NUMBERS)
    if not numbers:
        return True
    near = {round(each, 2) for each in numbers}
    multiples = {round(each * times, 2) for each in numbers for times in range(1, 13)}
    if round(number, 2) in multiples or any(round(number * times, 2) in near for times in range(2, 13)):
        return True
    wanted = round(number, 2)
    for one, other in combinations(sorted(multiples), 2):
        if wanted in (round(one + other, 2), round(other - one, 2)):
            return True
    return _product_or_share(numbers, sorted(multiples), wanted) or _running_total(numbers, wanted)


def _product_or_share(numbers: Sequence[float], multiples: Sequence[float], wanted: float) -> bool:
    """A product, a quotient, or so many per cent of, off or on top of another."""
    for part in numbers:
        for whole in multiples:
            if wanted in (round(whole * part, 2), round(whole * part / 100, 2)) or (
                part and wanted in (round(whole / part, 2), round(whole * 100 / part, 2))
            ):
                return True
            if wanted in (round(whole * (100 - part) / 100, 2), round(whole * (100 + part) / 100, 2)):
                return True
    return False


def _running_total(numbers: Sequence[float], wanted: float) -> bool:
    """The sum of some stretch of what was listed."""
    for start in range(len(numbers)):
        total = 0.0
        for each in numbers[start:]:
            total += each
            if round(total, 2) == wanted:
                return True
    return False
