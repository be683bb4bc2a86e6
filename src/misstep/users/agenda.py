"""A person's goals in a conversation: which are in play, which wait, and what is known of those in play."""

import re
from collections.abc import Container, Sequence

from misstep.core.scenario import Goal
from misstep.core.words import atoms, content_stems, words
from misstep.users.ledger import Entry, Ledger, wish_of
from misstep.users.phrasing import is_sentence
from misstep.users.recognising import is_of_the_wish, is_shown
from misstep.wording.values import folded, spot

_SEVERAL = re.compile(r"\b(?:all|every|each|both|as many)\b", re.IGNORECASE)
_TO_KNOW = frozenset("know see check find learn hear ask tell understand read look get".split())


class Agenda:
    """Goals marked `after` come up one by one, each when what was in play is settled."""

    def __init__(self, ledger: Ledger) -> None:
        person = ledger.person
        self.open = [goal for goal in person.goals if not goal.after]
        """The goals in play."""
        self.waiting = [goal for goal in person.goals if goal.after]
        self.asides = list(person.asides) if self.waiting else []
        self._person = person
        self._ledger = ledger
        self._own = ledger.own_stems.union(*(content_stems(entry.value) for entry in ledger.entries))
        self._known = self._own.union(*(content_stems(entry.name) for entry in ledger.entries))

    def at_hand(self) -> list[Entry]:
        """What the person thinks of: all but facts of goals that were not said yet."""
        last = max((self._person.goals.index(goal) for goal in self.open), default=len(self._person.goals))
        return [entry for entry in self._ledger.entries if min(entry.fact.goals, default=0) <= last]

    def facts_of(self, goals: Sequence[Goal]) -> list[Entry]:
        """What may be told of some goals."""
        places = {self._person.goals.index(goal) for goal in goals}
        return [entry for entry in self.at_hand() if entry.open and entry.about(places)]

    def rest(self, told: Container[str]) -> list[Entry]:
        """What was not told yet of the goals in play."""
        return [entry for entry in self.facts_of(self.open) if entry.name not in told]

    def goals_in(self, text: str) -> list[Goal]:
        """Of several goals in play, those that are spoken of most."""
        if len(self.open) < 2:
            return self.open
        seen, roots = spot(text), frozenset(content_stems(text))
        scores = [
            sum(is_shown(entry, seen) for entry in self.facts_of([goal])) + len(roots & {*content_stems(wish_of(goal))})
            for goal in self.open
        ]
        return [goal for goal, score in zip(self.open, scores, strict=True) if score == max(scores)]

    def is_to_know(self, goal: Goal) -> bool:
        """The goal is to be told something, and nothing is to be done for it."""
        wish = wish_of(goal).rstrip()
        return wish.endswith("?") or next(iter(words(wish)), "") in _TO_KNOW

    def wants_several(self) -> bool:
        """All that there are, or as many as some limit allows."""
        return any(_SEVERAL.search(wish_of(goal)) for goal in self.open)

    def is_plainly_a_wish(self, proposal: str) -> bool:
        return any(self.is_the_wish(proposal, goal) for goal in self.open)

    def is_the_wish(self, proposal: str, goal: Goal) -> bool:
        """Whether what is proposed is plainly this goal."""
        wish = wish_of(goal)
        if is_sentence(wish):
            wish = " ".join(content_stems(wish)[:1])
        return is_of_the_wish(proposal, wish, self._own, self._known)

    def is_declined(self, proposal: str) -> bool:
        said = frozenset(content_stems(proposal)) if self._person.declines else frozenset[str]()
        return any(said.issuperset(content_stems(each)) for each in self._person.declines)

    def limit_in(self, proposal: str) -> str | None:
        """A limit of the person's, where the proposal shows a literal that stands in it and in no fact."""
        shown = {folded(atom.text) for atom in atoms(proposal)} if self._person.constraints else set[str]()
        for limit in self._person.constraints if shown else ():
            for atom in atoms(limit):
                known = any(is_shown(entry, spot(atom.text)) for entry in self._ledger.entries)
                if atom.kind != "number" and folded(atom.text) in shown and not known:
                    return limit
        return None
