"""Questions → the facts that answer them, from a ledger and nothing else."""

from msgspec import Struct, structs

from misstep.core.words import STOPWORDS, words
from misstep.users.ledger import Ledger
from misstep.wording.cues import cues
from misstep.wording.facts import Entry, Match, match
from misstep.wording.lexicon import lexicon
from misstep.wording.topics import Topic, topic_of
from misstep.wording.understanding import Ask

_SHORT = 4
_PERSONAL = ("name", "email", "phone", "birthdate", "postcode", "address")
_DESCRIBING = ("identifier", "item", "title", "name", "date", "amount", "colour", "reason")
_FINDING = ("identifier", "email", "phone", "name")


class Wanted(Struct, frozen=True):
    """What a question comes to."""

    entries: tuple[Entry, ...] = ()
    lacks: tuple[str, ...] = ()
    """Labels of what is asked for and not there; an empty one has no name."""
    understood: bool = True
    near: Entry | None = None
    """Of the same kind as what is not there."""
    rest: bool = False
    """Something else was asked that was not understood."""
    generic: bool = False
    """Nothing in particular was asked for."""


def wanted(ask: Ask, ledger: Ledger, told: dict[str, int]) -> Wanted:
    """The facts that a question asks for, in the order in which it does."""
    matches = [_best(part, ledger) for part in ask.parts]
    clauses = list(zip(ask.parts, matches, strict=True))
    strong = [(part, found) for part, (_, found) in clauses if found.strong and found.outcome in ("facts", "lacks")]
    outright = [(part, found) for part, found in strong if not _is_aside(part)] or strong
    if outright:
        kept = [
            found
            for part, (_, found) in clauses
            if (part, found) in outright or (found.outcome == "facts" and cues().wh.search(part))
        ]
        rest = any(found.outcome == "unknown" and _is_noun_or_question(part) for part, (_, found) in clauses)
        return structs.replace(_gathered(kept, ask, told), rest=rest and not ask.either)
    for outcome in ("facts", "generic", "lacks"):
        for part, (topic, found) in clauses:
            if found.outcome != outcome or (outcome == "generic" and not (topic.generic or _points(part, ask))):
                continue
            if outcome == "generic" and not topic.generic and not _has_to_do(topic, ledger):
                continue
            if outcome == "generic":
                return Wanted(_generic(topic, ledger, told), generic=True)
            if outcome == "lacks" and any(not entry.senses[0].kinds for entry in ledger.entries):
                break  # a question word fits facts that the lexicon has no kind for: better to ask than to deny
            return _gathered([found], ask, told)
    if ask.before and not ask.polar and cues().pronoun.search(ask.text):
        _, found = _best(ask.before, ledger)
        if found.strong and found.outcome == "facts":
            return _gathered([found], ask, told)
    return Wanted(understood=False)


def unknown_noun(ask: Ask) -> str:
    """The short noun that a direct request names: what a person can deny having without knowing what it is."""
    found = cues().direct.search(ask.text)
    named = [word for word in words(found["noun"]) if word not in STOPWORDS] if found else []
    return " ".join(named) if len(named) <= 3 else ""


def describing(ledger: Ledger, told: dict[str, int]) -> tuple[Entry, ...]:
    """What can be said of the matter itself when nothing decides: at most two facts, untold ones first."""
    fitting = [entry for entry in ledger.entries if entry.fact.reveal != "never" and entry.kinds.isdisjoint(_PERSONAL)]
    return tuple(sorted(fitting, key=lambda entry: told.get(entry.name, 0))[:2])


def _gathered(matches: list[Match], ask: Ask, told: dict[str, int]) -> Wanted:
    entries = tuple({entry.name: entry for found in matches for entry in found.entries[:2]}.values())
    lacks = tuple(dict.fromkeys(found.label for found in matches if found.outcome == "lacks"))
    if ask.either and entries:
        whole = tuple(entry for found in matches if found.full for entry in found.entries)
        return Wanted((whole or entries)[:1])
    near = (each for found in matches for each in found.near if each.fact.reveal != "never" and each.name not in told)
    return Wanted(entries, lacks, near=None if entries else next(near, None))


def _is_noun_or_question(part: str) -> bool:
    said = words(part)
    asks = bool(cues().wh.search(part) or cues().polar.search(part) or cues().ask.search(part))
    return asks or said[:1] in (["the"], ["your"]) or len(said) == 1


def _points(part: str, ask: Ask) -> bool:
    """`Which order?`, `the booking, please`: a thing that is asked for, not one that is only mentioned."""
    noun = cues().wh_noun.search(part)
    head = _head(noun["noun"]) if noun else part if len(words(part)) <= _SHORT else ""
    topic = topic_of(head)
    return not ask.polar and bool(topic.things or topic.generic) and not topic.loose


def _has_to_do(topic: Topic, ledger: Ledger) -> bool:
    """Some fact or goal is about the thing that was named."""
    texts = " ".join(goal.ask for goal in ledger.person.goals)
    about = topic_of(f"{ledger.person.opening} {texts}").things
    return not topic.things.isdisjoint(about.union(*(entry.things for entry in ledger.entries)))


def _is_aside(part: str) -> bool:
    """`To send the refund to your address, …` says what an answer is for, not what is asked."""
    return bool(cues().purpose.search(part)) and not cues().ask.search(part)


def _best(part: str, ledger: Ledger) -> tuple[Topic, Match]:
    """Read a clause at its clearest place: after the words that ask, after `which`, before the reason, or all of it."""
    last: tuple[Topic, Match] | None = None
    if (noun := cues().wh_noun.search(part)) and (head := _head(noun["noun"])):
        topic = topic_of(head)
        found = match(topic, ledger.entries)
        if found.outcome == "facts":
            return topic, structs.replace(found, strong=True)
    for reading in _readings(part):
        topic = topic_of(reading)
        found = match(topic, ledger.entries)
        if found.strong and found.outcome in ("facts", "lacks"):
            return topic, found
        last = (topic, found)
    assert last is not None  # the whole clause is always one of the readings
    return last


def _readings(part: str) -> list[str]:
    trimmed = part
    if (cut := cues().trailing.search(part)) and cut.start() > 8:
        trimmed = part[: cut.start()]
    found: list[str] = []
    asking = list(cues().ask.finditer(trimmed))
    if asking and asking[-1].end() < len(trimmed) - 2:
        found.append(trimmed[asking[-1].end() :])
    return [*found, trimmed, part] if trimmed != part else [*found, part]


def _head(text: str) -> str:
    """`product are we` → `product`; nothing where the noun is too vague to stand alone."""
    kept: list[str] = []
    for word in words(text):
        if word in STOPWORDS:
            break
        kept.append(word)
    head = " ".join(kept)
    topic = topic_of(head)
    vague = lexicon().vague
    if topic.things or topic.loose or any(kind not in vague for kind in topic.kinds):
        return head
    return ""


def _generic(topic: Topic, ledger: Ledger, told: dict[str, int]) -> tuple[Entry, ...]:
    """`Something to find it with`, `more details`: the best facts that were not told yet."""
    kinds = _PERSONAL if "identify" in topic.generic else _FINDING
    fitting = [entry for entry in ledger.entries if entry.fact.reveal != "never"]
    untold = [entry for entry in fitting if not told.get(entry.name)]
    if not topic.generic:
        kinds = _DESCRIBING
        untold = [entry for entry in untold if not (entry.things and entry.things.isdisjoint(topic.things))]
    ranked = sorted(untold or fitting, key=lambda entry: _rank(entry, topic, kinds))
    return tuple(ranked[: 1 if "lookup" in topic.generic or not topic.generic else 2])


def _rank(entry: Entry, topic: Topic, kinds: tuple[str, ...]) -> tuple[bool, int]:
    order = min((kinds.index(kind) for kind in entry.kinds if kind in kinds), default=len(kinds))
    return (not entry.things & topic.things, order)
