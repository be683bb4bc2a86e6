"""One clause of a question → the facts that it asks for, or how far that is from clear."""

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import structs

from misstep.core.once import once_per_text
from misstep.core.words import STOPWORDS, stem, words
from misstep.users.accounting import in_particular, unexplained
from misstep.users.belonging import is_only_a_name, is_other_noun, is_whose, names, of_another, own_name, shares_a_word
from misstep.users.counting import counts_another, counts_strangers, is_counted
from misstep.users.grounds import is_grounded
from misstep.users.ledger import Ledger
from misstep.users.nouns import NOUN, asked_part, before_last_kind, core, ends_in_kind, first_noun, head_of
from misstep.wording.cues import cues
from misstep.wording.facts import Entry, Match, match
from misstep.wording.heads import noun_topic
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import fits, fits_closely, only_the_sort, sorts_named, sorts_wanted
from misstep.wording.stages import counterparts, stage_of, staged, stages_in
from misstep.wording.topics import ASKING, Topic, meets, topic_of
from misstep.wording.values import folded

_HOW = re.compile(r"\bhow\b", re.IGNORECASE)
_MODAL = re.compile(r"\b(?:can|could|may|might|must|has|have|had)\b", re.IGNORECASE)
_VERBAL = ("ed", "ing", "ly")
_WHERE_IS = re.compile(r"\bwhere(?:'s| is| are| was| were) (?:the|your|that|this) (?P<what>[\w-]+)", re.IGNORECASE)
_WH = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)", re.IGNORECASE)
_OF = re.compile(r"\bof\b", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:both|all|each|every|dates|days|names|times|numbers|addresses)\b|\bfrom\b.*\bto (?:when|what|which)\b",
    re.IGNORECASE,
)
_SUBORDINATE = re.compile(r"\b(?:that (?:you|your|we|it|the)|because|so that|in order)\b", re.IGNORECASE)
_REFERS_BACK = re.compile(
    r"(?:and |so )?(?:in|on|at|to|from|under|for|of|by|with) which "
    r"(?:is|are|was|were|do|does|did|would|should|shall|will)\b",
    re.I,
)
"""`In which was it entered?`: the noun stands in another sentence, and not in this one."""
_YOU = re.compile(r"\baddress (?:you|me|us)\b", re.IGNORECASE)
"""`How may I address you?` asks for no address."""
_MOST_MEANT = 3
_SHORT = 5
_OWN = frozenset(("name", "email", "phone", "birthdate", "address"))


@lru_cache(maxsize=2048)
def resolve(part: str, ledger: Ledger, whole: str) -> tuple[Topic, Match]:
    """Read a clause against the ledger. `unsure` where the evidence for one fact is thin."""
    topic, found = _resolved(part, ledger, whole)
    if not found.full and in_particular(part, found.entries, ledger):
        return topic, Match("unknown", strong=False)
    if found.outcome == "facts" and (
        not _accounted(part, topic, found, ledger)
        or is_only_a_name(part, topic, found.entries, ledger)
        or is_whose(part, found.entries, ledger)
        or counts_another(part, found.entries, ledger)
        or not (
            is_grounded(part, topic, found.entries, ledger, whole=whole)
            or all(is_counted(part, each) for each in found.entries)
        )
    ):
        return topic, Match("unsure", _tellable(found.entries), strong=False)
    return topic, found


def _accounted(part: str, topic: Topic, found: Match, ledger: Ledger) -> bool:
    """No word of what is asked for is left over that none of the chosen facts is called."""
    chosen, noun = found.entries, core(part)
    if topic.own or any(_says_name(noun or part, each) for each in chosen):
        return True
    if (place := _WHERE_IS.search(part)) and not any(names(each, place["what"]) for each in chosen):
        return False  # where a thing is, asked of one who knows other places
    if any(is_other_noun(noun, part, each) for each in chosen):
        return False
    first, *behind = _OF.split(noun, maxsplit=1)
    if _is_vague(chosen) and unexplained(" ".join(behind), chosen, ledger):
        return False
    if wanted := sorts_wanted(part):
        fitting = sum(fits(entry.sorts, wanted) for entry in _open(ledger))
        alone = bool(_WH.search(part)) and (fitting < 2 or "place" in wanted)
        named = found.full or any(_says_name(part, each) for each in chosen)
        return alone or named or not unexplained(" ".join(NOUN.findall(part)), chosen, ledger)
    if not topic.things.intersection(*(each.things for each in chosen)) and _is_bare_heading(noun, chosen):
        return False
    named = first_noun(_MODAL.split(first)[0])
    head = [word for word in words(named) if not word.endswith(_VERBAL)][-1:]
    if _HOW.search(part):
        return True
    other = set(head) & set(unexplained(named, chosen, ledger, own=False))
    return not other and (found.full or not _is_of_another_kind(noun, part, chosen))


def _is_of_another_kind(noun: str, part: str, chosen: Sequence[Entry]) -> bool:
    """`the grounds for the charge`, asked of one who knows the charge's reference: a reason is no reference."""
    topic = topic_of(noun)
    if topic.hinted or not topic.kinds or not all(each.kinds for each in chosen):
        return False
    kinds = topic.kinds.keys() | topic_of(part).kinds.keys()
    return not any(each.kinds & kinds or shares_a_word(each, set(topic.stems)) for each in chosen)


def _is_bare_heading(noun: str, chosen: Sequence[Entry]) -> bool:
    """`the code`, asked of one who knows an order number."""
    said = [stem(word) for word in words(noun)]
    coded = len(said) == 1 and "identifier" in lexicon().kinds.get(said[0], ())
    return coded and all(
        each.kinds == frozenset({"identifier"}) and not shares_a_word(each, set(said)) for each in chosen
    )


def _is_vague(entries: Sequence[Entry]) -> bool:
    """Of kinds that many things have: a number, a name, a date."""
    return all(entry.kinds and entry.kinds <= lexicon().vague | lexicon().bound for entry in entries)


def _resolved(part: str, ledger: Ledger, whole: str) -> tuple[Topic, Match]:
    topic, found = _named(part, ledger)
    if found.outcome != "facts" and (entry := own_name(topic, ledger)) is not None:
        return topic, Match("facts", (entry,), full=True)
    if found.outcome == "facts" and _REFERS_BACK.match(part):
        return topic, Match("unsure", _tellable(found.entries), strong=False)
    wanted = sorts_wanted(part)
    if found.outcome == "facts":
        fitting = tuple(each for each in found.entries if _fits(each, wanted) or _is_named(part, each))
        if not fitting:
            return topic, _by_elimination(topic, wanted, ledger, part)
        if topic.hinted and not found.strong and (rivals := _rivals(fitting, topic, wanted, ledger)):
            return topic, Match("unsure", (*_tellable(fitting), *rivals)[:_MOST_MEANT], strong=False)
        if not wanted and not _is_the_noun(part, fitting):
            return topic, Match("unsure", _tellable(fitting), strong=False)
        if not wanted and (meant := _of_the_kind_named(part, fitting, ledger)):
            return topic, Match("facts" if len(meant) == 1 else "unsure", meant, strong=len(meant) == 1)
        if not wanted and _is_of_no_such_kind(part, fitting):
            return topic, Match("unsure", _tellable(fitting), strong=False)
        if not wanted and of_another(part, fitting, ledger):
            return topic, Match("unsure", _tellable(fitting), strong=False)
        if not topic.own and (rivals := _of_that_heading(part, fitting, ledger)):
            return topic, Match("unsure", (*_tellable(fitting), *rivals)[:_MOST_MEANT], strong=False)
        if not wanted and (others := _named_instead(part, fitting, ledger)) is not None:
            return topic, Match("unsure", others, strong=False)
        return topic, _of_one_kind(structs.replace(found, entries=fitting), topic, ledger, part, whole)
    if found.outcome == "lacks" and found.strong:
        return topic, _denied(found, topic, part, ledger) or _by_elimination(topic, wanted, ledger, part)
    if found.outcome == "generic":
        return topic, found
    chosen = _by_elimination(topic, wanted, ledger, part)
    return topic, found if chosen.outcome == "unknown" else chosen


def _fits(entry: Entry, wanted: frozenset[str]) -> bool:
    return not wanted or not entry.sorts or fits(entry.sorts, wanted)


def _is_the_noun(part: str, entries: Sequence[Entry]) -> bool:
    """What is asked for has to do with the fact itself: `evidence that you live in the street` asks for no street."""
    head = _SUBORDINATE.split(part, maxsplit=1)[0]
    noun = topic_of(head)
    if head == part or not noun.loose - lexicon().plain or noun.generic or (noun.kinds and not noun.hinted):
        return True
    return any(shares_a_word(entry, set(noun.stems)) for entry in entries)


def _tellable(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry.fact.reveal != "never")


def _is_named(part: str, entry: Entry) -> bool:
    """The whole of its name is said right behind the question word."""
    noun = cues().wh_noun.search(part)
    said = set(topic_of(first_noun(noun["noun"])).stems) if noun else set[str]()
    return bool(said) and any(sense.stems and said.issuperset(sense.stems) for sense in entry.senses)


def _of_the_kind_named(part: str, chosen: Sequence[Entry], ledger: Ledger) -> tuple[Entry, ...]:
    """`the address to which the flowers go` asks for an address, whatever fact is called flowers."""
    noun = topic_of(core(part))
    if noun.hinted or not noun.kinds or any(entry.kinds & noun.kinds.keys() for entry in chosen):
        return ()
    if any(shares_a_word(entry, set(noun.stems)) for entry in chosen):
        return ()
    return tuple(entry for entry in _open(ledger) if entry.kinds & noun.kinds.keys())[:_MOST_MEANT]


def _is_of_no_such_kind(part: str, chosen: Sequence[Entry]) -> bool:
    """`the address that the certificate is for` is no authority, whatever that certifies."""
    noun = core(part)
    topic = topic_of(noun)
    kinds = frozenset(topic.kinds) - lexicon().vague
    if not kinds or topic.hinted or f"{noun.strip()}'s" in part or _YOU.search(part):
        return False
    return not any(
        entry.kinds & kinds or shares_a_word(entry, set(topic.stems)) or _says_name(part, entry) for entry in chosen
    )


def _of_that_heading(part: str, chosen: Sequence[Entry], ledger: Ledger) -> tuple[Entry, ...]:
    """`I don't have a number here` may mean either of two numbers, whatever kinds they are."""
    noun = words(core(part))
    if len(noun) != 1 or len(chosen) != 1 or noun != words(chosen[0].name)[-1:] or words(chosen[0].name) == noun:
        return ()
    return tuple(entry for entry in _open(ledger) if entry not in chosen and words(entry.name)[-1:] == noun)


def _named_instead(part: str, chosen: Sequence[Entry], ledger: Ledger) -> tuple[Entry, ...] | None:
    """The noun that is asked for has words of another fact's name and none of the chosen one's."""
    said = {stem(word) for word in words(core(part)) if word not in STOPWORDS}
    if not said or any(shares_a_word(entry, said) for entry in chosen) or not _is_vague(chosen):
        return None
    others = [entry for entry in ledger.entries if entry not in chosen and shares_a_word(entry, said)]
    open_ = tuple(entry for entry in (*others, *chosen) if entry.fact.reveal != "never")
    return open_ if others else None


def _of_one_kind(found: Match, topic: Topic, ledger: Ledger, part: str, whole: str) -> Match:
    """Of several that fit, or of one with a counterpart, those of the stage that is spoken of."""
    pool = list(found.entries)
    for entry in found.entries:
        pool.extend(each for each in counterparts(entry, ledger.entries) if each not in pool)
    verbatim = [entry for entry in pool if folded(entry.name) in folded(part)]
    if len(verbatim) == 1 and len(words(verbatim[0].name)) > 1:  # `moving to` beside `moving from`
        return structs.replace(found, entries=tuple(verbatim))
    if len(pool) > 1 and _SEVERAL.search(part):
        return structs.replace(found, entries=tuple(pool[:_MOST_MEANT]))
    if len(pool) > 1 and (stages_in(part) or stages_in(whole)):
        exact = tuple(each for each in found.entries if _says_name(part, each) and stage_of(each))
        chosen = exact or staged(pool, part if stages_in(part) else whole)
        if len(stages_in(part)) == 2 and not exact:
            return structs.replace(found, entries=tuple(pool[:2]))
        if len(chosen) < len(pool):
            return structs.replace(found, entries=chosen)
    if len(found.entries) > 1 and _is_shared_heading(part, found.entries):
        return found
    if len(found.entries) > 1 and not _asks_for_several(part):
        return structs.replace(found, outcome="unsure", strong=False)
    if found.strong and not topic.generic and not _explained(part, found.entries, ledger):
        return structs.replace(found, outcome="unsure", strong=False)
    return found


def _is_shared_heading(part: str, entries: Sequence[Entry]) -> bool:
    """`I need your postcode`, asked of one who knows a first and a second: both are told, each by its name."""
    heads = {stem(words(entry.name)[-1]) for entry in entries}
    noun = [stem(word) for word in words(core(part))]
    said = set(topic_of(part).stems) - ASKING - lexicon().idle - lexicon().plain
    bare = len(noun) == 1 and said <= set(noun) and not any(stage_of(entry) for entry in entries)
    return (
        bare
        and heads == set(noun)
        and len(entries) <= _MOST_MEANT
        and not lexicon().vague.intersection(*(entry.kinds for entry in entries))
    )


def _asks_for_several(part: str) -> bool:
    """`Dates?`, `which books`, `from when to when`."""
    listed = words(core(part))
    plural = any(word.endswith("s") and not word.endswith(("ss", "us", "is")) for word in listed[:3])
    return plural or bool(_SEVERAL.search(part))


def _says_name(part: str, entry: Entry) -> bool:
    said = set(topic_of(part).stems)
    return any(sense.stems and said.issuperset(sense.stems) for sense in entry.senses)


def _explained(part: str, entries: Sequence[Entry], ledger: Ledger) -> bool:
    """For a kind that many things have (a number, a name): no word in the noun that the fact knows nothing of."""
    book = lexicon()
    topic = topic_of(part)
    if topic.own or any(_says_name(part, each) for each in entries) or only_the_sort(topic.kinds, sorts_wanted(part)):
        return True
    if not _is_vague(entries):
        return True
    known = ledger.own_stems.union(
        *(root for each in entries for root in (sense.stems for sense in each.senses)),
        *(sense.loose for each in entries for sense in each.senses),
    )
    strange = topic_of(before_last_kind(core(part))).loose - book.plain
    return all(any(meets(root, other) for other in known) for root in strange)


def _denied(found: Match, topic: Topic, part: str, ledger: Ledger) -> Match | None:
    """A denial needs a noun that names what is not there, and no fact that may be meant by it."""
    noun = topic_of(core(part))
    if sorts_wanted(part) or noun.hinted or not noun.kinds or not ends_in_kind(core(part)):
        return None
    if noun.modifier is not None or (topic.things and noun.things):
        return found
    wanted = sorts_named(noun.kinds)
    spoken = {stem(word) for word in words(part) if len(word) > _SHORT - 1}
    maybe = {
        entry.name: entry
        for entry in (*found.near, *_open(ledger))
        if entry in found.near or _might(entry, noun, wanted) or shares_a_word(entry, spoken - set(noun.stems))
    }
    if not maybe:
        return found
    return Match("unsure", tuple(maybe.values())[:_MOST_MEANT], label=found.label, strong=False)


def _open(ledger: Ledger) -> list[Entry]:
    return [entry for entry in ledger.entries if entry.fact.reveal != "never"]


def _might(entry: Entry, noun: Topic, wanted: frozenset[str]) -> bool:
    """Of the sort, under a name of which the lexicon knows no other kind; or with a word of the noun in its name."""
    if not entry.kinds - {"identifier"} and fits_closely(entry.sorts, wanted):
        return True
    vaguely = noun.kinds.keys() <= lexicon().vague
    return vaguely and any(stem(word) in noun.stems for word in words(entry.name))


def _by_elimination(topic: Topic, wanted: frozenset[str], ledger: Ledger, part: str) -> Match:
    """The one fact of the sort that the question word wants; `unsure` among several, or where a kind was named."""
    if not wanted:
        return Match("unknown", strong=False)
    open_ = _open(ledger)
    if len(counted := [entry for entry in open_ if is_counted(part, entry)]) == 1:
        return Match("facts", tuple(counted), strong=True)
    spoken_of = [entry for entry in open_ if _overlaps(topic, entry)]
    fitting = [entry for entry in open_ if fits(entry.sorts, wanted)]
    if "person" in wanted and not topic.own:  # the person's own name answers only where it is asked for
        fitting = [entry for entry in fitting if "name" not in entry.kinds or entry.things] or fitting
    closely = [entry for entry in fitting if fits_closely(entry.sorts, wanted)]
    chosen = [entry for entry in fitting if entry in spoken_of] or closely or fitting
    chosen = list(staged(chosen, part))
    if not chosen:
        return Match("unknown", strong=False)
    asked = topic.hinted or (only_the_sort(topic.kinds, wanted) and "birthdate" not in topic.kinds)
    strange = bool(wanted & {"count", "money", "number"}) and counts_strangers(part, ledger)
    clear = chosen[0] in spoken_of or (chosen[0] in closely and asked and not strange)
    if len(chosen) == 1 and clear and (not spoken_of or chosen[0] in spoken_of):
        return Match("facts", tuple(chosen), strong=True)
    maybe = {entry.name: entry for entry in (*chosen, *spoken_of)}
    return Match("unsure", tuple(maybe.values())[:_MOST_MEANT], strong=False)


def _rivals(chosen: Sequence[Entry], topic: Topic, wanted: frozenset[str], ledger: Ledger) -> tuple[Entry, ...]:
    """Where a question word alone has chosen: others of the sort, unless the words speak of the chosen one."""
    if any(
        _overlaps(topic, each) or topic.things & each.things or counterparts(each, ledger.entries) for each in chosen
    ):
        return ()
    others = [entry for entry in _open(ledger) if entry not in chosen and entry.kinds.isdisjoint(("email", "phone"))]
    if wanted & {"place", "person"}:  # a plate or a code is neither
        others = [entry for entry in others if not entry.numbered]
    return tuple(entry for entry in others if wanted and fits(entry.sorts, wanted))


def _overlaps(topic: Topic, entry: Entry) -> bool:
    return any(meets(said, root) for said in topic.loose for sense in entry.senses for root in sense.stems)


def _named(part: str, ledger: Ledger) -> tuple[Topic, Match]:
    """Read a clause at its clearest place: after the words that ask, after `which`, before the reason, or all of it."""
    last: tuple[Topic, Match] | None = None
    if (noun := cues().wh_noun.search(part)) and (head := head_of(noun["noun"])):
        topic = topic_of(head)
        found = match(topic, ledger.entries)
        if found.outcome == "facts":
            return topic, structs.replace(found, strong=True)
    for reading in _readings(part):
        topic = noun_topic(reading)
        found = match(topic, ledger.entries)
        if found.strong and found.outcome in ("facts", "lacks"):
            return topic, found
        last = (topic, found)
    assert last is not None  # the whole clause is always one of the readings
    return last


@once_per_text
def _readings(part: str) -> tuple[str, ...]:
    trimmed = part
    if (cut := cues().trailing.search(part)) and cut.start() > 8:
        trimmed = part[: cut.start()]
    found: list[str] = []
    if (rest := asked_part(trimmed)) != trimmed:
        if cues().wh.search(rest.strip()):
            return (rest,)  # `it would be easier to spot if I knew who …` asks who
        found.append(rest)
    if (noun := core(trimmed)) and _decides(topic_of(noun), topic_of(part)):
        found.insert(0, noun)
    return (*found, trimmed, part) if trimmed != part else (*found, part)


def _decides(noun: Topic, clause: Topic) -> bool:
    """The noun names what a number belongs to, or one of several kinds: `the date from which the address holds`."""
    if noun.modifier is not None:
        return True
    if noun.hinted or clause.hinted or "name" in noun.kinds:
        return False
    return noun.kinds.keys() < clause.kinds.keys()
