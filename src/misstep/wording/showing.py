"""What a tool shows a person: whether a value stands there, and how the person would read it out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from misstep.core.scenario import Scalar
from misstep.core.tool import JSON
from misstep.wording.values import folded, said

_LONGEST = 300


def shows(content: JSON, value: Scalar) -> bool:
    """Whether a value stands by itself somewhere in what a tool answered, or whole in a text of it."""
    return bool(shown_of(content, (said(value),)))


def shown_of(content: JSON, values: Sequence[str]) -> list[str]:
    """Those of some values that stand there."""
    whole = " | ".join(folded(_read(leaf)) for _, leaf in _leaves("", content))
    return [value for value in values if folded(value) in whole]


def as_shown(content: JSON) -> str:
    """What a person would read out, in a line."""
    leaves = [(name, _read(leaf)) for name, leaf in _leaves("", content)]
    text = ", ".join(f"{name.replace('_', ' ')}: {leaf}" if name else leaf for name, leaf in leaves if leaf)
    return " ".join(text.split())[:_LONGEST].rstrip(".!?")


def _read(leaf: JSON) -> str:
    return said(leaf) if isinstance(leaf, (str, int, float, bool)) else ""


def _leaves(name: str, content: JSON) -> Iterator[tuple[str, JSON]]:
    if isinstance(content, Mapping):
        for key, each in cast("Mapping[str, JSON]", content).items():
            yield from _leaves(key, each)
    elif isinstance(content, (list, tuple)):
        for each in cast("Sequence[JSON]", content):
            yield from _leaves(name, each)
    elif content is not None:
        yield name, content
