"""What the rules make of a message, beside a second hearing → only that against which the other does not speak."""

import difflib
from collections.abc import Collection

from msgspec import structs

from misstep.core.words import STOPWORDS, stem, words
from misstep.users.accounting import strange
from misstep.users.answering import Wanted
from misstep.users.claims import strange_names
from misstep.users.contradicting import Objection, is_said
from misstep.users.hinting import Hint
from misstep.users.ledger import Ledger
from misstep.users.weighing.hearing import Hearing
from misstep.users.weighing.traits import likeness
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.stages import stage_of
from misstep.wording.topics import topic_of
from misstep.wording.understanding import Ask
from misstep.wording.values import folded, holds, spot

_ASKED = 0.1
"""A fact that is less likely asked for is not told, but asked back about."""
_ASKING = 0.5
"""Less likely a question, a message asks for nothing in general."""
_HINTED = 0.4
"""As much as `_ASKED`, for a statement, which asks for nothing outright."""
_MEANT = 0.7
"""A fact that is more likely meant keeps a person from telling another."""
_SETTLED = 0.4
"""What is less likely a report, a refusal or an offer leaves nobody content who wants something done."""
_AHEAD, _LEVEL = 0.25, 0.15
_NEARLY = 0.7
_MOST = 2
_OPEN = frozenset(("lookup", "identify"))


def asked_for(found: Wanted, ask: Ask, hearing: Hearing, ledger: Ledger) -> Wanted:
    """Without the facts that the second hearing does not hear: those may be meant, and are asked back about.

    What is so or is not, and what anything may answer, is for the rules alone."""
    here = hearing.of(ask.text, ledger)
    meant = likeliest(ledger, here, _MEANT)
    if not found.understood:
        return structs.replace(found, maybe=found.maybe or meant)
    if found.generic:
        elsewhere = any(entry not in found.entries for entry in meant)
        return _lost(found, meant) if elsewhere or hearing.does("ask") < _ASKING else found
    truths = any(isinstance(entry.fact.value, bool) for entry in found.entries)
    if not found.entries or truths or _is_open(ask, hearing, ledger):
        return found
    kept = tuple(entry for entry in found.entries if _is_heard(entry, ask, here, hearing))
    if not kept:
        return _lost(found, meant or found.entries)
    others = tuple(entry for entry in meant if entry not in kept)
    unsure = [entry for entry in kept if not likeness(ask.text, entry).whole]
    rivals = tuple(each for each in others if any(_rivals(each, entry, here) for entry in unsure))
    if rivals:
        return _lost(found, tuple(sorted((*rivals, *kept), key=lambda each: -here.asked[each.name])))
    lost = others or tuple(entry for entry in found.entries if entry not in kept)
    return structs.replace(found, entries=kept, rest=True, maybe=lost) if lost else found


def _is_open(ask: Ask, hearing: Hearing, ledger: Ledger) -> bool:
    """`I'll need something to look it up with.`"""
    open_ = bool(topic_of(ask.text).generic & _OPEN)
    return open_ and hearing.does("ask") >= _ASKING and not strange(ask.text, ledger)


def _is_heard(entry: Entry, ask: Ask, here: Hearing, whole: Hearing) -> bool:
    """`Can you check it again?` says by itself less of what is asked for than with what stands before it.

    What a value counts (`how many bedrooms?`) is as good as its name."""
    chance = max(here.asked.get(entry.name, 0.0), whole.asked.get(entry.name, 0.0))
    return chance >= _ASKED or likeness(ask.text, entry).value_said > 0.0


def _lost(found: Wanted, maybe: tuple[Entry, ...]) -> Wanted:
    return structs.replace(
        found, entries=(), lacks=(), understood=False, rest=False, generic=False, maybe=maybe[:_MOST]
    )


def _rivals(other: Entry, entry: Entry, hearing: Hearing) -> bool:
    """Heard much more clearly than what is hardly heard; or as clearly, and of one kind with it.

    Names that differ in a preposition or a stage are for the rules."""
    chance = hearing.asked[entry.name]
    ahead = hearing.asked[other.name] - chance
    one, two = ({*words(each.name)} - STOPWORDS for each in (other, entry))
    if one == two or (stage_of(other) and stage_of(entry) and stage_of(other) != stage_of(entry)):
        return False
    if other.kinds & entry.kinds or one & two:
        return ahead > -_LEVEL
    return chance < _ASKING and ahead > _AHEAD


def left_out(hearing: Hearing, ledger: Ledger, answered: Collection[str], text: str) -> tuple[Entry, ...]:
    """What seems to be asked for in some other part of a message than those that were answered."""
    meant = likeliest(ledger, hearing, _MEANT)
    return tuple(entry for entry in meant if entry.name not in answered and not is_said(entry, text))


def hinted_at(hint: Hint, hearing: Hearing, ledger: Ledger) -> Hint:
    """The same for what a statement is after."""
    kept = tuple(entry for entry in hint.entries if hearing.asked.get(entry.name, 0.0) >= _HINTED)
    if len(kept) == len(hint.entries):
        maybe = hint.maybe or (() if kept else likeliest(ledger, hearing, _MEANT))
        return structs.replace(hint, maybe=maybe)
    lost = tuple(entry for entry in hint.entries if entry not in kept)
    maybe = () if kept else (likeliest(ledger, hearing, _MEANT) or (*lost, *hint.maybe))
    return structs.replace(hint, entries=kept, maybe=maybe, open=True, rest=hint.rest or bool(kept))


def is_settled(hearing: Hearing) -> bool:
    """Whether nothing seems to be wanted of the person."""
    return hearing.does("done", "refuse", "offer") >= _SETTLED


def tempered(against: Objection, text: str, ledger: Ledger) -> Objection:
    """A no about a value that was said, or where another fact that looks like it is nearer to the words, is a doubt.

    Where something that nobody has named is put in its place, a no it stays."""
    entry = against.entry
    if against.kind != "wrong" or entry is None:
        return against
    if any(holds(spot(text), each) for each in entry.forms) and not _names_another(text, ledger):
        return Objection("doubtful", entry)
    looks = {atom.kind for atom in entry.atoms}
    alike = [
        each
        for each in ledger.entries
        if looks and {atom.kind for atom in each.atoms} == looks and not is_said(each, text)
    ]
    nearest = max((entry, *alike), key=lambda each: (_nearness(each, text), likeness(text, each).score))
    return against if nearest is entry else Objection("doubtful", nearest)


def _names_another(text: str, ledger: Ledger) -> bool:
    """A literal or a name that the person has not given."""
    known = f"{ledger.own.folded} {' '.join(entry.value for entry in ledger.entries)}".lower()
    strange = any(folded(atom.text).strip() not in folded(known) for atom in spot(text).atoms)
    members = any(stem(word) in lexicon().values and stem(word) not in known for word in words(text))
    return strange or members or next(strange_names(text, ledger), None) is not None


def _nearness(entry: Entry, text: str) -> float:
    """How much some literal of the text is like one of the fact's, if much."""
    pairs = [(one.text, other.text) for one in spot(text).atoms for other in entry.atoms if one.kind == other.kind]
    ratios = (difflib.SequenceMatcher(None, one.lower(), other.lower()).ratio() for one, other in pairs)
    return max((ratio for ratio in ratios if ratio >= _NEARLY), default=0.0)


def likeliest(ledger: Ledger, hearing: Hearing, least: float) -> tuple[Entry, ...]:
    """The facts that are most likely meant, at most two, the likeliest first."""
    open_ = [entry for entry in ledger.entries if entry.fact.reveal != "never"]
    ranked = sorted(open_, key=lambda entry: (-hearing.asked.get(entry.name, 0.0), entry.name))
    return tuple(entry for entry in ranked if hearing.asked.get(entry.name, 0.0) >= least)[:_MOST]
