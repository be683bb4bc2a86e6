"""Fit the second hearing to labelled exchanges: `fitting.py` writes its weights, `fitting.py --folds` says how it does.

With `--folds` each fifth of the sets is heard by a user whose weights come of the other sets. The rules of the user
were written with sight of most sets, so that only those marked as unseen say what a new one may expect."""

import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import scoring
from msgspec import Struct
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from misstep.core.scenario import Person
from misstep.core.words import content_stems
from misstep.users.ledger import Ledger, ledger_of
from misstep.users.weighing import traits
from misstep.users.weighing.hearing import Weights

HERE = Path(__file__).parent
CASES = sorted(HERE.parent.glob("phrasings*.toml"))
WEIGHTS = HERE.parents[3] / "src" / "misstep" / "users" / "weighing" / "weights.json"
ACTS = {
    "asks": "ask",
    "asks_for_missing": "ask",
    "proposes_right": "propose",
    "proposes_wrong": "propose",
    "counter_offer": "propose",
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
        asks = self.exchange.means.get("asks", ())
        return frozenset((asks,) if isinstance(asks, str) else () if isinstance(asks, bool) else asks)


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
            if act is not None:
                wanted = tuple(case.get("tells", ())) if act == "asks" else True
                right = scoring.Right()
                exchange = scoring.Exchange("formal", case["person"], case["says"], {act: wanted}, right)
                yield Heard(path.name, exchange, ledger_of(people[case["person"]], "first"))


def common_words(heard: Sequence[Heard]) -> frozenset[str]:
    people: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for each in heard:
        own = {root for entry in each.ledger.entries for root in content_stems(f"{entry.name} {entry.value}")}
        for root in set(content_stems(each.exchange.agent)) - own:
            people[root].add((each.file, each.exchange.person))
    return frozenset(root for root, listed in people.items() if len(listed) >= _LEAST_PEOPLE and not root.isdigit())


def fit(heard: Sequence[Heard]) -> Weights:
    common = common_words(heard)
    acts, shares = _fit_acts(heard)
    return Weights(
        common=tuple(sorted(common)),
        acts=acts,
        asked=_fit_asked(heard, shares, common),
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
    for each, share in zip(heard, shares, strict=True):
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
    paths = [Path(each) for each in arguments if not each.startswith("--")] or sorted(HERE.glob("*.toml"))
    if "--folds" in arguments:
        for line in folds(paths):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        return
    WEIGHTS.write_bytes(
        msgspec.json.format(msgspec.json.encode(fit([*read(paths), *read_cases(CASES)])), indent=1) + b"\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
