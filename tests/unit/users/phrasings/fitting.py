"""Fit the second hearing to labelled exchanges: `fitting.py` writes its weights, `fitting.py --folds` says how it does.

With `--folds` each fifth of the sets is heard by a user whose weights come of the other sets. The rules of the user
were written with sight of most sets, so that only those marked as unseen say what a new one may expect."""

import random
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import scoring
from msgspec import Struct, structs
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from misstep.core.scenario import Person
from misstep.core.words import content_stems
from misstep.users.ledger import Ledger, ledger_of
from misstep.users.weighing import traits
from misstep.users.weighing.forest import Forest, Node
from misstep.users.weighing.hearing import Weights
from misstep.users.weighing.slips import slips

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
    "waits": "done",
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
    "ok": "reports_done",
    "wants": "offers",
}
"""What the reactions of the older sets say of the act: who waits, too, is not asked for anything."""
FOLDS = 5
_ROUNDS = 4
_LEAST_PEOPLE = 6
"""So many people must have heard a word from agents, as no part of their own matter, before it counts as common."""
_LEAST_TIMES = 8
_LEAST_WEIGHT = 0.1
UNSEEN = frozenset(("fifty-sixth", "fifty-seventh", "fifty-eighth", "fifty-ninth"))
"""Kept out of the weights, to say what a new set may expect."""
_PLAIN = 6
"""So much more often what plain agents say is looked at, as most agents do."""
_OLDER = 2
"""So much more often the short and direct cases of the older sets are looked at."""
_OLD = frozenset(path.name for path in CASES)
_FEWER = 4
"""Who knows less hears the same: each exchange is shown a second time with so many facts at most."""

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]


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
    return Weights(
        common=tuple(sorted(common)),
        acts=acts,
        asked=asked,
        heard=_fit_heard(heard, shares, common, asked),
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
                row = np.array([[looks[at].get(name, 0.0) for name in names]])
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
) -> tuple[list[str], np.ndarray[tuple[int, int], np.dtype[np.float64]], list[str]]:
    chosen = [at for at, each in enumerate(heard) if each.file not in without and each.kind in ACTS]
    often = Counter(name for at in chosen for name in looks[at])
    names = sorted(name for name, times in often.items() if times >= _LEAST_TIMES)
    matrix = np.array([[looks[at].get(name, 0.0) for name in names] for at in chosen])
    return names, matrix, [ACTS[heard[at].kind] for at in chosen]


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
        weights, bias = _logistic(rows, labels)
        best = [int((table @ weights[: len(names)]).argmax()) for table in tables]
    found = dict(zip([*names, *(f"is {act}" for act in known)], weights, strict=True))
    return _rounded(found, bias)


def _fit_heard(
    heard: Sequence[Heard], shares: Sequence[dict[str, float]], common: frozenset[str], asked: Mapping[str, float]
) -> Forest:
    """Whether a fact is asked for, by the clause that asks for it most."""
    rows: list[traits.Traits] = []
    labels: list[bool] = []
    draw = random.Random(0)
    pairs = list(zip(heard, shares, strict=False))
    for each, share in (*pairs, *(pair for pair in pairs if pair[0].file in _OLD for _ in range(_OLDER))):
        acts = {f"is {act}": much for act, much in share.items()}
        for ledger in (each.ledger, _with_fewer(each, draw)):
            weighed = traits.asked(each.exchange.agent, ledger, common)
            for fact, seen in traits.summed_up(weighed, ledger, asked).items():
                rows.append({**seen, **acts})
                labels.append(fact in each.wanted)
    return _forest(rows, labels, trees=200, least=30)


def _old(heard: Sequence[Heard]) -> list[Heard]:
    return [each for each in heard if each.file in _OLD for _ in range(_OLDER)]


def _with_fewer(heard: Heard, draw: random.Random) -> Ledger:
    person = heard.ledger.person
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
    return _forest(rows, labels, trees=120, least=15)


def _forest(rows: Sequence[traits.Traits], labels: Sequence[bool], *, trees: int, least: int) -> Forest:
    names = sorted({name for row in rows for name in row})
    table = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    model = GradientBoostingClassifier(
        max_depth=4,
        n_estimators=trees,
        learning_rate=0.08,
        min_samples_leaf=least,
        subsample=0.6,
        max_features=0.4,
        random_state=0,
    ).fit(table, labels)
    share = float(np.mean(labels))
    return Forest(
        traits=tuple(names),
        always=round(float(np.log(share / (1 - share))), 3),
        trees=tuple(_tree(each[0].tree_, model.learning_rate) for each in model.estimators_),
    )


def _tree(tree: Any, rate: float) -> tuple[Node, ...]:
    # one more digit than the traits have: a bound lies between two of them
    return tuple(
        Node(int(trait), round(float(bound), 4), int(low), int(high))
        if low >= 0
        else Node(-1, round(float(value[0][0]) * rate, 4))
        for trait, bound, low, high, value in zip(
            tree.feature, tree.threshold, tree.children_left, tree.children_right, tree.value, strict=True
        )
    )


def _logistic(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]], labels: Sequence[bool]) -> tuple[Vector, float]:
    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(C=0.3, max_iter=3000).fit(scaler.transform(rows), labels)
    weights = model.coef_[0] / scaler.scale_
    return weights, float(model.intercept_[0] - (scaler.mean_ * weights).sum())


def _rounded(weights: dict[str, float], bias: float) -> dict[str, float]:
    found = {name: round(float(much), 3) for name, much in weights.items()}
    return {**found, "always": round(found.get("always", 0.0) + bias, 3)}


def folds(paths: Sequence[Path]) -> Iterator[str]:
    heard = [*read(paths), *read_cases(CASES)]
    totals: Counter[str] = Counter()
    for fold in range(FOLDS):
        away = paths[fold::FOLDS]
        weights = fit([each for each in heard if each.file not in {path.name for path in away}])
        for path in away:
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
        for line in folds(paths):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        return
    data = msgspec.json.encode(fit([*read(paths), *read_cases(CASES)]))
    WEIGHTS.write_bytes(data.replace(b"},", b"},\n").replace(b"]],", b"]],\n") + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
