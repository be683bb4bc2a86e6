"""Questions → the facts that answer them, from a ledger and nothing else."""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from misstep.core.once import once_per_text
from misstep.core.words import STOPWORDS, stem, words
from misstep.users.accounting import says_something, unexplained
from misstep.users.belonging import shares_a_word
from misstep.users.ledger import Ledger
from misstep.users.nouns import NOUN, head_of
from misstep.users.resolving import resolve
from misstep.wording.cues import cues
from misstep.wording.facts import Entry, Match
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import may_be_of, sorts_wanted
from misstep.wording.stages import counterparts, staged, stages_in
from misstep.wording.topics import Topic, topic_of
from misstep.wording.understanding import Ask

_SHORT = 4
_DETAILS_OF = re.compile(
    r"\b(?:particulars|details?|information|info|data|specifics) (?:of|about|on|regarding|concerning)"
    r" (?:any |the |your |a |an )?(\w+)",
    re.IGNORECASE,
)
_TO_ANYTHING = re.compile(r"(?:\w+ ){1,3}(?:to|of|with|about|from|against) any\w*\W*$", re.IGNORECASE)
_LEADING = re.compile(r"^(?:(?:and|also|for|of|with|about|on) )+", re.IGNORECASE)
_PERSONAL = ("name", "email", "phone", "birthdate", "postcode", "address")
_DESCRIBING = ("identifier", "item", "title", "name", "date", "amount", "colour", "reason")
_FINDING = ("identifier", "email", "phone", "name")
_WHICH = re.compile(
    r"\bwhich\b[^?.!]*\b(?:mean|meant|refer|referring|have in mind|is it|is this about)\b", re.IGNORECASE
)
_FOR_WHAT = re.compile(r"(?:and )?(?:for|to|since|as|before|after) (?:how|who|whom|when|what)\b", re.IGNORECASE)
_SUPPOSES = re.compile(r"if (?:i|we) (?:had|knew|were given)\b", re.IGNORECASE)
"""`… if I had anything to credit them to` is about that, and not about anything at all."""
_SCENE = re.compile(
    r"(?:when|where|once|as soon as|whenever|wherever|before|after) (?:you|we|i|they|he|she|it|the|your|our)\b",
    re.IGNORECASE,
)
_MOST_POINTED_OUT = 4


_Clause = tuple[str, tuple[Topic, Match]]


class Wanted(Struct, frozen=True):
    """What a question comes to."""

    entries: tuple[Entry, ...] = ()
    lacks: tuple[str, ...] = ()
    """Labels of what is asked for and not there; an empty one has no name."""
    understood: bool = True
    near: Entry | None = None
    """Of the same kind as what is not there."""
    hedged: bool = False
    """What is not there may be here under a name that says nothing."""
    rest: bool = False
    """Something else was asked that was not understood."""
    generic: bool = False
    """Nothing in particular was asked for."""
    maybe: tuple[Entry, ...] = ()
    """What may be meant, where that is not clear."""


def wanted(ask: Ask, ledger: Ledger, told: dict[str, int]) -> Wanted:
    """The facts that a question asks for, in the order in which it does."""
    parts = _without_the_scene(ask.parts)
    matches = [resolve(part, ledger, ask.text) for part in parts]
    clauses = list(zip(parts, _of_the_other_stage(parts, matches, ledger), strict=True))
    strong = [(part, found) for part, (_, found) in clauses if found.strong and found.outcome in ("facts", "lacks")]
    outright = [(part, found) for part, found in strong if not _is_aside(part)] or strong * (len(clauses) == 1)
    if outright:
        kept = [
            found
            for part, (_, found) in clauses
            if (part, found) in outright or (found.outcome == "facts" and _asks(part))
        ]
        rest = any(_is_left_over(part, found, kept, first=not at) for at, (part, (_, found)) in enumerate(clauses))
        rest = rest or _come_to_one(clauses)
        return _with_rest(_gathered(kept, ask, ledger, told), clauses, told, rest=rest and not ask.either)
    for outcome in ("facts", "generic"):  # what a question word alone suggests is never denied: better to ask
        for part, (topic, found) in clauses:
            if found.outcome != outcome or (outcome == "generic" and not (topic.generic or _points(part, ask))):
                continue
            if outcome == "generic" and (
                ask.polar
                or "whether" in words(part)
                or _is_of_another(part, ledger)
                or not (topic.generic or _has_to_do(topic, ledger))
                or _speaks_of_more(part)
                or unexplained(" ".join(NOUN.findall(part)), ledger.entries, ledger)
                or (len(clauses) > 1 and not _asks(part) and not _is_short_noun(part))
                or any(each.outcome == "unsure" and _asks(other) for other, (_, each) in clauses)
                or any(other is not part and _needs_another(other, ledger) for other in parts)
                or _SUPPOSES.match(part)
                or (not topic.generic and _goes_by_another_name(topic, ledger, told))
            ):
                continue
            if outcome == "generic":
                return Wanted(_generic(topic, ledger, told), generic=True)
            rest = any(
                each is not found and _is_left_over(other, each, [found], first=not at)
                for at, (other, (_, each)) in enumerate(clauses)
            )
            return _with_rest(_gathered([found], ask, ledger, told), clauses, told, rest=rest and not ask.either)
    if ask.before and not ask.polar and cues().pronoun.search(ask.text) and not _names_another(ask.text):
        _, found = resolve(ask.before, ledger, ask.before)
        if found.strong and found.outcome == "facts":
            return _gathered([found], ask, ledger, told)
    unsure = {entry.name: entry for _, (_, found) in clauses if found.outcome == "unsure" for entry in found.entries}
    return Wanted(understood=False, maybe=tuple(unsure.values()))


def _without_the_scene(parts: Sequence[str]) -> Sequence[str]:
    """`When you feel ready, could you …`: what is asked stands behind it."""
    opens = len(parts) > 1 and _SCENE.match(parts[0]) is not None
    return parts[1:] if opens and any(map(_asks, parts[1:])) else parts


def _with_rest(found: Wanted, clauses: Sequence[_Clause], told: dict[str, int], *, rest: bool) -> Wanted:
    """With what the clauses that were not understood may mean."""
    maybe = {
        entry.name: entry
        for _, (_, each) in clauses
        if each.outcome == "unsure" and rest
        for entry in each.entries
        if entry not in found.entries and entry.name not in told
    }
    return structs.replace(found, rest=rest, maybe=tuple(maybe.values()))


def _names_another(text: str) -> bool:
    """`What is going in it?` asks for something of its own, of what `it` is."""
    topic = topic_of(text)
    return bool(topic.kinds) and not topic.hinted


def unknown_noun(ask: Ask) -> str:
    """The short noun that a direct request names: what a person can deny having without knowing what it is."""
    found = cues().direct.search(ask.text)
    named = [word for word in words(found["noun"]) if word not in STOPWORDS] if found else []
    return " ".join(named) if len(named) <= 3 else ""


_ITEMS = ("your ", "the ", "which ", "what ", "when ", "where ", "who ", "how ")
"""How the lines of a list begin that are each to be answered."""


def is_lost(ask: Ask, found: Wanted) -> bool:
    """A question of its own that was not understood, or a request that names something."""
    topic = topic_of(ask.text)
    named = bool(unknown_noun(ask)) or (bool(topic.kinds) and not topic.hinted)
    asks = ask.text.endswith("?") or ask.text.lower().startswith(_ITEMS) or named or says_something(ask.text)
    return asks and not found.understood


def told_once(found: Mapping[Ask, Wanted]) -> tuple[tuple[Ask, ...], bool]:
    """The questions without those that come to a fact that was asked for before them, as nobody tells one thing twice;
    and whether one of these has nothing of the fact in its words: then it asks for something else."""
    kept: list[Ask] = []
    names: set[str] = set()
    strayed = False
    for ask, here in found.items():
        mine = {entry.name for entry in here.entries}
        if ask.polar or here.lacks or here.generic or not mine or not mine <= names:
            names |= mine
            kept.append(ask)
            continue
        said = set(topic_of(ask.text).stems)
        strayed = strayed or (says_something(ask.text) and not any(shares_a_word(each, said) for each in here.entries))
    return tuple(kept), strayed


def describing(ledger: Ledger, told: dict[str, int], *, coded: bool, personal: bool = False) -> tuple[Entry, ...]:
    """What can be said of the matter itself when nothing decides: at most two facts, untold ones first.

    Ids count only where there are ids to compare them with (`coded`), what is known of people (`personal`) only where
    there is nothing else."""
    open_ = [entry for entry in ledger.entries if entry.fact.reveal != "never"]
    fitting = [
        entry for entry in open_ if entry.kinds.isdisjoint(_PERSONAL) and (coded or not entry.sorts & {"code", "phone"})
    ]
    if personal and not fitting:
        fitting = open_
    return tuple(sorted(fitting, key=lambda entry: told.get(entry.name, 0))[:2])


def asks_which(text: str) -> bool:
    """`Which ticket do you mean?`"""
    return bool(_WHICH.search(text))


def pointing_out(text: str, maybe: Sequence[Entry], ledger: Ledger, told: dict[str, int]) -> tuple[Entry, ...]:
    """What the thing in question goes by, all of them where there are several; when these are told, what describes it.

    Nothing where something else may be meant."""
    noun = cues().wh_noun.search(text)
    thing = topic_of(head_of(noun["noun"])) if noun else topic_of("")
    codes = [
        entry
        for entry in ledger.entries
        if entry.fact.reveal != "never"
        and "identifier" in entry.kinds
        and (entry.things & thing.things or any(set(thing.stems) & set(sense.stems) for sense in entry.senses))
    ]
    if not codes or any(entry not in codes for entry in maybe):
        return ()
    fresh = [entry for entry in codes if not told.get(entry.name)]
    untold = [entry for entry in describing(ledger, told, coded=False) if entry.name not in told]
    return tuple((fresh or untold or codes)[:_MOST_POINTED_OUT])


def _gathered(matches: list[Match], ask: Ask, ledger: Ledger, told: dict[str, int]) -> Wanted:
    entries = tuple({entry.name: entry for found in matches for entry in found.entries[:2]}.values())
    lacks = tuple(dict.fromkeys(found.label for found in matches if found.outcome == "lacks"))
    if ask.either and entries:
        whole = tuple(entry for found in matches if found.full for entry in found.entries)
        return Wanted((whole or entries)[:1])
    lacking = [found for found in matches if found.outcome == "lacks"]
    rest = [each for each in ledger.entries if each not in entries and each.name not in told]
    rest = [each for each in rest if each.fact.reveal != "never"]
    obscure = [each for each in rest if not _is_well_named(each)]
    near = (
        each
        for found in lacking
        for each in rest
        if each in found.near or (each in obscure and may_be_of(each.sorts, each.atoms, found.kinds))
    )
    return Wanted(entries, lacks, near=next(near, None), hedged=bool(obscure))


def _is_well_named(entry: Entry) -> bool:
    """The lexicon knows every word of its name, so that it is nothing else."""
    name = entry.senses[0]
    return bool(name.kinds) and not name.loose - lexicon().plain


def _of_the_other_stage(
    parts: Sequence[str], matches: list[tuple[Topic, Match]], ledger: Ledger
) -> list[tuple[Topic, Match]]:
    """`What is it now, and what should it become?`: a clause that names only the stage is about what another names."""
    named = [entry for _, found in matches if found.outcome == "facts" for entry in found.entries]
    pool = {each.name: each for entry in named or ledger.entries for each in counterparts(entry, ledger.entries)}
    if not named and (len(pool) != 2 or len({stage for part in parts for stage in stages_in(part)}) != 2):
        return matches
    completed: list[tuple[Topic, Match]] = []
    for part, (topic, found) in zip(parts, matches, strict=True):
        chosen = staged(tuple(pool.values()), part)
        only_staged = found.outcome not in ("facts", "lacks") and len(pool) > len(chosen) > 0
        completed.append((topic, Match("facts", chosen) if only_staged else found))
    return completed


def _is_left_over(part: str, found: Match, kept: list[Match], *, first: bool) -> bool:
    """A clause that says something, and got no answer; `to find it` says what for where it comes first."""
    if found in kept:
        return False
    if _asks(part) or cues().polar.search(part):
        return True
    bare = _LEADING.sub("", part)
    return says_something(bare) and not (_is_aside(bare) and (first or not bare.startswith("to ")))


def _come_to_one(clauses: Sequence[_Clause]) -> bool:
    """`How many children, how many adults?`, where both lead to one fact: one of them asks for another."""
    asked = [
        tuple(entry.name for entry in found.entries)
        for part, (_, found) in clauses
        if found.outcome == "facts" and _asks(part)
    ]
    return len(set(asked)) < len(asked)


def _is_of_another(part: str, ledger: Ledger) -> bool:
    """`particulars of any person who saw it`: details, but of something that nobody has named before."""
    found = _DETAILS_OF.search(part)
    return found is not None and not topic_of(found[1]).things and stem(found[1]) not in ledger.own_stems


@once_per_text
def _asks(part: str) -> bool:
    return bool(cues().wh.search(part) or cues().ask.search(part) or sorts_wanted(part))


def _needs_another(part: str, ledger: Ledger) -> bool:
    """`we require the MPAN of your connection`: something of its own is wanted, which nobody here has named."""
    return bool(cues().need.search(part) or _asks(part)) and bool(unexplained(part, ledger.entries, ledger))


def _is_short_noun(part: str) -> bool:
    said = words(part)
    return len(said) <= _SHORT and any(word not in STOPWORDS for word in said) and not _is_aside(part)


def _points(part: str, ask: Ask) -> bool:
    """`Which order?`, `the booking, please`: a thing that is asked for, not one that is only mentioned."""
    noun = cues().wh_noun.search(part)
    head = head_of(noun["noun"]) if noun else part if len(words(part)) <= _SHORT else ""
    topic = topic_of(head)
    return not ask.polar and bool(topic.things or topic.generic) and not topic.loose


def _has_to_do(topic: Topic, ledger: Ledger) -> bool:
    """Some fact or goal is about the thing that was named."""
    texts = " ".join(goal.ask for goal in ledger.person.goals)
    about = topic_of(f"{ledger.person.opening} {texts}").things
    return not topic.things.isdisjoint(about.union(*(entry.things for entry in ledger.entries)))


def _speaks_of_more(part: str) -> bool:
    """`Allergic to anything?` is about something in particular, whatever that is."""
    return bool(_TO_ANYTHING.match(part))


def _goes_by_another_name(topic: Topic, ledger: Ledger, told: dict[str, int]) -> bool:
    """`Which trip?`, asked of one who knows a tour: an untold fact of no known kind may be the very thing."""
    return not any(entry.things & topic.things for entry in ledger.entries) and any(
        not entry.kinds and not entry.numbered and entry.fact.reveal != "never" and entry.name not in told
        for entry in ledger.entries
    )


def _is_aside(part: str) -> bool:
    """`To send the refund to your address, …` says what an answer is for, not what is asked."""
    if _FOR_WHAT.match(part):
        return False
    return bool(cues().purpose.search(part)) and not cues().ask.search(part) and not cues().need.search(part)


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
