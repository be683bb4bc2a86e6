"""What the rules make of a message, beside a second hearing → only that against which the other does not speak."""

from msgspec import structs

from misstep.core.words import STOPWORDS, words
from misstep.users.answering import Wanted
from misstep.users.contradicting import Objection, is_said
from misstep.users.hinting import Hint
from misstep.users.ledger import Ledger
from misstep.users.weighing.hearing import Hearing
from misstep.wording.facts import Entry

_ASKED = 0.3
"""A fact that is less likely asked for is not told, but asked back about."""
_HINTED = 0.4
"""The same for a statement, which asks for nothing outright."""
_MEANT = 0.5
"""A fact that is more likely meant keeps a person from saying that there is no such thing."""
_SETTLED = 0.4
"""What is less likely a report, a refusal or an offer leaves nobody content."""
_PROPOSED = 0.3
_AGREED = 0.3
"""A yes needs as much."""
_WRONG = 0.6
"""A no that the second hearing thinks less likely right is put as a doubt."""
_AHEAD, _LEVEL = 0.25, 0.15
_MOST = 2


def asked_for(found: Wanted, hearing: Hearing, ledger: Ledger) -> Wanted:
    """Without the facts that the second hearing does not hear: those may be meant, and are asked back about."""
    meant = likeliest(ledger, hearing, _MEANT)
    if not found.understood:
        return structs.replace(found, maybe=found.maybe or meant)
    if found.generic:
        return _lost(found, meant) if any(entry not in found.entries for entry in meant) else found
    kept = tuple(entry for entry in found.entries if hearing.asked.get(entry.name, 0.0) >= _ASKED)
    if not kept:
        # With nothing to tell and nothing meant, there is no such thing.
        return _lost(found, meant or found.entries) if found.entries or meant else found
    others = tuple(entry for entry in meant if entry not in kept)
    rivals = tuple(each for each in others if any(_rival(each, entry, hearing) for entry in kept))
    if rivals:
        return _lost(found, tuple(sorted((*rivals, *kept), key=lambda each: -hearing.asked[each.name])))
    lost = others or tuple(entry for entry in found.entries if entry not in kept)
    return structs.replace(found, entries=kept, rest=True, maybe=lost) if lost else found


def _lost(found: Wanted, maybe: tuple[Entry, ...]) -> Wanted:
    return structs.replace(
        found, entries=(), lacks=(), understood=False, rest=False, generic=False, maybe=maybe[:_MOST]
    )


def _rival(other: Entry, entry: Entry, hearing: Hearing) -> bool:
    """Heard much more clearly; or as clearly, and of one kind with it."""
    ahead = hearing.asked[other.name] - hearing.asked[entry.name]
    alike = bool(other.kinds & entry.kinds) or bool({*words(other.name)} & {*words(entry.name)} - STOPWORDS)
    return ahead > _AHEAD or (alike and ahead > -_LEVEL)


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


def may_agree(hearing: Hearing) -> bool:
    """Whether a yes is in place."""
    return hearing.does("propose", "offer", "options", "done") >= _PROPOSED and hearing.agreed >= _AGREED


def tempered(against: Objection, hearing: Hearing, text: str) -> Objection:
    """A no to what the second hearing finds in order, or to a value that was said, is only a doubt."""
    entry = against.entry
    if against.kind != "wrong" or entry is None or not (hearing.agreed >= _WRONG or is_said(entry, text)):
        return against
    return Objection("doubtful", entry)


def likeliest(ledger: Ledger, hearing: Hearing, least: float) -> tuple[Entry, ...]:
    """The facts that are most likely meant, at most two, the likeliest first."""
    open_ = [entry for entry in ledger.entries if entry.fact.reveal != "never"]
    ranked = sorted(open_, key=lambda entry: (-hearing.asked.get(entry.name, 0.0), entry.name))
    return tuple(entry for entry in ranked if hearing.asked.get(entry.name, 0.0) >= least)[:_MOST]
