"""What a simulated call did → its answer: in the shape of the tool's output schema, or in one shape of its own."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import cast

import msgspec
from msgspec import Struct

from misstep.core.state import Record
from misstep.core.tool import JSON
from misstep.core.words import split_identifier
from misstep.tools.records.entities import Action, Entity, items_of, properties
from misstep.tools.records.making_up import Schema, completed, resolved
from misstep.tools.records.verbs import plural, singular

_COUNTS = frozenset("count total number size length affected".split())
_SAID = frozenset("message text content result output response status_message detail details summary".split())
_WRAPPING = ("result", "content", "text", "output", "response", "data")
_pretty = msgspec.json.Encoder(order=None)


class Outcome(Struct, frozen=True):
    """What a call did."""

    action: Action
    entity: Entity | None
    arguments: dict[str, JSON]
    records: tuple[Record, ...] = ()
    """The things it was about, in order."""
    others: dict[str, tuple[Record, ...]] = {}
    """Other kinds of things that its answer shows."""
    steps: tuple[Record, ...] = ()
    """For a call that did several things to lists inside things: what it did to each."""


def content_of(outcome: Outcome, random: Random) -> JSON:
    """The answer. With an output schema it always fits it; without one, a tool keeps one shape."""
    bare = _bare(outcome)
    schema = outcome.action.tool.output_schema
    if not schema:
        return bare
    whole = resolved(schema, schema)
    wanted = _wrapped(whole, bare) if _is_wrapper(whole) else _object(whole, schema, outcome, _the_one(outcome))
    return completed(schema, wanted, random)


def _is_wrapper(schema: Schema) -> bool:
    named = cast("Mapping[str, JSON]", schema.get("properties") or {})
    return len(named) == 1 and next(iter(named)) in _WRAPPING


def _wrapped(schema: Schema, bare: JSON) -> JSON:
    [(name, inner)] = cast("Mapping[str, JSON]", schema["properties"]).items()
    kind = cast("Schema", inner).get("type") if isinstance(inner, Mapping) else None
    if kind == "string" and not isinstance(bare, str):
        return {name: msgspec.json.format(_pretty.encode(bare), indent=2).decode()}
    if kind == "array" and isinstance(bare, dict):
        lists: list[JSON] = [each for each in cast("dict[str, JSON]", bare).values() if isinstance(each, list)]
        return {name: lists[0] if lists else cast("JSON", [bare])}
    return {name: bare}


def _the_one(outcome: Outcome) -> Record:
    return outcome.records[0] if len(outcome.records) == 1 else {}


def _bare(outcome: Outcome) -> JSON:
    action, records = outcome.action, [dict(record) for record in outcome.records]
    noun = (outcome.entity.name if outcome.entity else action.entity).split(" ")[-1]
    if outcome.entity is not None and outcome.entity.single and records:
        return records[0]
    if action.verb in ("list", "search") or (action.verb == "get" and len(records) != 1):
        kinds = {plural(kind.split(" ")[-1]): [dict(each) for each in other] for kind, other in outcome.others.items()}
        return {plural(noun): records, **kinds} if kinds else {plural(noun): records}
    if action.verb == "delete":
        key = outcome.entity.key if outcome.entity else None
        return {"deleted": [record.get(key) if key else record for record in records] if action.items else True}
    if action.items:
        return {plural(noun): records}
    if action.verb == "send":
        return {**(records[0] if records else {}), "status": "sent"}
    return records[0] if records else {"status": "ok"}


def _object(schema: Schema, root: JSON, outcome: Outcome, record: Record) -> dict[str, JSON]:
    """Each property that can be told from the outcome; the rest is left to be made up."""
    found: dict[str, JSON] = {}
    for name, each in cast("Mapping[str, JSON]", schema.get("properties") or {}).items():
        value = _property(name, each, root, outcome, record)
        if value is not None:
            found[name] = value
    return found


def _property(name: str, schema: JSON, root: JSON, outcome: Outcome, record: Record) -> JSON:
    inner = items_of(schema, root)
    if inner is not None:
        return _list(name, inner, outcome)
    whole = resolved(schema, root)
    if name in record:
        return record[name]
    if whole.get("type") == "object" and record:
        own = properties(whole, root)
        if not own or own.keys() & record.keys():
            return {field: record[field] for field in own if field in record} if own else dict(record)
    if (key := _as_key(name, outcome)) and key in record:
        return record[key]
    if whole.get("type") == "array":
        return _values(name, outcome)
    if name in outcome.arguments:
        return outcome.arguments[name]
    return _said(name, whole, outcome)


def _list(name: str, inner: Mapping[str, JSON], outcome: Outcome) -> JSON:
    noun = " ".join(singular(word) for word in split_identifier(name))
    if outcome.steps:
        return [
            {field: _echo(field, step) for field in inner if _echo(field, step) is not None} for step in outcome.steps
        ]
    for kind, records in outcome.others.items():
        if kind == noun:
            return [dict(record) for record in records]
    entity = outcome.entity
    if entity and (entity.name == noun or inner.keys() & {*entity.fields, str(entity.key)} or noun == "result"):
        return [dict(record) for record in outcome.records]
    return []


def _echo(field: str, step: Record) -> JSON:
    """A field of what was done, by its name or by the longest name that is part of its own."""
    if field in step:
        return step[field]
    parts = {singular(word) for word in split_identifier(field)}
    near = [name for name in step if {singular(word) for word in split_identifier(name)} & parts]
    return step[max(near, key=len)] if near else None


def _as_key(name: str, outcome: Outcome) -> str | None:
    entity = outcome.entity
    if entity is None or entity.key is None:
        return None
    parts = [singular(word) for word in split_identifier(name)]
    own = [singular(word) for word in split_identifier(entity.key)]
    head = entity.name.split(" ")[-1]
    return entity.key if parts in (own, [head, *own], [head, "id"], ["id"]) else None


def _values(name: str, outcome: Outcome) -> JSON:
    """A list of plain values: the keys of what was touched, or a field of the one thing."""
    key = _as_key(singular(name), outcome)
    if key:
        return [record.get(key) for record in outcome.records]
    return outcome.arguments.get(name)


def _said(name: str, schema: Schema, outcome: Outcome) -> JSON:
    parts = set(split_identifier(name))
    kind = schema.get("type")
    if kind == "boolean":
        return not parts & {"error", "failed", "more", "truncated", "next"}
    if kind in ("integer", "number") and parts & _COUNTS:
        return len(outcome.records)
    if kind == "string" and name.lower() in _SAID:
        return sentence(outcome)
    return None


_DONE: Mapping[str, str] = {
    "create": "created", "update": "updated", "delete": "deleted", "send": "sent", "run": "run", "get": "read",
    "list": "listed", "search": "found",
}  # fmt: skip


def sentence(outcome: Outcome) -> str:
    """What was done, in a sentence."""
    noun = outcome.action.field or (outcome.entity.name if outcome.entity else outcome.action.entity)
    several = outcome.action.items is not None or len(outcome.records) != 1
    subject = plural(singular(noun)) if several else singular(noun)
    return f"{subject} {_DONE[outcome.action.verb]} successfully".capitalize()


def as_sequence(value: JSON) -> Sequence[JSON]:
    """A list as it is, anything else as a list of one."""
    return cast("Sequence[JSON]", value) if isinstance(value, list) else [value]
