"""One clause of a question → the facts that it asks for, or how far that is from clear."""

import re
from collections.abc import Sequence
from itertools import takewhile

from msgspec import structs

from misstep.core.words import STOPWORDS, stem, words
from misstep.users.ledger import Ledger
from misstep.wording.cues import cues
from misstep.wording.facts import Entry, Match, match
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import fits, fits_closely, only_the_sort, sorts_named, sorts_wanted
from misstep.wording.stages import counterparts, stage_of, staged, stages_in
from misstep.wording.topics import Topic, meets, topic_of

_BEHIND = re.compile(
    r"[,;:(]|\b(?:that|which|who|whom|where|when|so|issued|given|shown|displayed|presently|by|on|in|at|from|for|to|with"
    r"|concerned|we|i|you|it|is|are|was|were|as|under|before|if|do|does|did|should|shall|will|would)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:both|all|each|every|dates|days|names|times|numbers|addresses)\b|\bfrom\b.*\bto (?:when|what|which)\b",
    re.IGNORECASE,
)
_WHAT_IS = re.compile(
    r"\b(?:what|which|who)(?:'s| is| are| was| were| would be| will be)\b(?= (?:the|your|a|an|its|their)\b)", re.I
)
_WHAT_CLAUSE = re.compile(
    r"\b(?:what|which|who|how) (?:the|your|it|this|that|we|i|you|they|goes|comes)\b", re.IGNORECASE
)
_SUBORDINATE = re.compile(r"\b(?:that (?:you|your|we|it|the)|because|so that|in order)\b", re.IGNORECASE)
_REFERS_BACK = re.compile(
    r"(?:and |so )?(?:in|on|at|to|from|under|for|of|by|with) which "
    r"(?:is|are|was|were|do|does|did|would|should|shall|will)\b",
    re.I,
)
"""`In which was it entered?`: the noun stands in another sentence, and not in this one."""
_OWNED = re.compile(
    r"\b(?!it|that|what|who|where|there|here|let|today)\w+'s (?P<what>(?:[\w-]+ ?){1,3})", re.IGNORECASE
)
_NAME_OF = re.compile(r"\bnames? of (?:the |your |a |an )?(?P<whose>(?:[\w-]+ ?){1,3})", re.IGNORECASE)
_ACRONYM = re.compile(r"\b[A-Z]{3,6}\b")
_COUNTED = re.compile(r"\bhow (?:many|much) (?:of )?([a-z]+)", re.IGNORECASE)
_MOST_MEANT = 3
_EARLY = 3
_SHORT = 5
_OWN = frozenset(("name", "email", "phone", "birthdate", "address"))


def resolve(part: str, ledger: Ledger, whole: str) -> tuple[Topic, Match]:
    """Read a clause against the ledger. `unsure` where the evidence for one fact is thin."""
    topic, found = _named(part, ledger)
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
        if not wanted and _of_another(part, fitting, ledger):
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
    return any(_shares_a_word(entry, set(noun.stems)) for entry in entries)


def _tellable(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry.fact.reveal != "never")


def _is_named(part: str, entry: Entry) -> bool:
    """The whole of its name is said right behind the question word."""
    noun = cues().wh_noun.search(part)
    said = set(topic_of(_first_noun(noun["noun"])).stems) if noun else set[str]()
    return bool(said) and any(sense.stems and said.issuperset(sense.stems) for sense in entry.senses)


def _of_the_kind_named(part: str, chosen: Sequence[Entry], ledger: Ledger) -> tuple[Entry, ...]:
    """`the address to which the flowers go` asks for an address, whatever fact is called flowers."""
    noun = topic_of(core(part))
    if noun.hinted or not noun.kinds or any(entry.kinds & noun.kinds.keys() for entry in chosen):
        return ()
    if any(_shares_a_word(entry, set(noun.stems)) for entry in chosen):
        return ()
    return tuple(entry for entry in _open(ledger) if entry.kinds & noun.kinds.keys())[:_MOST_MEANT]


def _of_another(part: str, chosen: Sequence[Entry], ledger: Ledger) -> bool:
    """`Recipient's phone number`, `the name of your landlord`: it belongs to something, and that decides.

    A fact that is only the owner is not meant, nor one of the kind whose owner nobody has named; nor is `IBAN` any
    number that goes by another name."""
    if (owned := _OWNED.search(core(part))) and not any(_names(entry, owned["what"]) for entry in chosen):
        return True
    if (named := _NAME_OF.search(part)) and not any(_names(entry, named["whose"]) for entry in chosen):
        roots = set(topic_of(named["whose"]).loose) - lexicon().plain
        return any(not any(meets(root, other) for other in ledger.own_stems) for root in roots)
    coded = [word for word in _ACRONYM.findall(part) if stem(word.lower()) not in lexicon().idle]
    return any(not any(_names(entry, word) for entry in chosen) for word in coded)


def _names(entry: Entry, noun: str) -> bool:
    said = {stem(word) for word in words(noun) if word not in STOPWORDS}
    kinds = topic_of(noun).kinds.keys()
    return _shares_a_word(entry, said) or bool(entry.kinds & kinds)


def _of_that_heading(part: str, chosen: Sequence[Entry], ledger: Ledger) -> tuple[Entry, ...]:
    """`I don't have a number here` may mean either of two numbers, whatever kinds they are."""
    noun = words(core(part))
    if len(noun) != 1 or len(chosen) != 1 or noun != words(chosen[0].name)[-1:] or words(chosen[0].name) == noun:
        return ()
    return tuple(entry for entry in _open(ledger) if entry not in chosen and words(entry.name)[-1:] == noun)


def _named_instead(part: str, chosen: Sequence[Entry], ledger: Ledger) -> tuple[Entry, ...] | None:
    """The noun that is asked for has words of another fact's name and none of the chosen one's."""
    said = {stem(word) for word in words(core(part)) if word not in STOPWORDS}
    if not said or any(_shares_a_word(entry, said) for entry in chosen) or not _is_all_worded(chosen):
        return None
    others = [entry for entry in ledger.entries if entry not in chosen and _shares_a_word(entry, said)]
    open_ = tuple(entry for entry in (*others, *chosen) if entry.fact.reveal != "never")
    return open_ if others else None


def _shares_a_word(entry: Entry, said: set[str]) -> bool:
    return any(meets(root, other) for sense in entry.senses for root in sense.stems for other in said)


def _is_all_worded(entries: Sequence[Entry]) -> bool:
    """Chosen by a kind that many words name: an amount for whatever is paid."""
    return all(entry.kinds and entry.kinds <= lexicon().vague | lexicon().bound for entry in entries)


def _of_one_kind(found: Match, topic: Topic, ledger: Ledger, part: str, whole: str) -> Match:
    """Of several that fit, or of one with a counterpart, those of the stage that is spoken of."""
    pool = list(found.entries)
    for entry in found.entries:
        pool.extend(each for each in counterparts(entry, ledger.entries) if each not in pool)
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
    bare = len(noun) == 1 and not any(stage_of(entry) for entry in entries)
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
    if not all(each.kinds and each.kinds <= book.bound | book.vague for each in entries):
        return True
    known = ledger.own_stems.union(
        *(root for each in entries for root in (sense.stems for sense in each.senses)),
        *(sense.loose for each in entries for sense in each.senses),
    )
    strange = topic_of(_before_last_kind(core(part))).loose - book.plain
    return all(any(meets(root, other) for other in known) for root in strange)


def core(part: str) -> str:
    """The noun that is asked for, without what stands before and behind it: `the crime reference number`."""
    text = _asked_part(part)
    if copula := _WHAT_IS.search(text):
        text = text[copula.end() :]
    elif (clause := _WHAT_CLAUSE.search(text)) and len(text[: clause.start()].split()) < _EARLY:
        return ""
    elif (noun := cues().wh_noun.search(text)) and len(text[: noun.start()].split()) < _EARLY:
        text = noun["noun"]
    listed = text.split()
    while listed and listed[0].lower() in STOPWORDS:
        listed.pop(0)
    return _BEHIND.split(" ".join(listed), maxsplit=1)[0]


def _asked_part(part: str) -> str:
    """What stands behind the last words that ask; `what box have you got` is about a box all the same."""
    asking = list(cues().ask.finditer(part))
    opened = cues().wh_noun.search(part)
    if opened:
        asking = [each for each in asking if each.start() <= opened.start()]
    return part[asking[-1].end() :] if asking and asking[-1].end() < len(part) - 2 else part


def _before_last_kind(noun: str) -> str:
    """`arrival date you gave` → `arrival`: what stands behind the kind does not change which one is meant."""
    book, listed = lexicon(), words(noun)
    places = [at for at, word in enumerate(listed) if stem(word) in book.kinds or stem(word) in book.things]
    return " ".join(listed[: places[-1]]) if places else noun


def _denied(found: Match, topic: Topic, part: str, ledger: Ledger) -> Match | None:
    """A denial needs a noun that names what is not there, and no fact that may be meant by it."""
    noun = topic_of(core(part))
    if sorts_wanted(part) or noun.hinted or not noun.kinds or not _ends_in_kind(core(part)):
        return None
    if noun.modifier is not None or (topic.things and noun.things):
        return found
    wanted = sorts_named(noun.kinds)
    spoken = {stem(word) for word in words(part) if len(word) > _SHORT - 1}
    maybe = {
        entry.name: entry
        for entry in (*found.near, *_open(ledger))
        if entry in found.near or _might(entry, noun, wanted) or _shares_a_word(entry, spoken - set(noun.stems))
    }
    if not maybe:
        return found
    return Match("unsure", tuple(maybe.values())[:_MOST_MEANT], label=found.label, strong=False)


def _ends_in_kind(noun: str) -> bool:
    """A short noun whose last word, or two, name what is asked for: `a delivery address`, not `the price you saw`."""
    listed = words(noun)
    book, roots = lexicon(), tuple(stem(word) for word in listed)
    # `fault code` names a code, whatever the word before it is; `phone number` is one name.
    phrases = (kind for size in (2, 3) for kind in book.kind_phrases.get(roots[-size:], ()))
    named = {*phrases, *book.kinds.get(roots[-1], ())} if roots else set[str]()
    return len(listed) <= _SHORT and not named.isdisjoint(topic_of(noun).kinds)


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
    spoken_of = [entry for entry in open_ if _overlaps(topic, entry)]
    fitting = [entry for entry in open_ if fits(entry.sorts, wanted)]
    if "person" in wanted and not topic.own:  # the person's own name answers only where it is asked for
        fitting = [entry for entry in fitting if "name" not in entry.kinds or entry.things] or fitting
    closely = [entry for entry in fitting if fits_closely(entry.sorts, wanted)]
    chosen = [entry for entry in fitting if entry in spoken_of] or closely or fitting
    chosen = list(staged(chosen, part))
    if not chosen:
        return Match("unknown", strong=False)
    asked = topic.hinted or only_the_sort(topic.kinds, wanted)
    counted = bool(wanted & {"count", "money", "number"}) and _strange(part, ledger)
    clear = chosen[0] in spoken_of or (chosen[0] in closely and asked and not counted)
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


def _strange(part: str, ledger: Ledger) -> bool:
    """`How much juice`: what is counted is nothing that the person has spoken of."""
    found, book = _COUNTED.search(part), lexicon()
    root = stem(found[1].lower()) if found and found[1].lower() not in STOPWORDS else ""
    known = ledger.own_stems | book.plain | book.idle | book.kinds.keys() | book.things.keys() | book.units
    return bool(root) and not any(meets(root, other) for other in known)


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
    if (rest := _asked_part(trimmed)) != trimmed:
        if cues().wh.search(rest.strip()):
            return [rest]  # `it would be easier to spot if I knew who …` asks who
        found.append(rest)
    if (noun := core(trimmed)) and _decides(topic_of(noun), topic_of(part)):
        found.insert(0, noun)
    return [*found, trimmed, part] if trimmed != part else [*found, part]


def _decides(noun: Topic, clause: Topic) -> bool:
    """The noun names what a number belongs to, or one of several kinds: `the date from which the address holds`."""
    if noun.modifier is not None:
        return True
    if noun.hinted or clause.hinted or "name" in noun.kinds:
        return False
    return noun.kinds.keys() < clause.kinds.keys()


def head_of(text: str) -> str:
    """`product are we` → `product`; nothing where the noun is too vague to stand alone."""
    head = _first_noun(text)
    topic = topic_of(head)
    vague = lexicon().vague
    if topic.things or topic.loose or any(kind not in vague for kind in topic.kinds):
        return head
    return ""


def _first_noun(text: str) -> str:
    return " ".join(takewhile(lambda word: word not in STOPWORDS, words(text)))
