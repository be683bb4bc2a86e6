"""A text → what it says of a person's facts that is not so."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from misstep.core.words import Atom, content_stems, sentences, stem, words
from misstep.users.ledger import Ledger
from misstep.wording.facts import Entry, match
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import is_span
from misstep.wording.topics import Topic, actions_in, meets, topic_of
from misstep.wording.values import BARE_DAY, Spotted, folded, form, holds, proper_names, shape, spot, within

_TOWARDS = re.compile(r"\b(?:to|onto|until|till)(?: the)?\s*$", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:to|onto|until|till|for)(?: the)?:?\s*$", re.IGNORECASE)
_TITLE = re.compile(r"^(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor)\.? ")
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor)\.? ([A-Z][\w'’-]+)")
_LINE = re.compile(r"(?:^|[.\n:] ?|\n)[-*•–] (?P<label>[A-Z][\w' /-]{1,30}): (?P<value>[^.\n]{1,60})")
_MEASURE = re.compile(r"\d[\d.,]*\s?([a-z]{1,12})", re.IGNORECASE)
_PREPOSITIONS = ("of", "for", "to", "on", "with", "from", "in", "by", "at")
_BREAK = re.compile(r"[(\[,;]|\.\s")
_MONEY = re.compile(r"[$€£]\s*$|\b(?:eur|usd|gbp)\s*$", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEARS = 9
"""Letters in a value such as 2023/24 or 2023-2024."""
_COUNTED = re.compile(
    r"\b(?<!one of )(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve)[ -]"
    r"(minutes?|hours?|days?|nights?|weeks?|months?|years?)\b(?! ago| later| old| from now)",
    re.IGNORECASE,
)
_WINDOW = 120
_SHORT = 4
_CODE_DIGITS = 5
_SLIP_DIGITS = 3
_NAMED = frozenset(
    """name recipient city destination origin country company title item manager doctor merchant attendee department
    venue folder device""".split()
)


class Pick(Struct, frozen=True):
    """An option that the person chose: from then on its values are known."""

    text: Spotted
    others: Spotted
    """The options that were not chosen."""
    named: str
    """How the person named it."""


class Objection(Struct, frozen=True):
    """Why the answer is no."""

    kind: Literal["declined", "wrong", "doubtful", "picked", "other", "unclear"]
    entry: Entry | None = None
    value: str = ""


def repeated_wrongly(text: str, ledger: Ledger, told: Mapping[str, int]) -> Entry | None:
    """A fact that the agent was told, and says again with a slip. One that was told wrongly is no slip of its own."""
    seen = spot(text)
    for entry in ledger.entries:
        if told.get(entry.name, 0) < 1 or entry.fact.at_first is not None:
            continue
        if any(holds(seen, each) for each in entry.forms):
            continue
        for atom in seen.atoms:
            near = any(_slipped(atom.text.lower(), each.text.lower()) for each in entry.atoms if each.kind == atom.kind)
            if near and _is_code(atom) and not _known(atom.text, ledger, ()):
                return entry
    return None


def contradiction(text: str, ledger: Ledger, picks: Sequence[Pick]) -> Objection | None:
    """What a text says of a fact that is not so."""
    seen = spot(text)
    absent = [entry for entry in ledger.entries if not is_said(entry, text)]
    for atom in seen.atoms:
        if _known(atom.text, ledger, picks) or (atom.kind == "number" and _COUNTED.match(text, atom.start)):
            continue  # a span is held against spans
        for pick in picks:
            if holds(pick.others, form(atom.text)):
                return Objection("picked", value=pick.named)
        if atom.kind == "date" and ledger.own.days and _TOWARDS.search(_before(atom, text)):
            return Objection("other")
        if (entry := _against(atom, text, absent)) is not None:
            return Objection("wrong", entry)
    entry = (
        _wrong_line(text, absent, ledger)
        or _half_right(text, absent)
        or _wrong_year(seen, absent)
        or _wrong_span(text, absent)
        or _wrong_measure(text, absent, ledger)
        or wrong_member(text, ledger)
        or _wrong_name(text, seen, ledger)
    )
    return Objection("wrong", entry) if entry is not None else None


def is_said(entry: Entry, text: str) -> bool:
    """Whether a text has the value: in one of its writings, or all of its words in another order."""
    seen = spot(text)
    if any(holds(seen, each) for each in entry.forms):
        return True
    bare = {int(found[1]) for found in BARE_DAY.finditer(text)}
    if any(day[2] in bare and day[1] in {other[1] for other in seen.days} for each in entry.forms for day in each.days):
        return True  # `from the 4th to the 16th of July`
    mine = content_stems(entry.value)
    if len(mine) > 1 and _addressed(entry, text):
        return True
    alone = len(mine) == 1 and entry.value.islower() and len(mine[0]) >= _SHORT  # `the peanut allergy`, of peanuts
    return (len(mine) > 1 or alone) and not entry.atoms and set(mine) <= _said(text)


def _addressed(entry: Entry, text: str) -> bool:
    """`Ms Lindqvist`, said to Petra Lindqvist."""
    return any(found[1].lower() == words(entry.value)[-1] for found in _TITLED.finditer(text))


def _known(literal: str, ledger: Ledger, picks: Sequence[Pick]) -> bool:
    part = form(literal)
    if any(within(part, each) for entry in ledger.entries for each in entry.forms):
        return True
    return holds(ledger.own, part) or any(holds(pick.text, part) for pick in picks)


def _against(atom: Atom, text: str, absent: Sequence[Entry]) -> Entry | None:
    """The fact that an unknown literal contradicts: one of its kind, unless its label makes it another thing's."""
    before = topic_of(_label(_before(atom, text)))
    after = topic_of(" ".join(_behind(atom, text).split()[:2]))
    for entry in absent:
        if _is_code(atom) and any(_slipped(atom.text.lower(), each.text.lower()) for each in entry.atoms):
            return entry
        if not _qualified(entry, text):
            continue
        if _labelled(atom, before, entry) or (atom.kind == "number" and _labelled(atom, after, entry)):
            return entry
        if _same_family(atom, entry, text) and not _elsewhere(before, entry) and not _names_another(atom, after, entry):
            return entry
    return None


def _label(before: str) -> str:
    """The few words in front of a literal, back to the last bracket or comma: `(customer id` → `customer id`."""
    named = _BREAK.split(before)[-1].split()[-4:]
    return "" if named and named[-1].lower() in _PREPOSITIONS else " ".join(named)


def _qualified(entry: Entry, text: str) -> bool:
    """A fact with words of its own (`order to leave alone`) is spoken of only where these are."""
    name = entry.senses[0]
    own = name.loose - lexicon().plain if name.things or name.kinds else frozenset[str]()
    return all(any(meets(root, other) for other in _said(text)) for root in own)


@lru_cache(maxsize=64)
def _said(text: str) -> frozenset[str]:
    return frozenset(content_stems(text))


def _before(atom: Atom, text: str) -> str:
    """The words in front of a literal; a window, for a text may be long and full of literals."""
    return text[max(0, atom.start - _WINDOW) : atom.start]


def _behind(atom: Atom, text: str) -> str:
    start = atom.start + len(atom.text)
    return text[start : start + _WINDOW]


def _labelled(atom: Atom, label: Topic, entry: Entry) -> bool:
    if not label.loose and (label.hinted or not label.kinds):
        return False
    if len(entry.atoms) != 1 or len(entry.atoms[0].text) * 2 < len(entry.value):
        return False
    if (entry.atoms[0].kind == "email") != (atom.kind == "email"):
        return False  # `mail id M-9041` is no address
    found = match(label, (entry,))
    return found.outcome == "facts" and found.strong


def _same_family(atom: Atom, entry: Entry, text: str) -> bool:
    if atom.kind == "email":
        return any(each.kind == "email" for each in entry.atoms)
    if atom.kind == "date":
        return _is_aim(atom, entry, text) or (any(each.kind == "date" for each in entry.atoms) and _about(text, entry))
    if _is_code(atom):
        return any(_is_code(each) and shape(each.text) == shape(atom.text) for each in entry.atoms)
    if atom.kind == "number" and any(_slipped(atom.text, each.text) for each in entry.atoms if each.kind == "number"):
        return True
    if atom.kind == "number" and "amount" in entry.kinds:
        return (
            bool(_MONEY.search(_before(atom, text))) or "." in atom.text or bool(actions_in(text) & {"pay", "refund"})
        )
    return False


def _slipped(one: str, other: str) -> bool:
    """The same number with a slip: one digit, or two changed places."""
    if len(one) != len(other) or len(one) < _SLIP_DIGITS:
        return False
    differing = [at for at in range(len(one)) if one[at] != other[at]]
    return len(differing) == 1 or (len(differing) == 2 and sorted(one) == sorted(other))


def _about(text: str, entry: Entry) -> bool:
    """The text speaks of the very thing that a date belongs to."""
    said = topic_of(text)
    kinds = {kind for kind in entry.kinds if kind != "date"}
    loose = {root for sense in entry.senses for root in sense.loose}
    return bool(kinds & said.kinds.keys() or entry.things & said.things or loose & said.loose)


def _is_aim(atom: Atom, entry: Entry, text: str) -> bool:
    """`… until 8 May?`: a day that something is to be moved to, in the very question."""
    dated = any(each.kind == "date" for each in entry.atoms) and "birthdate" not in entry.kinds
    return dated and bool(_UNTIL.search(_before(atom, text))) and text.rfind("?") > atom.start


def _is_code(atom: Atom) -> bool:
    return atom.kind == "code" or (atom.kind == "number" and atom.text.isdigit() and len(atom.text) >= _CODE_DIGITS)


def _elsewhere(label: Topic, entry: Entry) -> bool:
    """The words before a literal name something that the fact is not about."""
    if label.modifier is not None:
        return not any(stem(label.modifier) in sense.loose for sense in entry.senses)
    return bool(label.things and entry.things and not label.things & entry.things)


def _names_another(atom: Atom, behind: Topic, entry: Entry) -> bool:
    """`V5 document`, said to one whose zone is F4: a code with a noun behind it that the fact is not called."""
    own = {root for sense in entry.senses for root in sense.stems}
    return atom.kind == "code" and bool(behind.things | behind.loose) and own.isdisjoint(behind.stems)


def _half_right(text: str, absent: Sequence[Entry]) -> Entry | None:
    """`KX71 TBR` for KX71 TRB, `Lena Moreno` for Lena Moreau: it starts as a value does and ends otherwise."""
    for entry in absent:
        parts = entry.value.split()
        named = all(part[0].isupper() or part[0].isdigit() for part in parts)
        if not 1 < len(parts) <= _SHORT or not named:
            continue
        first, last = r"\s+".join(re.escape(part) for part in parts[:-1]), parts[-1]
        for found in re.finditer(rf"(?<!\w){first}\s+([\w-]+)", text):
            if found[1][0].isupper() == last[0].isupper() and abs(len(found[1]) - len(last)) <= 1 and found[1] != last:
                return entry
    return None


def _wrong_year(seen: Spotted, absent: Sequence[Entry]) -> Entry | None:
    """Another year, where the person knows of one."""
    shown = [atom.text for atom in seen.atoms if _YEAR.fullmatch(atom.text)]
    return next((entry for entry in absent if shown and _YEAR.fullmatch(entry.value[:4]) and _is_year(entry)), None)


def _is_year(entry: Entry) -> bool:
    return entry.fact.reveal != "never" and len(entry.value) <= _YEARS and "year" in words(entry.name)


def _wrong_span(text: str, absent: Sequence[Entry]) -> Entry | None:
    """`one year` for two years: the same unit, and another count."""
    counted = [(words(found[1])[0], stem(found[2])) for found in _COUNTED.finditer(text)]
    for entry in absent:
        mine = words(entry.value)
        if is_span(entry.value) and any(unit == stem(mine[1]) and count != mine[0] for count, unit in counted):
            return entry
    return None


def _wrong_line(text: str, absent: Sequence[Entry], ledger: Ledger) -> Entry | None:
    """`Size: A4` for a paper size of A5: a line that names a fact, and gives it a value that nobody has given."""
    for found in _LINE.finditer(text):
        label = set(content_stems(found["label"]))
        fitting = [entry for entry in ledger.entries if label and label <= set(content_stems(entry.name))]
        if len(fitting) != 1 or fitting[0] not in absent or "reason" in fitting[0].kinds:
            continue
        seen = spot(found["value"])
        strange = not any(holds(seen, each) for entry in ledger.entries for each in entry.forms)
        if strange and seen.folded.strip() and not holds(ledger.own, form(found["value"].strip(" .,;"))):
            return fitting[0]
    return None


def _wrong_measure(text: str, absent: Sequence[Entry], ledger: Ledger) -> Entry | None:
    """`10 mg` for 5 mg: the unit of a known measure, behind a number that nobody gave."""
    for entry in absent:
        measure = _MEASURE.fullmatch(entry.value)
        if measure is None:
            continue
        for found in re.finditer(rf"(?<![\w.,])\d+(?:[.,]\d+)*\s?{re.escape(measure[1])}\b", text, re.IGNORECASE):
            if not any(folded(found[0]) == each.folded for other in ledger.entries for each in other.forms):
                return entry
    return None


def wrong_member(text: str, ledger: Ledger) -> Entry | None:
    """A colour, size, weekday or format other than the one that is known."""
    sets = lexicon().values
    listed = [stem(word) for word in words(text)]
    said = {root: sets[root] for root in listed if root in sets}
    if not said:
        return None
    for entry in ledger.entries:
        mine = {root: sets[root] for root in (stem(word) for word in words(entry.value)) if root in sets}
        rest = [root for root in content_stems(entry.value) if root not in sets]
        there = frozenset(content_stems(text))
        for kind in set(mine.values()):
            members = {root for root, of in said.items() if of == kind}
            if kind == "ordinal":  # counts only beside the fact's own name: `second floor`, `pitch: ninth`
                own = entry.senses[0].stems
                beside = [pair for one, two in pairwise(listed) for pair in ((one, two), (two, one))]
                members = {root for root, noun in beside if root in members and noun in own}
            known = ledger.own_stems.union(*(content_stems(each.value) for each in ledger.entries if each is not entry))
            if members - known and members.isdisjoint(mine) and set(rest) <= there:
                return entry
    return None


def _wrong_name(text: str, seen: Spotted, ledger: Ledger) -> Entry | None:
    """A proper name other than the one that is known, in a sentence about that kind of name."""
    for sentence in sentences(text):
        for name in proper_names(sentence):
            if _familiar(name, ledger):
                continue
            label = topic_of(" ".join(sentence[: sentence.index(name)].split()[-4:]))
            for entry in ledger.entries:
                told = any(holds(seen, each) for each in entry.forms) or _addressed(entry, text)
                if entry.atoms or told or entry.value.islower():
                    continue
                shared = any(kind in label.kinds and kind in _NAMED for kind in entry.kinds)
                if shared or (label.loose and match(label, (entry,)).outcome == "facts"):
                    return entry
    return None


def _familiar(name: str, ledger: Ledger) -> bool:
    part = folded(_TITLE.sub("", name))
    return part in ledger.own.folded or any(part in each.folded for entry in ledger.entries for each in entry.forms)
