"""A field's name as programmers write it → the words that people say: `n_copies`, `dob`, `startsAt`."""

from collections.abc import Mapping, Sequence

_SHORT: Mapping[str, str] = {
    "acct": "account", "addr": "address", "amt": "amount", "appt": "appointment", "avg": "average",
    "cat": "category", "cfg": "settings", "cnt": "count", "cust": "customer", "dept": "department",
    "desc": "description", "dest": "destination", "dob": "date of birth", "dur": "duration", "emp": "employee",
    "est": "estimated", "fname": "first name", "freq": "frequency", "inv": "invoice", "lang": "language",
    "hrs": "hours", "lname": "last name", "loc": "location", "mgr": "manager", "mins": "minutes", "msg": "message",
    "org": "organisation",
    "pct": "percentage", "pmt": "payment", "prio": "priority", "prod": "product", "qty": "quantity",
    "recv": "received", "sched": "schedule", "subj": "subject", "tel": "phone number", "temp": "temperature",
    "tot": "total",
    "veh": "vehicle", "vol": "volume", "wt": "weight", "yr": "year",
}  # fmt: skip
_COUNTING = frozenset({"n", "num", "nb"})
_FLAGS = frozenset({"is", "has", "was"})
_MOMENTS: Mapping[str, str] = {
    "starts": "start", "start": "start", "begins": "start", "ends": "end", "end": "end", "opens": "opening",
    "closes": "closing", "leaves": "departure", "departs": "departure", "arrives": "arrival", "expires": "expiry",
}  # fmt: skip
"""What happens at a time or on a day, and what that time is called."""
_BOUNDS: Mapping[str, str] = {"from": "start", "to": "end"}
_PHONES = frozenset({"phone", "telephone", "mobile"})
_ASKING: Mapping[str, str] = {"who": "person", "why": "reason", "where": "place", "what": "description", "how": "way"}
_MEASURES: Mapping[str, str] = {"kg": "weight in kg", "km": "distance in km", "litres": "number of litres"}


def said_words(parts: Sequence[str]) -> list[str]:
    """The same where nothing is short for something else."""
    words = list(parts)
    if len(words) > 1 and words[0] in _FLAGS:
        words = words[1:]
    if len(words) > 1 and words[0] in _COUNTING:
        words = ["number", "of", *words[1:]]
    if len(words) == 1:
        words = (_ASKING.get(words[0]) or _MEASURES.get(words[0]) or words[0]).split()
    if len(words) == 1 and words[0] in _PHONES:
        words = [*words, "number"]
    if len(words) == 2 and words[0] in _BOUNDS and words[1] in ("day", "date", "time"):
        words = [_BOUNDS[words[0]], words[1]]
    if len(words) == 2 and words[0] in ("on", "at") and words[1] in ("day", "date", "time"):
        words = words[1:]
    if len(words) > 1 and words[0] == "per":
        words = ["rate", *words]
    if len(words) == 2 and words[0] in _MOMENTS and words[1] in ("at", "on"):
        words = [_MOMENTS[words[0]], "time" if words[1] == "at" else "date"]
    return [word for each in words for word in _SHORT.get(each, each).split()]


def moment_called(word: str, *, day: bool, time: bool) -> str:
    """What people call the day or the time when something `starts`, `leaves` or `expires`; of other words nothing."""
    noun = _MOMENTS.get(word)
    return f"{noun} {'time' if time else 'date'}" if noun and (day or time) else ""
