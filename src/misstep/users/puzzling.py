"""Asking back: what was not understood, what it may have meant, and what there is to say when it comes again."""

import re
from collections.abc import Collection, Sequence

from misstep.core.words import joined, stem, words
from misstep.users.answering import unknown_noun
from misstep.users.hinting import Hint
from misstep.users.ledger import Ledger
from misstep.users.moves import LOST, Move
from misstep.users.speaking import Speaker
from misstep.wording.facts import Entry
from misstep.wording.sorts import fits, sorts_wanted
from misstep.wording.topics import meets, topic_of
from misstep.wording.understanding import Ask, Reading
from misstep.wording.values import folded

_MOST_NAMED = 4
_MOST_IN_A_ROW = 3
_PUZZLED = "is puzzled"
_ASSENT = re.compile(
    r"^\W*(?:(?:yes|yeah|yep|exactly|precisely|indeed|that's (?:it|right))\b"
    r"|(?:correct|right|both|either)(?=[,.! ]*(?:$|[.!?;–—]|please\b|thanks?\b|(?:of )?(?:them|those|that)\b)))",
    re.IGNORECASE,
)
"""`Right, I've found you an engineer` agrees to nothing."""
_BOTH = re.compile(r"^\W*(?:yes,? )?both\b", re.IGNORECASE)


class Puzzle:
    """One person's doubts about what the agent means. Asks; when the same comes again, tells the likeliest thing.

    A guess is always named (`If you mean the order number: …`), so that nobody takes it for the answer to another
    question, and only what may be told anyway is guessed."""

    def __init__(self, ledger: Ledger, speaker: Speaker) -> None:
        self.meant: tuple[Entry, ...] = ()
        """What the agent was asked about: may it have meant these?"""
        self.suggested: tuple[Entry, ...] = ()
        """What may be meant by something that the person has just said they lack."""
        self.listed = False
        """All of these were named, as what there is."""
        self._noun: str | None = None
        """What was not understood at the last turn."""
        self._puzzling: set[str] = set()
        """What was asked back about since something was last understood."""
        self.ledger = ledger
        self._speaker = speaker

    @property
    def pending(self) -> bool:
        """Something was not understood at the last turn."""
        return self._noun is not None

    def clear(self) -> None:
        self._noun, self.meant, self.suggested, self.listed = None, self.suggested, (), False
        self._puzzling.clear()

    def assented(self, message: str) -> Move | None:
        """`Yes`, `both`, said to what the person asked back: what was meant is told."""
        if not self.meant or not _ASSENT.match(message):
            return None
        return self.tell(self.meant if self.listed or _BOTH.match(message) else self.meant[:1])

    def over(self, ask: Ask, maybe: tuple[Entry, ...], message: str, surely: Collection[Entry] = ()) -> Move:
        """A question that nothing answers. What it is surely about is guessed at once it was asked back about."""
        noun = unknown_noun(ask)
        before = {entry.name for entry in self.meant}
        likely = maybe if folded(message) in self._puzzling else [entry for entry in maybe if entry in surely]
        if self.pending and not self.listed and (both := [entry for entry in likely if entry.name in before]):
            return self._guess(both[:1])
        if self._is_another(message):
            listed, self._noun, self.meant, self.listed = self.listed, noun or " ", maybe, False
            if maybe:
                return Move(_PUZZLED, self._do_you_mean(maybe))
            text = self._speaker.say("turns", "rephrase")
            return (None if listed else self._name_untold(text)) or Move(_PUZZLED, text)
        if noun and noun == self._noun and not maybe:
            return Move("has none", self._speaker.say("answers", "lacks_it"))
        return self._guess_from(ask.text, maybe, asked=not ask.polar)

    def over_the_rest(self, maybe: tuple[Entry, ...]) -> str:
        """A part of a question that nothing answers, beside one that was answered."""
        if not maybe:
            return self._speaker.say("turns", "partly")
        self.suggested = maybe[:2]
        return self._do_you_mean(maybe)

    def _do_you_mean(self, maybe: tuple[Entry, ...]) -> str:
        key = "do_you_mean" if len(maybe) == 1 else "do_you_mean_one"
        names = maybe[0].name, maybe[1 if len(maybe) > 1 else 0].name
        return self._speaker.say("turns", key, name=names[0], other=names[1])

    def _is_another(self, message: str) -> bool:
        """It is asked back about for the first time, and not too many others were in a row."""
        said = folded(message)
        if said in self._puzzling or len(self._puzzling) >= _MOST_IN_A_ROW:
            return False
        self._puzzling.add(said)
        return True

    def over_statement(self, reading: Reading, hint: Hint) -> Move | None:
        """A statement that asks for nothing and settles nothing; None where there is nothing left to tell."""
        again = self.pending
        if self._is_another(reading.text):
            listed, self._noun, self.meant, self.listed = self.listed, " ", hint.maybe[:2], False
            if hint.maybe:
                names = joined([f"the {entry.name}" for entry in self.meant], "or")
                return Move(_PUZZLED, self._speaker.say("turns", "is_it", names=names))
            if again and not listed and (move := self._name_untold("")) is not None:
                return move
            return Move(_PUZZLED, self._speaker.say("turns", "rephrase" if again else "need_anything"))
        if not self.listed and not hint.maybe and (move := self._name_untold("")) is not None:
            return move
        likely = bool(hint.maybe) or any(_likeness(reading.text, entry) for entry in self._untold())
        return self._guess_from(reading.text, hint.maybe, asked=True) if hint.needing or likely else None

    def tell(self, entries: Sequence[Entry]) -> Move:
        """What was meant is clear by now."""
        self.clear()
        return Move(f"answers {[entry.name for entry in entries]}", " ".join(self._speaker.tell_all(entries)))

    def _guess_from(self, text: str, maybe: Sequence[Entry], *, asked: bool) -> Move:
        """The likeliest of what was not told; nothing where nobody asked for anything and nothing is like it."""
        untold = self._untold()
        named = [entry for entry in maybe if entry in untold]
        likeliest = max(untold, key=lambda entry: _likeness(text, entry), default=None)
        if likeliest is None or not (asked or named or _likeness(text, likeliest)):
            return LOST
        return self._guess(named[:1] or [likeliest])

    def _guess(self, entries: Sequence[Entry]) -> Move:
        told = [self._speaker.tell(entry, "guessed") for entry in entries]
        self._noun, self.meant, self.listed = " ", (), True
        return Move(f"guesses {[entry.name for entry in entries]}", " ".join(told))

    def _name_untold(self, text: str) -> Move | None:
        """Name what there is to tell: a handle for an agent that can use one."""
        untold = self._untold()
        if not 0 < len(untold) <= _MOST_NAMED:
            return None
        self._noun, self.meant, self.listed = self._noun or " ", tuple(untold), True
        names = joined([f"the {entry.name}" for entry in untold], "or")
        return Move(_PUZZLED, f"{text} {self._speaker.say('turns', 'is_it', names=names)}".strip())

    def _untold(self) -> list[Entry]:
        told = self._speaker.told
        return [entry for entry in self.ledger.entries if entry.fact.reveal != "never" and entry.name not in told]


def _likeness(text: str, entry: Entry) -> float:
    """How well a fact would answer: by its name, its kind, and what a question word wants."""
    said = {stem(word) for word in words(text)}
    topic = topic_of(text)
    own = {root for sense in entry.senses for root in sense.stems}
    named = sum(any(meets(root, other) for other in said) for root in own) / max(1, len(own))
    kinds = 0 if topic.hinted else len(entry.kinds & topic.kinds.keys())
    wanted = sorts_wanted(text)
    return 3.0 * named + 2.0 * kinds + (1.5 if wanted and fits(entry.sorts, wanted) else 0.0)
