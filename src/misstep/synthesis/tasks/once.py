"""An act that works once and not again → tasks in which it has been done before."""

from misstep.core.scenario import Given
from misstep.core.words import words
from misstep.synthesis.task import Task
from misstep.synthesis.tasks.acting import Trying, Win
from misstep.synthesis.tasks.controls import controlled, is_steady
from misstep.synthesis.tasks.declining import asked, refusal
from misstep.synthesis.tasks.executing import Call, MakeToolbox, bench_for
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.surveying import leaves, text

_SO_ALREADY = "already"
_SAYS_SO = (_SO_ALREADY, "once", "twice", "again")
"""Words by which a refusal says that it is for what was done before."""


async def once_task(make_toolbox: MakeToolbox, known: Knowledge, trying: Trying, win: Win, name: str) -> Task | None:
    """The scene is set by the act itself; the person asks for it again."""
    again = await known.bench.play(*win.before, win.call, win.call)
    if not known.bench.stateful or not again.last.is_error or any(each.is_error for each in again.answers[:-1]):
        return None
    said = {word for _, value in leaves(again.last.content) for word in words(text(value))}
    if said.isdisjoint(_SAYS_SO):
        return None
    subjects = {change.table for change in win.changes if change.before is not None}
    way = await asked(known, trying, win, subjects=subjects)
    if way is None or not (way.planner.now.steps or subjects):
        return None
    now = way.planner.now
    if {text(item.value) for item in now.items} & _gone(win):
        return None
    done = (*known.bench.given, *(Given(each.tool, each.arguments) for each in (*win.before, win.call)))
    others = [each for each in trying.wins if each.call.text != win.call.text]
    so = _SO_ALREADY in said
    task = await refusal(name, way, given=done, others=others, changes=win.changes, so_already=so)
    here, there = [await bench_for(make_toolbox, seed=known.bench.seed, given=done) for _ in range(2)]
    played = await here.play(*(Call(step.tool, step.arguments) for step in now.steps))
    if any(each.row.key not in str(played.answers[each.at].content) for each in now.seen):
        return None  # what was done has taken it out of sight
    checked = await controlled(here, task)
    return checked if checked is not None and await is_steady(there, checked) else None


def _gone(win: Win) -> set[str]:
    """What stood in the records before the act, and does no more: nobody can speak of them by that."""
    return {
        text(value)
        for change in win.changes
        if change.before is not None
        for field, value in change.before.items()
        if isinstance(value, (str, int, float)) and (change.after or {}).get(field) != value
    }
