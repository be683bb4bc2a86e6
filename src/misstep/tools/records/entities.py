"""The schemas of tools → the kinds of things they keep, what identifies one, and what each tool does to them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from msgspec import Struct, structs

from misstep.core.tool import JSON, Tool
from misstep.core.words import split_identifier, words
from misstep.tools.records.making_up import Schema, resolved
from misstep.tools.records.references import IDENTITY, Kinds, by_head, head_of, referred_to
from misstep.tools.records.verbs import Verb, nouns_of, parts_of, singular, verb_of

_QUERIES = frozenset("query q search term terms keyword keywords text pattern phrase question filter".split())
_CONTROLS = frozenset("limit offset page cursor size per sort order by max min top count start skip fields".split())
_SAID = frozenset("success ok message error count total".split())
_HOLDERS = frozenset("data fields updates update changes values attributes patch properties record input".split())


class Entity(Struct, frozen=True):
    """A kind of thing: its fields and what identifies one; with no key, only all its fields together do."""

    name: str
    fields: dict[str, JSON]
    key: str | None
    references: dict[str, str] = {}
    """Field → the kind of thing whose key it holds."""
    told: bool = True
    """Whether its keys are ever told, by creating or listing. Where they are not, any key will do."""
    single: bool = False
    """There is one of it, such as the settings."""


class Action(Struct, frozen=True):
    """What a tool does, and which of its parameters say to what."""

    tool: Tool
    verb: Verb
    word: str
    entity: str
    shown: tuple[str, ...] = ()
    """The kinds of things that its answer has lists of, where its output schema says so."""
    keys: str | None = None
    items: str | None = None
    field: str | None = None
    """The list inside a thing that is added to or taken from, instead of the thing itself."""
    query: str | None = None
    holder: str | None = None
    """The parameter that holds the new values as an object."""


class Understanding(Struct, frozen=True):
    """All of it."""

    entities: dict[str, Entity]
    actions: dict[str, Action]


def properties(schema: JSON, root: JSON = None) -> dict[str, JSON]:
    """An object schema's properties, references followed."""
    whole = _whole(schema, schema if root is None else root)
    return dict(cast("Mapping[str, JSON]", whole.get("properties") or {}))


def _whole(schema: JSON, root: JSON) -> Schema:
    try:
        return resolved(schema, root)
    except (LookupError, ValueError, RecursionError):
        return {}


def items_of(schema: JSON, root: JSON) -> dict[str, JSON] | None:
    """The properties of the objects in a list; None where it is no list of objects."""
    whole = _whole(schema, root)
    if whole.get("type") != "array":
        return None
    return properties(whole.get("items", {}), root) or None


def understood(tools: Sequence[Tool]) -> Understanding:
    """Names, descriptions and schemas, read together: what one tool leaves open, another one says."""
    split = parts_of(tools)
    first = [_first_look(tool, split[tool.name]) for tool in tools]
    fields = _fields(first)
    actions = [_second_look(action, fields) for action in first]
    kinds = by_head(fields)
    about = _by_kind(actions)
    entities = {name: _entity(name, own, about.get(name, []), kinds) for name, own in fields.items()}
    final = [_third_look(action, entities) for action in actions]
    about = _by_kind(final)
    shown = {kind for action in final for kind in action.shown}
    told = {name: _told(entity, about.get(name, []), name in shown) for name, entity in entities.items()}
    return Understanding(told, {each.tool.name: each for each in final})


def _by_kind(actions: Sequence[Action]) -> dict[str, list[Action]]:
    found: dict[str, list[Action]] = {}
    for action in actions:
        found.setdefault(action.entity, []).append(action)
    return found


def _told(entity: Entity, actions: Sequence[Action], shown: bool) -> Entity:
    mine = [action for action in actions if action.field is None]
    verbs = {action.verb for action in mine}
    alone = all(action.keys is None and action.items is None for action in mine)
    return structs.replace(
        entity,
        told=bool(verbs & {"create", "send", "list", "search"}) or shown,
        single=alone and "update" in verbs and not verbs & {"create", "send", "delete", "search"},
    )


def _first_look(tool: Tool, parts: list[str]) -> Action:
    """Verb and noun, from the name."""
    verb, word = verb_of(parts, tool.description)
    nouns = nouns_of(parts, word) or [singular(each) for each in split_identifier(tool.name)[-1:]]
    given = properties(tool.input_schema)
    items = next((name for name, each in given.items() if items_of(each, tool.input_schema)), None)
    query = next((name for name in given if set(split_identifier(name)) & _QUERIES), None)
    if word == "open" and not (set(_required(tool)) - {next(iter(given), "")}):
        verb = "get"
    if verb in ("get", "list") and query and query in _required(tool):
        verb = "search"
    return Action(tool, verb, word, " ".join(nouns), items=items, query=query)


def _required(tool: Tool) -> list[str]:
    return list(cast("list[str]", tool.input_schema.get("required") or []))


def collections(tool: Tool) -> dict[str, dict[str, JSON]]:
    """The lists of objects at the top of a tool's output schema, with the fields of these."""
    root = tool.output_schema or {}
    found = {name: items_of(each, root) for name, each in properties(root).items()}
    return {name: fields for name, fields in found.items() if fields}


def _fields(actions: Sequence[Action]) -> dict[str, dict[str, JSON]]:
    """The fields of each kind of thing: from what creates one, from lists of them, then from what else is told."""
    fields: dict[str, dict[str, JSON]] = {}
    for action in actions:
        if action.verb in ("create", "send"):
            given = properties(action.tool.input_schema)
            own = items_of(given[action.items], action.tool.input_schema) if action.items else None
            fields.setdefault(action.entity, {}).update(own or _values(given))
        _add_listed(action, fields)
    read = {action.entity for action in actions if action.verb in ("get", "list", "search")}
    for action in actions:
        # What looked like a thing of its own may be a list inside another thing.
        if action.entity in fields and action.entity not in read and _inner(action, fields):
            del fields[action.entity]
    for action in actions:
        if action.entity not in fields and not collections(action.tool) and not _inner(action, fields):
            fields[action.entity] = {}
    for noun in [noun for noun in fields if " " in noun and not fields[noun] and head_of(noun) in fields]:
        del fields[noun]
    for action in actions:
        if kind := _nearest(action.entity, fields):
            _add_told(action, kind, fields[kind])
    return fields


def _add_listed(action: Action, fields: dict[str, dict[str, JSON]]) -> None:
    for name, own in collections(action.tool).items():
        noun = " ".join(singular(word) for word in split_identifier(name))
        alike = next((kind for kind, theirs in fields.items() if theirs.keys() == own.keys()), None)
        if action.verb in ("get", "list", "search") or noun in fields:
            kind = alike or (action.entity if noun in ("result", "item", "record", "entry") else noun)
            _add(fields.setdefault(kind, {}), own)


def _add_told(action: Action, kind: str, known: dict[str, JSON]) -> None:
    """What tools that list, search or change take, and what tools that read or change one tell."""
    if action.verb in ("update", "list", "search") and not action.items and known:
        given = _values(properties(action.tool.input_schema))
        _add(known, {name: each for name, each in given.items() if _is_value(name, kind)})
    if action.verb in ("get", "update", "create") and not collections(action.tool):
        told = properties(action.tool.output_schema or {})
        inner = properties(told.get(head_of(kind), {}), action.tool.output_schema or {})
        if inner or (len(told) > 1 and (action.verb == "get" or told.keys() & known.keys())):
            _add(known, inner or {name: each for name, each in told.items() if name not in _SAID})


def _add(known: dict[str, JSON], more: Mapping[str, JSON]) -> None:
    known.update({name: each for name, each in more.items() if name not in known})


def _values(given: Mapping[str, JSON]) -> dict[str, JSON]:
    """A creating tool's parameters as fields: those of the object that holds them, where one does."""
    holder = next((name for name, each in given.items() if name in _HOLDERS and properties(each)), None)
    return properties(given[holder]) if holder else dict(given)


def _is_value(parameter: str, kind: str) -> bool:
    parts = [singular(word) for word in split_identifier(parameter)]
    return not is_control(parameter) and not set(parts) & {*_QUERIES, *IDENTITY, head_of(kind)}


def _is_list(schema: JSON) -> bool:
    return isinstance(schema, Mapping) and cast("Schema", schema).get("type") == "array"


def _nearest(noun: str, fields: Mapping[str, JSON]) -> str | None:
    """`user order` is an order, where there are orders and no user orders."""
    if noun in fields:
        return noun
    return next((kind for kind in fields if head_of(kind) == head_of(noun)), None)


def _inner(action: Action, fields: Mapping[str, Mapping[str, JSON]]) -> tuple[str, str] | None:
    """The kind of thing, and its field, that is a list of what the action's noun names."""
    for kind, own in fields.items():
        for field, schema in own.items():
            if not _is_list(schema) or items_of(schema, schema):
                continue
            same = " ".join(singular(word) for word in split_identifier(field)) == action.entity
            if same and kind != action.entity and _pointer(kind, _innermost(action)):
                return kind, field
    return None


def _innermost(action: Action) -> dict[str, JSON]:
    given = properties(action.tool.input_schema)
    return (items_of(given[action.items], action.tool.input_schema) or given) if action.items else given


def _pointer(kind: str, parameters: Mapping[str, JSON], own: str = "") -> str | None:
    """The parameter that names one of a kind: `order_id`, `entityName`; or `id` where the tool is about the kind."""
    head = head_of(kind)
    for name, schema in parameters.items():
        parts = [singular(word) for word in split_identifier(name)]
        if len(parts) > 1 and parts[-1] in IDENTITY and head in parts[:-1]:
            return name
        described = words(str(cast("Schema", schema).get("description", ""))) if isinstance(schema, Mapping) else []
        if parts[-1:] == ["name"] and head in map(singular, described) and own != kind:
            return name
    if own == kind:
        exact = [name for name in parameters if singular(name.lower()) == head]
        plain = [
            name
            for word in IDENTITY
            for name in parameters
            if [singular(part) for part in split_identifier(name)] == [word]
        ]
        return next(iter(plain or exact), None)
    return None


def _second_look(action: Action, fields: Mapping[str, dict[str, JSON]]) -> Action:
    """Which kinds of things an action is really about, now that all of them are known."""
    if action.entity not in fields and action.verb in ("create", "delete") and (inner := _inner(action, fields)):
        kind, field = inner
        return structs.replace(action, entity=kind, field=field, keys=_pointer(kind, _innermost(action)))
    shown = tuple(kind for own in collections(action.tool).values() if (kind := _kind_with(own, fields)))
    kind = _nearest(action.entity, fields) or next(iter(shown), action.entity)
    return structs.replace(action, entity=kind, shown=shown)


def _kind_with(own: Mapping[str, JSON], fields: Mapping[str, Mapping[str, JSON]]) -> str | None:
    exact = [kind for kind, theirs in fields.items() if theirs.keys() == own.keys()]
    near = [kind for kind, theirs in fields.items() if own.keys() <= theirs.keys() and len(own) > 1]
    return next(iter(exact or near), None)


def _entity(name: str, own: dict[str, JSON], mine: Sequence[Action], kinds: Kinds) -> Entity:
    key = _key(name, own, [action for action in mine if action.field is None])
    references = {
        field: other
        for other, field in referred_to(own, kinds)
        if field != key and (other != name or field in ("from", "to", "parent_id"))
    }
    asked = [each for action in mine if key and (each := _asked(name, key, action)) is not None]
    known = own or _UNTOLD
    if key is not None and key not in known:
        known = {key: asked[0] if asked else True, **known}
    return Entity(name, known, key, references)


_UNTOLD: dict[str, JSON] = {"name": {"type": "string"}, "status": {"type": "string"}}
"""What a thing has of which no tool says what it has."""


def _asked(name: str, key: str, action: Action) -> JSON:
    """The schema of a key that is no field, by the parameter that asks for it."""
    given = properties(action.tool.input_schema)
    parameter = None if action.items or action.field else _pointer(name, given, name)
    if parameter is None or _field_for(parameter, name, {}) != key:
        return None
    whole = _whole(given[parameter], action.tool.input_schema)
    return whole.get("items", {}) if whole.get("type") == "array" else whole


def _key(name: str, own: Mapping[str, JSON], actions: Sequence[Action]) -> str | None:
    """The field that other tools ask for; else the likeliest one; else one of our own, if anything can be told."""
    votes: Counter[str] = Counter()
    for action in actions:
        if action.verb in ("get", "update", "delete") and not action.items:
            asked = _pointer(name, properties(action.tool.input_schema), name)
            if asked and (field := _field_for(asked, name, own)):
                votes[field] += 1
    if votes:
        return max(sorted(votes), key=lambda field: votes[field])
    head = head_of(name)
    batch = any(action.items for action in actions)
    # A name is no identity where nobody asks for one by it: two events may have one title.
    for word in IDENTITY if batch else IDENTITY[: IDENTITY.index("name")]:
        for field in own:
            parts = [singular(part) for part in split_identifier(field)]
            if parts in ([word], [head, word]):
                return field
    return None if own and batch else "id"


def _field_for(parameter: str, name: str, own: Mapping[str, JSON]) -> str:
    """The field that a parameter means: itself, or itself without the name of the thing."""
    if parameter in own:
        return parameter
    kind = set(name.split(" "))
    bare = [singular(word) for word in split_identifier(parameter) if singular(word) not in kind]
    for field in own:
        parts = [singular(word) for word in split_identifier(field)]
        if parts == bare or [part for part in parts if part not in kind] == bare:
            return field
    return parameter if bare and _singular_name(parameter) else "_".join(bare) or "id"


def _singular_name(parameter: str) -> bool:
    last = split_identifier(parameter)[-1]
    return singular(last) == last


def _third_look(action: Action, entities: Mapping[str, Entity]) -> Action:
    """The parameters: which of them say which thing is meant, and which hold its new values."""
    given = properties(action.tool.input_schema)
    entity = entities.get(action.entity)
    if entity is None or action.field is not None:
        return action
    keys = _pointer(entity.name, given, entity.name)
    if action.items:
        keys = None
    elif keys is None and entity.key in given:
        keys = entity.key
    if action.verb == "create" and not entity_key_given(entity, given):
        keys = None
    holder = next((name for name in given if name in _HOLDERS and name != keys), None)
    verb = action.verb
    if verb == "get" and keys is None:
        several = singular(action.tool.name) != action.tool.name or action.shown
        verb = "list" if several else "get"
    elif verb == "list" and keys in _required(action.tool) and entity.key is not None and not action.shown:
        verb = "get" if not several_asked(given, keys) and not _plural_name(action) else "list"
    return structs.replace(action, verb=verb, keys=keys, holder=holder)


def _plural_name(action: Action) -> bool:
    last = split_identifier(action.tool.name)[-1:]
    return bool(last) and singular(last[0]) != last[0]


def several_asked(given: Mapping[str, JSON], keys: str | None) -> bool:
    """Whether a parameter takes a list of keys rather than one."""
    return keys is not None and _is_list(given.get(keys))


def entity_key_given(entity: Entity, given: Mapping[str, JSON]) -> bool:
    """Whether the caller chooses the key of a new thing."""
    return entity.key is not None and entity.key in given


def is_control(parameter: str) -> bool:
    """A parameter that says how much or in which order, not what."""
    parts = split_identifier(parameter)
    return bool(parts) and all(part in _CONTROLS for part in parts)
