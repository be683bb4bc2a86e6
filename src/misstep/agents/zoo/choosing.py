"""A message and the tools on offer → the goals in it, each with the tool that is for it."""

from collections.abc import Collection, Sequence

from misstep.agents.zoo.english import Clause, clauses, quotes
from misstep.agents.zoo.notes import Task
from misstep.agents.zoo.offer import Capability, Offer, Parameter
from misstep.agents.zoo.values import value_in
from misstep.core.words import stem, words

LEAST_FIT = 2.0


class Choice:
    """What a message is about, seen from the tools. `preliminary`: tools that are there for what comes after them."""

    def __init__(self, message: str, offer: Offer, preliminary: Collection[str] = ()) -> None:
        self._message = message
        self._offer = offer
        self._preliminary = preliminary
        self._told_by_tool: dict[str, list[Parameter]] = {}

    def tasks(self) -> list[Task]:
        """The goals, in the order in which they were named."""
        parts = [each for each in clauses(self._message) if each.kind != "rules-out"]
        found = [task for part in parts for task in self._goals(part)] or self._meant(parts) or self._fallback(parts)
        kept: dict[str, Task] = {}
        for task in found:
            kept.setdefault(task.capability.name, task)
        return list(kept.values())

    def _goals(self, part: Clause) -> list[Task]:
        asks = part.kind == "asks"
        scored = [(self._score(each, fit, part), each) for fit, each in self._offer.ranked(part.stems, reads=asks)]
        best = max(scored, key=lambda pair: pair[0], default=None)
        if best is None or best[0] < LEAST_FIT or not (asks or self._offer.names_act(best[1], part.stems)):
            return []
        return [Task(best[1], part.text, self._message)]

    def _score(self, capability: Capability, fit: float, part: Clause) -> float:
        told = self._told(capability)
        if part.kind == "wants":
            meant = capability.named[0] in part.acts
            things = self._named_things(capability, part)
            return fit + 2.0 * things + 0.8 * sum(not each.identifies for each in told) + 2.0 * meant
        # A look-up whose arguments were all told is nearer than one that needs others first.
        missing = sum(each not in told for each in capability.required)
        beside = any(self._stands_beside(each) for each in told)
        asked = 2.0 * self._offer.gives_asked(capability, part.stems)
        return fit + asked + 2.0 * bool(told) + beside - missing - 2.0 * (len(told) < capability.least)

    def _named_things(self, capability: Capability, part: Clause) -> int:
        """How many of the things that a tool acts on were named outright."""
        things = [each for each in capability.required if each.identifies]
        return max(sum(value_in([text], each) is not None for each in things) for text in (part.text, self._message))

    def _told(self, capability: Capability) -> list[Parameter]:
        if capability.name not in self._told_by_tool:
            labels, fresh = self._offer.labels, not capability.reads
            self._told_by_tool[capability.name] = [
                each
                for each in capability.parameters
                if value_in([self._message], each, fresh=fresh, labels=labels) is not None
            ]
        return self._told_by_tool[capability.name]

    def _stands_beside(self, parameter: Parameter) -> bool:
        """Whether the word before a thing that is named is one of the parameter's."""
        value = str(value_in([self._message], parameter, labels=self._offer.labels))
        before = words(self._message.partition(value)[0])[-1:]
        return parameter.identifies and any(stem(word) in parameter.stems | parameter.about for word in before)

    def _meant(self, parts: Sequence[Clause]) -> list[Task]:
        """No clause names an act as a tool does: the tool for the same act that what was told fits best."""
        found = [
            (self._fits(each, part), each, part.text)
            for part in parts
            for each in self._offer.capabilities
            if part.kind == "wants" and not each.reads and each.named[0] in part.acts
        ]
        best = max(found, key=lambda one: one[0], default=None)
        return [Task(best[1], best[2], self._message)] if best and best[0] > 0 else []

    def _fits(self, capability: Capability, part: Clause) -> float:
        """How well a tool that acts fits what was told, whatever the act is called."""
        told = self._told(capability)
        untold = [each for each in capability.required if not each.identifies and each not in told]
        open_texts = min(len(quotes(self._message)), sum(each.is_free_text for each in untold))
        things = 2.0 * self._named_things(capability, part)
        named = 2.0 * len(set(part.stems) & set(capability.named[1:])) + self._offer.fit(capability, part.stems) / 3.0
        return 0.5 + things + named + sum(not each.identifies for each in told) - (len(untold) - open_texts)

    def _fallback(self, parts: Sequence[Clause]) -> list[Task]:
        """No clause says it alone: the whole message, taken as a wish to have something done, else to know it."""
        said = [word for part in parts for word in part.stems]
        for reads in (False, True):
            for fit, each in self._offer.ranked(said, reads=reads):
                if each.name not in self._preliminary and (reads or self._offer.names_act(each, said)):
                    if fit >= LEAST_FIT:
                        return [Task(each, self._message, self._message)]
                    break
        return []
