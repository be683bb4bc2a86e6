"""The checks behind an Objective: matching of calls, states, facts, questions and consent."""

from misstep.objectives.judging import Check, Unmet, judge

__all__ = ["Check", "Unmet", "judge"]
