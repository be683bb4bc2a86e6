"""What a person is about to tell → the words for it, and what has been told by them so far."""

from collections.abc import Iterable, Sequence

from misstep.core.scenario import Goal
from misstep.users.ledger import Entry, Ledger, wish_of
from misstep.users.options import Option
from misstep.users.own_tools import OwnTools
from misstep.users.phrasing import Manner, Voice, capitalised
from misstep.users.recognising import is_shown
from misstep.wording.values import folded, form, holds, said, spot

_REASON = frozenset({"reason"})
_LONGEST_OPTION = 60


class Speaker:
    """One person's words. Keeps which facts were told, how often, and which of them wrongly at first."""

    def __init__(self, ledger: Ledger, voice: Voice, tools: OwnTools) -> None:
        self.told: dict[str, int] = {}
        self._slips: dict[str, Entry] = {}
        """Facts that were told wrongly and not put right yet."""
        self._slipping: set[str] = set()
        """Those of them that are told wrongly in this turn."""
        self._ledger = ledger
        self._voice = voice
        self._tools = tools
        self._room = 0

    def start_turn(self) -> None:
        """A new reply: as much room for facts as the person gives."""
        self._room = self._ledger.person.tells or len(self._ledger.entries)
        self._slipping = set()

    def say(self, group: str, key: str, **filling: str) -> str:
        return self._voice.say(group, key, **filling)

    async def opening(self, goals: Sequence[Goal]) -> str:
        """As it is written, or made from the goals and the facts of the opening; constraints behind it."""
        person, seen = self._ledger.person, spot(self._ledger.person.opening)
        rest = [text for text in person.constraints if folded(text) not in seen.folded]
        if not person.opening:
            first = [entry for entry in self._ledger.entries if entry.fact.reveal == "opening"]
            told = [await self._tell(entry, "several") for entry in first if entry.fact.from_tool is None]
            return self._voice.opening([goal.ask for goal in goals], [*self._voice.ordered(told), *rest])
        self.notice(person.opening)
        return " ".join((person.opening, *rest))

    def notice(self, text: str) -> None:
        """Whatever stands in what is said has been told by it, rightly or wrongly."""
        seen = spot(text)
        for entry in self._ledger.entries:
            if is_shown(entry, seen):
                self.told.setdefault(entry.name, 0)
                self._slips.pop(entry.name, None)
            elif entry.fact.at_first is not None and holds(seen, form(said(entry.fact.at_first))):
                self.told.setdefault(entry.name, 0)
                self._slip(entry)

    def wishes(self, goals: Sequence[Goal], key: str) -> list[str]:
        """The goals said again: the first in the frame of the key, others behind it."""
        return [self._voice.goal(wish_of(goal), "wishes", "also" if at else key) for at, goal in enumerate(goals)]

    def next(self, goal: Goal) -> str:
        return self._voice.goal(goal.ask, "openings", "next")

    async def tell(self, entries: Sequence[Entry]) -> list[str]:
        """So many of the facts as fit into one reply; of more than that, those first that were told least."""
        if len(entries) > self._room:
            entries = sorted(entries, key=lambda entry: self.told.get(entry.name, -1))[: self._room]
        self._room -= len(entries)
        frame = "fact" if len(entries) == 1 else "several"
        return self._voice.ordered([await self._tell(entry, frame) for entry in entries])

    async def repeat(self, entries: Iterable[Entry]) -> list[str]:
        """What was told before, beside a wish."""
        return [
            self.say("answers", "several", name=entry.name, value=entry.value)
            for entry in entries
            if entry.name not in self._slips and await self._tools.knows(entry.fact)
        ]

    async def wrong(self, entries: Iterable[Entry]) -> list[str]:
        """No, and how it is; nothing of what the person cannot know."""
        texts: list[str] = []
        for entry in entries:
            if await self._tools.knows(entry.fact):
                self.told.setdefault(entry.name, 0)
                self._slips.pop(entry.name, None)
                texts.append(self.say("answers", "wrong", name=entry.name, value=entry.value))
        return texts

    def put_right(self) -> tuple[list[str], frozenset[str]]:
        """What was told wrongly before this turn, corrected, and the names of that."""
        wrong = [entry for name, entry in self._slips.items() if name not in self._slipping]
        for entry in wrong:
            del self._slips[entry.name]
        said = [self.say("turns", "slip", name=entry.name, value=entry.value) for entry in wrong]
        return said, frozenset(entry.name for entry in wrong)

    def pick(self, option: Option) -> str:
        """A choice, named as the agent showed it."""
        text = option.text.rstrip(" .,;:?!")
        if text.split()[0].isalpha():
            text = capitalised(text)
        if len(text) > _LONGEST_OPTION:
            text = text[:_LONGEST_OPTION].rpartition(" ")[0].rstrip(" .,;:")
        if option.label:
            return self.say("options", "numbered", label=option.label, text=text)
        return self.say("options", "named", text=text)

    async def _tell(self, entry: Entry, frame: str) -> str:
        if not await self._tools.knows(entry.fact):
            return self.say("answers", "not_there", name=entry.name)
        times = self.told.get(entry.name)
        self.told[entry.name] = (times or 0) + 1
        if times is None and entry.fact.at_first is not None:
            self._slip(entry)
            return self.say("answers", frame, name=entry.name, value=said(entry.fact.at_first))
        self._slips.pop(entry.name, None)
        way = self._voice.choice((entry.value, *entry.fact.says))
        if way.endswith((".", "!", "?")):
            return way
        if times:
            frame = "again"
        elif frame == "fact" and _REASON in entry.senses:
            frame = "reason"
        return self.say("answers", frame, name=entry.name, value=way)

    def _slip(self, entry: Entry) -> None:
        self._slips[entry.name] = entry
        self._slipping.add(entry.name)


def voice_of(ledger: Ledger, seed: int, manner: Manner) -> Voice:
    """How this person speaks."""
    return Voice(seed, manner, ledger.person.voice)
