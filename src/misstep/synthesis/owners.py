"""The records of a toolbox → whose each of them is, so that one conversation is about one person."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import structs

from misstep.core.errors import UsageError, suggestion
from misstep.core.scenario import Scalar
from misstep.core.words import split_identifier
from misstep.synthesis.task import Owners, Task, is_key
from misstep.synthesis.tasks.graph import Finder
from misstep.synthesis.tasks.looks import is_code, is_date, noun_of
from misstep.synthesis.tasks.surveying import Field, Row, Survey, leaves, text
from misstep.wording.requests.forms import is_of_speaker

_FAR = 4
"""A refund hangs on a payment, that on an order, and that on a customer."""
_SAMPLE = 40
_MAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_PHONE = re.compile(r"(?=(?:\D*\d){7})\+?[\d ()/.-]+")
_WORD = re.compile(r"(?<![\w#/:-])[\w#/:-]*\w")
_NOBODY: frozenset[str] = frozenset()


class Ownership:
    """Learnt from how records refer to each other; or declared, as tables of persons and as fields that name one."""

    def __init__(
        self, survey: Survey, finders: Mapping[str, Sequence[Finder]], declared: Sequence[str] | None = None
    ) -> None:
        self._survey = survey
        self._finders = finders
        self._fields = frozenset(each for each in declared or () if "." in each)
        self._learns = declared is None
        self.persons = _persons(survey) if declared is None else self._declared(declared)
        """The tables that hold those who speak."""
        self._known: dict[int, frozenset[str]] = {}

    def _declared(self, declared: Sequence[str]) -> frozenset[str]:
        """Tables that are named, that a named field refers to, or whose keys would stand under a named argument."""
        survey = self._survey
        named = [field for field in survey.fields if self._names_one(field.path, field.table)]
        alone = [each.removeprefix("*.") for each in declared if each.startswith("*.")]
        keyed = (table for table in survey.tables if any(survey.says(each, table) for each in alone))
        return frozenset(
            (*(each for each in declared if "." not in each), *keyed, *(to for _, to in _links(survey, named)))
        )

    def _names_one(self, name: str, table: str) -> bool:
        """Whether it was said that whoever stands there is the one whose record it is."""
        return not self._fields.isdisjoint((f"{table}.{name}", f"*.{name}"))

    def owned(self, task: Task) -> Task | None:
        """With whose records it is about. None for a question that nobody asks, since they know it of themselves, and
        for what has a text in it that speaks of somebody else's."""
        found = dict.fromkeys(own for row in self._rows_of(task) if (own := self.of_row(row)))
        found.update((own, None) for name, value in _said_in(task) if (own := self._named(name, value)))
        spoken = [own for row in self._spoken_of(task) if (own := self.of_row(row))]
        if spoken and not one_person([(*found, *spoken)]):
            return None
        who = frozenset[str].intersection(*found) if found else _NOBODY
        own = self.by_heart(who)
        if task.kind == "question" and any(text(form) in own for fact in task.told for form in fact.any_of):
            return None
        doubtful = tuple(each for each in task.premises if text(each.true) not in own)
        return structs.replace(task, owners=tuple(found), premises=doubtful)

    def of_row(self, row: Row) -> frozenset[str]:
        """Those whose record it is; of one that belongs to nobody, nobody."""
        if id(row) not in self._known:
            self._known[id(row)] = self._nearest(row, self._said_by) or self._nearest(row, self._given_to)
        return self._known[id(row)]

    def by_heart(self, who: frozenset[str]) -> frozenset[str]:
        """What these persons are found by, called, and reached at, so that they ask nobody for it."""
        found: set[str] = set()
        for row in (self._people[each] for each in who if each in self._people):
            found_by = {field.path for each in self._finders.get(row.table, ()) for _, field in each.inputs}
            found |= {
                text(value)
                for path, value in row.leaves
                if path in found_by or _is_name(path) or text(value) == row.key or _is_contact(value)
            }
        return frozenset(found)

    def _nearest(self, row: Row, owners: Callable[[Row], frozenset[str]]) -> frozenset[str]:
        """Those of the record, or else of the records that it refers to, or of those that these refer to."""
        seen, here = {id(row)}, [row]
        for _ in range(_FAR):
            if found := _NOBODY.union(*map(owners, here)):
                return found
            beyond = {id(other): other for each in here for other in self._refers(each)}
            here = [other for at, other in beyond.items() if at not in seen]
            seen |= beyond.keys()
        return _NOBODY

    def _refers(self, row: Row) -> Iterator[Row]:
        return (other for path, value in row.leaves for other in self._survey.refers(path, value))

    def _said_by(self, row: Row) -> frozenset[str]:
        if row.table in self.persons:
            return frozenset({_label(row)})
        return _NOBODY.union(*(self._named(path, value, row.table) for path, value in row.leaves))

    def _named(self, name: str, value: Scalar, table: str = "") -> frozenset[str]:
        """Whom a value is that stands under a word for who speaks, `customer_email`, and is no key of a record; or
        where it was said that it names somebody."""
        said = self._names_one(name, table)
        rows = self._survey.refers(name, value)
        if said and rows:
            return frozenset(map(_label, rows))
        if rows or not isinstance(value, str) or not (said or (self._learns and _names_speaker(name, value))):
            return _NOBODY
        people = frozenset(each for each, row in self._people.items() if value in row.texts)
        return people or frozenset({value.casefold()})

    def _given_to(self, row: Row) -> frozenset[str]:
        """Those whose own record refers to it, and those for whom it was shown."""
        return self._claims.get(id(row), _NOBODY) or _NOBODY.union(
            *(
                self.of_row(each)
                for value in row.asked
                for each in self._survey.named_by(value)
                if each.table in self.persons
            )
        )

    @cached_property
    def _people(self) -> dict[str, Row]:
        return {_label(row): row for table in sorted(self.persons) for row in self._survey.tables[table]}

    @cached_property
    def _claims(self) -> dict[int, frozenset[str]]:
        """What persons' records refer to, by a field under which no two refer to the same: their orders, no tariffs."""
        found: defaultdict[str, defaultdict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for row in self._people.values():
            for path, value in row.leaves:
                for other in self._survey.refers(path, value):
                    found[f"{row.table}.{path}"][id(other)].add(_label(row))
        alone = [claims for claims in found.values() if all(len(each) == 1 for each in claims.values())]
        return {at: frozenset(own) for claims in alone for at, own in claims.items()}

    def _rows_of(self, task: Task) -> Iterator[Row]:
        """The records that it reads or changes, and whose keys are said."""
        for place in task.touches:
            yield from self._kept.get(place, ())
        for name, value in _said_in(task):
            yield from self._survey.refers(name, value)

    def _spoken_of(self, task: Task) -> Iterator[Row]:
        """The records that what is made up speaks of: "We have shipped your order W-21734", somebody's mail address."""
        for text_ in (str(item.value) for item in task.items if item.role == "content"):
            codes = (word for word in _WORD.findall(text_) if is_code(word)) if " " in text_ else ()
            yield from (row for code in codes for row in self._survey.named_by(code))
            yield from (row for row in self._people.values() if _is_contact(text_) and text_ in row.texts)

    @cached_property
    def _kept(self) -> dict[tuple[str, str], list[Row]]:
        found: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
        for rows in self._survey.tables.values():
            for row in rows:
                found[row.kept].append(row)
        return found


def _said_in(task: Task) -> Iterator[tuple[str, Scalar]]:
    for step in task.steps:
        yield from leaves(step.arguments)
    yield from ((item.argument or item.name, item.value) for item in task.items)


def demand_tables(declared: Sequence[str], tables: Sequence[str]) -> None:
    """UsageError where what is declared names none of the tables that there are."""
    for table in (each.partition(".")[0] for each in declared):
        if table not in (*tables, "*"):
            raise UsageError(
                f"`owners` in the settings names {table!r}, but these tools hold no records of that name."
                f"{suggestion(table, tables)} There are: {', '.join(sorted(tables))}."
            )


def one_person(some: Sequence[Owners]) -> bool:
    """Whether there is somebody whose records all of these are; what is nobody's is everybody's."""
    held = [own for owners in some for own in owners]
    return not held or bool(frozenset[str].intersection(*held))


def _label(row: Row) -> str:
    return f"{row.table} {row.key}"


def _persons(survey: Survey) -> frozenset[str]:
    """Tables that others refer to, with a word for who speaks, or with an address or a number to reach each by."""
    links = _links(survey, survey.fields)
    referred = {to for _, to in links}
    spoken = {table for table in survey.tables if is_of_speaker(noun_of(table))}
    reached = {table for table in referred if _can_be_reached(survey.tables[table])}
    found = reached & spoken or referred & spoken or spoken or reached
    return frozenset(found - {table for table, to in links if to in found}) or frozenset(found)


def _links(survey: Survey, fields: Sequence[Field]) -> set[tuple[str, str]]:
    """Tables, and those that a field of theirs is there to refer to."""
    found: set[tuple[str, str]] = set()
    for field in fields:
        values = survey.values(field)[:_SAMPLE]
        counts = Counter(table for value in values for table in {row.table for row in survey.refers(field.path, value)})
        found.update(
            (field.table, to) for to, times in counts.items() if times * 2 >= len(values) and to != field.table
        )
    return found


def _can_be_reached(rows: Sequence[Row]) -> bool:
    """Each row has an own mail address or phone number beside its key."""
    for path in dict.fromkeys(path for row in rows[:_SAMPLE] for path, _ in row.leaves):
        held = [text(value) for row in rows for value in row.at(path) if _is_contact(value)]
        if len(held) == len(rows) == len(set(held)) and not set(held) & {row.key for row in rows}:
            return True
    return False


def _is_contact(value: Scalar) -> bool:
    if not isinstance(value, str) or is_date(value):
        return False
    return bool(_MAIL.fullmatch(value) or _PHONE.fullmatch(value))


def _is_name(path: str) -> bool:
    return split_identifier(path)[-1:] == ["name"]


def _names_speaker(name: str, value: Scalar) -> bool:
    """`customer`, `customer_name`, `member_id`; no `account_type`."""
    words = split_identifier(name.rpartition(".")[2])
    if words and is_of_speaker(words[-1]):
        return True
    return is_of_speaker(" ".join(words[:-1])) and (is_key(name) or _is_name(name) or _is_contact(value))
