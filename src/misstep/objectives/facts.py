"""A trace and an expected fact → whether the agent told it to the user."""

from misstep.core.objective import ExpectedFact
from misstep.core.trace import Trace
from misstep.objectives.matching import number_in
from misstep.objectives.values import said, says

_CENT = 0.005


def told(trace: Trace, fact: ExpectedFact) -> bool:
    """Some form of the fact is in what the agent said: numbers in any format, dates in any form, words by stems."""
    return any(
        _said(message.text, form) for _, message in trace.messages if message.role == "agent" for form in fact.any_of
    )


def _said(text: str, form: str | int | float) -> bool:
    if says(text, form):
        return True
    number = number_in(form)
    return number is not None and any(abs(number - each) < _CENT for each in said(text).numbers)
