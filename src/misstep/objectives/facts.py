"""A trace and an expected fact → whether the agent told it to the user."""

from collections.abc import Callable

from misstep.core.objective import ExpectedFact
from misstep.core.trace import Trace
from misstep.core.words import stems
from misstep.objectives.counts import counted, says_there_is_none
from misstep.objectives.dates import days_named
from misstep.objectives.denials import (
    denies,
    says_already,
    says_impossible,
    says_needless,
    says_none,
    says_undone,
)
from misstep.objectives.matching import number_in
from misstep.objectives.values import said, says

_CENT = 0.005
_MEANINGS: dict[str, Callable[[str], bool]] = {
    "none": says_none,
    "not possible": says_impossible,
    "already": says_needless,
    "not done": says_undone,
}


def told(trace: Trace, fact: ExpectedFact) -> bool:
    """Some form of the fact is in what the agent said: numbers and dates in any form, words one after another.

    A small number is told in words too, and 0 by saying that there is none of what the fact is called. A form in
    brackets is said in any words: `(none)`, that nothing was found; `(no refund)`, that there is none of the thing;
    `(already refunded)`, that it was done before; `(already)`, that what is asked for is so already, or needs not be
    done; `(not possible)`, that it cannot or may not be done; `(not done)`, that, or that it was not done.
    """
    return any(
        _said(message.text, form, fact.name)
        for _, message in trace.messages
        if message.role == "agent"
        for form in fact.any_of
    )


def _said(text: str, form: str | int | float, name: str) -> bool:
    number = number_in(form)
    if number is not None:
        near = any(abs(number - each) < _CENT for each in said(text).numbers)
        return near or says(text, form) or counted(text, number, name)
    if not isinstance(form, str):
        return False
    if form.startswith("(") and form.endswith(")"):
        return _meant(text, form[1:-1].strip())
    if days_named(form):
        return says(text, form)
    # Every word counts, small ones too: "refunded" is not "already refunded", and "any" alone says nothing of notes.
    return f" {' '.join(stems(form))} " in f" {' '.join(stems(text))} "


def _meant(text: str, meaning: str) -> bool:
    whole = _MEANINGS.get(meaning)
    if whole is not None:
        return whole(text)
    kind, _, thing = meaning.partition(" ")
    if kind == "no":
        return denies(text, thing) or says_there_is_none(text, thing)
    return kind == "already" and says_already(text, thing)
