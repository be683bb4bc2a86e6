"""Two tasks of different people → the second one as a task of the first one's person, found by executing it."""

from collections.abc import Mapping

from msgspec import structs

from misstep.core.objective import ExpectedCall
from misstep.core.tool import JSON
from misstep.core.words import split_identifier
from misstep.synthesis.ground import MakeToolbox
from misstep.synthesis.outcomes import changes_of, expected_call, expected_change
from misstep.synthesis.parts import is_act
from misstep.synthesis.task import Control, Step, Task, is_key
from misstep.synthesis.tasks.looks import is_plain
from misstep.wording.requests.forms import is_of_speaker


async def grafted(make_toolbox: MakeToolbox, stem: Task, scion: Task) -> Task | None:
    """The scion's act for whoever the stem is about; None where the act needs more of the record than that.

    What the stem looks up and prepares serves both: of the scion remain its act, what is due after it, and what the
    person makes up.
    """
    swap = _swap(stem, scion)
    if swap is None:
        return None
    before = tuple(step for step in stem.steps if step.role in ("look-up", "need"))
    acts = tuple(_moved(step, swap) for step in scion.steps if step.role in ("act", "due"))
    changes = await changes_of(make_toolbox, structs.replace(scion, given=stem.given), before, acts)
    tables = {change.table for change in scion.changes}
    if not changes or any(change.table not in tables for change in changes):
        return None
    touched = {(table, str(swap.get(key, key))) for table, key in scion.touches}
    return structs.replace(
        scion,
        id=f"{scion.id}@{stem.id}",
        steps=(*before, *acts),
        items=tuple(item for item in scion.items if item.role == "content"),
        calls=_calls(stem, scion, acts),
        changes=tuple(expected_change(change, scion) for change in changes),
        marks=(),
        strangers={},
        premises=(),
        given=stem.given,
        owners=stem.owners,
        touches=tuple(sorted({*touched, *((change.table, change.key) for change in changes)})),
        controls=(
            Control(name="nothing-done", steps=before),
            Control(name="wrong-record", steps=scion.steps),
        ),
    )


def _swap(stem: Task, scion: Task) -> Mapping[JSON, JSON] | None:
    """Values of the scion's act → those of the stem in the arguments of the same name; None where one has none."""
    if (
        scion.kind != "act"
        or not scion.stateful
        or stem.seed != scion.seed
        or (scion.given and scion.given != stem.given)
    ):
        return None
    content = {item.value for item in scion.items if item.role == "content"}
    if not all(is_plain(value) for value in content):
        return None  # it may speak of a record of theirs
    theirs = _spoken_of(stem)
    swap: dict[JSON, JSON] = {}
    for step in scion.steps:
        if step.role not in ("act", "due"):
            continue
        for name, value in step.arguments.items():
            if not isinstance(value, (str, int)) or isinstance(value, bool) or value in content:
                continue
            if name not in theirs:
                return None
            swap[value] = theirs[name]
    return swap if any(old != new for old, new in swap.items()) else None


def _spoken_of(stem: Task) -> dict[str, JSON]:
    """The arguments, by name, whose records whoever hears the stem has in mind: what its act is done to; else who asks,
    and what is called by its own number. What a look-up only passes through is not spoken of."""
    said = {item.value for item in stem.items if item.tells_which and is_key(item.name)}
    return {
        name: value
        for step in reversed(stem.steps)
        if step.role != "look-up" or stem.kind != "act"
        for name, value in step.arguments.items()
        if (stem.kind == "act" and step.role != "look-up") or value in said or _is_who_asks(name)
    }


def _is_who_asks(argument: str) -> bool:
    return is_of_speaker(" ".join(split_identifier(argument)[:-1]))


def _moved(step: Step, swap: Mapping[JSON, JSON]) -> Step:
    arguments = {
        name: swap.get(value, value) if isinstance(value, (str, int)) else value
        for name, value in step.arguments.items()
    }
    return structs.replace(step, arguments=arguments, after=())


def _calls(stem: Task, scion: Task, acts: tuple[Step, ...]) -> tuple[ExpectedCall, ...]:
    calls = [call for call in stem.calls if not is_act(call, stem)]
    by_tool = {call.tool: call.name for call in calls}
    old_tools = {call.name: call.tool for call in scion.calls}
    own: set[str] = set()
    for call in scion.calls:
        step = next((step for step in acts if step.tool == call.tool), None)
        if step is None or not is_act(call, scion):
            continue
        after = (name if name in own else by_tool.get(old_tools.get(name, "")) for name in call.after)
        own.add(call.name)
        calls.append(
            structs.replace(
                call, arguments=expected_call(call, step), after=tuple(name for name in after if name is not None)
            )
        )
    return tuple(calls)
