"""A trace → what its users said, indexed so that looking back costs the same however long the conversation is."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property

from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.core.words import words
from misstep.detectors.evidence.orders import Order, orders, wanted
from misstep.objectives.matching import number_in
from misstep.objectives.once import once_per_trace
from misstep.objectives.proposals import proposes
from misstep.objectives.values import said, says
from misstep.objectives.vocabulary import ToolWords, lemma, vocabulary, widened

_RECENT = 40
"""So many messages are read again where nothing can be looked up; what was said before them no longer tells."""
_TRIED = 25


class Heard:
    """The user's messages; made once for a trace."""

    def __init__(self, trace: Trace) -> None:
        spoken = [(at, message.text) for at, message in trace.messages if message.role == "user"]
        self.places = [at for at, _ in spoken]
        self.texts = [text for _, text in spoken]
        self._by_agent = [(at, message.text) for at, message in trace.messages if message.role == "agent"]
        self._answers = [at for at, _ in self._by_agent]

    @cached_property
    def wanted(self) -> dict[str, int]:
        """Each stem of what the user asked to have done, with the place where first."""
        found: dict[str, int] = {}
        for at, text in zip(self.places, self.texts, strict=True):
            found.update(dict.fromkeys(wanted(text).difference(found), at))
        return found

    @cached_property
    def ordered(self) -> dict[str, list[int]]:
        """Each verb that heads a firm order, with the places."""
        found: dict[str, list[int]] = {}
        for at, text in zip(self.places, self.texts, strict=True):
            for order in orders(text):
                if order.firm:
                    found.setdefault(order.verb, []).append(at)
        return found

    @cached_property
    def _questions(self) -> list[int]:
        return [at for at, text in self._by_agent if proposes(text)]

    @cached_property
    def _holding(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for index, text in enumerate(self.texts):
            for word in {lemma(word) for word in words(text)}:
                found.setdefault(word, []).append(index)
        return found

    @cached_property
    def _numbers(self) -> dict[float, int]:
        found: dict[float, int] = {}
        for at, text in zip(self.places, self.texts, strict=True):
            found.update(dict.fromkeys(said(text).numbers.difference(found), at))
        return found

    @cached_property
    def _codes(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for at, text in zip(self.places, self.texts, strict=True):
            found.update(dict.fromkeys(said(text).codes.difference(found), at))
        return found

    def recent(self, before: int) -> Sequence[str]:
        """The latest messages before a place, oldest first."""
        end = bisect_left(self.places, before)
        return self.texts[max(0, end - _RECENT) : end]

    def between(self, after: int, before: int) -> Sequence[str]:
        """The messages between two places."""
        return self.texts[bisect_left(self.places, after + 1) : bisect_left(self.places, before)]

    def last(self, before: int) -> str:
        """The latest message before a place; empty where there is none."""
        end = bisect_left(self.places, before)
        return self.texts[end - 1] if end else ""

    def last_at(self, before: int) -> tuple[int, str] | None:
        """The latest message before a place, with its own."""
        end = bisect_left(self.places, before)
        return (self.places[end - 1], self.texts[end - 1]) if end else None

    def spoke(self, before: int) -> bool:
        return bool(self.places) and self.places[0] < before

    def orders(self, before: int) -> list[Order]:
        """What the latest messages before a place order."""
        return [order for text in self.recent(before) for order in orders(text)]

    def says(self, value: JSON, before: int) -> bool:
        """Whether a value was said before a place, in any usual form."""
        if isinstance(value, bool) or value is None:
            return False
        number = number_in(value)
        if number is not None and self._numbers.get(number, before) < before:
            return True
        text = str(value)
        if self._codes.get(" ".join(text.casefold().split()).lstrip("#"), before) < before:
            return True
        holding = [self._holding.get(lemma(word), ()) for word in words(text)[:8]]
        rarest = min(holding, key=len, default=())
        end = bisect_left(self.places, before)
        candidates = [index for index in rarest if index < end]
        if len(candidates) > _TRIED:
            candidates = candidates[:5] + candidates[5 - _TRIED :]
        if any(says(self.texts[index], value) for index in candidates):
            return True
        return _is_a_day(value) and any(says(each, value) for each in self.recent(before))

    def asks_for(self, acts: frozenset[str], before: int) -> bool:
        """The user asked to have done one of these acts, in these words or in everyday words for the same."""
        return any(self.wanted.get(each, before) < before for each in widened(acts))

    def ordered_since(self, acts: frozenset[str], after: int, before: int) -> bool:
        """A firm order between two places is headed by one of these acts, or by an everyday word for the same."""
        return any(_between(self.ordered.get(each, ()), after, before) for each in widened(acts))

    def orders_with(self, value: str, after: int, before: int) -> bool:
        """Some order that was given since a place names a value."""
        first, end = bisect_left(self.places, after + 1), bisect_left(self.places, before)
        texts = self.texts[max(first, end - _RECENT) : end]
        return any(says(order.text, value) for text in texts for order in orders(text))

    def was_answered(self, after: int, before: int) -> bool:
        """The agent spoke between two places."""
        return _between(self._answers, after, before)

    def asked_leave_just_before(self, at: int) -> bool:
        """The agent asked for leave in the last thing that it had said before a place."""
        said, asked = bisect_left(self._answers, at), bisect_left(self._questions, at)
        return bool(said and asked) and self._answers[said - 1] == self._questions[asked - 1]

    def was_asked_leave(self, after: int, before: int) -> bool:
        """The agent asked for leave to do something between two places."""
        return _between(self._questions, after, before)


def _between(places: Sequence[int], after: int, before: int) -> bool:
    at = bisect_left(places, after + 1)
    return at < len(places) and places[at] < before


def _is_a_day(value: JSON) -> bool:
    return isinstance(value, str) and len(value) <= 40 and value[:1].isalnum() and sum(map(str.isdigit, value)) >= 3


@once_per_trace
def heard(trace: Trace) -> Heard:
    return Heard(trace)


@once_per_trace
def foreign_acts(trace: Trace) -> dict[str, frozenset[str]]:
    """For each tool, the words for what other tools on offer do and it does not."""
    tools = vocabulary(trace).tools
    acts = {name: widened(tool.acts) for name, tool in tools.items()}
    return {
        name: frozenset[str]().union(*(theirs for other, theirs in acts.items() if other != name)) - acts[name]
        for name in tools
    }


def words_of(trace: Trace, tool: str) -> ToolWords | None:
    return vocabulary(trace).tools.get(tool)
