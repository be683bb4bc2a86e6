"""What a person is about to do → the words for it, and what has been told by them so far."""

from collections.abc import Sequence

from misstep.core.scenario import Goal
from misstep.core.words import joined
from misstep.users.choosing import code_of, short_name
from misstep.users.ledger import Ledger
from misstep.wording.facts import Entry, said
from misstep.wording.options import Option
from misstep.wording.phrasing import Manner, Voice
from misstep.wording.values import Spotted, folded, form, holds, spot

_ORDINALS = 10


class Speaker:
    """One person's words. Keeps which facts were told, how often, and which of them wrongly at first."""

    def __init__(self, ledger: Ledger, seed: int, manner: Manner) -> None:
        self.told: dict[str, int] = {}
        self.slips: dict[str, Entry] = {}
        """Facts that were told wrongly and not put right yet."""
        self.slipping: set[str] = set()
        """Those of them that are told wrongly in this turn."""
        self.seen: dict[str, bool] = {}
        """Facts that were looked up with the person's own tools: whether it is there."""
        self.unseen: dict[str, Entry] = {}
        """Those that were needed and not looked up."""
        self._ledger = ledger
        self._voice = Voice(seed, manner, ledger.person.voice)
        self._room = 0

    def start_turn(self) -> None:
        """A new reply: as much room for facts as the person gives."""
        self._room = self._ledger.person.tells
        self.slipping = set()

    def say(self, group: str, key: str, **filling: str) -> str:
        return self._voice.say(group, key, **filling)

    def goal(self, ask: str, group: str, key: str) -> str:
        return self._voice.goal(ask, group, key)

    def opening(self, goals: Sequence[Goal]) -> str:
        """As it is written, or made from the goals and the facts of the opening; constraints behind it."""
        person, seen = self._ledger.person, spot(self._ledger.person.opening)
        rest = [text for text in person.constraints if folded(text) not in seen.folded]
        if not person.opening:
            known = [entry for entry in self._ledger.entries if entry.fact.from_tool is None]
            told = [self.tell(entry, "several") for entry in known if entry.fact.reveal == "opening"]
            return self._voice.opening(goals, [*self._voice.ordered(told), *rest])
        for entry in self._ledger.entries:
            if any(holds(seen, each) for each in entry.forms):
                self.told[entry.name] = 0
            elif entry.fact.at_first is not None and holds(seen, form(said(entry.fact.at_first))):
                self.told[entry.name] = 0
                self._slip(entry)
        return " ".join((person.opening, *rest))

    def again(self, goal: Goal) -> str:
        """A goal, said as at the start."""
        return self._voice.opening((goal,), ())

    def tell_all(self, entries: Sequence[Entry], among: int = 0) -> list[str]:
        """So many of the facts as fit into one reply; of more than that, those first that were told least."""
        if self._ledger.person.tells:
            entries = sorted(entries, key=lambda entry: self.told.get(entry.name, 0))[: self._room]
            self._room -= len(entries)
        frame = "fact" if max(among, len(entries)) == 1 else "several"
        return self._voice.ordered([self.tell(entry, frame) for entry in entries])

    @property
    def full(self) -> bool:
        """No more facts fit into this reply."""
        return bool(self._ledger.person.tells) and self._room <= 0

    def tell(self, entry: Entry, frame: str) -> str:
        if not self._knows(entry):
            return self._voice.say("answers", "not_there", name=entry.name)
        times = self.told.get(entry.name, 0)
        first = entry.fact.at_first if entry.name not in self.told else None
        self.told[entry.name] = times + 1
        if frame == "guessed":
            pass  # a guess says what it takes the question to be, however often
        elif entry.kinds == frozenset({"reason"}):
            frame = "reason"
        elif times:
            frame = "again"
        if first is not None:
            self._slip(entry)
            return self._voice.say("answers", frame, name=entry.name, value=said(first))
        self.slips.pop(entry.name, None)
        way = self._voice.choice((entry.value, *entry.fact.says))
        if way.endswith((".", "!", "?")):
            return way
        return self._voice.say("answers", frame, name=entry.name, value=way)

    def compare(self, seen: Spotted) -> None:
        """Before a choice or a yes: what it shows of a fact that is looked up is held against that."""
        for entry in self._ledger.entries:
            if any(holds(seen, each) for each in entry.forms):
                _ = self._knows(entry)

    def _knows(self, entry: Entry) -> bool:
        """By heart, or by a look at the person's own tools."""
        if entry.fact.from_tool is None:
            return True
        if entry.name not in self.seen:
            self.unseen[entry.name] = entry
        return self.seen.get(entry.name, False)

    def put_right(self, but: str) -> list[str]:
        """What was told wrongly before this turn, corrected; nothing where a text does that already."""
        wrong = [entry for name, entry in self.slips.items() if name not in self.slipping]
        for entry in wrong:
            del self.slips[entry.name]
        seen = spot(but)
        return [
            self._voice.say("turns", "slip", name=entry.name, value=entry.value)
            for entry in wrong
            if not any(holds(seen, each) for each in entry.forms)
        ]

    def deny(self, label: str, near: Entry | None, *, hedged: bool) -> str:
        """What is not there, and what there is of the kind, by name only: nothing is told that was not asked for.

        `hedged`: it may be there under another name, so that the agent is asked for that."""
        if not label:
            return self._voice.say("answers", "lacks_it")
        if near is not None:
            return self._voice.say("answers", "lacks_but", label=label, name=near.name)
        return self._voice.say("answers", "lacks_so" if hedged else "lacks", label=label)

    def wrong(self, entry: Entry) -> str:
        """No, and how it is; without the value where that must not be told."""
        if entry.fact.reveal == "never":
            return self._voice.say("confirmations", "other_request")
        if not self._knows(entry):
            return self._voice.say("confirmations", "doubtful", name=entry.name)
        self.told[entry.name] = self.told.get(entry.name, 0)
        return self._voice.say("confirmations", "wrong", name=entry.name, value=entry.value)

    def doubt(self, entry: Entry) -> str:
        """That something may be wrong; with the value only where it was told before."""
        key = "doubtful_told" if entry.name in self.told and entry.name not in self.slips else "doubtful"
        return self._voice.say("confirmations", key, name=entry.name, value=entry.value)

    def option(self, option: Option, among: Sequence[Option]) -> tuple[str, str]:
        """A choice in a sentence, and by itself."""
        code = code_of(option)
        if option.label.isdigit():
            key = "numbered_id" if code else "numbered"
            return self.say("options", key, label=option.label, id=code), code or f"number {option.label}"
        if option.label:
            named = short_name(option, among)
            label = f"{option.label} ({named})" if named else option.label
            return self.say("options", "lettered", label=label), option.label
        if named := short_name(option, among):
            return self.say("options", "named", id=named), named
        ordinal = self._voice.frames("options", "ordinals")[min(option.at, _ORDINALS) - 1]
        return self.say("options", "placed", ordinal=ordinal), f"the {ordinal} one"

    def options(self, several: Sequence[Option], among: Sequence[Option]) -> tuple[str, str]:
        """Several choices in a sentence, and by themselves."""
        names = [short_name(option, among) or option.text for option in several]
        if several[0].label:
            names = [f"{option.label} ({name})" for option, name in zip(several, names, strict=True)]
        return self.say("options", "together", ids=joined(names)), joined(names)

    def _slip(self, entry: Entry) -> None:
        self.slips[entry.name] = entry
        self.slipping.add(entry.name)
