"""What the rules make of a message, and a second hearing → what both bear out; the rest is asked back."""

import difflib
import re
from collections.abc import Collection, Mapping

from msgspec import structs

from misstep.core.scenario import Goal
from misstep.core.words import STOPWORDS, sentences, stem, words
from misstep.users.accounting import strange, unexplained
from misstep.users.answering import Wanted
from misstep.users.claims import strange_names
from misstep.users.contradicting import Objection, is_said
from misstep.users.hinting import Hint, asks_to_know, reports_an_act, stands
from misstep.users.ledger import Ledger
from misstep.users.nouns import NOUN
from misstep.users.weighing.hearing import Act, Hearing, Weights
from misstep.users.weighing.traits import likeness
from misstep.wording.cues import cues
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import fits_closely, sorts_wanted
from misstep.wording.stages import stage_of
from misstep.wording.topics import topic_of
from misstep.wording.understanding import Ask, Reading
from misstep.wording.values import folded, holds, spot

_ASKED = 0.6
"""A fact that is less likely asked for is not told, but asked back about."""
_NAMED_SO, _HARDLY = 0.2, 0.3
"""One that is less likely so, though its whole name is said or a rule is for it, is not told either."""
_ASKING = 0.5
"""Less likely a question, a message asks for nothing in general."""
_UNASKED = 0.1
"""Less likely one that wants something, a message is told nothing."""
_ANYTHING = 0.6
"""Where each of the facts that would be told is less likely asked for, something in particular is wanted."""
_HINTED = 0.9
"""As much as `_ASKED`, for a statement, which asks for nothing outright."""
_CERTAIN = 0.97
"""What is more likely asked for is told once it was asked back about."""
_MEANT = 0.6
"""A fact that is more likely meant keeps a person from telling another."""
_LEFT_OUT = 0.25
"""What is more likely asked for, and was not told with the rest, is asked about."""
_SETTLED = 0.6
"""What is less likely a report, a refusal or an offer leaves nobody content who wants something done."""
_LISTING = 0.5
"""Who is more likely to list something to choose from is not left."""
_UNSETTLED: Mapping[Act, float] = {"ask": 0.6, "propose": 0.6}
"""What is more likely a question, or puts something forward, does so, whatever else it looks like."""
_PROPOSED = 0.9
"""What is more likely a proposal is judged as one, whatever the rules make of it."""
_RIGHT = 0.015
"""A proposal in which each fact is less likely got wrong is agreed to."""
_ANOTHER, _PERHAPS_ANOTHER, _HARDLY_ANOTHER = 0.6, 0.2, 0.05
"""Something else than what was wanted is turned down; what may be that is not agreed to."""
_BORNE_OUT = 0.3
"""What is less likely got wrong is not put right on the word of the rules alone."""
_WRONG = 0.75
"""A fact that is more likely got wrong is put right, though the rules only doubt it, or are at a loss."""
_LISTED = 0.12
"""What may be a list of options is not agreed to."""
_SURELY_LISTED = 0.4
_LIST = re.compile(r",\s|\bor\b", re.IGNORECASE)
_FAR, _LEVEL = 0.5, 0.15
"""How far ahead a rival is, and how far behind one of the same kind may be."""
_BRIEF = 8
"""In so few words what is said is plain, and the rules know it."""
_HALF = 0.5
"""So much of a name, said outright, is not doubted, whatever the thing is called."""
_NEARLY = 0.7
"""Literals that are as like as this are taken for one with a slip."""
_MOST = 2
_TIMELY = frozenset(("day", "clock"))
_WHAT = re.compile(
    r"^(?!.*\b(?:when|dates?|days?|times?|hours?|months?|years?)\b)"
    r".*\bwhat(?:'s| is| are| was| were| did| do| does| will| would| have| has| had)\b",
    re.IGNORECASE | re.DOTALL,
)
_COMES = re.compile(r"\b(?:come|go|bring|deliver|visit|meet|collect|pick)\b", re.IGNORECASE)
_OPEN = frozenset(("lookup", "identify"))
_ABOUT_VALUES = ("wrong", "doubtful", "unclear")


class Doubts:
    """One person's second hearing of what was said last.

    What is asked for, reported or offered it only makes more careful; of what is proposed it says by itself what is
    right in it and what is wrong, where that is clear."""

    def __init__(self, ledger: Ledger, weights: Weights | None = None) -> None:
        self._weights = weights
        self._ledger = ledger
        self._text = ""
        self._hearing = Hearing("", ledger, weights)

    def hears(self, message: str, ledger: Ledger) -> None:
        """The ledger is what is at hand by now."""
        self._text, self._ledger = message, ledger
        self._hearing = Hearing(message, ledger, self._weights)

    def asked_for(self, found: Wanted, ask: Ask) -> Wanted:
        """Without the facts that are not heard: those may be meant, and are asked back about.

        What is so or is not, and what anything may answer, is for the rules alone."""
        if _is_for_the_rules(found):
            return found
        if self._hearing.does("ask", "offer", "options") < _UNASKED and not self._is_open(ask):
            return _lost(found, ())
        here = self._hearing.asked(ask.text)
        meant = self._likeliest(here)
        if not found.understood:
            return structs.replace(found, maybe=meant)
        if found.generic:
            elsewhere = any(entry not in found.entries for entry in meant)
            return _lost(found, meant) if elsewhere or self._hearing.does("ask") < _ASKING else found
        if self._is_open(ask) or ask.either:
            return found
        kept = tuple(entry for entry in found.entries if self._is_heard(entry, ask))
        kept = tuple(
            entry for entry in found.entries if entry in kept or any(entry.kinds & each.kinds for each in kept)
        )
        if not kept:
            return _lost(found, meant or found.entries)
        others = tuple(entry for entry in meant if entry not in kept)
        unsure = [entry for entry in kept if not likeness(ask.text, entry).whole]
        rivals = tuple(each for each in others if any(_rivals(each, entry, here) for entry in unsure))
        if rivals:
            return _lost(found, tuple(sorted((*rivals, *kept), key=lambda each: -here[each.name])))
        lost = others or tuple(entry for entry in found.entries if entry not in kept)
        return structs.replace(found, entries=kept, rest=True, maybe=lost) if lost else found

    def wants_anything(self, found: Wanted, ask: Ask) -> bool:
        """`Please describe it here` asks for something in particular, whatever that is."""
        here = self._hearing.asked(ask.text)
        return any(here[entry.name] >= _ANYTHING for entry in found.entries)

    def hinted(self, hint: Hint) -> Hint:
        """The same for what a statement is after."""
        kept = tuple(entry for entry in hint.entries if self._hearing.asked()[entry.name] >= _HINTED)
        asks = self._hearing.does("ask") >= _ASKING
        likeliest = self._likeliest(self._hearing.asked()) if asks and not kept else ()
        if len(kept) == len(hint.entries):
            return structs.replace(hint, maybe=hint.maybe or likeliest)
        lost = tuple(entry for entry in hint.entries if entry not in kept)
        maybe = () if kept else (likeliest or (*lost, *hint.maybe))
        return structs.replace(hint, entries=kept, maybe=maybe, open=True, rest=hint.rest or bool(kept))

    def surely(self) -> tuple[Entry, ...]:
        """What it takes no second sign to tell, once it was asked back about."""
        return tuple(entry for entry in self._ledger.entries if self._hearing.asked()[entry.name] >= _CERTAIN)

    def left_out(self, reading: Reading, told: Collection[str]) -> tuple[Entry, ...]:
        """What seems to be asked for in some part of the message that found no answer."""
        if any(ask.either for ask in reading.asks):
            return ()
        meant = self._likeliest(self._hearing.asked(), _LEFT_OUT)
        return tuple(entry for entry in meant if entry.name not in told and not is_said(entry, self._text))

    def is_settled(self, reading: Reading, goal: Goal | None) -> bool:
        """Whether nothing seems to be wanted of the person. Who wants to know something is told it by a statement."""
        if self._hearing.does("options") >= _LISTING:
            return False
        if goal is not None and asks_to_know(goal.ask):
            return True
        if any(self._hearing.does(act) >= much for act, much in _UNSETTLED.items()):
            return False
        reported = any(reports_an_act(sentence, self._ledger) or stands(sentence) for sentence in reading.stated)
        said = reported or bool(reading.signals & {"refusal", "done"})
        return said or self._hearing.does("done", "refuse", "offer") >= _SETTLED

    def may_agree(self) -> bool:
        """Whether a yes is in place: it answers no list of things to choose from."""
        if self._hearing.does("options") >= _SURELY_LISTED:
            return False
        last = (sentences(self._text) or [""])[-1]
        return not _LIST.search(last) or self._hearing.does("options") < _LISTED

    def weighed(self, against: Objection | None) -> Objection | None:
        """A yes, a doubt, or a no to a value, as far as the second hearing bears it out; what is declined stays so."""
        entry, chance = self._likeliest_wrong()
        about_values = (
            against is None or against.kind in _ABOUT_VALUES or (against.kind == "other" and self._shows() > 1)
        )
        if entry is None or not about_values:
            return against
        another = self._hearing.does("counter")
        if another >= _PERHAPS_ANOTHER and (against is None or against.kind == "unclear"):
            return Objection("declined" if another >= _ANOTHER else "unclear")
        if against is None:
            return None  # an id that the agent found is no slip of a fact
        if against.kind == "wrong" and against.entry is not None:
            likely = self._hearing.slips[against.entry.name] >= _BORNE_OUT or another >= _HARDLY_ANOTHER
            sure = likely and not self._says_all_of(against.entry)
            return against if sure else Objection("doubtful", entry if chance >= _BORNE_OUT else against.entry)
        return against if not self.is_proposal() else self._judged(against, entry, chance)

    def _judged(self, against: Objection, entry: Entry, chance: float) -> Objection | None:
        """What the rules doubt, or can't make out: wrong, right, or doubted where that is likelier.

        Nobody agrees to another act than the one that was wanted, whatever the values."""
        if chance >= _WRONG and not self._says_all_of(entry):
            return Objection("wrong", entry)
        if chance < _RIGHT and against.kind != "other" and self._shows():
            return None
        if chance >= _BORNE_OUT and against.kind == "doubtful":
            return Objection("doubtful", entry)
        return Objection("unclear") if against.kind == "other" else against

    def _shows(self) -> int:
        """How many of the person's values the message has."""
        return sum(_holds(self._text, entry) for entry in self._ledger.entries)

    def _says_all_of(self, entry: Entry) -> bool:
        """`Sunday 1 pm` for Sunday at 1 pm: all that matters of a value with figures in it."""
        own = {stem(word) for word in words(entry.value) if word not in STOPWORDS}
        figures = any(root[0].isdigit() for root in own)
        return figures and len(own) > 1 and own <= {stem(word) for word in words(self._text)}

    def is_proposal(self) -> bool:
        return self._hearing.does("propose", "counter") >= _PROPOSED

    def tempered(self, against: Objection) -> Objection:
        """A no about a value that was said, or where another fact of its looks is nearer to the words, is a doubt.

        Where something that nobody has named is put in its place, a no it stays."""
        entry = against.entry
        if against.kind != "wrong" or entry is None or self._is_clear(entry):
            return against
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
        chances = self._hearing.slips if self.is_proposal() else {}
        likely = [name for name, chance in chances.items() if chance >= _BORNE_OUT]
        return likely == [wrong.name] and chances[wrong.name] >= _WRONG

    def _likeliest_wrong(self) -> tuple[Entry | None, float]:
        chances = self._hearing.slips
        entry = max(self._ledger.entries, key=lambda each: chances[each.name], default=None)
        return entry, chances[entry.name] if entry else 0.0

    def _likeliest(self, chances: Mapping[str, float], least: float = _MEANT) -> tuple[Entry, ...]:
        """The facts that are most likely meant, the likeliest first."""
        meant = [
            entry
            for entry in self._ledger.entries
            if entry.fact.reveal != "never" and chances.get(entry.name, 0.0) >= least
        ]
        return tuple(sorted(meant, key=lambda entry: (-chances[entry.name], entry.name))[:_MOST])

    def _is_open(self, ask: Ask) -> bool:
        """`I'll need something to look it up with.`"""
        open_ = bool(topic_of(ask.text).generic & _OPEN)
        return open_ and self._hearing.does("ask") >= _ASKING and not strange(ask.text, self._ledger)

    def _is_heard(self, entry: Entry, ask: Ask) -> bool:
        """`Can you check it again?` says by itself less of what is asked for than with what stands before it.

        What a value counts (`how many bedrooms?`) and what the fact is of (`the purchase concerned`) is as good as its
        name."""
        brief = len(words(self._text)) <= _BRIEF
        like = likeness(f"{ask.before} {ask.text}" if cues().pronoun.search(ask.text) else ask.text, entry)
        if not like.head and entry.sorts & _TIMELY and _WHAT.search(ask.text):
            return False  # `What is being collected?`, asked of one who knows the collection day
        chance = self._hearing.asked()[entry.name]
        if chance >= (_NAMED_SO if like.whole else _ASKED):
            return True
        if ("name" in entry.kinds and topic_of(ask.text).own) or (brief and self._alone_fits(entry, ask)):
            return True
        named = like.named >= _HALF and not self._asks_for_more(ask, entry)
        return (brief or chance >= _HARDLY) and (named or like.value_said > 0.0 or like.thing)

    def _alone_fits(self, entry: Entry, ask: Ask) -> bool:
        """`Where should we bring it?`, asked of one who knows one place. Nobody comes to an email address."""
        wanted, comes = sorts_wanted(ask.text), _COMES.search(ask.text)
        fitting = [each for each in self._ledger.entries if wanted and fits_closely(each.sorts, wanted)]
        return [each for each in fitting if not (comes and "email" in each.kinds)] == [entry]

    def _asks_for_more(self, ask: Ask, entry: Entry) -> bool:
        """`Size: the instance class`, asked of one who knows a disk size."""
        return bool(unexplained(" ".join(NOUN.findall(ask.text)), [entry], self._ledger))

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


def _is_for_the_rules(found: Wanted) -> bool:
    """Yes or no, nothing but a denial, or a doubt already."""
    if not found.understood:
        return bool(found.maybe)
    truths = any(isinstance(entry.fact.value, bool) for entry in found.entries)
    return truths or not (found.entries or found.generic)


def _lost(found: Wanted, maybe: tuple[Entry, ...]) -> Wanted:
    return structs.replace(
        found, entries=(), lacks=(), understood=False, rest=False, generic=False, maybe=maybe[:_MOST]
    )


def _rivals(other: Entry, entry: Entry, chances: Mapping[str, float]) -> bool:
    """Heard much more clearly than what is hardly heard; or as clearly, and of one kind with it.

    Names that differ in a preposition or a stage are for the rules."""
    chance = chances[entry.name]
    ahead = chances[other.name] - chance
    one, two = ({*words(each.name)} - STOPWORDS for each in (other, entry))
    if one == two or (stage_of(other) and stage_of(entry) and stage_of(other) != stage_of(entry)):
        return False
    if other.kinds & entry.kinds or one & two:
        return ahead > -_LEVEL
    return chance < _HINTED and ahead > _FAR
