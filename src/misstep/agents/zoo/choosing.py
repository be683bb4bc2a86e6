"""A message and the tools on offer → the goals in it, each with the tool that is for it."""

from collections.abc import Collection, Sequence

from misstep.agents.zoo.acts import meant_by
from misstep.agents.zoo.filling import value_in
from misstep.agents.zoo.notes import Task
from misstep.agents.zoo.offer import Capability, Offer, Parameter
from misstep.agents.zoo.quoting import quotes
from misstep.agents.zoo.reading import Clause, clauses
from misstep.agents.zoo.stating import stated
from misstep.core.tool import JSON
from misstep.core.words import split_identifier, stem, words

LEAST_FIT = 2.0
_ENOUGH = 2


class Choice:
    """What a message is about, seen from the tools. `preliminary`: tools that are there for what comes after them."""

    def __init__(self, message: str, offer: Offer, preliminary: Collection[str], avoiding: Sequence[str]) -> None:
        self._message = message
        self._offer = offer
        self._preliminary = preliminary
        self._avoiding = avoiding

    def tasks(self) -> list[Task]:
        """The goals, in the order in which they were named."""
        parts = [each for each in clauses(self._message) if each.kind in ("wants", "asks")]
        found = [task for part in parts if not self._only_states(part) for task in self._goals(part)]
        return _without_repeats(found or self._meant(parts) or self._supplied(parts) or self._fallback(parts))

    def _only_states(self, part: Clause) -> bool:
        """Whether a clause gives a value under a name, and names no act: `the colour: green`."""
        given = stated(part.text, self._offer.labels)
        meant = meant_by(part.text, frozenset(part.stems)) | set(part.stems)
        acts = {each.named[0] for each in self._offer.capabilities if each.named}
        return part.kind == "wants" and any(one.firm for one in given) and not acts & meant

    def _supplied(self, parts: Sequence[Clause]) -> list[Task]:
        """Nobody names an act: the tool for which all was told that it needs, if it takes more of it than others do."""
        if not any(part.kind == "wants" for part in parts):
            return []
        found: list[tuple[float, Capability]] = []
        for each in self._offer.capabilities:
            told = self._told(each)
            missing = sum(one not in told for one in each.required)
            if not each.reads and len(told) >= _ENOUGH and missing <= 1:
                found.append((len(told) - 1.5 * missing + self._offer.fit(each, parts[0].stems) / 10.0, each))
        found.sort(key=lambda one: -one[0])
        clear = len(found) == 1 or (len(found) > 1 and found[0][0] > found[1][0])
        return [self._task(found[0][1], self._message, {})] if clear else []

    def _goals(self, part: Clause) -> list[Task]:
        asks = part.kind == "asks"
        scored = [(self._score(each, fit, part), each) for fit, each in self._offer.ranked(part.stems, reads=asks)]
        if asks:
            scored = [pair for pair in scored if not self._only_prepares(pair[1])] or scored
        if not scored or max(score for score, _ in scored) < LEAST_FIT:
            return []
        best = max(scored, key=lambda pair: pair[0])[1]
        if not asks and not self._offer.names_act(best, part.stems) and not self._names_what_it_takes(best, part):
            return []
        targets = _targets(best, part.text, self._avoiding)
        return [self._task(best, part.text, chosen) for chosen in targets]

    def _score(self, capability: Capability, fit: float, part: Clause) -> float:
        if part.kind == "wants":
            told = [each for each in self._told(capability) if not each.identifies]
            meant = set(capability.named[:1]) & (meant_by(part.text, frozenset(part.stems)) | set(part.stems))
            return fit + 2.0 * self._named_things(capability, part.text) + 0.8 * len(told) + 2.0 * bool(meant)
        asked = 2.0 * self._offer.gives_asked(capability, part.stems) + self._described(capability)
        return fit + asked + self._readiness(capability)

    def _names_what_it_takes(self, capability: Capability, part: Clause) -> bool:
        """Whether the act is meant, and what it is done to or sets is named: `change the street`."""
        said = set(part.stems)
        verb = set(capability.named[:1]) & (meant_by(part.text, frozenset(said)) | said)
        named = bool(said & set(capability.named[1:]))
        return bool(verb) and (named or any(each.stems <= said for each in self._told(capability)))

    def _named_things(self, capability: Capability, clause: str) -> int:
        """How many of the things that a tool acts on were named outright."""
        things = [each for each in capability.required if each.identifies and each.pattern]
        return max(sum(value_in([text], each) is not None for each in things) for text in (clause, self._message))

    def _described(self, capability: Capability) -> int:
        """How many things were said of what is asked about that a tool shows and no tool is given."""
        labels = {one.label for one in stated(self._message, self._offer.labels)}
        given = {each.spoken for one in self._offer.capabilities for each in one.parameters}
        shown = {" ".join(split_identifier(name)) for name in capability.gives}
        return len(labels & (shown - given))

    def _only_prepares(self, capability: Capability) -> bool:
        """Whether a tool is there for what comes after it, and was not given all that it needs."""
        told = all(value_in([self._message], each) is not None for each in capability.required)
        return capability.name in self._preliminary and not (capability.required and told)

    def _told(self, capability: Capability) -> list[Parameter]:
        labels, fresh = self._offer.labels, not capability.reads
        said = [self._message]
        return [each for each in capability.parameters if value_in(said, each, fresh=fresh, labels=labels) is not None]

    def _readiness(self, capability: Capability) -> float:
        """A look-up whose arguments were all told is nearer than one that needs others first."""
        told = self._told(capability)
        missing = [each for each in capability.required if each not in told]
        beside = any(self._stands_beside(each) for each in told)
        return 2.0 * bool(told) + beside - 1.0 * len(missing) - 2.0 * (len(told) < capability.least)

    def _stands_beside(self, parameter: Parameter) -> bool:
        """Whether the word before a thing that is named is one of the parameter's."""
        value = str(value_in([self._message], parameter, labels=self._offer.labels))
        before = words(self._message.partition(value)[0])[-1:]
        return parameter.identifies and any(stem(word) in parameter.stems | parameter.about for word in before)

    def _meant(self, parts: Sequence[Clause]) -> list[Task]:
        """No clause names an act as a tool does: the tool for the same act that what was told fits best."""
        found: list[tuple[float, Capability, str]] = []
        for part in parts:
            meant = meant_by(part.text, frozenset(part.stems)) if part.kind == "wants" else frozenset[str]()
            acting = [each for each in self._offer.capabilities if not each.reads and set(each.named[:1]) & meant]
            found.extend((self._fits(each, part), each, part.text) for each in acting)
        best = max(found, key=lambda one: one[0], default=None)
        return [self._task(best[1], best[2], {})] if best and best[0] > 0 else []

    def _fits(self, capability: Capability, part: Clause) -> float:
        """How well a tool that acts fits what was told, whatever the act is called."""
        told = self._told(capability)
        untold = [each for each in capability.required if not each.identifies and each not in told]
        open_texts = min(len(quotes(self._message)), sum(each.is_free_text for each in untold))
        things = 2.0 * self._named_things(capability, part.text)
        named = 2.0 * len(set(part.stems) & set(capability.named[1:])) + self._offer.fit(capability, part.stems) / 3.0
        return 0.5 + things + named + sum(not each.identifies for each in told) - (len(untold) - open_texts)

    def _fallback(self, parts: Sequence[Clause]) -> list[Task]:
        """No clause says it alone: the whole message, taken as a wish to have something done, else to know it."""
        said = [word for part in parts for word in part.stems]
        for reads in (False, True):
            ranked = self._offer.ranked(said, reads=reads)
            ranked = [each for each in ranked if reads or self._offer.names_act(each[1], said)]
            ranked = [each for each in ranked if each[1].name not in self._preliminary]
            if ranked and ranked[0][0] >= LEAST_FIT:
                return [self._task(ranked[0][1], self._message, {})]
        return []

    def _task(self, capability: Capability, clause: str, chosen: dict[str, JSON]) -> Task:
        task = Task(capability, clause, self._message)
        task.chosen.update(chosen)
        return task


def _targets(capability: Capability, text: str, avoiding: Sequence[str]) -> list[dict[str, JSON]]:
    """One set of identifiers for each thing that a clause names of the kind the tool acts on."""
    forms = [each.pattern for each in capability.parameters]
    for parameter in capability.required:
        if parameter.identifies and forms.count(parameter.pattern) == 1 and not capability.reads:
            found: list[dict[str, JSON]] = []
            rest = text
            while (value := value_in([rest], parameter, avoiding=avoiding)) is not None:
                found.append({parameter.name: value})
                rest = rest.replace(str(value), " ")
            if len(found) > 1:
                return found
    return [{}]


def _without_repeats(tasks: Sequence[Task]) -> list[Task]:
    kept: list[Task] = []
    for task in tasks:
        if not any(each.capability is task.capability and each.chosen == task.chosen for each in kept):
            kept.append(task)
    return kept
