"""A person's goals in a conversation: which were said, which wait, and which the agent has passed over."""

from collections.abc import Set

from msgspec import structs

from misstep.core.scenario import Goal
from misstep.core.words import content_stems
from misstep.users.ledger import Ledger
from misstep.wording.topics import actions_in


class Agenda:
    """Goals marked `after` come up one by one, each when what was said before is settled."""

    def __init__(self, goals: tuple[Goal, ...]) -> None:
        self._together = [goal for goal in goals if not goal.after]
        self._open = list(self._together)
        self._waiting = [goal for goal in goals if goal.after]
        self._reminded: list[Goal] = []
        self._stems = {goal.ask: frozenset(content_stems(goal.ask)) for goal in goals}
        self._actions = {goal.ask: actions_in(goal.ask) for goal in goals}

    @property
    def said(self) -> tuple[Goal, ...]:
        """What was asked for so far, or will be with the opening."""
        return tuple(self._open)

    @property
    def current(self) -> Goal | None:
        return self._open[-1] if self._open else None

    def at_hand(self, ledger: Ledger) -> Ledger:
        """With the facts that the goals said so far are about: the order of a later goal answers nothing now."""
        said = max(1, len(self._open))
        entries = tuple(entry for entry in ledger.entries if min(entry.fact.goals, default=0) < said)
        return ledger if len(entries) == len(ledger.entries) else structs.replace(ledger, entries=entries)

    def overlooked(self, heard_stems: Set[str], heard_actions: Set[str]) -> Goal | None:
        """A goal, of several said at once, that the agent has never touched upon; each is brought up once."""
        for goal in self._together if len(self._together) > 1 else ():
            if goal in self._reminded:
                continue
            others = frozenset[str]().union(*(self._stems[each.ask] for each in self._together if each is not goal))
            own = self._stems[goal.ask] - others
            if own and own.isdisjoint(heard_stems) and self._actions[goal.ask].isdisjoint(heard_actions):
                self._reminded.append(goal)
                return goal
        return None

    def next(self) -> Goal | None:
        """The next goal that was held back."""
        if not self._waiting:
            return None
        goal = self._waiting.pop(0)
        self._open.append(goal)
        return goal
