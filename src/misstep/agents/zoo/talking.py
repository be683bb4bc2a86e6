"""What the agent found, did or needs → what it says."""

from collections.abc import Mapping, Sequence
from typing import cast

from misstep.agents.zoo.calling import Outcome
from misstep.agents.zoo.offer import Capability, Parameter
from misstep.agents.zoo.records import Record, Scalar
from misstep.core.tool import JSON
from misstep.core.words import joined, split_identifier, stem

_MOST_FIELDS = 12
_MOST_RECORDS = 8
_MOST_OPTIONS = 8


def question(parameters: Sequence[Parameter], *, alternatives: bool) -> str:
    named = joined([f"the {each.spoken}" for each in parameters], "or" if alternatives else "and")
    return f"Could you tell me {named}?"


def choice(found: Sequence[Record], field: str) -> tuple[str, tuple[str, ...]]:
    """A question that lists what sets the records apart, and the key shown for each."""
    listed = found[:_MOST_OPTIONS]
    lines: list[str] = []
    keys: list[str] = []
    for number, record in enumerate(listed, 1):
        key = str(record.get(field))
        keys.append(key)
        told = [f"{_spoken(name)} {value}" for name, value in _telling(record, listed, field)]
        lines.append(f"{number}. {_spoken(field)} {key}" + (f" ({'; '.join(told)})" if told else ""))
    if len(found) == 1:
        return f"I found only this one: {lines[0][3:]}. Is that the one you mean?", tuple(keys)
    more = f"\n(and {len(found) - len(listed)} more)" if len(found) > len(listed) else ""
    return f"I found {len(found)} that fit:\n" + "\n".join(lines) + more + "\nWhich one do you mean?", tuple(keys)


def _telling(record: Record, among: Sequence[Record], field: str) -> list[tuple[str, Scalar]]:
    differing = [
        (name, value)
        for name, value in record.fields.items()
        if name != field and len({str(other.fields.get(name)) for other in among}) > 1
    ]
    below = [value for value in record.values if isinstance(value, str) and value not in record.fields.values()]
    below = [value for value in below if not any(character.isdigit() for character in value)]
    nested = [("with", ", ".join(below[:6]))] if below else []
    return differing[:5] + nested


def confirmation(capability: Capability, arguments: Mapping[str, JSON]) -> str:
    return f"I am about to {capability.spoken} ({told(arguments)}). Shall I go ahead? (yes/no)"


def reported(capability: Capability, arguments: Mapping[str, JSON], outcome: Outcome) -> str:
    """What became of an act."""
    if outcome.state == "unknown":
        return (
            f"I tried to {capability.spoken}, but no answer came back, so I cannot say whether it went through. "
            "I have not tried again, so that it is not done twice."
        )
    if outcome.state == "failed":
        return failed(capability, outcome.why)
    content = outcome.content
    fields = cast("dict[str, JSON]", content) if isinstance(content, dict) else {"result": content}
    new = {name: value for name, value in fields.items() if isinstance(value, Scalar) and name not in arguments}
    return f"I have completed {capability.spoken} ({told(arguments)}). {summary(new)}".strip()


def found(content: JSON, lead: frozenset[str]) -> str:
    return f"Here is what I found. {summary(content, lead)}"


def nothing_found(capability: Capability, arguments: Mapping[str, JSON]) -> str:
    return f"I looked with {capability.spoken} ({told(arguments)}), but nothing was found."


def failed(capability: Capability, why: str) -> str:
    return f"I could not {capability.spoken}: {why}"


def told(arguments: Mapping[str, JSON]) -> str:
    return ", ".join(f"{_spoken(name)} {plain(value)}" for name, value in arguments.items()) or "no details needed"


def summary(content: JSON, lead: frozenset[str] = frozenset()) -> str:
    """A result in words: its fields, those that were asked for first, and the records in it one by one."""
    if isinstance(content, list):
        listed = [summary(each, lead) for each in cast("list[JSON]", content)[:_MOST_RECORDS]]
        left = len(cast("list[JSON]", content)) - len(listed)
        return " ".join(each for each in listed if each) + (f" And {left} more." if left > 0 else "")
    if not isinstance(content, dict):
        return f"{plain(content)}."
    fields = cast("dict[str, JSON]", content)
    told_fields = [name for name in fields if isinstance(fields[name], Scalar) and fields[name] != ""]
    told_fields.sort(key=lambda name: not lead & {stem(word) for word in split_identifier(name)})
    flat = ", ".join(f"{_spoken(name)} {plain(fields[name])}" for name in told_fields[:_MOST_FIELDS])
    below = [summary(value, lead) for value in fields.values() if value and not isinstance(value, Scalar)]
    return " ".join([f"{flat}.", *below] if flat else below)


def plain(value: JSON) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return joined([plain(each) for each in cast("list[JSON]", value)])
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else f"{value:.2f}"
    return str(value)


def _spoken(name: str) -> str:
    return " ".join(split_identifier(name))
