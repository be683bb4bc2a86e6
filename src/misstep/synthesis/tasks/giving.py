"""What is known of a toolbox → calls that put something into it, where its tools have nothing to work on."""

from misstep.core.scenario import Given
from misstep.synthesis.tasks.acting import Win
from misstep.synthesis.tasks.executing import Call
from misstep.synthesis.tasks.knowing import Knowledge

_EACH = 3
_MOST = 9


async def given_by(known: Knowledge) -> tuple[Given, ...]:
    """Records of each kind that can be created one after another, while some tool has not worked at all; nothing where
    all have."""
    if not known.bench.stateful or not idle_tools(known):
        return ()
    calls: list[Call] = []
    for trying in known.acts.values():
        creating = [win for win in trying.wins if _creates(win)][:_EACH]
        said = [(await trying.polished(win) or win).call for win in creating]
        for call in said:  # What one has created may stand in the way of the next.
            if len(calls) < _MOST and (await known.bench.play(*calls, call)).worked:
                calls.append(call)
    return tuple(Given(call.tool, call.arguments) for call in calls)


def _creates(win: Win) -> bool:
    return not win.before and bool(win.changes) and all(change.before is None for change in win.changes)


def idle_tools(known: Knowledge) -> frozenset[str]:
    """Tools that no call has worked of, or that have shown nothing."""
    return frozenset(
        name
        for name in known.bench.tools
        if not known.looks(name) and not any(name in tried and tried[name].wins for tried in (known.acts, known.reads))
    )


def is_given(known: Knowledge, call: Call) -> bool:
    """It has been made already when the person comes."""
    return Given(call.tool, call.arguments) in known.bench.given
