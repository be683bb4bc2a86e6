"""A trace and an expected fact → whether the agent told it to the user."""

from misstep.core.objective import ExpectedFact
from misstep.core.trace import Trace
from misstep.core.words import stems
from misstep.objectives.dates import days_named
from misstep.objectives.denials import denies, says_already, says_impossible, says_none
from misstep.objectives.matching import number_in
from misstep.objectives.values import said, says

_CENT = 0.005


def told(trace: Trace, fact: ExpectedFact) -> bool:
    """Some form of the fact is in what the agent said: numbers and dates in any form, words one after another.

    A form in brackets is said in any words: `(none)`, that nothing was found; `(no refund)`, that there is none of
    the thing; `(already refunded)`, that it was done before; `(not possible)`, that it cannot or may not be done.
    """
    return any(
        _said(message.text, form) for _, message in trace.messages if message.role == "agent" for form in fact.any_of
    )


def _said(text: str, form: str | int | float) -> bool:
    number = number_in(form)
    if number is not None:
        return says(text, form) or any(abs(number - each) < _CENT for each in said(text).numbers)
    if not isinstance(form, str):
        return False
    if form.startswith("(") and form.endswith(")"):
        return _meant(text, form[1:-1].strip())
    if days_named(form):
        return says(text, form)
    # Every word counts, small ones too: "refunded" is not "already refunded", and "any" alone says nothing of notes.
    return f" {' '.join(stems(form))} " in f" {' '.join(stems(text))} "


def _meant(text: str, meaning: str) -> bool:
    if meaning == "none":
        return says_none(text)
    if meaning == "not possible":
        return says_impossible(text)
    kind, _, thing = meaning.partition(" ")
    return (kind == "no" and denies(text, thing)) or (kind == "already" and says_already(text, thing))
