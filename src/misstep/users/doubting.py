"""What the rules make of a question or a report, and a second hearing → what both bear out; the rest is asked back."""

import re
from collections.abc import Collection, Mapping

from msgspec import structs

from misstep.core.scenario import Goal
from misstep.core.words import STOPWORDS, words
from misstep.users.accounting import strange, unexplained
from misstep.users.answering import Wanted
from misstep.users.contradicting import is_said
from misstep.users.hinting import Hint, asks_to_know, reports_an_act, stands
from misstep.users.ledger import Ledger
from misstep.users.misgiving import Misgivings
from misstep.users.nouns import NOUN
from misstep.users.weighing.deeds import Act
from misstep.users.weighing.hearing import Hearing
from misstep.users.weighing.traits import likeness
from misstep.wording.cues import cues
from misstep.wording.facts import Entry
from misstep.wording.sorts import fits_closely, sorts_wanted
from misstep.wording.stages import stage_of
from misstep.wording.topics import topic_of
from misstep.wording.understanding import Ask, Reading

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
_REFUSED, _SURELY_DONE = 0.35, 0.97
"""What is more likely a refusal, or that likely the end of it, is an end: it is other reports that may be of a step."""
_STEP = 0.3
"""Who is more likely to report a step on the way is not left."""
_LISTING = 0.5
"""Who is more likely to list something to choose from is not left."""
_UNSETTLED: Mapping[Act, float] = {"ask": 0.6, "propose": 0.6}
"""What is more likely a question, or puts something forward, does so, whatever else it looks like."""
_FAR, _LEVEL = 0.5, 0.15
"""How far ahead a rival is, and how far behind one of the same kind may be."""
_BRIEF = 8
"""In so few words what is said is plain, and the rules know it."""
_HALF = 0.5
"""So much of a name, said outright, is not doubted, whatever the thing is called."""
_MOST = 2
_NOUN_LONG = 3
_TIMELY = frozenset(("day", "clock"))
_WHAT = re.compile(
    r"^(?!.*\b(?:when|dates?|days?|times?|hours?|months?|years?)\b)"
    r".*\bwhat(?:'s| is| are| was| were| did| do| does| will| would| have| has| had)\b",
    re.IGNORECASE | re.DOTALL,
)
_COMES = re.compile(r"\b(?:come|go|bring|deliver|visit|meet|collect|pick)\b", re.IGNORECASE)
_OPEN = frozenset(("lookup", "identify"))
_THANKS = re.compile(r"(?:many |with )?(?:thanks|thank you)[^.?!]*[.!]?", re.IGNORECASE)
"""`Thank you for your message.` wants none."""


class Doubts:
    """One person's second hearing of what was asked, reported or offered last: it only makes more careful."""

    def __init__(self, ledger: Ledger, hearing: Hearing, misgivings: Misgivings) -> None:
        self._ledger = ledger
        self._text = ""
        self._hearing = hearing
        self._misgivings = misgivings

    def hears(self, message: str, ledger: Ledger, hearing: Hearing) -> None:
        """The ledger is what is at hand by now."""
        self._text, self._ledger, self._hearing = message, ledger, hearing

    def asked_for(self, found: Wanted, ask: Ask) -> Wanted:
        """What is heard twice, and without misgivings. What anything may answer, or nothing, is for the rules alone."""
        heard = self._heard_twice(found, ask)
        told = tuple(entry for entry in heard.entries if entry.fact.reveal != "never")
        if not (heard.understood and told) or heard.generic or self._is_plain(told, ask):
            return heard
        return _lost(heard, told) if self._misgivings.against("tells", told) else heard

    def _heard_twice(self, found: Wanted, ask: Ask) -> Wanted:
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
        rest = bool(lost) or _names_more(ask, kept)
        return structs.replace(found, entries=kept, rest=True, maybe=lost) if rest else found

    def wants_anything(self, found: Wanted, ask: Ask) -> bool:
        """`Please describe it here` asks for something in particular, whatever that is."""
        here = self._hearing.asked(ask.text)
        return any(here[entry.name] >= _ANYTHING for entry in found.entries)

    def hinted(self, hint: Hint) -> Hint:
        """The same for what a statement is after."""
        kept = tuple(entry for entry in hint.entries if self._hearing.asked()[entry.name] >= _HINTED)
        if kept and self._misgivings.against("tells", kept):
            kept = ()
        asks = self._hearing.does("ask") >= _ASKING and not _THANKS.fullmatch(self._text.strip())
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
        if "refusal" in reading.signals and len(words(self._text)) <= _BRIEF:
            return True
        if any(self._hearing.does(act) >= much for act, much in _UNSETTLED.items()):
            return False
        if goal is not None and asks_to_know(goal.ask):
            return True
        if self._hearing.does("step") >= _STEP:
            return "wait" in reading.signals
        plain = bool(reading.signals & {"passed_on", "refusal"}) or self._hearing.does("refuse") >= _REFUSED
        plain = plain or self._hearing.does("done") >= _SURELY_DONE
        return self._seems_ended(reading) and (plain or not self._misgivings.against("leaves"))

    def _seems_ended(self, reading: Reading) -> bool:
        reported = any(reports_an_act(sentence, self._ledger) or stands(sentence) for sentence in reading.stated)
        said = reported or bool(reading.signals & {"refusal", "done"})
        return said or self._hearing.does("done", "refuse", "offer") >= _SETTLED

    def may_be_open(self) -> bool:
        """`What shall I do with the spare ones?` is no offer of help."""
        return self._hearing.does("options", "propose") < _LISTING

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

    def _is_plain(self, told: Collection[Entry], ask: Ask) -> bool:
        """It asks for whatever helps, and names none of it; or in a few words for what a value counts."""
        alike = [likeness(ask.text, entry) for entry in told]
        if self._is_open(ask):
            return not any(like.named for like in alike)
        return len(words(self._text)) <= _BRIEF and all(like.value_said > 0.0 for like in alike)

    def _is_heard(self, entry: Entry, ask: Ask) -> bool:
        """`Can you check it again?` says by itself less of what is asked for than with what stands before it.

        What a value counts (`how many bedrooms?`) and what the fact is of (`the purchase concerned`) is as good as its
        name."""
        if entry.fact.reveal == "never":
            return True  # nothing is told by it
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


def _names_more(ask: Ask, kept: Collection[Entry]) -> bool:
    """`File + sheet name?`, where one fact answers: a list of nouns asks for as many things as it names."""
    return len(ask.parts) > len(kept) and all(len(words(part)) <= _NOUN_LONG for part in ask.parts)


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
