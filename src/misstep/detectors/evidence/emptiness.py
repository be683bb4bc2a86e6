"""A payload → whether there is nothing in it."""

from collections.abc import Mapping, Sequence
from typing import cast

from misstep.core.tool import JSON

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
