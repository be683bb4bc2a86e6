"""Options → the one that the person means, by what they know and want; never by an id they were not told."""

import re
from collections.abc import Sequence
from typing import Literal

from misstep.core.words import content_stems, stem, words
from misstep.users.ledger import Ledger
from misstep.wording.facts import Entry, match
from misstep.wording.lexicon import lexicon
from misstep.wording.options import Option
from misstep.wording.topics import actions_in, meets, topic_of
from misstep.wording.values import Form, Spotted, holds, shape, spot

_MARGIN = 0.4
_SMALL = 100
_SAYABLE = 40
_HEAD_END = re.compile(r"\s[—–-]\s|[:,;(]")
_ARTICLE = re.compile(r"^(?:the|a|an) ", re.IGNORECASE)
_OUT = -100.0
"""The score of an option that the person would never take."""


def choose(options: Sequence[Option], question: str, ledger: Ledger) -> Option | Literal["unsure", "none"]:
    """One option, or that it cannot be told, or that none fits."""
    seen = [spot(option.text) for option in options]
    if _missing_code(seen, ledger):
        return "none"
    scores = _scores(options, seen, ledger)
    ranked = sorted(zip(scores, options, strict=True), key=lambda pair: (-pair[0], pair[1].at))
    if ranked[0][0] > 0 and ranked[0][0] - ranked[1][0] >= _MARGIN:
        return ranked[0][1]
    if ranked[0][0] >= 0 and ranked[1][0] <= _OUT:
        return ranked[0][1]
    if ranked[0][0] <= 0 and _asked_and_absent(question, seen, ledger):
        return "none"
    return "unsure"


def chosen_together(options: Sequence[Option], ledger: Ledger) -> tuple[Option, ...]:
    """Several at once, where facts with one heading (`first book`, `second book`) are each among the options."""
    headed: dict[str, dict[int, Option]] = {}
    for entry in open_entries(ledger):
        heading = stem(words(entry.name)[-1]) if len(words(entry.name)) > 1 else ""
        for option in options:
            if heading and _ARTICLE.sub("", entry.value).lower() in option.text.lower() and not _is_small(entry):
                named = option if option.label else Option(option.at, entry.value)
                headed.setdefault(heading, {})[option.at] = named
    best = max(headed.values(), key=len, default=dict[int, Option]())
    return tuple(best[at] for at in sorted(best)) if 1 < len(best) < len(options) or (len(best) > 2) else ()


def fits(text: str, ledger: Ledger) -> bool:
    """Whether a single record shows anything that the person knows or wants."""
    return _scores((Option(1, text), Option(2, "")), (spot(text), spot("")), ledger)[0] > 0


def open_entries(ledger: Ledger) -> tuple[Entry, ...]:
    """What a choice may rest on: never a fact that the person must not show to know."""
    return tuple(entry for entry in ledger.entries if entry.fact.reveal != "never")


def code_of(option: Option) -> str:
    """The id that the agent showed for an option, or nothing; `12/night` is none."""
    return next((atom.text for atom in spot(option.text).atoms if atom.kind == "code" and "/" not in atom.text), "")


def short_name(option: Option, among: Sequence[Option]) -> str:
    """What an option is called: all of a short one, its id, or how it starts where no other starts so."""
    if len(option.text) <= _SAYABLE and ": " not in option.text:
        return option.text
    if code := code_of(option):
        return code
    starts = [_HEAD_END.split(each.text, maxsplit=1)[0].strip() for each in among]
    mine = _HEAD_END.split(option.text, maxsplit=1)[0].strip()
    return mine if 0 < len(mine) <= _SAYABLE and starts.count(mine) == 1 else ""


def _scores(options: Sequence[Option], seen: Sequence[Spotted], ledger: Ledger) -> list[float]:
    roots = [frozenset(content_stems(option.text)) for option in options]
    common = {root: sum(root in each for each in roots) for each in roots for root in each}
    extremes = _extremes(seen, ledger)
    entries = open_entries(ledger)
    declined = [each - ledger.wants or each for each in ledger.declines]
    named = _named_things(ledger)
    shown = {entry.name for entry in entries if any(_shows(each, entry) for each in seen)}
    scores: list[float] = []
    for at, option in enumerate(options):
        telling = [root for root in sorted(roots[at]) if common[root] < len(options)]
        # a value that stands there whole is no ground for an option that only looks like it
        left = [entry for entry in entries if entry.name not in shown or _shows(seen[at], entry)]
        score = sum(_fact_score(entry, option, seen[at], roots[at], common, len(options)) for entry in left)
        wished = (root for root in telling if root not in named)
        score += sum(1.0 / common[root] for root in wished if any(meets(root, wish) for wish in ledger.wants))
        score += 2.0 * sum(holds(ledger.own, each) for each in _day_forms(seen[at]))
        score += 2.0 if actions_in(option.text) & ledger.actions else 0.0
        score += 2.0 if at in extremes else 0.0
        if any(turned and turned <= roots[at] for turned in declined) or _too_dear(seen[at], entries):
            score = _OUT
        scores.append(score)
    return scores


def _shows(seen: Spotted, entry: Entry) -> bool:
    return not _is_small(entry) and any(holds(seen, each) for each in entry.forms)


def _fact_score(
    entry: Entry, option: Option, seen: Spotted, roots: frozenset[str], common: dict[str, int], count: int
) -> float:
    if any(holds(seen, each) for each in entry.forms):
        return 4.0 if not _is_small(entry) or _labelled(entry, option) else 0.0
    hours = [span for word, span in lexicon().hours.items() if f" {word} " in entry.forms[0].folded]
    if hours and seen.times:
        return 3.0 if any(low * 60 <= time < high * 60 for low, high in hours for time in seen.times[:1]) else 0.0
    if entry.atoms:
        return 0.0
    if (counted := _counted(entry.value)) and (shown := _counted(option.text)):
        return 3.0 if counted & shown else 0.0
    mine = [root for root in content_stems(entry.value) if common.get(root, 0) < count]
    shared = [root for root in mine if root in roots]
    return 3.0 * len(shared) / len(mine) if mine and len(shared) * 2 >= len(mine) else 0.0


def _counted(text: str) -> frozenset[str]:
    """Numbers in words: `six months` is not `twelve months`, though they share a word."""
    return lexicon().numbers & frozenset(words(text))


def _named_things(ledger: Ledger) -> frozenset[str]:
    """`a hotel`, `my order`: what the goals call every option says nothing for one of them."""
    said = {root for goal in ledger.person.goals for root in content_stems(goal.ask)}
    limited = {root for text in ledger.person.constraints for root in content_stems(text)}
    return frozenset(root for root in said - limited if root in lexicon().things)


def _too_dear(seen: Spotted, entries: Sequence[Entry]) -> bool:
    """Its lowest price is above what a budget or another limit allows."""
    for entry in entries:
        if seen.prices and not lexicon().limits.isdisjoint(content_stems(entry.name)):
            limit = next((float(number) for number in spot(entry.value).numbers), None)
            if limit is not None and min(seen.prices) > limit:
                return True
    return False


def _is_small(entry: Entry) -> bool:
    number = entry.forms[0].number
    return number is not None and number < _SMALL and number.is_integer()


def _labelled(entry: Entry, option: Option) -> bool:
    """A small number means something only beside the words that it belongs to."""
    for piece in re.split(r"[,;(]", option.text):
        if any(holds(spot(piece), each) for each in entry.forms):
            found = match(topic_of(piece), (entry,))
            if found.outcome == "facts" and found.strong:
                return True
    return False


def _day_forms(seen: Spotted) -> list[Form]:
    return [Form("\0", days=(day,)) for day in seen.days]


def _extremes(seen: Sequence[Spotted], ledger: Ledger) -> frozenset[int]:
    """`my latest order`, `the cheapest one`: the option at that end."""
    book = lexicon()
    texts = (*(goal.ask for goal in ledger.person.goals), ledger.person.opening, *ledger.person.constraints)
    values = (entry.value for entry in open_entries(ledger))
    asked = {
        book.extremes[root] for text in (*texts, *values) for root in _extreme_roots(text) if root in book.extremes
    }
    found: set[int] = set()
    dated = [max((day for day in each.days if day[0] is not None), default=None) for each in seen]
    priced = [max(each.numbers, default=None) for each in seen]
    for which in sorted(asked):
        listed = dated if which in ("latest", "earliest") else priced
        if all(each is not None for each in listed):
            end = (max if which in ("latest", "dearest") else min)(each for each in listed if each is not None)
            found.update(at for at, each in enumerate(listed) if each == end)
    return frozenset(found)


def _extreme_roots(text: str) -> list[str]:
    """`last` and `first` count only before a thing: `last order`, not `last name`."""
    book = lexicon()
    listed = [stem(word) for word in words(text)]
    found: list[str] = []
    for at, root in enumerate(listed):
        following = listed[at + 1] if at + 1 < len(listed) else ""
        if root not in ("last", "first") or following in book.things or following == "one":
            found.append(root)
    return found


def _missing_code(seen: Sequence[Spotted], ledger: Ledger) -> bool:
    """Each option shows an id of the family of one that is known, and none is that one."""
    for entry in open_entries(ledger):
        codes = [atom for atom in entry.atoms if atom.kind == "code"]
        if len(codes) != 1 or any(holds(each, form) for each in seen for form in entry.forms):
            continue
        family = shape(codes[0].text)
        if all(any(shape(atom.text) == family for atom in each.atoms if atom.kind == "code") for each in seen):
            return True
    return False


def _asked_and_absent(question: str, seen: Sequence[Spotted], ledger: Ledger) -> bool:
    found = match(topic_of(question), open_entries(ledger))
    if found.outcome != "facts" or not found.strong:
        return False
    return not any(holds(each, form) for entry in found.entries for each in seen for form in entry.forms)
