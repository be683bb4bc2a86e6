"""What one agent tells another → the values that it puts right, and whether a text or a payload holds either."""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.tool import JSON
from misstep.core.words import as_number
from misstep.objectives.values import leaves
from misstep.provenance.reading import canonical, days_in, has_digit

_LONG = 1500
_STOPS = (
    r"and|not|rather|instead|but|as|is|are|was|to|with|by|it|the|so|see|please|or|should|must|for|in|on|at|from|which"
    r"|that|where|while|you|we|i|because|since|per|if|then|here|there|this|has|have|use|make|fix|wrong|only|if"
)
# "4.1 percent", "£1,200", "21 June 2026", "B-77", "10:30 am", "Hall 3"; then names and what stands in quotes.
_FIGURE = (
    r"(?<![\w.])(?:[A-Z][a-z]{{2,12}} )?[€$£]?(?:[A-Za-z]{{1,8}}[-_#/]?)?\d(?:[\w.,:/#-]{{0,24}}\w)?%?"
    rf"(?: (?!(?:{_STOPS})\b)[A-Za-z°²³%]{{{{1,12}}}}(?: \d{{{{4}}}})?){{{{0,2}}}}"
)
_NAME = (
    r"(?<!\w)(?!(?:It|The|That|This|These|He|She|They|We|You|Not|And|But|I|Is|Please)\b)[A-Z][\w'-]{{0,24}}"
    r"(?: [A-Z0-9][\w'-]{{0,24}}){{0,2}}"
)
_QUOTE = r"[\"“‘'][^\"”’'\n]{{1,60}}[\"”’']"
_VALUE = rf"[*`]{{{{0,2}}}}(?P<{{0}}>{_QUOTE}|{_FIGURE}|{_NAME})[*`]{{{{0,2}}}}"
_NUMBER = rf"[*`\"“']{{{{0,2}}}}(?P<{{0}}>{_FIGURE})[*`\"”']{{{{0,2}}}}"
_BETWEEN = r"(?:[^.;!?\n]|\.(?=\d)){{0,{}}}?"
_RIGHT, _WRONG = _NUMBER.format("right"), _NUMBER.format("wrong")
_SHOULD = r"(?:should|must|ought to|needs? to|has to|have to)(?: (?:really|actually|instead|rather))? (?:be|read|say)"
_IS_WRONG = (
    r"(?:is|was|are|looks?|seems?)(?: \w+)? (?:wrong|incorrect|not (?:right|correct)|mistaken|a (?:typo|mistake|slip"
    r"|misprint)|an error|out of date|outdated|off)"
)
_GIVES = r"(?:says?|gives?|has|have|shows?|states?|reads?|lists?|puts?|wrote|quotes?|uses?|used)"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"{_VALUE.format('right')},?(?: and)? (?:not|rather than|instead of|in place of) (?:the )?"
        rf"{_VALUE.format('wrong')}",
        rf"\b(?:not|[Nn]ot) (?:the |on |at |in )?{_VALUE.format('wrong')},? (?:but|it(?:'s| is)|it {_SHOULD}|use)"
        rf" (?:the |on |at |in )?{_VALUE.format('right')}",
        rf"{_WRONG} {_IS_WRONG}\b{_BETWEEN.format(60)}(?:[.;]\s(?:It|The|They|That|This|Use|Make|Please)\b"
        rf"{_BETWEEN.format(50)})?\b(?:be|read|say|is|it's|was|are|use|make it|to|at|on|by|has|have|for)\b:? {_RIGHT}",
        rf"{_WRONG},? (?:but )?(?:it |this |that )?{_SHOULD} {_RIGHT}",
        rf"\b{_GIVES}:? {_WRONG}\b[,;:–—-]*{_BETWEEN.format(50)}\b(?:{_SHOULD}|{_GIVES}|is|it's|was|to):? {_RIGHT}",
        rf"\b{_SHOULD} {_RIGHT},? (?:but |and |while |where )?(?:\w+ ){{1,3}}{_GIVES} {_WRONG}",
        rf"\b{_GIVES} {_RIGHT},? (?:but |and |while |whereas )?(?:you|it|(?:the|your|our) \w+) {_GIVES} {_WRONG}",
        rf"\b(?:[Cc]hang|[Cc]orrect|[Rr]eplac|[Aa]mend|[Uu]pdat|[Ff]ix|[Ss]wap)(?:e|ed|ing)? (?:the |that |it from "
        rf"|from )?{_WRONG} (?:to|with|by|for|into) (?:the )?{_RIGHT}",
        rf"{_WRONG}\s?(?:→|->|=>)\s?{_RIGHT}",
    )
)
_QUOTES = "\"“”‘’'*` "
_LEAST = 2
_MEASURES = frozenset(
    "percent % kg g mg ml l km m cm mm euros euro dollars pounds hours minutes days weeks months years people".split()
)


class Correction(Struct, frozen=True):
    """A value that somebody says is wrong, and the one that is right."""

    right: str
    wrong: str


@once_per_text
def corrections_in(text: str) -> tuple[Correction, ...]:
    """The values that a text puts right, in order of the forms in which people do so."""
    return tuple(dict.fromkeys(_corrections_in(text))) if len(text) <= _LONG else ()


# One of these is in all that the forms match, and is quickly looked for; most of the forms are of figures.
_SIGNS = re.compile(
    r"\bnot\b|instead of|rather than|in place of|should|must|ought|needs? to|has to|have to|wrong|correct|mistak|typo"
    r"|error|slip|misprint|out ?dated|out of date|\boff\b|chang|replac|amend|updat|fix|swap|→|->|=>",
    re.IGNORECASE,
)
_GIVEN = re.compile(rf"\b{_GIVES}\b")
_OF_NAMES = 2


def _corrections_in(text: str) -> Iterator[Correction]:
    plain = text.replace("’", "'")
    if _SIGNS.search(plain) is None and len(_GIVEN.findall(plain)) < _LEAST:
        return
    figures = sum(map(str.isdigit, plain)) >= _LEAST
    for form in _FORMS if figures else _FORMS[:_OF_NAMES]:
        for match in form.finditer(plain):
            right, wrong = match["right"].strip(_QUOTES), match["wrong"].strip(_QUOTES)
            if canonical(right) != canonical(wrong) and _is_alike(right, wrong):
                yield Correction(right, wrong)


def _is_alike(one: str, other: str) -> bool:
    """Both names, both days, both times or both figures; of one unit, where both have one."""
    if has_digit(one) != has_digit(other) or (":" in one) != (":" in other):
        return False
    if not has_digit(one) or ":" in one:
        return True
    days = [next(days_in(each), None) for each in (one, other)]
    if (days[0] is None) != (days[1] is None):
        return False
    units = [each.split()[-1].casefold() for each in (one, other) if not has_digit(each.split()[-1])]
    return days[0] is not None or len(units) < _LEAST or units[0] == units[1] or units[0] not in _MEASURES


def holds(content: JSON, value: str) -> bool:
    """A value stands in a text, or in what a call or a result carries; a short figure with its unit."""
    figure = _figure(value)
    return _holds(content, value) or (sum(map(str.isdigit, figure)) > _LEAST and _holds(content, figure))


def speaks_of(content: JSON, value: str) -> bool:
    """The same, but the figure alone will do, whatever its unit."""
    return _holds(content, value) or _holds(content, _figure(value))


def _figure(value: str) -> str:
    return next((part for part in value.split() if has_digit(part)), value).strip("€$£%")


def _holds(content: JSON, value: str) -> bool:
    form, number, days = _forms(value)
    for _, leaf in leaves(content):
        if isinstance(leaf, bool):
            continue
        if not isinstance(leaf, str):
            if number is not None and float(leaf) == number and len(f"{number:g}") >= _LEAST:
                return True
        elif form.search(_flat(leaf)) or (days and not days.isdisjoint(day[1:] for day in days_in(leaf))):
            return True
    return False


@lru_cache(maxsize=1024)
def _forms(value: str) -> tuple[re.Pattern[str], float | None, frozenset[tuple[int, int]]]:
    flat = _flat(value)
    words = value.split()
    number = as_number(words[0]) if words and len(words) <= _LEAST else None
    days = frozenset(day[1:] for day in days_in(value))
    return re.compile(rf"(?<![\w.,-]){re.escape(flat)}(?!\w|[.,]\d)"), None if days else number, days


def _flat(text: str) -> str:
    return " ".join(text.casefold().replace("%", " percent").replace("’", "'").split())
