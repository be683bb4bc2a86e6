"""What the rules hold against a proposal, and a second hearing → a yes, a no, or a doubt."""

import difflib
import re
from collections.abc import Sequence

from misstep.core.words import STOPWORDS, sentences, stem, words
from misstep.users.accounting import strange
from misstep.users.claims import strange_names
from misstep.users.contradicting import Objection, Pick, is_said
from misstep.users.ledger import Ledger
from misstep.users.misgiving import Misgivings
from misstep.users.weighing.hearing import Hearing
from misstep.users.weighing.slips import is_within
from misstep.users.weighing.traits import likeness
from misstep.wording.cues import cues
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.values import folded, holds, spot

_PROPOSED = 0.9
"""What is more likely a proposal is judged as one, whatever the rules make of it."""
_RIGHT = 0.015
"""A proposal in which each fact is less likely got wrong is agreed to."""
_ANOTHER, _PERHAPS_ANOTHER, _HARDLY_ANOTHER = 0.6, 0.2, 0.05
"""Something else than what was wanted is turned down; what may be that is not agreed to."""
_SUSPECTED = 0.05
"""What is more likely got wrong is named where something is doubted."""
_BORNE_OUT = 0.3
"""What is less likely got wrong is not put right on the word of the rules alone."""
_WRONG = 0.75
"""A fact that is more likely got wrong is put right, though the rules only doubt it, or are at a loss."""
_LISTED = 0.12
"""What may be a list of options is not agreed to."""
_SURELY_LISTED = 0.4
_LIST = re.compile(r",\s|\bor\b", re.IGNORECASE)
_NEARLY = 0.7
"""Literals that are as like as this are taken for one with a slip."""
_ABOUT_VALUES = ("wrong", "doubtful", "unclear")


class Judge:
    """One person's second hearing of what was proposed last: it says by itself what is right in it and what is wrong,
    where that is clear."""

    def __init__(self, ledger: Ledger, hearing: Hearing, misgivings: Misgivings, picks: Sequence[Pick] = ()) -> None:
        self._ledger = ledger
        self._text = ""
        self._misgivings = misgivings
        self._picks = picks
        self._suspecting = self._suspected_last = False
        """There were misgivings about a yes: to this message, to the one before."""
        self._wondering = self._wondered_last = False
        """It seemed another act, and was asked back about: this message, the one before."""
        self._hearing = hearing

    def hears(self, message: str, ledger: Ledger, hearing: Hearing) -> None:
        """The ledger is what is at hand by now."""
        self._text, self._ledger, self._hearing = message, ledger, hearing
        self._suspecting, self._suspected_last = False, self._suspecting
        self._wondering, self._wondered_last = False, self._wondering

    def may_agree(self) -> bool:
        """Whether a yes is in place: it answers no list of things to choose from."""
        if self._hearing.does("options") >= _SURELY_LISTED:
            return False
        last = (sentences(self._text) or [""])[-1]
        return not _LIST.search(last) or self._hearing.does("options") < _LISTED

    def weighed(self, against: Objection | None) -> Objection | None:
        """A yes without misgivings, a doubt, or a no."""
        if (found := self._borne_out(against)) is not None:
            return found
        entry, chance = self._likeliest_wrong()
        doubtful = (not self._is_plain() and self._misgivings.against("agrees")) or chance >= _WRONG
        return self._suspected(entry, chance) if doubtful else None

    def _borne_out(self, against: Objection | None) -> Objection | None:
        """A yes, a doubt, or a no to a value, as far as the second hearing bears it out; what is declined stays so."""
        entry, chance = self._likeliest_wrong()
        another = self._hearing.does("counter")
        if entry is None or not self._is_about_values(against, another):
            return against
        if another >= _ANOTHER:
            return Objection("declined")
        if another >= _PERHAPS_ANOTHER and (against is None or against.kind == "unclear"):
            return Objection("wrong", entry) if chance >= _BORNE_OUT else Objection("unclear")
        if against is None:
            return None
        if against.kind == "wrong" and against.entry is not None:
            sure = self._may_be_wrong(against.entry) and not self._says_all_of(against.entry)
            return against if sure else Objection("doubtful", entry if chance >= _BORNE_OUT else against.entry)
        return self._judged(against, entry, chance) if self.is_proposal() else against

    def _is_about_values(self, against: Objection | None, another: float) -> bool:
        """What is another act, or is declined for its value, may yet be what was wanted, if it shows what is known."""
        if against is None or against.kind in _ABOUT_VALUES:
            return True
        if against.kind == "declined":
            return against.entry is not None and another < _HARDLY_ANOTHER
        return against.kind == "other" and self._shows() > 1 and another < _PERHAPS_ANOTHER

    def _is_plain(self) -> bool:
        """It shows no value, or what was chosen before, or the only thing there is."""
        chosen = any(pick.named and folded(pick.named) in folded(self._text) for pick in self._picks)
        return chosen or self._hearing.names_nothing or bool(cues().only_one.search(self._text))

    def _suspected(self, entry: Entry | None, chance: float) -> Objection | None:
        """Nothing speaks against it, and yet: asked about once; who then says the same again is believed."""
        self._suspecting = True
        if self._suspected_last:
            return None
        return Objection("doubtful", entry) if entry is not None and chance >= _SUSPECTED else Objection("unclear")

    def _judged(self, against: Objection, entry: Entry, chance: float) -> Objection | None:
        """What the rules doubt, or can't make out: wrong, right, or doubted where that is likelier.

        Nobody agrees to another act than the one that was wanted, whatever the values."""
        if chance >= _WRONG and not self._says_all_of(entry):
            return Objection("wrong", entry)
        if chance < _RIGHT and against.kind not in ("other", "declined") and self._shows():
            return None
        if chance >= _BORNE_OUT and against.kind == "doubtful":
            return Objection("doubtful", entry)
        if against.kind == "declined":
            return Objection("doubtful", against.entry)
        return self._wondered(against) if against.kind == "other" else against

    def _wondered(self, against: Objection) -> Objection:
        """Asked back about once, for it may be the same act in other words; what then comes again is another."""
        self._wondering = True
        return against if self._wondered_last else Objection("unclear")

    def _may_be_wrong(self, entry: Entry) -> bool:
        """Of who knows but one thing, that is what it is about."""
        if len(self._ledger.entries) == 1:
            return True
        return self._hearing.slips[entry.name] >= _BORNE_OUT or self._hearing.does("counter") >= _HARDLY_ANOTHER

    def _shows(self) -> int:
        """How many of the person's values the message has."""
        return sum(_holds(self._text, entry) for entry in self._ledger.entries)

    def _says_all_of(self, entry: Entry) -> bool:
        """`Sunday 1 pm` for Sunday at 1 pm: all that matters of a value with figures in it; or less than a limit."""
        if is_within(entry, self._text):
            return True
        own = {stem(word) for word in words(entry.value) if word not in STOPWORDS}
        figures = any(root[0].isdigit() for root in own)
        return figures and len(own) > 1 and own <= {stem(word) for word in words(self._text)}

    def is_proposal(self) -> bool:
        return self._hearing.does("propose", "counter") >= _PROPOSED

    def tempered(self, against: Objection) -> Objection:
        """A no without misgivings; else a doubt."""
        found = self._nearest_to_it(against)
        if found.entry is None or found.kind not in ("wrong", "declined"):
            return found
        return Objection("doubtful", found.entry) if self._misgivings.against("puts right", (found.entry,)) else found

    def _nearest_to_it(self, against: Objection) -> Objection:
        """A no about a value that was said, or where another fact of its looks is nearer to the words, is a doubt.

        Where something that nobody has named is put in its place, a no it stays."""
        entry = against.entry
        if against.kind != "wrong" or entry is None or self._is_clear(entry):
            return against
        if not self._may_be_wrong(entry):
            return Objection("doubtful", entry)
        if _holds(self._text, entry) and not self._names_another():
            return Objection("doubtful", entry)
        looks = _looks(entry)
        alike = [
            each
            for each in self._ledger.entries
            if each is not entry and looks and _looks(each) == looks and not is_said(each, self._text)
        ]
        if not entry.atoms and any(self._nearness(each) == self._nearness(entry) for each in alike):
            return Objection("doubtful", entry)  # two colours, and nothing says which of them is wrong
        nearest = max((entry, *alike), key=self._nearness)
        return against if nearest is entry else Objection("doubtful", nearest)

    def _is_clear(self, wrong: Entry) -> bool:
        """Of what is proposed, this is got wrong, and nothing else may be."""
        if not self.is_proposal():
            return False
        chances = self._hearing.slips
        likely = [name for name, chance in chances.items() if chance >= _BORNE_OUT]
        return likely == [wrong.name] and chances[wrong.name] >= _WRONG

    def _likeliest_wrong(self) -> tuple[Entry | None, float]:
        chances = self._hearing.slips
        entry = max(self._ledger.entries, key=lambda each: chances[each.name], default=None)
        return entry, chances[entry.name] if entry else 0.0

    def _names_another(self) -> bool:
        """A literal, a name or a member of a closed set that the person has not given, or any word in what is asked."""
        known = f"{self._ledger.own.folded} {' '.join(entry.value for entry in self._ledger.entries)}".lower()
        strange_ = any(folded(atom.text).strip() not in folded(known) for atom in spot(self._text).atoms)
        members = any(stem(word) in lexicon().values and stem(word) not in known for word in words(self._text))
        asked_last = strange((sentences(self._text) or [""])[-1], self._ledger)
        return strange_ or members or asked_last or next(strange_names(self._text, self._ledger), None) is not None

    def _nearness(self, entry: Entry) -> tuple[float, float]:
        """How much some literal that was said is like one of the fact's, if much; then how near the words are."""
        said = spot(self._text).atoms
        pairs = [(one.text, other.text) for one in said for other in entry.atoms if one.kind == other.kind]
        ratios = (difflib.SequenceMatcher(None, one.lower(), other.lower()).ratio() for one, other in pairs)
        return max((each for each in ratios if each >= _NEARLY), default=0.0), likeness(self._text, entry).score


def _looks(entry: Entry) -> set[str]:
    """The kinds of its literals; without any, the closed sets that its words are members of."""
    sets = lexicon().values
    found: set[str] = {atom.kind for atom in entry.atoms}
    return found or {sets[root] for root in map(stem, words(entry.value)) if root in sets}


def _holds(text: str, entry: Entry) -> bool:
    seen = spot(text)
    return any(holds(seen, each) for each in entry.forms)
