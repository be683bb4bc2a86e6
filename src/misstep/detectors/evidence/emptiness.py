"""A payload → whether there is nothing in it, or nothing but that nothing was found."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from misstep.core.tool import JSON
from misstep.core.words import split_identifier

_EMPTY_TEXTS = frozenset({"", "[]", "{}", "null", "none", "''", '""', "nan", "undefined", "n/a"})
_DEEPEST = 4
_FEW = 20


def is_empty(content: JSON) -> bool:
    """No value at all, or only fields that hold none; a zero, a no and a sentence are answers."""
    return _is_empty(content, _DEEPEST)


def _is_empty(content: JSON, depth: int) -> bool:
    if content is None:
        return True
    if isinstance(content, str):
        return len(content) <= _FEW and content.strip().lower() in _EMPTY_TEXTS
    if isinstance(content, Mapping):
        inner = list(cast(Mapping[str, JSON], content).values())
    elif isinstance(content, (list, tuple)):
        inner = list(cast(Sequence[JSON], content))
    else:
        return False
    return not inner or (depth > 0 and len(inner) <= _FEW and all(_is_empty(each, depth - 1) for each in inner))


_COUNTING = frozenset("hits hit results result matches match total count found records rows entries num number".split())
_BOOKKEEPING = frozenset(
    """took elapsed duration ms seconds time timestamp page pages limit offset size per max cursor request trace
    version""".split()
)
_SAYS_OK = frozenset(
    "ok okay success succeeded done complete completed empty none no_match no_matches no_results".split()
)
_NOTHING_FOUND = re.compile(
    r"\W*(?:sorry\W+)?(?:(?:there (?:is|are|was|were)|(?:i|we) (?:found|have)|found|returned|got)\s+)?"
    r"(?:(?:no|0|zero)\s(?:[\w'-]+\s){0,3}?(?:results?|match\w*|hits?|entr(?:y|ies)|records?|found|available|exists?)"
    r"|(?:nothing|none)(?:\s(?:was|were))?(?:\s(?:found|match\w*|available|here|for)|\W*$)|not found\b|no such\b)",
    re.IGNORECASE,
)
_LONGEST_NOTE = 160


def finds_nothing(content: JSON, is_known: Callable[[JSON], bool]) -> bool:
    """It says that nothing was found, and for the rest repeats what was known, such as the words that were asked for.

    A bare zero is an answer, unless it counts what was found.
    """
    if isinstance(content, str):
        return len(content) <= _LONGEST_NOTE and _NOTHING_FOUND.match(content) is not None
    if not isinstance(content, Mapping):
        return False
    told = [_told(name, value, is_known) for name, value in _held(cast("Mapping[str, JSON]", content), _DEEPEST)]
    return len(told) <= _FEW and "something" not in told and "nothing" in told


def _held(content: Mapping[str, JSON], depth: int) -> Iterator[tuple[str, JSON]]:
    """Each field that is no object, and the objects that hold nothing."""
    for name, value in content.items():
        if isinstance(value, Mapping) and value and depth:
            yield from _held(cast("Mapping[str, JSON]", value), depth - 1)
        else:
            yield name, value


def _told(name: str, value: JSON, is_known: Callable[[JSON], bool]) -> str:
    """`nothing` where a field says that there is none, `the known` where it says no more than that, or `something`."""
    if is_empty(value):
        return "nothing"
    if isinstance(value, (Mapping, list, tuple)):
        return "something"
    named = split_identifier(name)
    if value == 0 and not _COUNTING.isdisjoint(named):
        return "nothing"
    if isinstance(value, str) and len(value) <= _LONGEST_NOTE and _NOTHING_FOUND.match(value):
        return "nothing"
    trivial = value == 0 or str(value).lower() in _SAYS_OK or not _BOOKKEEPING.isdisjoint(named)
    return "the known" if trivial or is_known(value) else "something"
