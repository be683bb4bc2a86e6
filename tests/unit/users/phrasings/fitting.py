"""Fit the second hearing to labelled exchanges: `fitting.py` writes its weights, `fitting.py --folds` says how it does.

What users do about sets that their weights do not come of is what the misgivings are fitted to: how likely something
rests on a misreading. With `--folds` each fifth of the sets is heard by a user all of whose weights come of the others.
The rules were written with sight of most sets, so that only those marked as unseen say what a new one may expect."""

import random
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import scoring
from doing import Example, examples, examples_of_cases
from msgspec import Struct, structs
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from tables import forest, logistic, rounded, sparse, ties

from misstep.core.scenario import Person
from misstep.core.words import content_stems
from misstep.users.ledger import Ledger, ledger_of
from misstep.users.weighing import traits
from misstep.users.weighing.forest import Forest
from misstep.users.weighing.hearing import Weights
from misstep.users.weighing.slips import slips
from misstep.users.weighing.ties import Ties, tied
from misstep.wording.facts import Entry

HERE = Path(__file__).parent
CASES = sorted(HERE.parent.glob("phrasings*.toml"))
WEIGHTS = HERE.parents[3] / "src" / "misstep" / "users" / "weighing" / "weights.json"
ACTS = {
    "asks": "ask",
    "asks_for_missing": "ask",
    "proposes_right": "propose",
    "proposes_wrong": "propose",
    "counter_offer": "counter",
    "lists_options": "options",
    "options": "options",
    "reports_done": "done",
    "reports_right": "done",
    "reports_wrong": "done",
    "refuses": "refuse",
    "reports_step": "step",
    "waits": "step",
    "promises": "step",
    "offers": "offer",
}
REACTIONS = {
    "tells": "asks",
    "lacks": "asks_for_missing",
    "near": "asks_for_missing",
    "yes": "proposes_right",
    "no": "proposes_wrong",
    "picks": "lists_options",
    "done": "reports_done",
    "ok": "waits",
    "wants": "offers",
}
"""What the reactions of the older sets say of the act."""
FOLDS = 5
_AT_ONCE = 2
_ROUNDS = 4
_LEAST_PEOPLE = 6
"""So many people must have heard a word from agents, as no part of their own matter, before it counts as common."""
_LEAST_TIMES = 8
_LEAST_WEIGHT = 0.1
UNSEEN = frozenset(
    """sixty-fourth sixty-fifth sixty-sixth sixty-seventh seventy-sixth seventy-seventh seventy-eighth
    seventy-ninth""".split()
)
"""Kept out of the weights, to say what a new set may expect."""
_PLAIN = 6
"""So much more often what plain agents say is looked at, as most agents do."""
_OLDER = 5
"""So much more often the short and direct cases of the older sets are looked at."""
_DIRECT = 15
"""The same for what is done about them, which is right."""
_OLD = frozenset(path.name for path in CASES)
_FEWER = 4
"""Who knows less hears the same: each exchange is shown a second time with so many facts at most."""


class Heard(Struct, frozen=True):
    """An exchange, and who hears it."""

    file: str
    exchange: scoring.Exchange
    ledger: Ledger

    @property
    def kind(self) -> str:
        return next(iter(self.exchange.means))

    @property
    def wanted(self) -> frozenset[str]:
        return self._named("asks")

    @property
    def wrong(self) -> frozenset[str]:
        return self._named("proposes_wrong")

    def _named(self, kind: str) -> frozenset[str]:
        named = self.exchange.means.get(kind, ())
        return frozenset((named,) if isinstance(named, str) else () if isinstance(named, bool) else named)


def read(paths: Iterable[Path]) -> Iterator[Heard]:
    for path in paths:
        exchanges = scoring.read(path)
        for each in exchanges.exchanges:
            yield Heard(path.name, each, ledger_of(exchanges.people[each.person], "first"))


def read_cases(paths: Iterable[Path]) -> Iterator[Heard]:
    """The older sets, each case of which has one reaction."""
    for path in paths:
        data = tomllib.loads(path.read_text("utf-8"))
        people = {name: msgspec.convert(person, Person) for name, person in data["people"].items()}
        for case in data["cases"]:
            act = next((act for reaction, act in REACTIONS.items() if reaction in case), None)
            if case.get("no") == "":
                act = "counter_offer"
            if act is not None:
                person = people[case["person"]]
                exchange = scoring.Exchange(
                    "formal", case["person"], case["says"], {act: _of(case, act, person)}, scoring.Right()
                )
                yield Heard(path.name, exchange, ledger_of(person, "first"))


def _of(case: Mapping[str, Any], act: str, person: Person) -> str | bool | tuple[str, ...]:
    """The facts that it is about, as far as the case says."""
    if act == "asks":
        return tuple(case.get("tells", ()))
    wrong = [fact.name for fact in person.facts if act == "proposes_wrong" and str(fact.value) == case["no"]]
    return wrong[0] if wrong else True


def common_words(heard: Sequence[Heard]) -> frozenset[str]:
    people: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for each in heard:
        own = {root for entry in each.ledger.entries for root in content_stems(f"{entry.name} {entry.value}")}
        for root in set(content_stems(each.exchange.agent)) - own:
            people[root].add((each.file, each.exchange.person))
    return frozenset(root for root, listed in people.items() if len(listed) >= _LEAST_PEOPLE and not root.isdigit())


def fit(heard: Sequence[Heard]) -> Weights:
    common = common_words(heard)
    acts, shares = _fit_acts([*heard, *(each for each in heard if each.file == "plain.toml" for _ in range(_PLAIN))])
    asked = _fit_asked(heard, shares, common)
    files = sorted({each.file for each in heard})
    in_folds = [ties(_said(each for each in heard if each.file not in files[fold::FOLDS])) for fold in range(FOLDS)]
    strangers = {file: in_folds[at % FOLDS] for at, file in enumerate(files)}
    return Weights(
        common=tuple(sorted(common)),
        acts=acts,
        asked=asked,
        ties=ties(_said(heard)),
        heard=_fit_heard(heard, shares, common, asked, strangers),
        slips=_fit_slips(heard, common),
    )


def _fit_acts(heard: Sequence[Heard]) -> tuple[dict[str, dict[str, float]], list[dict[str, float]]]:
    """The weights, and what folds of the same exchanges make of each other, so that nothing is told its own label."""
    looks = [traits.look(each.exchange.agent, each.ledger) for each in heard]
    files = sorted({each.file for each in heard})
    shares: list[dict[str, float]] = [{} for _ in heard]
    for fold in range(FOLDS):
        names, matrix, labels = _act_columns(heard, looks, without=set(files[fold::FOLDS]))
        model = LogisticRegression(C=0.7, max_iter=3000).fit(matrix, labels)
        for at, each in enumerate(heard):
            if each.file in files[fold::FOLDS]:
                row = sparse([looks[at]], names)
                shares[at] = dict(zip(model.classes_, map(float, model.predict_proba(row)[0]), strict=True))
    names, matrix, labels = _act_columns(heard, looks, without=set())
    model = LogisticRegression(C=0.7, max_iter=3000).fit(matrix, labels)
    found: dict[str, dict[str, float]] = {}
    for act, row, bias in zip(model.classes_, model.coef_, model.intercept_, strict=True):
        kept = {
            name: round(float(much), 3) for name, much in zip(names, row, strict=True) if abs(much) >= _LEAST_WEIGHT
        }
        found[str(act)] = {**kept, "always": round(float(bias) + kept.get("always", 0.0), 3)}
    return found, shares


def _act_columns(
    heard: Sequence[Heard], looks: Sequence[traits.Traits], *, without: set[str]
) -> tuple[list[str], csr_matrix, list[str]]:
    chosen = [at for at, each in enumerate(heard) if each.file not in without and each.kind in ACTS]
    often = Counter(name for at in chosen for name in looks[at])
    names = sorted(name for name, times in often.items() if times >= _LEAST_TIMES)
    return names, sparse([looks[at] for at in chosen], names), [ACTS[heard[at].kind] for at in chosen]


def _fit_asked(heard: Sequence[Heard], shares: Sequence[dict[str, float]], common: frozenset[str]) -> dict[str, float]:
    """A fact is asked for by the clause that asks for it most: found with the weights so far, then fitted, in turn."""
    tables: list[np.ndarray[tuple[int, int], np.dtype[np.float64]]] = []
    acts: list[list[float]] = []
    labels: list[bool] = []
    names: list[str] = []
    known = sorted({act for each in shares for act in each})
    for each, share in zip(heard, shares, strict=False):
        weighed = traits.asked(each.exchange.agent, each.ledger, common)
        for fact in (entry.name for entry in each.ledger.entries):
            listed = [{**clause.shape, **clause.facts[fact]} for clause in weighed]
            names = names or sorted(listed[0])
            tables.append(np.array([[one[name] for name in names] for one in listed]))
            acts.append([share[act] for act in known])
            labels.append(fact in each.wanted)
    best = [int(table[:, names.index("score")].argmax()) for table in tables]
    weights, bias = np.zeros(0), 0.0
    for _ in range(_ROUNDS):
        rows = np.array([[*table[at], *act] for table, at, act in zip(tables, best, acts, strict=True)])
        weights, bias = logistic(rows, labels)
        best = [int((table @ weights[: len(names)]).argmax()) for table in tables]
    found = dict(zip([*names, *(f"is {act}" for act in known)], weights, strict=True))
    return rounded(found, bias)


def _said(heard: Iterable[Heard]) -> list[tuple[str, Entry, bool]]:
    """Each message with each fact, and whether that is asked for."""
    return [(each.exchange.agent, entry, entry.name in each.wanted) for each in heard for entry in each.ledger.entries]


def _fit_heard(
    heard: Sequence[Heard],
    shares: Sequence[dict[str, float]],
    common: frozenset[str],
    asked: Mapping[str, float],
    strangers: Mapping[str, Ties],
) -> Forest:
    """Whether a fact is asked for, by the clause that asks for it most. `strangers` are ties, for the exchanges of a
    file, that come of other files."""
    rows: list[traits.Traits] = []
    labels: list[bool] = []
    pairs = list(zip(heard, shares, strict=False))
    for each, share in (*pairs, *(pair for pair in pairs if pair[0].file in _OLD for _ in range(_OLDER))):
        acts = {f"is {act}": much for act, much in share.items()}
        for ledger in (each.ledger, _with_fewer(each)):
            weighed = traits.asked(each.exchange.agent, ledger, common)
            going = tied(each.exchange.agent, ledger, strangers[each.file])
            for fact, seen in traits.summed_up(weighed, ledger, asked, going).items():
                rows.append({**seen, **acts})
                labels.append(fact in each.wanted)
    return forest(rows, labels, trees=260, least=30, share=0.3)


def _old(heard: Sequence[Heard]) -> list[Heard]:
    return [each for each in heard if each.file in _OLD for _ in range(_OLDER)]


def _with_fewer(heard: Heard) -> Ledger:
    draw, person = random.Random(heard.exchange.agent), heard.ledger.person
    others = [fact for fact in person.facts if fact.name not in heard.wanted]
    kept = draw.sample(others, min(len(others), draw.randint(0, _FEWER - 1)))
    facts = tuple(fact for fact in person.facts if fact.name in heard.wanted or fact in kept)
    return ledger_of(structs.replace(person, facts=facts), "first")


def _fit_slips(heard: Sequence[Heard], common: frozenset[str]) -> Forest:
    """Of what is proposed, which fact is got wrong in it."""
    rows: list[traits.Traits] = []
    labels: list[bool] = []
    for each in (*heard, *_old(heard)):
        if ACTS.get(each.kind) != "propose" or (each.kind != "proposes_right" and not each.wrong):
            continue
        for fact, seen in slips(each.exchange.agent, each.ledger, common).items():
            rows.append(seen)
            labels.append(fact in each.wrong)
    return forest(rows, labels, trees=160, least=20, share=0.4)


class Fold(Struct, frozen=True):
    """What sets outside of a fold come to, and what users with these weights do about those in it."""

    weights: Weights
    examples: list[Example]


def _away(paths: Sequence[Path], fold: int) -> Sequence[Path]:
    return paths[fold::FOLDS]


def _fold(paths: Sequence[Path], fold: int) -> Fold:
    """With the first of them come the older cases."""
    names = {path.name for path in _away(paths, fold)}
    weights = fit([each for each in (*read(paths), *read_cases(CASES)) if each.file not in names])
    found = [
        example
        for path in _away(paths, fold)
        for example in list(examples(path, weights)) * (_PLAIN if path.name == "plain.toml" else 1)
    ]
    older = (example for path in CASES for example in examples_of_cases(path, weights) * _DIRECT)
    return Fold(weights, found if fold else [*found, *older])


def _all_folds(paths: Sequence[Path]) -> list[Fold]:
    with ProcessPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(_fold, [paths] * FOLDS, range(FOLDS)))


def _misgivings(folds: Iterable[Fold]) -> Forest:
    listed = [example for each in folds for example in each.examples]
    labels = [each.misread for each in listed]
    return forest([each.seen for each in listed], labels, trees=300, least=20, share=0.2, rate=0.03)


def fit_all(paths: Sequence[Path]) -> Weights:
    return structs.replace(fit([*read(paths), *read_cases(CASES)]), misgivings=_misgivings(_all_folds(paths)))


def heard_in_folds(paths: Sequence[Path]) -> Iterator[str]:
    totals: Counter[str] = Counter()
    folds = _all_folds(paths)
    for at, fold in enumerate(folds):
        weights = structs.replace(fold.weights, misgivings=_misgivings([*folds[:at], *folds[at + 1 :]]))
        for path in _away(paths, at):
            exchanges = scoring.read(path)
            scores = Counter(
                scoring.hold(each, exchanges.people[each.person], "first", weights=weights).score
                for each in exchanges.exchanges
            )
            totals += scores
            yield f"{path.name:20}" + "".join(f" {name} {scores[name]:3}" for name in scoring.SCORES)
    yield f"{'all':20}" + "".join(f" {name} {totals[name]:3}" for name in scoring.SCORES)


def main(arguments: Sequence[str]) -> None:
    paths = [Path(each) for each in arguments if not each.startswith("--")] or [
        path for path in sorted(HERE.glob("*.toml")) if path.stem not in UNSEEN
    ]
    if "--folds" in arguments:
        for line in heard_in_folds(paths):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        return
    data = msgspec.json.encode(fit_all(paths))
    WEIGHTS.write_bytes(data.replace(b"},", b"},\n").replace(b"]],", b"]],\n") + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
