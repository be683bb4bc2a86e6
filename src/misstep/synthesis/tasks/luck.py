"""What worked and what did not → where good values come from, and which records are worth another try."""

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import TypeVar

from misstep.core.scenario import Scalar
from misstep.synthesis.tasks.surveying import Row, Survey

_FEW = 6
_TRUST = 10
_CAUTION = 20

_T = TypeVar("_T")


class Luck:
    """What one tool has been tried with."""

    def __init__(self, survey: Survey, random: Random) -> None:
        self._survey = survey
        self._random = random
        self._kinds: dict[str, list[str]] = {}
        self._traits_of: dict[int, list[tuple[str, str, Scalar | None]]] = {}
        self._told: dict[Hashable, tuple[int, int]] = {}

    def __bool__(self) -> bool:
        return bool(self._told)

    def note(self, told: Sequence[Hashable], times: int, well: bool) -> None:
        """Each was tried so many times, and it went well or not."""
        for each in told:
            tried, so_far = self._told.get(each, (0, 0))
            self._told[each] = (tried + times, so_far + well)

    def promise(self, row: Row) -> float:
        """How much a record looks like those that calls worked with."""
        promise = 1.0
        for trait in self.traits(row):
            tried, well = self._told.get(trait, (0, 0))
            promise *= (well + 0.5) / (tried + 1)
        return promise

    def lucky(self, what: Hashable) -> float:
        tried, well = self._told.get(what, (0, 0))
        return (_TRUST * well + _CAUTION) / (tried + _CAUTION)

    def traits(self, row: Row) -> list[tuple[str, str, Scalar | None]]:
        """The fields with few values, such as a status, and those that are empty in some records."""
        if id(row) in self._traits_of:
            return self._traits_of[id(row)]
        kinds = self._kinds.get(row.table)
        if kinds is None:
            fields = [field for field in self._survey.fields if field.table == row.table and "." not in field.path]
            kinds = [field.path for field in fields if len(self._survey.values(field)) <= _FEW]
            self._kinds[row.table] = kinds
        self._traits_of[id(row)] = traits = [(row.table, path, next(iter(row.at(path)), None)) for path in kinds]
        return traits

    def drawn(self, weights: Mapping[_T, float], told: tuple[Hashable, ...]) -> _T:
        """One of several, by what is likely at first and by what has worked; `told` is what luck is kept under."""
        now = [weight * self.lucky((*told, each) if told else each) for each, weight in weights.items()]
        return self._random.choices(list(weights), now)[0]
