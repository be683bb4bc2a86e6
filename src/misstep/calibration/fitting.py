"""Rows of features with labels → weights; the only door to scikit-learn."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from misstep.calibration.features import Features
from misstep.core.errors import UsageError

_LEAST_WEIGHT = 0.002
"""Weights nearer to nothing than this are not kept: they move a probability by less than can be seen."""


class Weights(Struct, frozen=True):
    """One column a mode."""

    by_feature: dict[str, tuple[float, ...]]
    offsets: tuple[float, ...]


class Matrix:
    """Rows of features as scikit-learn wants them, made once for all fits."""

    def __init__(self, rows: Sequence[Features]) -> None:
        learn = _scikit_learn()
        self._vectorizer = learn.DictVectorizer(sort=True)
        matrix: Any = self._vectorizer.fit_transform([dict(row) for row in rows])
        # The solver takes no wider indices, and some versions of the vectorizer give them.
        matrix.indices = matrix.indices.astype("int32")
        matrix.indptr = matrix.indptr.astype("int32")
        self._matrix = matrix
        self._learn = learn

    def fit(self, rows: Sequence[int], labels: Sequence[Sequence[bool]], looseness: float) -> "Fitted":
        """One logistic regression for each mode: `labels` has a sequence for each of them, one value a row."""
        chosen = self._matrix[list(rows)]
        models = [
            self._learn.LogisticRegression(C=looseness, solver="liblinear", max_iter=300, random_state=0).fit(
                chosen, list(column)
            )
            for column in labels
        ]
        return Fitted(self._matrix, self._vectorizer, models)


class Fitted:
    """Models that can say how likely each mode is in a row, and be written down."""

    def __init__(self, matrix: Any, vectorizer: Any, models: list[Any]) -> None:
        self._matrix = matrix
        self._vectorizer = vectorizer
        self._models = models

    def chances(self, rows: Sequence[int]) -> list[tuple[float, ...]]:
        """For each row, one for each mode."""
        if not rows:
            return []
        chosen = self._matrix[list(rows)]
        columns = [model.predict_proba(chosen)[:, 1].tolist() for model in self._models]
        return list(zip(*columns, strict=True)) if columns else [()] * len(rows)

    def weights(self) -> Weights:
        names: list[str] = self._vectorizer.get_feature_names_out().tolist()
        columns: list[list[float]] = [model.coef_[0].tolist() for model in self._models]
        rows = [tuple(round(weight, 5) for weight in row) for row in zip(*columns, strict=True)]
        kept = {
            name: row
            for name, row in zip(names, rows, strict=True)
            if any(abs(weight) >= _LEAST_WEIGHT for weight in row)
        }
        return Weights(kept, tuple(round(float(model.intercept_[0]), 5) for model in self._models))


def as_sure_as_right(log_odds: Sequence[float], right: Sequence[bool]) -> tuple[float, float]:
    """Slope and shift that turn log-odds into those that come true as often as they say."""
    if all(right) or not any(right):
        return 1.0, 0.0
    model = _scikit_learn().LogisticRegression(C=10.0, solver="lbfgs", max_iter=500)
    model.fit([[value] for value in log_odds], list(right))
    slope, shift = float(model.coef_[0][0]), float(model.intercept_[0])
    return (round(slope, 5), round(shift, 5)) if slope > 0 else (1.0, 0.0)


class _Learn(Struct, frozen=True):
    DictVectorizer: Any
    LogisticRegression: Any


def _scikit_learn() -> _Learn:
    try:
        from sklearn.feature_extraction import DictVectorizer  # noqa: PLC0415 - slow to import, and an extra
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    except ImportError:
        raise UsageError(
            "Learning from labels needs scikit-learn, which is not installed: pip install 'misstep[learn]'."
            " Using what was learned does not."
        ) from None
    return _Learn(DictVectorizer, LogisticRegression)
