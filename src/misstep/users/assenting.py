"""Something that nothing speaks against → what keeps a person from a yes all the same, if anything does."""

import re

from misstep.core.words import STOPWORDS, Atom, as_number, content_stems, stem, words
from misstep.users.accounting import everyday, strange
from misstep.users.claims import TURNED
from misstep.users.contradicting import Objection, is_said
from misstep.users.ledger import Ledger
from misstep.users.strangers import unaccounted
from misstep.wording.facts import Entry
from misstep.wording.lexicon import lexicon
from misstep.wording.topics import actions_in, assent_only, meets, topic_of
from misstep.wording.understanding import Confirm
from misstep.wording.values import form, holds, number_words, shape, spot

_SMALL = 1000
_ASKS_WHAT = re.compile(r"\b(?:what|which|who|whom|whose|when|where|how (?:many|much|long|often))\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:i|we|you|it|that|this|shall|should|i'll|we'll|i'd|that's|is|are|will|would|do|have)\b", re.I)
_TOWARDS = re.compile(r"\b(?:to|onto|into) (?:\w+ )?$", re.IGNORECASE)


def withheld(confirm: Confirm, ledger: Ledger) -> Objection | None:
    """A yes needs each number, each day and each word of a proposal accounted for, and a proposal it must be."""
    if _asks_for_a_fact(confirm, ledger):
        return Objection("unclear")
    for text in (confirm.text, confirm.sentence):
        if (entry := _uncounted(text, ledger)) is not None:
            return Objection("doubtful", entry)
    if (entry := unaccounted(confirm, ledger)) is not None:
        return Objection("doubtful", entry)
    return None


def _asks_for_a_fact(confirm: Confirm, ledger: Ledger) -> bool:
    """`Delivery address + floor?`, `May I note the reason?`: kinds of fact and no value, or a question word."""
    sentence = confirm.sentence
    if _shows_a_value(confirm.text, ledger):
        return False
    if _ASKS_WHAT.search(sentence):
        return True
    if not (_VERB.search(sentence) or actions_in(sentence) or assent_only(sentence)):
        return True  # a noun and nothing else
    topic = topic_of(sentence)
    named = bool(topic.kinds) and not topic.hinted
    if not named and not any(_is_spoken_of(entry, sentence) for entry in ledger.entries):
        return False
    return not _VERB.search(sentence) or strange(sentence, ledger)


def _is_spoken_of(entry: Entry, sentence: str) -> bool:
    said = {stem(word) for word in words(sentence)}
    return any(sense.stems and sense.stems[-1] in said for sense in entry.senses)


def _shows_a_value(text: str, ledger: Ledger) -> bool:
    seen = spot(text)
    return any(holds(seen, each) for entry in ledger.entries for each in entry.forms)


def _uncounted(text: str, ledger: Ledger) -> Entry | None:
    """A number or a day that nobody gave, where a fact that it may stand for is not mentioned."""
    seen = spot(text)
    absent = [entry for entry in ledger.entries if entry.fact.reveal != "never" and not is_said(entry, text)]
    strange = [atom for atom in seen.atoms if not _is_known(atom.text, ledger)]
    found = (entry for atom in strange for entry in absent if _may_stand_for(atom, entry, text))
    if (entry := next(found, None)) is not None:
        return entry
    known = _counts_in(ledger)
    for number, start, end in number_words(text):
        for entry in absent if number not in known else ():
            if _is_count(entry) and _counts(entry, text[:start], text[end:]):
                return entry
    return None


def _is_count(entry: Entry) -> bool:
    """`4`, `two boxes`; no house number, and no sum."""
    plain = any(each.number is not None and each.number < _SMALL for each in entry.forms)
    return (plain or bool(number_words(entry.value))) and "amount" not in entry.kinds


def _counts(entry: Entry, before: str, behind: str) -> bool:
    """A number beside it may be the fact's: what it counts is the fact's own noun, or nothing that is known."""
    own = {root for sense in entry.senses for root in sense.stems} | set(content_stems(entry.value))
    following, label = (stem(word) for word in (_first(behind), _last(before)))
    if _TOWARDS.search(before):
        return False  # what is to be is another than what is known
    if any(meets(root, each) for root in (following, label) if root for each in own):
        return True
    if following:
        return bool(entry.kinds & {"quantity", "people"}) and following not in lexicon().units
    return label not in everyday()


def _first(text: str) -> str:
    found = re.match(r"[ -]([a-z]+)", text)
    return found[1] if found and found[1] not in STOPWORDS else ""


def _last(text: str) -> str:
    found = re.search(r"([A-Za-z]+) $", text)
    return found[1].lower() if found and found[1].lower() not in STOPWORDS else ""


def _may_stand_for(atom: Atom, entry: Entry, text: str) -> bool:
    looks = {each.kind for each in entry.atoms}
    before, behind = text[: atom.start], text[atom.start + len(atom.text) :]
    if atom.kind == "date":
        return "date" in looks and "birthdate" not in entry.kinds and not TURNED.search(before)
    if atom.kind == "code":
        return any(each.kind == "code" and shape(each.text) == shape(atom.text) for each in entry.atoms)
    number = as_number(atom.text) if atom.kind == "number" else None
    if number is None:
        return False
    if number in spot(text).prices:
        return bool(spot(entry.value).prices)
    if number < _SMALL:
        return _is_count(entry) and _counts(entry, before, behind)
    return any(each.kind in ("number", "code") and len(each.text) == len(atom.text) for each in entry.atoms)


def _is_known(literal: str, ledger: Ledger) -> bool:
    part = form(literal)
    return holds(ledger.own, part) or any(holds(spot(entry.value), part) for entry in ledger.entries)


def _counts_in(ledger: Ledger) -> frozenset[float]:
    texts = (*(entry.value for entry in ledger.entries), ledger.own.folded)
    worded = (number for text in texts for number, _, _ in number_words(text))
    return frozenset((*worded, *(number for text in texts for number in spot(text).numbers)))
