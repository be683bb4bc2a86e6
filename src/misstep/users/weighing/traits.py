"""A message and a ledger → numbers: what the message looks like, and how each fact would answer each clause of it."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from misstep.core.words import STOPWORDS, content_stems, sentences, stem, words
from misstep.users.ledger import Ledger
from misstep.wording.cues import cues
from misstep.wording.facts import Entry
from misstep.wording.layout import plain
from misstep.wording.lexicon import lexicon
from misstep.wording.sorts import fits, fits_closely, sorts_wanted
from misstep.wording.stages import stage_of, stages_in
from misstep.wording.thesaurus import grouped, groups_in
from misstep.wording.topics import ASKING, Topic, actions_in, meets_any, topic_of
from misstep.wording.values import form, holds, spot, within

Traits = dict[str, float]

_SPLIT = re.compile(r",\s+|;\s+|\s[+&/]\s|\s[–—-]\s|:\s+|\s+(?:and|but|so|because|or)\s+(?=\w+ \w+)", re.IGNORECASE)
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[?!.:,;]|\n")
_WH = re.compile(r"\b(?:what|which|when|where|who|whom|whose|how|why)\b", re.IGNORECASE)
_YOU = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
_YES_OR_NO = re.compile(r"\(?\b(?:yes ?(?:/|or) ?no|y ?(?:/|or) ?n)\b\)?")
"""No list of things to choose from."""
_MANY = 60
_FEW = 3
_GOAL = "<goal>"
_ANYWHERE = ("named", "akin", "score", "whole", "kind", "sort", "head", "thing", "value akin")
"""What counts wherever in the message it is."""


class Clause(Struct, frozen=True):
    """A piece of a message that may ask for something."""

    text: str
    sentence: str
    asks: bool
    """Its sentence ends in a question mark."""
    last: bool
    """Its sentence is the last one."""


@lru_cache(maxsize=1024)
def clauses(message: str) -> tuple[Clause, ...]:
    """Each sentence whole, and in its pieces."""
    listed = sentences(plain(message))
    found: list[Clause] = []
    for at, sentence in enumerate(listed):
        asks = sentence.rstrip(" )\"'”").endswith("?")
        pieces = [piece.strip() for piece in _SPLIT.split(sentence) if piece and piece.strip()]
        texts = dict.fromkeys((sentence, *pieces))
        found.extend(Clause(text, sentence, asks, at == len(listed) - 1) for text in texts)
    return tuple(found)


def look(message: str, ledger: Ledger) -> Traits:
    """What a message looks like: its words, by twos where they stand so, how it ends, and how much of it is known."""
    text = _YES_OR_NO.sub("", message.replace("’", "'").lower())
    found: Traits = {"always": 1.0}
    tokens = ["#" if token.isdigit() else token for token in _TOKEN.findall(text)]
    found.update((f"w {token}", 1.0) for token in tokens)
    found.update((f"b {one} {other}", 1.0) for one, other in pairwise(tokens))
    found.update(_of_the_goals(tokens, ledger))
    listed = [piece for piece in sentences(text) if piece.strip()]
    for at, piece in enumerate(listed):
        own = ["#" if token.isdigit() else token for token in _TOKEN.findall(piece)]
        kind = "q" if piece.rstrip(" )\"'”").endswith("?") else "s"
        found[f"{kind} {' '.join(own[:1])}"] = found[f"{kind} {' '.join(own[:2])}"] = 1.0
        if at == len(listed) - 1:
            found.update((f"l {token}", 1.0) for token in own)
            found[f"ends {kind}"] = 1.0
    seen = spot(plain(message))
    held = sum(any(holds(seen, each) for each in entry.forms) for entry in ledger.entries)
    found[f"held {min(held, _FEW)}"] = 1.0
    strange = sum(not _is_known(atom.text, ledger) for atom in seen.atoms)
    found[f"strange {min(strange, _FEW)}"] = 1.0
    found["long"] = min(len(tokens), _MANY) / _MANY
    found["asks"] = float("?" in message)
    return found


def _of_the_goals(tokens: Sequence[str], ledger: Ledger) -> Traits:
    """`has been` before a word of what is wanted, whatever that is: so that a report of it is no mere step."""
    goals = {root for goal in ledger.person.goals for root in content_stems(goal.ask)}
    masked = [_GOAL if stem(token) in goals else token for token in tokens]
    pairs = (f"g {one} {other}" for one, other in pairwise(masked) if _GOAL in (one, other))
    acts = frozenset[str]().union(*(actions_in(goal.ask) for goal in ledger.person.goals))
    said = actions_in(" ".join(tokens))
    return {
        "of the goal": min(masked.count(_GOAL), _FEW) / _FEW,
        "its act": float(not acts.isdisjoint(said)),
        "another act": float(bool(said) and acts.isdisjoint(said)),
        **dict.fromkeys(pairs, 1.0),
    }


def _is_known(literal: str, ledger: Ledger) -> bool:
    part = form(literal)
    said = any(
        literal.lower() in entry.value.lower() or within(part, each) for entry in ledger.entries for each in entry.forms
    )
    return said or holds(ledger.own, part)


class Likeness(Struct, frozen=True):
    """How a fact and a clause go together."""

    named: float
    """How much of its name is said."""
    whole: bool
    head: bool
    akin: float
    """How much of its name has kin in the clause."""
    value_akin: bool
    value_said: float
    """How much of its value is said: `how many bedrooms`, asked of one who wants three bedrooms."""
    kind: bool
    clear_kind: bool
    sort: bool
    close: bool
    unsorted: bool
    """A question word wants something of another sort."""
    thing: bool
    stage: bool

    @property
    def score(self) -> float:
        """A rough sum, to find rivals by."""
        return (
            3.0 * self.named + self.whole + 0.5 * self.head + 1.5 * self.akin + self.kind + self.clear_kind
            + 0.8 * self.sort + 0.5 * self.close - 0.6 * self.unsorted + 0.3 * self.thing + 0.3 * self.value_akin
        )  # fmt: skip


class _Spoken(Struct, frozen=True):
    """A clause, read once for all facts."""

    topic: Topic
    stems: frozenset[str]
    groups: frozenset[str]
    wanted: frozenset[str]
    stages: frozenset[str]


@lru_cache(maxsize=4096)
def _spoken(clause: str) -> _Spoken:
    said = frozenset(stem(word) for word in words(clause))
    return _Spoken(topic_of(clause), said, groups_in(clause), sorts_wanted(clause), stages_in(clause))


class _Known(Struct, frozen=True):
    """What a fact's name, its other words and its value bring along, read once for all clauses."""

    own: tuple[str, ...]
    """The stems of the name."""
    kin: tuple[frozenset[str], ...]
    """Of each of them."""
    value: tuple[str, ...]
    value_groups: frozenset[str]
    groups: frozenset[str]
    stems: frozenset[str]


def _known(entry: Entry) -> _Known:
    return _known_of(entry.name, entry.fact.words, entry.value)


@lru_cache(maxsize=4096)
def _known_of(name: str, others: tuple[str, ...], value: str) -> _Known:
    own = [stem(word) for word in words(name) if word not in STOPWORDS] or [stem(name)]
    kin, of_value, mine = dict(grouped(name)), groups_in(value), tuple(content_stems(value))
    return _Known(
        own=tuple(own),
        kin=tuple(kin.get(root, frozenset()) for root in own),
        value=mine,
        value_groups=of_value,
        groups=groups_in(name) | of_value,
        stems=frozenset(mine).union(*(topic_of(text).stems for text in (name, *others))),
    )


def likeness(clause: str, entry: Entry) -> Likeness:
    """By words, by kin in the thesaurus, by kind, by sort."""
    spoken, known = _spoken(clause), _known(entry)
    topic, wanted = spoken.topic, spoken.wanted
    named = [meets_any(root, spoken.stems) for root in known.own]
    akin = sum(one or not kin.isdisjoint(spoken.groups) for one, kin in zip(named, known.kin, strict=True))
    shared = frozenset[str]() if topic.hinted else entry.kinds & topic.kinds.keys()
    suits = bool(wanted) and fits(entry.sorts, wanted)
    stage = stage_of(entry)
    return Likeness(
        named=sum(named) / len(named),
        whole=all(named),
        head=named[-1],
        akin=akin / len(named),
        value_akin=not known.value_groups.isdisjoint(spoken.groups),
        value_said=sum(root in spoken.stems for root in known.value) / len(known.value) if known.value else 0.0,
        kind=bool(shared),
        clear_kind=bool(shared - lexicon().vague),
        sort=suits,
        close=suits and fits_closely(entry.sorts, wanted),
        unsorted=bool(wanted) and not suits,
        thing=bool(topic.things & entry.things),
        stage=bool(stage) and stage in spoken.stages,
    )


class Weighed(Struct, frozen=True):
    """One clause in numbers: what it looks like, whichever fact it is about, and how each fact goes with it."""

    shape: Traits
    facts: dict[str, Traits]


def asked(message: str, ledger: Ledger, common: frozenset[str]) -> list[Weighed]:
    """How likely each clause asks for each fact, in numbers.

    `common` are the stems that agents use whatever they ask."""
    found: list[Weighed] = []
    for clause in clauses(message):
        alike = {entry.name: likeness(clause.text, entry) for entry in ledger.entries}
        scores = {name: each.score for name, each in alike.items()}
        shape = _shape(clause, len(ledger.entries))
        loose, around = (_strange_words(text, ledger, common) for text in (clause.text, clause.sentence))
        seen = spot(plain(clause.sentence))
        facts: dict[str, Traits] = {}
        for entry in ledger.entries:
            like, known = alike[entry.name], _known(entry)
            rival = max((score for name, score in scores.items() if name != entry.name), default=0.0)
            strange = min(_unexplained(loose, known), 4) / 4
            facts[entry.name] = {
                **_asked(like, scores[entry.name], rival),
                **_crossed(like, shape, strange),
                "loose": strange,
                "around": min(_unexplained(around, known), 8) / 8,
                "held": float(any(holds(seen, each) for each in entry.forms)),
            }
        found.append(Weighed(shape, facts))
    return found


def summed_up(
    weighed: Sequence[Weighed], ledger: Ledger, by: Mapping[str, float], ties: Mapping[str, float]
) -> dict[str, Traits]:
    """For each fact, the clause that asks for it most, and how far ahead of the other facts that puts it.

    `ties` say how the words of the whole text go with it."""
    if not weighed:
        return {entry.name: {} for entry in ledger.entries}
    found: dict[str, Traits] = {}
    shapes = [weighted(each.shape, by) for each in weighed]
    for entry in ledger.entries:
        sums = [shape + weighted(each.facts[entry.name], by) for shape, each in zip(shapes, weighed, strict=True)]
        best = weighed[max(range(len(sums)), key=sums.__getitem__)]
        kinds = {atom.kind for atom in entry.atoms}
        found[entry.name] = {
            **best.shape,
            **best.facts[entry.name],
            **{f"most {name}": max(each.facts[entry.name][name] for each in weighed) for name in _ANYWHERE},
            **{f"a {kind}": 1.0 for kind in kinds},
            "ties": ties[entry.name],
            "sum": max(sums),
            "clauses": float(len(weighed)),
        }
    for what in ("sum", "ties"):
        for name, each in found.items():
            rivals = (rival[what] for other, rival in found.items() if other != name)
            each[f"{what} ahead"] = each[what] - max(rivals, default=0.0)
    return found


def weighted(traits: Traits, by: Mapping[str, float]) -> float:
    return sum(by.get(name, 0.0) * much for name, much in traits.items())


def _shape(clause: Clause, facts: int) -> Traits:
    """What a clause looks like, whichever fact it is about."""
    asking, needing, values = _manner(clause.sentence)
    return {
        "always": 1.0,
        "question": float(clause.asks),
        "asks": float(clause.asks or asking or needing),
        "last": float(clause.last),
        "wh": float(bool(_WH.search(clause.text))),
        "addressed": float(bool(_YOU.search(clause.text))),
        "need": float(needing),
        "short": float(len(words(clause.text)) <= 4),
        "whole sentence": float(clause.text == clause.sentence),
        "values": min(values, 3) / 3,
        "few": 1.0 / max(1, facts),
    }


@lru_cache(maxsize=4096)
def _manner(sentence: str) -> tuple[bool, bool, int]:
    """Whether it asks, whether it says that something is needed, and how many values it shows."""
    found = cues()
    return bool(found.ask.search(sentence)), bool(found.need.search(sentence)), len(spot(plain(sentence)).atoms)


def _asked(like: Likeness, score: float, rival: float) -> Traits:
    return {
        "named": like.named,
        "whole": float(like.whole),
        "head": float(like.head),
        "akin": like.akin,
        "value akin": float(like.value_akin),
        "value said": like.value_said,
        "kind": float(like.kind),
        "clear kind": float(like.clear_kind),
        "sort": float(like.sort),
        "close": float(like.close),
        "unsorted": float(like.unsorted),
        "thing": float(like.thing),
        "stage": float(like.stage),
        "score": score,
        "ahead": score - rival,
        "best": float(score > rival),
        "tied": float(abs(score - rival) < 1e-6),
        "nothing": float(score <= 0.0),
    }


def _crossed(like: Likeness, shape: Traits, strange: float) -> Traits:
    """What counts only together."""
    return {
        "loose unnamed": strange * (1 - like.named),
        "named asks": like.named * shape["asks"],
        "akin asks": like.akin * shape["asks"],
        "value said asks": like.value_said * shape["wh"],
        "sort wh": float(like.sort and bool(shape["wh"])),
        "kind asks": float(like.kind and bool(shape["asks"])),
        "sort alone": float(like.sort and not like.named and not like.akin) * strange,
    }


_Strange = tuple[tuple[str, frozenset[str]], ...]


def _strange_words(text: str, ledger: Ledger, common: frozenset[str]) -> _Strange:
    """Words of meaning that neither the person's matter nor custom accounts for."""
    return tuple(
        (root, groups)
        for root, groups in grouped(text)
        if root not in common and root not in ASKING and not root.isdigit() and root not in ledger.own_stems
    )


def _unexplained(strange: _Strange, known: _Known) -> int:
    """How many of them the fact does not account for either."""
    return sum(known.groups.isdisjoint(groups) and not meets_any(root, known.stems) for root, groups in strange)
