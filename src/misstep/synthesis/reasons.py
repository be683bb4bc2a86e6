"""Why these tools do not have some level of a factor, in words that say what they would need."""

from misstep.core.scenario import Scalar

STEPS = "no request here takes just this many calls"
GOALS = "too few different requests can share a conversation without getting in each other's way"
SPECIFICITY = "the requests take too few values for some to be kept back"
KNOWLEDGE = "the user has no tools of their own here, in which a number could be looked up"
CORRECTION = "no value can be said wrongly at first without being acted on at once"
PREMISE = "no look-up shows more of a record that a user could be wrong about without seeming to mean another one"
PRESSURE = "no tool refuses anything that a user could insist on"
PATIENCE = "what the user has to say takes more turns"
SEVERAL = "no look-up finds several records that a user would tell apart and that lead to different ends"
TWO_WAYS = "what else is said already settles which record is meant"
ABSENT = "no tool takes a name or number that could fit nothing"
AMBIGUITY = f"{SEVERAL}, or {ABSENT}"
DISTANCE = "there is no constraint to keep in mind"
DISTRACTORS = "the plans need nearly all of the tools"
ALL_NEEDED = "the plan needs every tool there is"
FAULT = "no call is made that could fail"
PLACE = "no tool changes anything"
WORDING = "there are no other words for it"
NOISE = "there is no word to slip on"
_SIDE_BY_SIDE = "no look-up lists several records side by side that one tool can act on in turn"
_CONSTRAINTS: dict[Scalar, str] = {
    "order": "no two acts by different tools, on things that cannot be mixed up, go together",
    "exclusion": _SIDE_BY_SIDE,
    "limit": f"{_SIDE_BY_SIDE} and that differ in an amount (a price, hours, a quantity) which the act leaves alone",
    "budget": f"{_SIDE_BY_SIDE} and that differ in an amount (a price, hours, a quantity) which the act leaves alone",
}


def constraint(level: Scalar) -> str:
    return _CONSTRAINTS.get(level, "")
