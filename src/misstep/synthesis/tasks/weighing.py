"""A slot and the fields that could fill it → how likely its values are taken from where, before anything was tried."""

from collections.abc import Sequence
from typing import Literal

from misstep.core.words import split_identifier
from misstep.synthesis.tasks.finding import is_key_like
from misstep.synthesis.tasks.slots import Slot
from misstep.synthesis.tasks.surveying import Field, Survey, text

Origin = Literal["choice", "anchor", "piece", "twin", "near", "far", "fresh", "key", "stray", "made"]
"""Named by the schema; from the record at hand; a line of a text in it; another of the kind that a slot of nearly the
same name has; from one that hangs together with the record at hand; from any; like one, but new; the key of any record,
where no name says what goes there; whatever stands anywhere, where all else was refused; made up."""

NAMED = 2.0
"""So much a field's name says that it is what goes there."""
_WORDY = 4
_CONTENT: dict[Origin, float] = {"anchor": 3.0, "near": 2.0, "far": 2.0, "fresh": 2.0, "made": 0.2}
_REFERENCE: tuple[tuple[Origin, float], ...] = (("anchor", 20.0), ("near", 4.0), ("far", 0.4), ("fresh", 2.0))
_DOUBTFUL: tuple[tuple[Origin, float], ...] = (
    ("made", 8.0),
    ("anchor", 2.0),
    ("near", 1.0),
    ("far", 2.0),
    ("fresh", 1.0),
)
_TWIN = 30.0
_NAMES_A_RECORD = frozenset({"id", "ids", "ref", "reference", "number", "no", "nr", "code", "key", "uuid", "sku"})


def first_weights(
    survey: Survey, slot: Slot, ranked: Sequence[tuple[float, Field]], *, twin: bool
) -> dict[Origin, float]:
    """`ranked`: the fields, the likeliest first; `twin`: an earlier slot has nearly the same name."""
    if slot.choices:
        return {"choice": 1.0}
    if not ranked:
        return {"made": 1.0}
    score, field = ranked[0]
    vague: dict[Origin, float] = {"made": 5.0} if slot.shown or score < 1 else {}
    if is_key_like(survey, field) and score < 1:
        return dict(_REFERENCE if _NAMES_A_RECORD.intersection(split_identifier(slot.name)[-1:]) else _DOUBTFUL)
    if is_key_like(survey, field):
        twins: dict[Origin, float] = {"twin": _TWIN} if twin else {}
        return dict(_REFERENCE) | twins | vague
    weights = dict(_CONTENT) | vague
    if score >= NAMED and not vague:
        del weights["made"]  # There is enough of what people write there.
    if any("\n" in text(value) for value in survey.values(field)[:10]):
        weights["piece"] = 4.0
    if _is_wordy(survey, field):
        weights |= {"far": 4.0, "fresh": 0.1}
    return weights


def _is_wordy(survey: Survey, field: Field) -> bool:
    values = survey.values(field)[:10]
    return bool(values) and sum(len(text(value).split()) >= _WORDY for value in values) * 2 > len(values)
