"""What an agent wrote → the plan in it: its steps, and the tools and helpers that it means to use."""

import re
from functools import lru_cache

from msgspec import Struct

_STEP = re.compile(
    r"^[^\S\n]*(?:[-*•]\s*)?(?:\*\*)?(?:step\s+)?(?P<number>\d{1,2})[.):]\s{0,20}(?:\*\*\s{0,20})?(?P<text>\S.*)$",
    re.M | re.I,
)
_IDENTIFIER = re.compile(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
_FETCHES = re.compile(
    r"\b(?:search(?:es|ing)?|look(?:ing)? (?:up|for|into)|find|retriev\w+|visit\w*|verif\w+|read(?:ing)?"
    r"|download\w*|check\w*"
    r"|locat\w+|consult\w*|brows\w+|open\w*|extract\w*|inspect\w*|query|fetch\w*|research\w*|access\w*|gather\w*)\b",
    re.IGNORECASE,
)
_CALLED_A_PLAN = re.compile(r"\b(?:plan|steps?|approach|strategy)\b", re.IGNORECASE)
_ENDS_THE_WORK = frozenset({"final_answer", "finish", "submit", "submit_answer", "give_answer", "terminate"})
_FEWEST = 3


class Plan(Struct, frozen=True):
    """What somebody means to do, step by step."""

    steps: tuple[str, ...]
    names: frozenset[str]
    """Tools and helpers, by the names that programs have for them."""
    fetching: int
    """How many of the steps find something out."""
    in_prose: bool = False
    """Said in passing, in one sentence, and not laid out step by step."""


@lru_cache(maxsize=512)
def plan_in(text: str) -> Plan | None:
    """The plan that a text lays out: a numbered list of at least three steps, and not code."""
    if len(text) > 20_000 or "1" not in text:
        return None
    steps: list[str] = []
    for match in _STEP.finditer(text):
        number = int(match["number"])
        if number == 1:
            steps = []
        if number == len(steps) + 1:
            steps.append(match["text"])
    if len(steps) < _FEWEST or not (_CALLED_A_PLAN.search(text) or _is_all_list(text, len(steps))):
        return None
    names = {name for step in steps for name in _IDENTIFIER.findall(step)} - _ENDS_THE_WORK
    return Plan(tuple(steps), frozenset(names), sum(_FETCHES.search(step) is not None for step in steps))


def _is_all_list(text: str, steps: int) -> bool:
    """Asked for a plan, one may give it without calling it one."""
    return "```" not in text and 2 * steps >= sum(bool(line.strip()) for line in text.splitlines())


def ends_the_work(tool: str) -> bool:
    """A call by which an agent only hands in its answer."""
    return tool.lower() in _ENDS_THE_WORK


_MEANS_TO = re.compile(
    r"\b(?:i(?:'ll| will|'m going to| am going to| plan to| intend to)|let me|we(?:'ll| will)|my plan is to)\s+"
    r"(?:first |now |start by |begin by )?(?P<what>[^.!?\n]{20,300})",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r",\s{0,20}(?:and\s+)?(?:then\s+)?|\s{1,20}and\s+(?:then\s+)?|\s{1,20}then\s+|;\s{0,20}", re.IGNORECASE
)
_WORKS_OUT = re.compile(
    r"(?:measur|compar|count|pull|get|ask|look|list|comput|calculat|review|cross-check|test)\w*\b", re.I
)
_SHORT = 1500


@lru_cache(maxsize=512)
def plan_told_in(text: str) -> Plan | None:
    """A plan in one sentence: "I will find the first and the last, measure both, and compare them"."""
    match = _MEANS_TO.search(text.replace("’", "'")) if len(text) <= _SHORT else None
    if match is None:
        return None
    steps = tuple(part.strip() for part in _NEXT.split(match["what"]) if part.strip())
    fetching = sum(_FETCHES.search(step) is not None or _WORKS_OUT.match(step) is not None for step in steps)
    return Plan(steps, frozenset(), fetching, True) if len(steps) >= _FEWEST and fetching > 1 else None


_MARK = re.compile(r"(?:^|(?<=[\s,;:(]))\(?(?P<number>\d)[.)]\s+(?=\S)")
_HEADED = re.compile(
    r"\b(?:my |the )?(?:plan|steps|approach)(?: is| here)?\s*[:–—-]\s*(?P<what>[^\n]{20,600})", re.IGNORECASE
)


@lru_cache(maxsize=512)
def plan_on_one_line(text: str) -> Plan | None:
    """A plan with its steps in a row: "Plan: 1) find them, 2) read both, 3) compare", or the same without numbers."""
    headed = _HEADED.search(text) if len(text) <= _SHORT else None
    if headed is None:
        return None
    what = headed["what"]
    marks = list(_MARK.finditer(what))
    if marks:
        if [int(mark["number"]) for mark in marks] != list(range(1, len(marks) + 1)):
            return None
        ends = [*(mark.start() for mark in marks[1:]), len(what)]
        steps = tuple(what[mark.end() : end].strip(" ,;.") for mark, end in zip(marks, ends, strict=True))
    else:
        steps = tuple(part.strip(" .") for part in _NEXT.split(what.partition(". ")[0]) if part.strip(" ."))
    fetching = sum(_FETCHES.search(step) is not None or _WORKS_OUT.match(step) is not None for step in steps)
    return Plan(steps, frozenset(), fetching, not marks) if len(steps) >= _FEWEST and fetching > 1 else None
