"""Rows of traits with labels → tables of weights: logistic, of boosted trees, and of words that go with facts."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from misstep.users.weighing.forest import Forest, Node
from misstep.users.weighing.ties import sides, spoken
from misstep.users.weighing.traits import Traits
from misstep.wording.facts import Entry

_LEAST_TIMES = 8
_LEAST_TIE = 0.1

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]


def sparse(looks: Sequence[Traits], names: Sequence[str]) -> csr_matrix:
    """Most words stand in few messages."""
    places = {name: at for at, name in enumerate(names)}
    cells = [(much, at, places[name]) for at, look in enumerate(looks) for name, much in look.items() if name in places]
    much, rows, columns = zip(*cells, strict=True)
    return csr_matrix((much, (rows, columns)), shape=(len(looks), len(names)))


def forest(
    rows: Sequence[Traits], labels: Sequence[bool], *, trees: int, least: int, share: float, rate: float = 0.06
) -> Forest:
    names = sorted({name for row in rows for name in row})
    table = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    model = GradientBoostingClassifier(
        max_depth=4,
        n_estimators=trees,
        learning_rate=rate,
        min_samples_leaf=least,
        subsample=0.6,
        max_features=share,
        random_state=0,
    ).fit(table, labels)
    often = float(np.mean(labels))
    return Forest(
        traits=tuple(names),
        always=round(float(np.log(often / (1 - often))), 3),
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


def logistic(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]], labels: Sequence[bool]) -> tuple[Vector, float]:
    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(C=0.3, max_iter=3000).fit(scaler.transform(rows), labels)
    weights = model.coef_[0] / scaler.scale_
    return weights, float(model.intercept_[0] - (scaler.mean_ * weights).sum())


def rounded(weights: dict[str, float], bias: float) -> dict[str, float]:
    found = {name: round(float(much), 3) for name, much in weights.items()}
    return {**found, "always": round(found.get("always", 0.0) + bias, 3)}


def ties(said: Sequence[tuple[str, Entry, bool]]) -> dict[str, dict[str, float]]:
    """Which words of a text are said when a fact with this or that side is asked for, and which when it is not."""
    often = Counter((side, word) for text, entry, _ in said for side in sides(entry) for word in spoken(text))
    places = {pair: at for at, pair in enumerate(pair for pair, times in often.items() if times >= _LEAST_TIMES)}
    columns, ends = array("l"), array("l", [0])
    for text, entry, _ in said:
        pairs = ((side, word) for side in sides(entry) for word in spoken(text))
        columns.extend(places[pair] for pair in pairs if pair in places)
        ends.append(len(columns))
    matrix = csr_matrix((np.ones(len(columns)), np.array(columns), np.array(ends)), shape=(len(said), len(places)))
    model = LogisticRegression(C=0.1, solver="liblinear").fit(matrix, [wanted for _, _, wanted in said])
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for (side, word), much in zip(places, model.coef_[0], strict=True):
        if abs(much) >= _LEAST_TIE:
            found[side][word] = round(float(much), 2)
    return dict(found)
