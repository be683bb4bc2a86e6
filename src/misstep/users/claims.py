"""What a proposal claims in words of its own → the fact that it seems to get wrong, and how sure that is."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from misstep.core.words import STOPWORDS, as_number, sentences, stem, words
from misstep.users.contradicting import is_said
from misstep.users.ledger import Ledger
from misstep.users.measuring import other_measure, other_number
from misstep.users.misspelling import misspelt
from misstep.users.strangers import stranger
from misstep.wording.cues import cues
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import spans
from misstep.wording.stages import stage_of
from misstep.wording.topics import actions_in, meets
from misstep.wording.values import BARE_DAY, Spotted, counted, folded, form, holds, spelt, spot, within

_NAME = re.compile(r"(?<![\w'-])[A-Z][\w'’&-]*(?:\s+(?:(?:of|the|and|&|de|van)\s+)?[A-Z][\w'’-]*)*")
_BEFORE = re.compile(r"(\w+)\s+(?:the\s+)?$", re.IGNORECASE)
TURNED = re.compile(r"\b(?:to|until|till|since|by|before|after|of|ago|dated)(?: the)?\s*$", re.IGNORECASE)
"""What stands behind these is another day than the one that something is on."""
_FOR_SO_MANY = re.compile(r"\b(?:for|of) (\d{1,2})(?=\s*(?:[,;.!?)]|$)|\s+(?:on|at|in|from|and|with)\b)", re.IGNORECASE)
"""`a table for 4`, `a party of 6`."""
_BREAK = re.compile(r"[,;:.!?]\s")
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof"))
_ANOTHER = re.compile(
    r"\b(?:instead|in its place|how about|what about|we do have|there is|the (?:closest|nearest|next)"
    r"|(?:could|can) (?:see|offer|do|give|squeeze|put)"
    r"|would (?:the |that |you |it )?\w+(?: (?:that|this|it|one|do|work|suit|be))*"
    r"(?: (?:for you|all right|ok|okay|acceptable|as well))?\?)|[.;,!] (?:[\w:'-]+ ){0,3}[\w:'-]+\?$",
    re.IGNORECASE,
)
"""What puts something else forward."""
_A_QUARTER = 15
_SMALL = 1000
_MONEY = ("euros", "dollars", "pounds", "points", "percent")
_OPENERS = frozenset(
    """i i'll i'd i'm i've we we'll you you'll your so ok okay yes no shall should would could can may is are do
    does just and then that this these there here it its it's please thank thanks great perfect lovely sure
    found checked right well good happy sorry unless if when while since although because after before once
    until as what which who where how why given both most many people our their my his her one two some any
    all each every let also now today tomorrow hi hello dear unfortunately regrettably certainly quite
    hiya heya howdy cheers morning afternoon evening
    aw aww oh ooh ah wow yay yikes oops hey gosh ugh hm hmm alright absolutely awesome amazing brilliant
    fantastic fab wonderful excellent cool super sweet nice noted understood
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august
    september october november december""".split()
)


class Slip(Struct, frozen=True):
    """A fact that a proposal seems to get wrong."""

    entry: Entry
    sure: bool = True


def slip(text: str, ledger: Ledger, *, reported: bool = False) -> Slip | None:
    """The first fact that a proposal gets wrong in words: by a limit, a slip, or another name.

    What is `reported` offers nothing: `account 88-20 closed as of 31 March` is no refusal of the account."""
    live = text if reported else _live(text, ledger)
    seen = spot(live)
    absent = [entry for entry in ledger.entries if not is_said(entry, live)]
    found = (
        _over_the_limit(seen, ledger)
        or other_measure(live, absent)
        or misspelt(live, absent, ledger)
        or _other_of_its_name(live, absent, ledger)
    )
    if found is not None:
        return Slip(found)
    return (
        _other_number(live, absent)
        or _other_count(live, seen, absent, ledger)
        or _other_price(seen, absent, ledger)
        or _other_means(live, absent)
        or _other_time(seen, absent, ledger)
        or _other_day(live, seen, absent, ledger)
        or _other_name(live, absent, ledger)
        or _other_half(live, absent)
        or _other_span(live, absent, ledger)
        or _stranger(live, absent, ledger)
    )


def _pieces(text: str) -> list[str]:
    return [piece for sentence in sentences(text) for piece in cues().clause.split(sentence) if piece and piece.strip()]


def _live(text: str, ledger: Ledger) -> str:
    """The text without the clauses that say what cannot be had: what stands there is not proposed."""
    kept = [piece for piece in _pieces(text) if not (cues().unavailable.search(piece) and _holds_any(piece, ledger))]
    return ". ".join(kept)


def _holds_any(piece: str, ledger: Ledger) -> bool:
    seen = spot(piece)
    return any(holds(seen, each) for entry in ledger.entries for each in entry.forms)


def counter_offer(text: str, sentence: str, ledger: Ledger) -> Entry | None:
    """`The third floor is full; would the second do?`: what is wanted is refused, and something else proposed."""
    if not _ANOTHER.search(text):
        return None
    for piece in _pieces(text):
        if piece.strip() == sentence.strip(" .?!") or not cues().unavailable.search(piece):
            continue
        seen = spot(piece)
        live = spot(_live(text, ledger))
        for entry in ledger.entries:
            refused = any(holds(seen, each) for each in entry.forms) or _spoken_of(entry, piece)
            if refused and not any(holds(live, each) for each in entry.forms) and entry.fact.reveal != "never":
                return entry
    return None


def _spoken_of(entry: Entry, piece: str) -> bool:
    """`Thursdays are full`, `Saturday at 8 is packed`: the words of the value, in another form."""
    roots = {stem(word) for word in words(entry.value) if word.isdigit() or len(word) > 2}
    named = any(not root.isdigit() for root in roots)
    return named and roots <= {stem(word) for word in words(piece)}


def _over_the_limit(seen: Spotted, ledger: Ledger) -> Entry | None:
    """More than a budget allows."""
    for entry in ledger.entries:
        if lexicon().limits.isdisjoint(stem(word) for word in words(entry.name)):
            continue
        if any(holds(seen, each) for each in entry.forms):
            continue
        priced = spot(entry.value).prices
        limit = next(iter(spot(entry.value).numbers or priced), None)
        known = {number for other in ledger.entries for number in spot(other.value).numbers}
        sums = seen.prices or (() if priced else tuple(each for each in seen.numbers if each not in known))
        if limit is not None and any(each > limit for each in sums):
            return entry
    return None


def _other_of_its_name(text: str, absent: Sequence[Entry], ledger: Ledger) -> Entry | None:
    """`the drawing course`, said to one who wants pottery: another word where the value would stand."""
    listed = words(text)
    for entry in absent:
        name = [stem(word) for word in words(entry.name)]
        worded = all(letter.isalpha() or letter in "' " for letter in entry.value)
        if len(name) != 1 or entry.fact.reveal == "never" or not worded:
            continue
        if any(stem(listed[at]) == name[0] and _stands_before(listed, at, ledger) for at in range(2, len(listed))):
            return entry
    return None


def _stands_before(listed: list[str], at: int, ledger: Ledger) -> bool:
    """A word that says which stands before the noun, behind an article; and the noun is not part of a longer one."""
    article, word = listed[at - 2], listed[at - 1]
    book, root = lexicon(), stem(word)
    plain = word in STOPWORDS or root in book.plain | book.assent | ledger.own_stems or word.endswith(("ed", "ly"))
    behind = listed[at + 1] if at + 1 < len(listed) else "the"
    alone = behind in STOPWORDS or behind.isdigit()
    return alone and not plain and not actions_in(word) and article in ("the", "a", "an", "your", "in", "for")


def _other_count(text: str, seen: Spotted, absent: Sequence[Entry], ledger: Ledger) -> Slip | None:
    """A small number before a noun that nobody gave, where the only count that is known is not mentioned."""
    counts = [
        entry for entry in absent if any(each.number is not None and each.number < _SMALL for each in entry.forms)
    ]
    known = {each.number for entry in ledger.entries for each in entry.forms}
    if counts and any(number not in known for number in spelt(text)):
        return Slip(counts[0], sure=False)
    for number, noun in counted(text):
        named = next((entry for entry in counts if stem(noun) in entry.senses[0].stems), None)
        if named is not None and number not in known:
            return Slip(named, sure=False)
    for found in _FOR_SO_MANY.finditer(text) if len(counts) == 1 else ():
        if (as_number(found[1]) or 0) not in known:
            return Slip(counts[0], sure=False)
    for atom in seen.atoms if len(counts) == 1 else ():
        if atom.kind != "number" or _is_known(atom.text, ledger) or float(as_number(atom.text) or 0) >= _SMALL:
            continue
        behind = words(text[atom.start + len(atom.text) :])[:1]
        apart = re.search(r"[£$€.,/-]\s?$|:$", text[: atom.start]) is None
        if (
            apart
            and behind
            and behind[0].endswith("s")
            and stem(behind[0]) not in lexicon().units
            and behind[0] not in _MONEY
        ):
            return Slip(counts[0], sure=False)
    return None


def _other_number(text: str, absent: Sequence[Entry]) -> Slip | None:
    entry = other_number(text, absent)
    return Slip(entry, sure=False) if entry else None


def _stranger(text: str, absent: Sequence[Entry], ledger: Ledger) -> Slip | None:
    entry = stranger(text, absent, ledger)
    return Slip(entry, sure=False) if entry else None


def _other_span(text: str, absent: Sequence[Entry], ledger: Ledger) -> Slip | None:
    """`for two weeks`, said to one who wants ten days: a span that nobody gave, in other units."""
    known = {span for entry in ledger.entries for span in spans(entry.value)}
    strange = [span for span in spans(text) if span not in known]
    entry = next((each for each in absent if spans(each.value) and each.fact.reveal != "never"), None)
    return Slip(entry, sure=False) if strange and entry else None


def _other_price(seen: Spotted, absent: Sequence[Entry], ledger: Ledger) -> Slip | None:
    """A price that nobody gave, where the only one that is known is not mentioned."""
    known = {price for entry in ledger.entries for price in spot(entry.value).prices}
    priced = [entry for entry in absent if spot(entry.value).prices and entry.fact.reveal != "never"]
    strange = bool(seen.prices) and known.isdisjoint(seen.prices) and len(priced) == 1
    limit = strange and not lexicon().limits.isdisjoint(stem(word) for word in words(priced[0].name))
    return Slip(priced[0], sure=False) if strange and not limit else None


def _other_means(text: str, absent: Sequence[Entry]) -> Slip | None:
    """Another way to pay than the one that is known."""
    sets = lexicon().values
    said = {root for root in map(stem, words(text)) if sets.get(root) == "means"}
    paying = [entry for entry in absent if "method" in entry.kinds and entry.fact.reveal != "never"]
    return Slip(paying[0], sure=False) if said and paying else None


def _other_time(seen: Spotted, absent: Sequence[Entry], ledger: Ledger) -> Slip | None:
    """A time of the day that nobody gave, far from the one that is known; on another day it may be another's."""
    elsewhere = any(atom.kind == "date" and not _is_known(atom.text, ledger) for atom in seen.atoms)
    known = {time for entry in ledger.entries for time in spot(entry.value).times}
    strange = [time for time in seen.times if time not in known]
    for entry in absent:
        times = spot(entry.value).times
        timed = "clock" in entry.sorts and times and strange and not elsewhere
        if timed and all(abs(mine - theirs) >= _A_QUARTER for mine in times for theirs in strange):
            return Slip(entry, sure=False)
    return None


def _other_day(text: str, seen: Spotted, absent: Sequence[Entry], ledger: Ledger) -> Slip | None:
    """A day that nobody gave, where a day that is known is not mentioned."""
    dated = [entry for entry in absent if entry.sorts & {"day"} and entry.atoms and "birthdate" not in entry.kinds]
    strange = any(
        atom.kind == "date" and not _is_known(atom.text, ledger) and not TURNED.search(text[: text.find(atom.text)])
        for atom in seen.atoms
    )
    known = {day[2] for entry in ledger.entries for each in entry.forms for day in each.days}
    bare = any(int(found[1]) not in known for found in BARE_DAY.finditer(text))
    return Slip(dated[0], sure=False) if dated and (strange or bare) else None


def _is_known(text: str, ledger: Ledger) -> bool:
    value = form(text)
    return holds(ledger.own, value) or any(within(value, each) for entry in ledger.entries for each in entry.forms)


def _other_name(text: str, absent: Sequence[Entry], ledger: Ledger) -> Slip | None:
    """A name that nobody gave, where a fact of its sort is not mentioned."""
    named = [entry for entry in absent if entry.fact.reveal != "never" and "proper" in entry.sorts | _house(entry)]
    for name, before in strange_names(text, ledger):
        fitting = [entry for entry in named if _may_stand(entry, name, before)]
        surely = [entry for entry in fitting if _shares(entry, name) or _belongs(entry, before)]
        if len(surely) > 1:  # what is proposed is what is to be
            surely = [entry for entry in surely if stage_of(entry) == "new"] or surely
        if len(surely) == 1:
            return Slip(surely[0])
        if fitting:
            return Slip(fitting[0], sure=False)
    return None


def _other_half(text: str, absent: Sequence[Entry]) -> Slip | None:
    """`Leeds train station` for Leeds Airport: a name that begins alike and ends in other words."""
    listed = [words(piece) for piece in _BREAK.split(text)]
    for entry in absent:
        mine = words(entry.value)
        named = len(mine) > 1 and mine[0] not in STOPWORDS and entry.value[:1].isupper() and not entry.atoms
        if not named or entry.fact.reveal == "never":
            continue
        for word, behind in (pair for piece in listed for pair in pairwise(piece)):
            if word == mine[0] and behind.isalpha() and behind not in {*mine, *STOPWORDS}:
                return Slip(entry, sure=False)
    return None


def _house(entry: Entry) -> frozenset[str]:
    return (
        frozenset({"proper"})
        if "place" in entry.sorts and any(letter.isupper() for letter in entry.value)
        else frozenset()
    )


def strange_names(text: str, ledger: Ledger) -> Iterator[tuple[str, str]]:
    """The names in a text that the person has not given, each with the word before it."""
    known = ledger.own.folded + " ".join(each.folded for entry in ledger.entries for each in entry.forms)
    for sentence in sentences(text):
        for found in _NAME.finditer(sentence):
            name, start = found[0], found.start()
            first, _, rest = name.partition(" ")
            alone = sentence[found.end() :].startswith(",") or sentence.strip(" .") == first
            listed = alone and stem(first.lower()) not in _courtesy() and not first.endswith(("ed", "ing", "ly"))
            if first.lower() in _OPENERS or (start == 0 and not rest and not listed):
                name, start = rest, start + len(first) + 1
            plain = STOPWORDS | _OPENERS | _TITLES
            telling = [part for word in name.split() if word.lower() not in plain for part in folded(word).split()]
            if (
                not telling
                or name.isupper()
                or all(f" {word} " in known for word in telling)
                or any(map(str.isdigit, name))
            ):
                continue
            if sentence[found.end() :].startswith(":"):
                continue  # a label
            before = _BEFORE.search(sentence[:start])
            yield name, before[1].lower() if before else ""


def _courtesy() -> frozenset[str]:
    book = lexicon()
    return book.idle | book.plain | book.assent | book.kinds.keys() | book.things.keys() | book.actions.keys()


def _may_stand(entry: Entry, name: str, before: str) -> bool:
    """A place does not stand behind `with`, nor a person behind `to` alone."""
    if "person" in entry.sorts and "place" not in entry.sorts and before in ("at", "in", "from", "near", "on", "via"):
        return False
    if "place" in entry.sorts and "person" not in entry.sorts and before in ("with", "by", "under"):
        return False
    return _is_person(name) == _is_person(entry.value) or not (_is_person(name) or "place" in entry.sorts)


def _is_person(name: str) -> bool:
    return words(name)[0] in _TITLES


def _shares(entry: Entry, name: str) -> bool:
    """A word of the value."""
    mine, theirs = {stem(word) for word in words(entry.value)}, {stem(word) for word in words(name)}
    return bool(mine & theirs - STOPWORDS)


def _belongs(entry: Entry, before: str) -> bool:
    """The word before the name is the fact's own, or its preposition: `to` for where one goes."""
    by_kind = {"to": {"destination", "recipient"}, "from": {"origin", "merchant"}, "with": {"doctor", "manager"}}
    if entry.kinds & by_kind.get(before, set()):
        return True
    root = stem(before)
    return bool(before) and any(meets(root, each) for sense in entry.senses for each in sense.stems)
