"""What an emulated tool has said so far, and whether what it is about to say contradicts it."""

from collections.abc import Iterator, Mapping
from typing import cast

import msgspec
from msgspec import Struct

from misstep.core.tool import JSON, Answer, Tool
from misstep.core.words import atoms, split_identifier

_IDENTITY = frozenset("id uuid guid key sku slug ref reference handle path uri url".split())
_ALONE = frozenset("id uuid guid key path".split())
"""Names that say which record it is with nothing else beside them."""

_ALIKE = 0.5
_LONGEST = 2000

_encoder = msgspec.json.Encoder(order="deterministic")

Identity = tuple[tuple[str, str], ...]
"""Fields and their values that, together, say which thing a record is about."""


class Exchange(Struct, frozen=True, omit_defaults=True):
    """A call and what it was answered with."""

    tool: str
    arguments: dict[str, JSON]
    content: JSON
    is_error: bool = False


class Told:
    """All exchanges in order, and the records in them by what identifies each.

    A record holds until a call that does more than read mentions it. One that destroys and mentions nothing known may
    have changed anything.
    """

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []
        self._records: dict[Identity, list[dict[str, JSON]]] = {}
        self._reads: dict[bytes, Answer] = {}

    def again(self, tool: Tool, arguments: Mapping[str, JSON]) -> Answer | None:
        """What this very question was answered with, where it reads and nothing was done since."""
        return self._reads.get(_question(tool, arguments)) if tool.effect == "reads" else None

    def about(self, arguments: Mapping[str, JSON]) -> list[dict[str, JSON]]:
        """The records that a call's arguments mention."""
        given = list(_scalars(dict(arguments)))
        found: list[dict[str, JSON]] = []
        for identity, records in self._records.items():
            if _mentions(given, identity):
                found += [record for record in records if record not in found]
        return found

    def contradiction(self, tool: Tool, arguments: Mapping[str, JSON], content: JSON) -> str | None:
        """A sentence that names a value which was told otherwise; None where all agree."""
        changed = self._released(tool, arguments)
        for record, identity in _identified(content, arguments):
            known = self._known(identity, record)
            if known is None or identity in changed:
                continue
            for field, value in record.items():
                if field in known and _is_plain(value) and _is_plain(known[field]) and known[field] != value:
                    return f"{_called(identity)} was told with {field} {_shown(known[field])}, not {_shown(value)}."
        return None

    def _known(self, identity: Identity, record: Mapping[str, JSON]) -> dict[str, JSON] | None:
        """The record of the same kind: ids of different kinds may be equal."""
        return next((each for each in self._records.get(identity, ()) if _alike(each, record, identity)), None)

    def add(self, tool: Tool, arguments: Mapping[str, JSON], answer: Answer) -> None:
        self.exchanges.append(Exchange(tool.name, dict(arguments), answer.content, answer.is_error))
        if tool.effect != "reads":
            self._reads.clear()
            for identity in self._released(tool, arguments):
                del self._records[identity]
        else:
            self._reads[_question(tool, arguments)] = answer
        if not answer.is_error:
            for record, identity in _identified(answer.content, arguments):
                known = self._known(identity, record)
                if known is None:
                    self._records.setdefault(identity, []).append(dict(record))
                else:
                    known |= record

    def _released(self, tool: Tool, arguments: Mapping[str, JSON]) -> list[Identity]:
        """What a call may have changed."""
        if tool.effect == "reads":
            return []
        given = list(_scalars(dict(arguments)))
        mentioned = [identity for identity in self._records if _mentions(given, identity)]
        return mentioned or (list(self._records) if tool.effect == "destroys" else [])


def _identified(content: JSON, arguments: Mapping[str, JSON]) -> list[tuple[dict[str, JSON], Identity]]:
    """Each record in an answer, once for each thing that identifies it.

    That is all its fields which look like keys, together; one that is called just `id` or the like, alone; and one
    whose value was asked for, where no other record in the answer has it.
    """
    records = list(_records(content))
    asked = {_text(each) for each in _scalars(dict(arguments))}
    found: list[tuple[dict[str, JSON], Identity]] = []
    for record in records:
        keys = tuple(sorted((name, _text(value)) for name, value in record.items() if _is_key(name, value)))
        alone = [(name, text) for name, text in keys if name.lower() in _ALONE]
        alone += [(name, text) for name, text in keys if text in asked and _is_only(name, text, records)]
        identities = dict.fromkeys([keys, *((each,) for each in alone)])
        found += [(record, identity) for identity in identities if identity]
    return found


def _is_only(name: str, text: str, records: list[dict[str, JSON]]) -> bool:
    return sum(name in each and _text(each[name]) == text for each in records) == 1


def _records(value: JSON) -> Iterator[dict[str, JSON]]:
    if isinstance(value, dict):
        record = cast("dict[str, JSON]", value)
        if len(record) > 1:
            yield record
        for each in record.values():
            yield from _records(each)
    elif isinstance(value, list):
        for each in cast("list[JSON]", value):
            yield from _records(each)


def _is_key(name: str, value: JSON) -> bool:
    """By its name, or as a value that nobody could have phrased."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return False
    if (split_identifier(name) or [""])[-1] in _IDENTITY:
        return True
    if isinstance(value, int):
        return False
    found = atoms(value)
    return len(found) == 1 and found[0].kind == "code" and found[0].text == value.strip()


def _alike(one: Mapping[str, JSON], other: Mapping[str, JSON], identity: Identity) -> bool:
    """Are they views of one kind of thing, going by the fields beside those that identify it?"""
    keys = {name for name, _ in identity}
    fields, others = one.keys() - keys, other.keys() - keys
    return len(fields & others) >= _ALIKE * min(len(fields), len(others))


def _mentions(given: list[JSON], identity: Identity) -> bool:
    texts = [_text(each) for each in given]
    return any(text == value or (len(value) > 2 and value in text) for _, value in identity for text in texts)


def _scalars(value: JSON) -> Iterator[JSON]:
    if isinstance(value, dict):
        for each in cast("dict[str, JSON]", value).values():
            yield from _scalars(each)
    elif isinstance(value, list):
        for each in cast("list[JSON]", value):
            yield from _scalars(each)
    else:
        yield value


def _question(tool: Tool, arguments: Mapping[str, JSON]) -> bytes:
    return _encoder.encode((tool.name, dict(arguments)))


def _is_plain(value: JSON) -> bool:
    return not isinstance(value, (dict, list))


def _text(value: JSON) -> str:
    return value if isinstance(value, str) else _encoder.encode(value).decode()


def _shown(value: JSON) -> str:
    text = _encoder.encode(value).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _called(identity: Identity) -> str:
    return "The record with " + " and ".join(f"{name} {value!r}" for name, value in identity)
