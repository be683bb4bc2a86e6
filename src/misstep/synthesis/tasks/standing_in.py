"""A record that a call's other records lead to → whether another one would serve as well, so that nobody could tell."""

from collections.abc import Sequence

from misstep.core.scenario import Scalar
from misstep.synthesis.tasks.acting import Trying, Win
from misstep.synthesis.tasks.executing import Call
from misstep.synthesis.tasks.knowing import Knowledge
from misstep.synthesis.tasks.needing import calls_before
from misstep.synthesis.tasks.planning import Planner
from misstep.synthesis.tasks.slots import Slot, arguments_from
from misstep.synthesis.tasks.surveying import Row, leaves, text
from misstep.tools.checked import problem

_TRIED = 12


def led_to_by_others(planner: Planner, value: Scalar, others: Sequence[Scalar]) -> bool:
    """A slot that was found among a patient's, where the call takes that patient too: the patient is said for the
    call, and says nothing of the slot."""
    texts = {text(each) for each in others} - {text(value)}
    ahead, passed = [planner.now.sources.get(text(value), -1)], set[int]()
    while ahead:
        at = ahead.pop()
        if at < 0 or at in passed:
            continue
        passed.add(at)
        step = planner.now.steps[at]
        if any(text(each) in texts for _, each in leaves(step.arguments)):
            return True
        ahead.extend(step.after)
    return False


async def would_another_do(known: Knowledge, trying: Trying, call: Win, slot: Slot, rows: Sequence[Row]) -> bool:
    """With all else the same, the call works for another record of the kind."""
    mine = {id(row) for row in rows}
    others = [row for table in {row.table for row in rows} for row in known.survey.tables[table] if id(row) not in mine]
    for row in others[:: max(1, len(others) // _TRIED)]:
        values = {**call.values, slot.path: known.survey.key_of(row)}
        arguments = arguments_from(values)
        before = calls_before(trying.needs, values, known.survey)
        if before is None or problem(trying.tool, arguments):
            continue
        played = await known.bench.play(*before, Call(trying.tool.name, arguments))
        if played.worked and played.changes:
            return True
    return False
