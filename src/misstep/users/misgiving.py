"""What a person is about to do about a message → whether that may rest on a misreading, so that they ask back."""

from collections.abc import Collection

from msgspec import Struct

from misstep.users.weighing.deeds import Deed
from misstep.users.weighing.hearing import Hearing
from misstep.users.weighing.traits import Traits
from misstep.wording.facts import Entry

_MUCH, _MUCH_IN_BRIEF, _MUCH_IF_NAMED = 0.05, 0.08, 0.15
"""What is more likely a misreading is not done. In a few words what is said is plain, and there is less to go by; what
is asked for by its whole name hardly needs a second thought, whatever that name is."""


class Weighed(Struct, frozen=True):
    """One thing that was about to be done, and which facts it was about."""

    what: Deed
    about: frozenset[str]
    seen: Traits


class Misgivings:
    """One person's last check of what to do about the last message, whatever led there: one bound for all."""

    def __init__(self, hearing: Hearing) -> None:
        self.weighed: dict[tuple[Deed, frozenset[str]], Weighed] = {}
        """What it was asked about since something was last said: the examples that it is fitted to."""
        self._hearing = hearing

    def hears(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self.weighed.clear()

    def against(self, what: Deed, entries: Collection[Entry] = ()) -> bool:
        """Of who calls things by words that nobody has, the weights know nothing."""
        if not self._hearing.knows_the_names:
            return False
        about = frozenset(entry.name for entry in entries)
        found = self.weighed.get((what, about))
        if found is None:
            found = self.weighed[what, about] = Weighed(what, about, self._hearing.of_deed(what, about))
        return self._hearing.misread(found.seen) >= _bound(found.seen)


def _bound(seen: Traits) -> float:
    if seen.get("of it whole"):
        return _MUCH_IF_NAMED
    return _MUCH_IN_BRIEF if seen["brief"] else _MUCH
