"""Tools → what an agent can make of them by reading: their words, what they need and what they give."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import cast

import msgspec
from msgspec import Struct

from misstep.agents.zoo.stating import Labels, labels_for
from misstep.core.tool import JSON, Tool
from misstep.core.words import content_stems, split_identifier, stem

Schema = Mapping[str, JSON]

_LETTERS = re.compile(r"[^\W\d_]")
_NOT_LITERAL = re.compile(r"\\.|\[[^\]]*\]|\{[^}]*\}")
_SEARCHING = frozenset({"search", "find", "query", "match", "look", "keyword", "filter"})
_READING = frozenset("get fetch read show list find search look open check".split())


class Parameter(Struct, frozen=True, dict=True, eq=False):
    """One argument that a tool takes; what it comes to is asked again and again, and found out once."""

    name: str
    schema: dict[str, JSON]
    required: bool
    stems: frozenset[str]
    """Of its name."""
    about: frozenset[str]
    """Of its description."""

    @cached_property
    def kind(self) -> str:
        kind = self.schema.get("type", "string")
        kinds = cast("list[JSON]", kind) if isinstance(kind, list) else [kind]
        return str(next((each for each in kinds if each != "null"), "string"))

    @cached_property
    def pattern(self) -> str | None:
        pattern = self.schema.get("pattern")
        return pattern if isinstance(pattern, str) else None

    @cached_property
    def options(self) -> tuple[str, ...]:
        listed = self.schema.get("enum")
        return tuple(str(each) for each in cast("list[JSON]", listed)) if isinstance(listed, list) else ()

    @cached_property
    def identifies(self) -> bool:
        """Whether it points at a record rather than saying something new."""
        numbers = "id" in self.stems and self.kind in ("string", "integer")
        return numbers or (self.kind == "string" and bool(_LETTERS.search(_literals(self.pattern or ""))))

    @cached_property
    def is_free_text(self) -> bool:
        plain = not self.options and not self.pattern and not self.schema.get("format")
        return self.kind == "string" and plain and not self.identifies

    @cached_property
    def labels(self) -> Labels:
        return labels_for([self.spoken])

    @cached_property
    def spoken(self) -> str:
        return " ".join(split_identifier(self.name))


class Capability(Struct, frozen=True, eq=False, dict=True):
    """A tool, as read."""

    tool: Tool
    named: tuple[str, ...]
    """The stems of its name, in order."""
    text_stems: frozenset[str]
    parameters: tuple[Parameter, ...]
    gives: frozenset[str]
    """The names of the plain fields in its results, at any depth."""

    @property
    def name(self) -> str:
        return self.tool.name

    @cached_property
    def name_stems(self) -> frozenset[str]:
        return frozenset(self.named)

    @property
    def reads(self) -> bool:
        return self.tool.effect == "reads"

    @property
    def informs(self) -> bool:
        """Whether it is there to be asked, as far as its name tells, wherever it looks."""
        return self.reads or (self.tool.effect == "reaches-outside" and self.spoken.split()[0] in _READING)

    def searches(self, parameter: Parameter) -> bool:
        """Whether any words will do for a parameter, the tool being there to find things by them."""
        said = self.text_stems | self.name_stems | parameter.stems | parameter.about
        return bool(_SEARCHING & said)

    @cached_property
    def required(self) -> tuple[Parameter, ...]:
        return tuple(each for each in self.parameters if each.required)

    @property
    def least(self) -> int:
        """How many arguments a call must have."""
        least = self.tool.input_schema.get("minProperties")
        return least if isinstance(least, int) else len(self.required)

    @cached_property
    def spoken(self) -> str:
        return " ".join(split_identifier(self.tool.name))


class Offer:
    """All the tools that are on offer, with how telling each word is among them."""

    def __init__(self, capabilities: Sequence[Capability]) -> None:
        self.capabilities = tuple(capabilities)
        self.by_name = {each.name: each for each in self.capabilities}
        named = Counter(word for each in self.capabilities for word in each.name_stems)
        told = Counter(word for each in self.capabilities for word in each.name_stems | each.text_stems)
        self._identifiers = {p.name: p for each in self.capabilities for p in each.parameters if p.identifies}
        self._common = Counter(word for each in self._identifiers.values() for word in each.stems)
        n = len(self.capabilities)
        self._rarity_of_name = {word: math.log((n + 1) / count) for word, count in named.items()}
        self._rarity = {word: math.log((n + 1) / count) for word, count in told.items()}

    def fit(self, capability: Capability, said: Iterable[str]) -> float:
        """How well words fit a tool: rare words of its name count most, those of its description less."""
        score = 0.0
        for word in dict.fromkeys(said):  # in order, so that rounding is the same everywhere
            if word in capability.named:
                score += 3.0 * self._rarity_of_name[word]
            elif word in capability.text_stems:
                score += 0.7 * self._rarity[word]
        return score

    def names_act(self, capability: Capability, said: Iterable[str]) -> bool:
        """Whether words name what sets this tool apart: the rarest word of its name."""
        rarest = max(capability.named, key=lambda word: self._rarity_of_name[word], default="")
        return rarest in set(said)

    def touches(self, capability: Capability, said: Iterable[str]) -> bool:
        """Whether words name anything that is special to this tool: what at most a third of all speak of."""
        least = math.log(3.0)
        return any(
            self._rarity[word] >= least for word in said if word in capability.named or word in capability.text_stems
        )

    def ranked(self, said: Iterable[str], *, reads: bool) -> list[tuple[float, Capability]]:
        """The tools that only read (or those that act), best fit first, none without a common word."""
        words = tuple(said)
        scored = [
            (self.fit(each, words), each) for each in self.capabilities if (each.informs if reads else not each.reads)
        ]
        return sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])

    def entity(self, parameter: Parameter) -> frozenset[str]:
        """The words of an identifier's name that say what it identifies: those that not every other one has too."""
        return frozenset(word for word in parameter.stems if self._common[word] * 3 <= len(self._identifiers) + 2)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of every tool."""
        return frozenset(self._rarity)

    @cached_property
    def labels(self) -> Labels:
        """The names under which somebody could give a value, and the words that set one of two of a kind apart."""
        parameters = [each for capability in self.capabilities for each in capability.parameters]
        spoken = [" ".join(split_identifier(name)) for each in self.capabilities for name in sorted(each.gives)]
        names = {each.name for each in parameters}
        parted = [split_identifier(each.name) for each in parameters]
        others = [parts[0] for parts in parted if len(parts) > 1 and "_".join(parts[1:]) in names]
        return labels_for([*(each.spoken for each in parameters), *spoken], others)

    def gives_asked(self, capability: Capability, said: Iterable[str]) -> float:
        """How many of the words name a field that a tool gives and need not be told, rare ones counting more."""
        asked = {stem(word) for name in capability.gives for word in split_identifier(name)} - {"id"}
        asked -= {word for each in capability.required for word in each.stems} | capability.name_stems
        return sum(self._rarity_of_field[word] for word in dict.fromkeys(said) if word in asked)

    @cached_property
    def _rarity_of_field(self) -> dict[str, float]:
        every = [{stem(word) for name in each.gives for word in split_identifier(name)} for each in self.capabilities]
        counted = Counter(word for each in every for word in each)
        return {word: math.log((len(every) + 1) / count) for word, count in counted.items()}

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The words for what identifiers identify: they say which kind of record, never which record."""
        return frozenset(word for each in self._identifiers.values() for word in each.stems)

    def givers(self, field: str, *, anchored: bool = True) -> list[Capability]:
        """The reading tools whose results have a field, the likeliest first.

        `anchored`: what starts from another record before what searches everywhere. Then what is named after the field.
        """
        found = [each for each in self.capabilities if each.reads and field in each.gives]
        about = self.entity(_parameter(field, {}, False))
        found.sort(key=lambda each: (bool(each.required) != anchored, not about & each.name_stems))
        return found


def offer_of(tools: Sequence[Tool]) -> Offer:
    """Tools as read: once, however many conversations they are offered in."""
    return _offer(tuple(msgspec.json.encode(tool) for tool in tools))


@lru_cache(maxsize=64)
def _offer(encoded: tuple[bytes, ...]) -> Offer:
    return Offer([_capability(each) for each in encoded])


@lru_cache(maxsize=4096)
def _capability(encoded: bytes) -> Capability:
    tool = msgspec.json.decode(encoded, type=Tool)
    listed = tool.input_schema.get("required")
    needed = cast("list[JSON]", listed) if isinstance(listed, list) else []
    parameters = [
        _parameter(name, mapping(schema), name in needed)
        for name, schema in mapping(tool.input_schema.get("properties")).items()
    ]
    return Capability(
        tool=tool,
        named=tuple(stem(word) for word in split_identifier(tool.name)),
        text_stems=frozenset(content_stems(tool.description)),
        parameters=tuple(sorted(parameters, key=lambda each: not each.required)),
        gives=frozenset(_fields(tool.output_schema or {})),
    )


def _parameter(name: str, schema: Schema, required: bool) -> Parameter:
    return Parameter(
        name=name,
        schema=dict(schema),
        required=required,
        stems=frozenset(stem(word) for word in split_identifier(name)),
        about=frozenset(content_stems(str(schema.get("description", "")))),
    )


def mapping(value: JSON) -> Schema:
    return cast("Schema", value) if isinstance(value, dict) else {}


def _fields(schema: Schema, depth: int = 0) -> Iterable[str]:
    if depth > 6:
        return
    for name, inner in mapping(schema.get("properties")).items():
        below = list(_fields(mapping(inner), depth + 1))
        yield from below or [name]
    yield from _fields(mapping(schema.get("items")), depth + 1) if "items" in schema else ()


def _literals(pattern: str) -> str:
    """What a pattern says to the letter: an id is marked by a prefix, a mere number form is not."""
    return _NOT_LITERAL.sub("", pattern)


@lru_cache(maxsize=512)
def unanchored(pattern: str) -> re.Pattern[str] | None:
    """A schema's pattern as one that finds such values inside a sentence."""
    try:
        return re.compile(r"(?<![\w-])(?:" + pattern.removeprefix("^").removesuffix("$") + r")(?![\w-])")
    except re.error:
        return None
