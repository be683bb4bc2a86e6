"""Statements → the facts that they would have the person tell, though nobody asked; and whether they settle it."""

import re
from collections.abc import Sequence

from msgspec import Struct, structs

from misstep.core.words import content_stems, stem, words
from misstep.users.accounting import says_something
from misstep.users.answering import wanted
from misstep.users.ledger import Ledger
from misstep.wording.cues import cues, reports
from misstep.wording.facts import Entry
from misstep.wording.phrasing import is_sentence
from misstep.wording.topics import actions_in, meets, topic_of
from misstep.wording.understanding import Ask, Reading, ask_of
from misstep.wording.values import holds, spelt_out, spot

_PASSING = frozenset(("date", "time", "reason", "item", "message"))
"""Kinds that are spoken of in passing."""
_PROMISE = re.compile(r"\b(?:i|we)(?:'ll| will) (\w+)", re.IGNORECASE)
_LACKING = re.compile(r"\b(?:missing|blank|empty|lacking)\b", re.IGNORECASE)
_STANDS = re.compile(
    r"\balready (?:been )?(?:empty|blank|missing|lacking)\b|\bno need to\b"
    r"|\bnothing (?:left |more |further |else )?(?:to (?!go on\b|tell\b|show\b|work with\b)\w+|(?:needs?|has) to be)\b",
    re.IGNORECASE,
)
"""It is so already: nothing is wanting, and nothing is left to be done."""
_REGRETS = re.compile(
    r"\b(?:sorry|afraid|unfortunately|regret\w*|sadly|apolog\w*|alas|decision|polic(?:y|ies)|rules?|request|authority"
    r"|unable|closed|no longer|impossible"
    r"|(?:not|isn't|aren't) (?:able|allowed|permitted|possible|eligible|taking|accepting|offering|in a position))\b",
    re.IGNORECASE,
)
_HITHER = re.compile(
    r"(?:over|across|down|back|through|along|in|here|below|first|please|now|for (?:me|us))*"
    r" ?(?:(?:in |into |down )?(?:here|below|the chat|this chat|the box|the field))?(?: (?:so|and|then|please)\b.*)?$"
    r"|(?:and|so|then)\b"
)
"""Where to: `your order number over`, not `your order number on the parcel`."""
_SHOWN = re.compile(r"\s*[-*•–]?\s*[^:?.!]{1,40}: +\S")
"""A line of what is to be confirmed, with its value."""
_BRIEF = 9
_FEW = 7
_MANY = 4
_CLAUSE_WORDS = frozenset(
    """i we you they he she is are was were be been am has have had do does did will would shall should can could may
    might must this that these those i'm i'll i've i'd we'll we've we're you're you'll it's that's there's
    thanks thank hello hi sorry""".split()
)
_SUBJECTS = frozenset("we've i've they've there's we i they you you've some".split())
_BEFORE_A_PARTICIPLE = frozenset("is are was were been be now all has have being gets got".split())


class Hint(Struct, frozen=True):
    """What a message seems to want."""

    entries: tuple[Entry, ...] = ()
    maybe: tuple[Entry, ...] = ()
    open: bool = False
    """It wants something, or does not say that anything is settled."""
    needing: bool = False
    """It says that something is wanting."""
    rest: bool = False
    """It wants more than was understood."""
    wanting: bool = False
    """It seems to settle the matter, and may want something all the same."""


def hinted(reading: Reading, ledger: Ledger, told: dict[str, int]) -> Hint:
    """`It stays blank until there is an account number in the box` asks for one; a report asks for nothing."""
    if reading.signals & {"more", "greeting"}:
        return Hint()
    entries: dict[str, Entry] = {}
    maybe: dict[str, Entry] = {}
    settled, needing, refused, left = "passed_on" in reading.signals, False, False, False
    for sentence in reading.stated:
        clauses = [piece.strip() for piece in cues().clause.split(sentence.strip(" .!")) if piece.strip()]
        # `I've added the missing hours`, `it is already empty`: what was missing, or is, is not asked for
        done = reports(sentence) or stands(sentence)
        needs = [clause for clause in clauses if cues().need.search(_LACKING.sub("", clause) if done else clause)]
        needing = needing or bool(needs)
        settled = settled or (not needs and _settles(sentence, ledger))
        refused = refused or (settled and not needs and bool(cues().refuses.search(sentence)))
        for clause in clauses if needs else ():
            named, perhaps, more = _wanted(clause, sentence, ledger, told, reading.text)
            left = left or more
            (entries if clause in needs else maybe).update(named)
            maybe.update(perhaps)
        if not needs and not spot(sentence).atoms and not _is_under_way(sentence):
            maybe.update(_spoken_of(sentence, ledger, told, reading.text))
    if refused:
        maybe.clear()  # what a refusal speaks of is not asked for
    asking = [sentence for sentence in reading.stated if not stands(sentence)]
    held_up = any(cues().held_up.search(sentence) for sentence in asking)
    wanting = held_up or (not refused and any(cues().wanting.search(sentence) for sentence in asking))
    if not reading.stated or (settled and not (entries or maybe or needing)):
        return Hint(wanting=wanting and "passed_on" not in reading.signals)
    waits = "wait" in reading.signals and not maybe and not held_up
    rest = tuple(entry for name, entry in maybe.items() if name not in entries)
    return Hint(tuple(entries.values()), () if entries else rest, not waits, needing, left or bool(rest))


def named_outright(reading: Reading, ledger: Ledger) -> Reading:
    """`Reason for return?` names a fact and nothing else: it is asked for, whatever act is in its name."""
    if reading.confirm is None:
        return reading
    noun = reading.confirm.sentence.strip(" ?")
    said = set(content_stems(noun))
    if not _is_noun(noun) or len(said) < 2:
        return reading
    names = [set(content_stems(entry.name)) for entry in ledger.entries]
    if not any(said <= name or (len(name) > 1 and name <= said) for name in names):
        return reading
    return structs.replace(reading, confirm=None, asks=(*reading.asks, ask_of(reading.confirm.sentence)))


def fragments(reading: Reading, ledger: Ledger, told: dict[str, int]) -> tuple[Ask, ...]:
    """`Pet's name.`, `Missing: serial no.`, `Error code shown:`: a noun by itself asks, if it names what is untold.

    Beside such a one, any other noun by itself asks as well, whatever it names."""
    found: list[Ask] = []
    others: list[Ask] = []
    for sentence in reading.stated:
        if reading.confirm and (_SHOWN.match(sentence) or spot(sentence).atoms):
            continue
        if named := _requested(sentence, ledger, told, reading.text):
            found.append(named)
            continue
        noun = spelt_out(cues().field.sub("", sentence.strip()))
        ask = ask_of(noun)
        if sentence.endswith("!") or reports_an_act(sentence, ledger) or not all(map(_is_noun, ask.parts)):
            continue
        here = wanted(ask, ledger, told)
        if here.understood and not here.generic and _untold(here.entries, told, reading.text):
            found.append(ask)
        elif not here.understood and len(words(noun)) < _MANY and says_something(noun):
            others.append(ask)
    return (*found, *others) if found else ()


def _requested(sentence: str, ledger: Ledger, told: dict[str, int], text: str) -> Ask | None:
    """`Whack your order number in the chat`: a verb that nobody need know, and the whole name of what is untold."""
    order = cues().imperative.search(sentence)
    if order is None or spot(sentence).atoms:
        return None
    said = [stem(word) for word in words(order["noun"])]
    for entry in _untold(ledger.entries, told, text):
        name = [stem(word) for word in words(entry.name)]
        if len(name) > 1 and said[: len(name)] == name and _HITHER.match(" ".join(words(order["noun"])[len(name) :])):
            return ask_of(f"your {entry.name}?")
    return None


def _is_noun(text: str) -> bool:
    """A few words with no verb that anybody is the subject of, and no value among them."""
    listed = words(text)
    if (
        not 0 < len(listed) <= _FEW
        or listed[0] in ("no", "not", "none", "nothing")
        or spot(text).atoms
        or not _CLAUSE_WORDS.isdisjoint(listed)
    ):
        return False
    return not (reports(text) or cues().wait.search(text) or cues().refusal.search(text))


def _is_under_way(sentence: str) -> bool:
    return bool(reports(sentence) or cues().wait.search(sentence))


def _settles(sentence: str, ledger: Ledger) -> bool:
    """Says that something was done or will not be, or answers a question of the person's; what may be is no report."""
    if cues().conditional.search(sentence):
        return False
    goals = {root for goal in ledger.person.goals for root in content_stems(goal.ask)}
    said = set(content_stems(sentence))
    if cues().arrived.search(sentence) or stands(sentence):
        return True
    if cues().refuses.search(sentence):
        return _is_meant(sentence, said, goals, ledger)
    if reports(sentence):
        return _is_mine(sentence, said, goals, ledger)
    if any(asks_to_know(goal.ask) for goal in ledger.person.goals):
        return bool(spot(sentence).atoms) or not goals.isdisjoint(said)
    if cues().unavailable.search(sentence) and not goals.isdisjoint(said):
        return True
    return _reports_a_goal(sentence, ledger, goals) or _takes_on(sentence, ledger, goals)


def stands(sentence: str) -> bool:
    """Says that it is so already."""
    return _STANDS.search(sentence) is not None


def _is_meant(sentence: str, said: set[str], goals: set[str], ledger: Ledger) -> bool:
    """A refusal of the matter itself, with regret, or of nothing else; `it doesn't work on most of them` is none."""
    if _REGRETS.search(sentence) or len(words(sentence)) <= _BRIEF or actions_in(sentence) & ledger.actions:
        return True
    return any(meets(root, goal) for root in said for goal in goals) or _shows_a_value(sentence, ledger)


def reports_an_act(sentence: str, ledger: Ledger) -> bool:
    """Says that something was done, as against what a look-up shows."""
    goals = {root for goal in ledger.person.goals for root in content_stems(goal.ask)}
    return reports(sentence) or _reports_a_goal(sentence, ledger, goals) or bool(cues().arrived.search(sentence))


def _is_mine(sentence: str, said: set[str], goals: set[str], ledger: Ledger) -> bool:
    """A report of the matter itself, or that all is done; `I've opened your file` is only a step."""
    if cues().finished.search(sentence) or actions_in(sentence) & ledger.actions:
        return True
    return any(meets(root, goal) for root in said for goal in goals) or _shows_a_value(sentence, ledger)


def _shows_a_value(sentence: str, ledger: Ledger) -> bool:
    seen = spot(sentence)
    return any(holds(seen, each) for entry in ledger.entries for each in entry.forms)


def _takes_on(sentence: str, ledger: Ledger, goals: set[str]) -> bool:
    """`I'll remind you on Tuesday at 19:00.`: the goal itself, as a promise, with a value of the person's."""
    promised = _PROMISE.search(sentence)
    if promised is None or stem(promised[1]) not in goals:
        return False
    return _shows_a_value(sentence, ledger)


def asks_to_know(ask: str) -> bool:
    """A goal that an answer settles."""
    return (is_sentence(ask) and ask.rstrip().endswith("?")) or bool(cues().to_know.search(ask))


def _reports_a_goal(sentence: str, ledger: Ledger, goals: set[str]) -> bool:
    """`Your book is renewed.`, `Reminder set`: the act of a goal, or its thing, with a participle behind it."""
    listed = words(sentence)
    for at, word in enumerate(listed):
        ended = word.endswith(("ed", "en")) or word in ("set", "sent", "made", "done", "put")
        opens = at in (1, 2) and listed[0] not in _SUBJECTS
        behind = opens or at == len(listed) - 1 or listed[at - 1] in _BEFORE_A_PARTICIPLE
        if ended and behind and at:
            before = {stem(each) for each in listed[:at]}
            return stem(word) in goals or bool(actions_in(word) & ledger.actions) or not goals.isdisjoint(before)
    return False


def _spoken_of(sentence: str, ledger: Ledger, told: dict[str, int], text: str) -> dict[str, Entry]:
    """Facts that nobody has told, of which the kind is named, or a word of the name that is none of the goals'."""
    said = {stem(word) for word in words(sentence)}
    goals = {root for goal in ledger.person.goals for root in content_stems(goal.ask)}
    topic = topic_of(sentence)
    kinds = set[str]() if topic.hinted else topic.kinds.keys() - _PASSING
    found: dict[str, Entry] = {}
    for entry in _untold(ledger.entries, told, text):
        own = {root for root in content_stems(entry.name) if root not in goals and len(root) > 3}
        if any(meets(root, other) for root in own for other in said) or entry.kinds & kinds:
            found[entry.name] = entry
    return found


def _wanted(
    clause: str, sentence: str, ledger: Ledger, told: dict[str, int], text: str
) -> tuple[dict[str, Entry], dict[str, Entry], bool]:
    """Facts that the clause names, those that it may mean, and whether that is not all; only what is untold."""
    parts = tuple(piece.strip() for piece in cues().joint.split(clause) if piece.strip())
    found = wanted(Ask(sentence, parts or (clause,)), ledger, told)
    if found.generic:
        return {}, {}, True
    named = {entry.name: entry for entry in _untold(found.entries, told, text)}
    said = {stem(word) for word in words(clause)}
    outright = {name: entry for name, entry in named.items() if _is_named(entry, said) or len(named) > 1}
    perhaps = {entry.name: entry for entry in (*named.values(), *_untold(found.maybe, told, text))}
    rest = found.rest or not (found.understood or perhaps)
    return outright, {name: entry for name, entry in perhaps.items() if name not in outright}, rest


def _is_named(entry: Entry, said: set[str]) -> bool:
    """What its name or its own words end in is in the clause, or most of them: not only something of its sort."""
    for sense in entry.senses:
        shared = [root for root in sense.stems if len(root) > 1 and any(meets(root, other) for other in said)]
        if shared and (shared[-1] == sense.stems[-1] or 2 * len(shared) > len(sense.stems)):
            return True
    return False


def _untold(entries: Sequence[Entry], told: dict[str, int], text: str) -> list[Entry]:
    seen = spot(text)
    return [
        entry
        for entry in entries
        if entry.fact.reveal != "never"
        and entry.name not in told
        and not any(holds(seen, each) for each in entry.forms)
    ]
