"""Results → records, and the choice of one among them by what the user said."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct

from misstep.agents.zoo.english import as_date
from misstep.core.once import once_per_text
from misstep.core.tool import JSON
from misstep.core.words import as_number, atoms, content_stems, split_identifier, words

_ISO = re.compile(r"^\d{4}-\d\d-\d\d")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

Scalar = str | int | float | bool


class Record(Struct, frozen=True):
    """One record of a result: its own scalar fields, those of what it lies in, and every value below it."""

    fields: dict[str, Scalar]
    inherited: dict[str, Scalar]
    values: tuple[Scalar, ...]

    @property
    def describes(self) -> bool:
        """Whether there are words below it that could tell it from others."""
        return any(isinstance(value, str) and value not in self.fields.values() for value in self.values)

    def get(self, name: str) -> Scalar | None:
        return self.fields.get(name, self.inherited.get(name))


def records(content: JSON, inherited: Mapping[str, Scalar] | None = None) -> Iterator[Record]:
    """Every object in a result, outer ones first."""
    if isinstance(content, dict):
        fields = {name: value for name, value in cast("dict[str, JSON]", content).items() if isinstance(value, Scalar)}
        own = dict(inherited or {})
        yield Record(fields=fields, inherited=own, values=tuple(_scalars(cast("JSON", content))))
        for value in cast("dict[str, JSON]", content).values():
            if isinstance(value, dict | list):
                yield from records(cast("JSON", value), own | fields)
    elif isinstance(content, list):
        for value in cast("list[JSON]", content):
            yield from records(value, inherited)


def _scalars(content: JSON) -> Iterator[Scalar]:
    if isinstance(content, dict):
        for value in cast("dict[str, JSON]", content).values():
            yield from _scalars(value)
    elif isinstance(content, list):
        for value in cast("list[JSON]", content):
            yield from _scalars(value)
    elif isinstance(content, Scalar):
        yield content


def with_field(content: JSON, name: str) -> list[Record]:
    """The records of a result that carry a field, one for each value of it."""
    found: dict[Scalar, Record] = {}
    for record in records(content):
        if name in record.fields:
            found.setdefault(record.fields[name], record)
    return list(found.values())


def has_field(content: JSON, name: str) -> bool:
    """Whether a result is itself one record with the field, rather than a list of such."""
    return isinstance(content, dict) and name in content


def marks(texts: Sequence[str]) -> frozenset[str]:
    """What in a text can tell one record from another: stems, numbers and dates."""
    return frozenset[str]().union(*(_marks_in(text) for text in texts))


@once_per_text
def _marks_in(text: str) -> frozenset[str]:
    found = set(content_stems(text))
    for atom in atoms(text):
        if atom.kind == "number":
            found.add(f"#{as_number(atom.text)}")
        elif atom.kind in ("email", "code"):
            found.add(atom.text.lower())
        elif iso := as_date(atom.text):
            found.update((iso, iso[5:]))
        elif iso := as_date(f"{atom.text} 2000"):
            found.add(iso[5:])
    return frozenset(found)


def _marks_of(record: Record) -> frozenset[str]:
    found: set[str] = set()
    for value in (*record.values, *record.inherited.values()):
        if isinstance(value, str):
            found.update(_marks_in(value), {value[:10], value[5:10]} if _ISO.match(value) else ())
        elif not isinstance(value, bool):
            found.add(f"#{float(value)}")
    return frozenset(found)


def narrowed(
    found: Sequence[Record],
    said: Sequence[str],
    *,
    against: Sequence[str] = (),
    ignoring: frozenset[str] = frozenset(),
) -> list[Record]:
    """The records that fit what was said best; several where nothing said tells them apart."""
    if len(found) < 2:
        return list(found)
    every = [_marks_of(record) for record in found]
    shared = frozenset[str].intersection(*every)
    unwanted = marks(against) - shared
    kept = [record for record, marked in zip(found, every, strict=True) if not marked & unwanted]
    if 0 < len(kept) < len(found):
        return narrowed(kept, said, ignoring=ignoring)
    told = marks(said)
    fits = [(marked & told) - shared - ignoring for marked in every]
    return [
        record
        for record, fit in zip(found, fits, strict=True)
        if not any(fit < other for other in fits) and (fit or not any(fits))
    ]


def bearing(found: Sequence[Record], said: Iterable[tuple[str, str]]) -> list[Record]:
    """The records that bear most of what was said under the names of their fields; all where none bears any."""
    told = list(said)
    borne = [sum(_bears(record, spoken, value) for spoken, value in told) for record in found]
    most = max(borne, default=0)
    return [record for record, count in zip(found, borne, strict=True) if count == most]


def _bears(record: Record, spoken: str, value: str) -> bool:
    held = [str(each) for name, each in record.fields.items() if " ".join(split_identifier(name)) == spoken]
    return any(value.lower() == each.lower() or (as_date(value) or value) == each for each in held)


def meant_of(content: JSON, said: Sequence[str], *, ignoring: frozenset[str]) -> JSON:
    """A result that is one list, without the records that fit less than others what was said."""
    listed = _only_list(content)
    tops = [next(records(each), None) for each in listed]
    kept = narrowed([top for top in tops if top is not None], said, ignoring=ignoring)
    meant = [each for each, top in zip(listed, tops, strict=True) if any(top is one for one in kept)]
    return meant or content


def _only_list(content: JSON) -> list[JSON]:
    values = list(cast("dict[str, JSON]", content).values()) if isinstance(content, dict) else [content]
    return cast("list[JSON]", values[0]) if len(values) == 1 and isinstance(values[0], list) else []


def pointed_at(answer: str, found: Sequence[Record], shown: Sequence[str]) -> list[Record]:
    """The records that an answer to a list of options means: by what was shown of them, by position, by description."""
    text = answer.lower()
    by_key = [record for record, key in zip(found, shown, strict=True) if key and key.lower() in text]
    if by_key:
        return by_key
    said = words(answer)
    for position, word in enumerate(_ORDINALS[: len(found)]):
        if word in said or re.search(rf"\b(?:option|number|no\.?|#)\s*{position + 1}\b|^\W*{position + 1}\W*$", text):
            return [found[position]]
    if "last" in said:
        return [found[-1]]
    fitting = narrowed(found, [answer])
    return fitting if len(fitting) < len(found) else []
