"""Fields of a thing → which of them hold the key of another kind of thing, by their names and descriptions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from misstep.core.tool import JSON
from misstep.core.words import split_identifier, words
from misstep.tools.records.making_up import Schema
from misstep.tools.records.verbs import singular

IDENTITY = (
    "id", "uuid", "key", "number", "slug", "code", "sku", "handle", "reference", "ref", "name", "title", "username",
    "email", "path", "uri", "url",
)  # fmt: skip
"""The words that say which one is meant, the surest first."""

Kinds = Mapping[str, Sequence[tuple[int, str]]]
"""The last word of a kind's name → the kinds that end in it, each with its place among all of them."""


def head_of(noun: str) -> str:
    return noun.rpartition(" ")[2]


def by_head(kinds: Iterable[str]) -> Kinds:
    found: dict[str, list[tuple[int, str]]] = {}
    for place, kind in enumerate(kinds):
        found.setdefault(head_of(kind), []).append((place, kind))
    return found


def referred_to(own: Mapping[str, JSON], kinds: Kinds) -> Iterator[tuple[str, str]]:
    """Each kind that a field refers to, with the field; kinds in their order. Only what some word names is tried."""
    described = {field: _description(schema) for field, schema in own.items()}
    parts = {field: [singular(word) for word in split_identifier(field)] for field in own}
    mentioned = {word for said in (*parts.values(), *described.values()) for word in said}
    for _, kind in sorted(pair for word in mentioned for pair in kinds.get(word, ())):
        head = head_of(kind)
        for field in own:
            *before, last = parts[field] or [""]
            if (last in IDENTITY and head in before) or (last not in IDENTITY and _says(described[field], head)):
                yield kind, field


def _description(schema: JSON) -> list[str]:
    return words(str(cast("Schema", schema).get("description", ""))) if isinstance(schema, Mapping) else []


def _says(described: list[str], head: str) -> bool:
    return any(described[at : at + 4] == [word, "of", "the", head] for at in range(len(described)) for word in IDENTITY)
