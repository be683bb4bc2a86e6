"""A clause and a fact that it seems to ask for → whether it says enough of that fact for it to be told."""

import re
from collections.abc import Sequence

from misstep.core.words import STOPWORDS, stem, words
from misstep.users.accounting import unexplained
from misstep.users.belonging import shares_a_word
from misstep.users.ledger import Ledger
from misstep.users.nouns import NOUN
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import fits, fits_closely, only_the_sort, sorts_named, sorts_wanted
from misstep.wording.stages import counterparts, stage_of, stages_in
from misstep.wording.topics import Topic, topic_of

_LEAST = 3
_OF = re.compile(r"^\W*(?:the )?[a-z]+ of (?:the |your |that )(?P<owner>[a-z]+)\W*$", re.IGNORECASE)
_WAS = re.compile(
    r"\b(?:(?:was|were|had)(?!.*\b(?:meant|supposed|due|going|hoping|planning|hoped|planned)\b)"
    r"|began|started|happened|occurred|since when|did(?! (?:you|we|i) (?:want|need|wish|have in mind)))\b",
    re.IGNORECASE,
)
_TO_BE = re.compile(
    r"\b(?:preferred|best|wanted|new|next|visit|slot|appointment|pick-?up|drop-?off|collection|delivery|call-?back"
    r"|moving|fitting|arrival|departure|travel|check-?(?:in|out)|return)\b",
    re.IGNORECASE,
)
_TIMELY = frozenset(("day", "clock"))
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MEASURED = re.compile(
    r"^\d[\d.,]* ?(?:feet|foot|ft|inch(?:es)?|m|cm|km|met(?:re|er)s?|miles?|yards?)\b", re.IGNORECASE
)


def is_grounded(part: str, topic: Topic, chosen: Sequence[Entry], ledger: Ledger, *, whole: str) -> bool:
    """Each by a word of its name, or by its kind and nothing strange; or by a question word that no other answers.

    What another clause of the whole asks for is no rival."""
    elsewhere = {stem(word) for word in words(whole.replace(part, " "))}
    rivals = [each for each in ledger.entries if each not in chosen and not shares_a_word(each, elsewhere)]
    said, owners = {stem(word) for word in words(part)}, _owners(part)
    if owners and any(shares_a_word(each, owners) and not shares_a_word(each, said - owners) for each in chosen):
        return any(each.kinds & topic_of(part).kinds.keys() for each in chosen)
    return all(
        topic.own
        or shares_a_word(entry, said)
        or _is_cut_short(part, entry)
        or _is_of_kind(part, entry, rivals, ledger)
        for entry in chosen
    )


def _owners(part: str) -> set[str]:
    """`the make of the tap` says what it belongs to; a fact that is called after that alone is not meant."""
    return {stem(word) for found in _OF.finditer(part) for word in words(found["owner"])}


def _is_of_kind(part: str, entry: Entry, rivals: Sequence[Entry], ledger: Ledger) -> bool:
    said, wanted = topic_of(part), sorts_wanted(part)
    if said.hinted and not wanted:
        return True  # weighed before
    kinds = frozenset[str]() if said.hinted else entry.kinds & said.kinds.keys()
    if kinds - lexicon().vague:
        return True
    if stage_of(entry) and stages_in(part):
        return True  # what is so now, as against what is to be
    strangely = bool(kinds) and not (wanted and only_the_sort(kinds, wanted))
    if strangely and (
        said.things - _matter(ledger)
        or (not said.things and unexplained(" ".join(NOUN.findall(part)), [entry], ledger))
    ):
        return False
    if not kinds and wanted & _TIMELY and _WAS.search(part) and _TO_BE.search(entry.name):
        return False  # when it was last done is not when it is to be
    told_apart = counterparts(entry, ledger.entries)  # by what is so now and what is to be
    others = [
        each
        for each in rivals
        if each not in told_apart
        and each.fact.reveal != "never"
        and each.kinds.isdisjoint(("email", "phone"))
        and (not kinds or each.kinds & kinds)
        and not ("person" in wanted and "name" in each.kinds)  # the person's own answers only where it is asked for
    ]
    return not any(_answers_as_well(each, entry, wanted) for each in others)


def _matter(ledger: Ledger) -> frozenset[str]:
    """The things that the person's own matter is about."""
    asks = " ".join(goal.ask for goal in ledger.person.goals)
    own = topic_of(f"{ledger.person.opening} {asks}").things
    return own.union(*(entry.things for entry in ledger.entries))


def _answers_as_well(other: Entry, entry: Entry, wanted: frozenset[str]) -> bool:
    """Broadly: a year answers `when`, a measure `how long`; a name answers `where` unless an address does."""
    named = sorts_named(other.kinds)
    if named and not named & wanted:
        return False  # its name says what it is
    if fits(other.sorts, wanted):
        return bool(wanted) and (fits_closely(other.sorts, wanted) or not fits_closely(entry.sorts, wanted))
    return ("day" in wanted and bool(_YEAR.search(other.value))) or (
        "span" in wanted and bool(_MEASURED.match(other.value))
    )


def _is_cut_short(part: str, entry: Entry) -> bool:
    """`Reg?`, `which repo`: the beginning of its name."""
    cut = [word for word in words(part) if word.isalpha() and len(word) >= _LEAST and word not in STOPWORDS]
    return any(name.startswith(word) for name in words(entry.name) for word in cut)
