"""Two tasks of one conversation → whether "the order" of one could be taken for that of the other."""

from collections import defaultdict

from misstep.core.words import split_identifier
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.looks import singular

_SHORT = 2
"""`in`, `by`, `of` are no nouns."""


def rivals(one: Task, other: Task) -> bool:
    """Whether they speak of different records of a kind: by their keys, their tables, or what their tools are called.

    What one of them makes is a rival of what the other finds: "the request" may be the new one.
    """
    mine, theirs = _records(one), _records(other)
    if any(mine[table] != theirs[table] for table in mine.keys() & theirs.keys()):
        return True
    if _made(one) & {*theirs, *_made(other)} or _made(other) & mine.keys():
        return True
    if set(one.touches).isdisjoint(other.touches) and _share_a_noun(one, other):
        return True
    known = {item.name: item.value for item in one.items if item.tells_which}
    return any(known.get(item.name, item.value) != item.value for item in other.items if item.tells_which)


def _records(task: Task) -> dict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for table, key in task.touches:
        found[table].add(key)
    return dict(found)


def _made(task: Task) -> set[str]:
    """Tables in which it makes something new."""
    return {change.table for change in task.changes if change.key is None and change.table not in task.ignore_tables}


def _share_a_noun(one: Task, other: Task) -> bool:
    """`plants_in_bed`, `bed_climate`; with what both begin with, they only say that they get or show something."""
    mine, theirs = ([singular(word) for word in split_identifier(task.tool)] for task in (one, other))
    if mine[:1] == theirs[:1]:
        mine, theirs = mine[1:], theirs[1:]
    return any(len(word) > _SHORT for word in {*mine} & {*theirs})
