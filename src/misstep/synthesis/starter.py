"""Tools without scenarios → one plain request a tool, so that there is something to see at once."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from misstep.core.objective import ExpectedCall, Objective
from misstep.core.roles import Stateful, Toolbox
from misstep.core.scenario import Fact, Goal, Person, Scalar, Scenario
from misstep.core.tool import JSON, Tool
from misstep.core.words import joined, sentences, split_identifier

_DEEPEST = 6
_MOST_RECORDS = 50

Seen = dict[str, Scalar]
"""Field names that the tools' own answers have, and a value that stood there."""


async def starter_scenarios(toolbox: Toolbox) -> tuple[Scenario, ...]:
    """A request for each tool, everything said at once; success is that the tool was called as asked.

    Tools that only read and need nothing are called once, so that the requests speak of records that are there. A
    request that the tool itself turns down is left out, where that can be tried: no agent could meet it.
    """
    tools = await toolbox.tools()
    seen = await _look_round(toolbox, tools)
    made = [(tool, _scenario(tool, seen)) for tool in tools]
    kept = tuple([scenario for tool, scenario in made if await _can_be_met(toolbox, tool, scenario)])
    return kept or tuple(scenario for _, scenario in made)


async def _can_be_met(toolbox: Toolbox, tool: Tool, scenario: Scenario) -> bool:
    """Try what leaves nothing behind: what only reads, or what can be put back."""
    arguments = scenario.objective.calls[0].arguments if scenario.objective else {}
    if isinstance(toolbox, Stateful):
        before = toolbox.snapshot()
        answer = await toolbox.call(tool.name, arguments)
        toolbox.restore(before)
        return not answer.is_error
    return tool.effect != "reads" or not (await toolbox.call(tool.name, arguments)).is_error


async def _look_round(toolbox: Toolbox, tools: Sequence[Tool]) -> Seen:
    seen: Seen = {}
    for tool in tools:
        if tool.effect == "reads" and not tool.input_schema.get("required"):
            answer = await toolbox.call(tool.name, {})
            if not answer.is_error:
                _collect(answer.content, seen, _DEEPEST)
    return seen


def _collect(content: JSON, seen: Seen, depth: int) -> None:
    if depth and isinstance(content, Mapping):
        for name, value in cast("Mapping[str, JSON]", content).items():
            if isinstance(value, (str, int, float)) and value != "":
                seen.setdefault(name, value)
            else:
                _collect(value, seen, depth - 1)
    elif depth and isinstance(content, (list, tuple)):
        for each in cast("Sequence[JSON]", content)[:_MOST_RECORDS]:
            _collect(each, seen, depth - 1)


def _scenario(tool: Tool, seen: Seen) -> Scenario:
    properties = cast("Mapping[str, Mapping[str, JSON]]", tool.input_schema.get("properties") or {})
    required = cast("Sequence[str]", tool.input_schema.get("required") or ())
    values = {name: _value(name, properties.get(name, {}), seen) for name in required}
    told_of = [each for name, value in values.items() for each in _tellable(split_identifier(name), value)]
    facts = tuple(Fact(name=" ".join(words), value=value, reveal="opening") for words, value in told_of)
    ask = _request(tool)
    told = joined(f"the {fact.name} is {_said(fact.value)}" for fact in facts)
    return Scenario(
        name=_name(tool.name),
        summary=f"A plain request for {tool.name}.",
        user=Person(
            opening=f"{ask} {told[0].upper()}{told[1:]}." if told else ask, facts=facts, goals=(Goal(ask=ask),)
        ),
        objective=Objective(
            statement=f"{tool.name} is called as asked.", calls=(ExpectedCall(tool=tool.name, arguments=dict(values)),)
        ),
        factors={"difficulty": "starter"},
        origin="made from the tool's description",
    )


def _tellable(words: list[str], value: JSON) -> Iterator[tuple[list[str], Scalar]]:
    """What a person can say of an argument: each field of a nested one, the items of a list in one breath."""
    if isinstance(value, (str, int, float)):
        yield words, value
    elif isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, JSON]", value).items():
            yield from _tellable([*words, *split_identifier(name)], inner)
    elif isinstance(value, list):
        items = cast("list[JSON]", value)
        yield words, joined(str(item) for item in items)


def _request(tool: Tool) -> str:
    """`Close a ticket for good.` → `Please close a ticket for good.`"""
    opening = next(iter(sentences(tool.description)), "")
    said = opening.rstrip(".!?:; ") if opening else " ".join(split_identifier(tool.name))
    if len(said) > 1 and not said[1].isupper():
        said = said[0].lower() + said[1:]
    return f"Please {said}."


def _value(name: str, schema: Mapping[str, JSON], seen: Seen) -> JSON:
    """A value that fits: one that the tools know, one that the schema names, or one of the right type."""
    if name in seen and _is_of(schema.get("type"), seen[name]):
        return seen[name]
    for listed in ("examples", "enum"):
        choices = schema.get(listed)
        if isinstance(choices, (list, tuple)) and choices:
            return cast("Sequence[JSON]", choices)[0]
    for single in ("const", "default"):
        if schema.get(single) is not None:
            return schema[single]
    return _made_up(name, schema)


def _is_of(kind: JSON, value: Scalar) -> bool:
    kinds: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float)}
    return isinstance(kind, str) and isinstance(value, kinds.get(kind, ())) and not isinstance(value, bool)


_FORMATS = {
    "date": "2025-03-14",
    "date-time": "2025-03-14T09:30:00Z",
    "time": "09:30:00",
    "email": "kim@example.org",
    "uri": "https://example.org/page",
    "uuid": "3b241101-e2bb-4255-8caf-4136c566a962",
}


def _made_up(name: str, schema: Mapping[str, JSON]) -> JSON:
    match schema.get("type"):
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return True
        case "array":
            return [_made_up(name, cast("Mapping[str, JSON]", schema.get("items") or {"type": "string"}))]
        case "object":
            inner = cast("Mapping[str, Mapping[str, JSON]]", schema.get("properties") or {})
            needed = cast("Sequence[str]", schema.get("required") or ())
            return {each: _made_up(each, inner.get(each, {})) for each in needed}
        case _:
            return _text(name, schema)


def _number(schema: Mapping[str, JSON]) -> int | float:
    low, high = schema.get("minimum"), schema.get("maximum")
    if isinstance(low, (int, float)) and low > 2:
        return low
    return min(2, high) if isinstance(high, (int, float)) else 2


def _text(name: str, schema: Mapping[str, JSON]) -> str:
    form, pattern = schema.get("format"), schema.get("pattern")
    if isinstance(form, str) and form in _FORMATS:
        return _FORMATS[form]
    if isinstance(pattern, str):
        return made_from_pattern(pattern)
    parts = split_identifier(name)
    if parts and parts[-1] in ("id", "number", "code", "key"):
        return f"{(parts[0] if len(parts) > 1 else 'A')[0].upper()}-1001"
    return _FORMATS["email"] if "email" in parts else f"some {' '.join(parts) or 'text'}"


def made_from_pattern(pattern: str) -> str:
    """The simplest text for patterns such as `^[A-Z]{2}-\\d{4}$`; others may not fit, and then the tool says so."""
    bare = pattern.removeprefix("^").removesuffix("$")
    made = ""
    for match in re.finditer(r"(\[[^\]]*\]|\\.|\.|[^\\\[{*+?])(?:\{(\d+)(?:,\d*)?\}|([*+?]))?", bare):
        atom, count, some = match.groups()
        made += _character(atom) * (int(count) if count else 0 if some in ("*", "?") else 1)
    return made


def _character(atom: str) -> str:
    if atom.startswith("["):
        inside = atom[1:-1]
        return "a" if inside.startswith("^") or not inside else inside[1] if inside[0] == "\\" else inside[0]
    if atom.startswith("\\"):
        return {"d": "1", "w": "a", "s": " "}.get(atom[1], atom[1])
    return "a" if atom == "." else "" if atom in "()" else atom


def _said(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _name(tool: str) -> str:
    return re.sub(r"[/#\\\n]", "-", tool)
