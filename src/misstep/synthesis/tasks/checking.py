"""A scenario and a plan → what the objective finds unmet when the plan is executed and told as a conversation."""

from collections.abc import Iterator, Sequence

from misstep.core.errors import InvalidTrialError
from misstep.core.event import Event, Message, ToolCall, ToolResult
from misstep.core.objective import Objective
from misstep.core.policy import Policy
from misstep.core.roles import Governed, Stateful
from misstep.core.scenario import Scalar, Scenario
from misstep.core.state import Change, difference
from misstep.core.tool import Answer, Tool
from misstep.core.trace import Trace, Usage
from misstep.core.words import split_identifier
from misstep.objectives import Unmet, judge
from misstep.synthesis.task import Step, Task
from misstep.synthesis.tasks.executing import Call, MakeToolbox, answer


async def met(
    make_toolbox: MakeToolbox, scenario: Scenario, steps: Sequence[Step], tells: Sequence[Scalar] = ()
) -> tuple[Unmet, ...]:
    """Execute steps on a fresh toolbox, tell what is to be told, and judge it by the scenario's objective.

    Where the objective wants a question asked or a yes before a call, both are put into the conversation: whether an
    agent would ask is not what is checked here. Nothing unmet means that the plan is a right one. A toolbox without a
    state is not written to: what would write is taken to have worked.
    """
    if scenario.objective is None:
        raise InvalidTrialError("scenario", f"The scenario {scenario.name!r} has no objective to be checked against.")
    toolbox = make_toolbox(scenario.seed)
    offered = tuple(await toolbox.tools())
    named = {tool.name: tool for tool in offered}
    for given in scenario.given:
        await answer(toolbox, named.get(given.tool), Call(given.tool, given.arguments))
    if scenario.tools:
        offered = tuple(tool for tool in offered if tool.name in scenario.tools)
    before = toolbox.snapshot() if isinstance(toolbox, Stateful) else None
    answers = [await answer(toolbox, named.get(step.tool), Call(step.tool, step.arguments)) for step in steps]
    changes = None
    if isinstance(toolbox, Stateful) and before is not None:
        changes = difference(before, toolbox.snapshot())
    policy = scenario.policy or (toolbox.policy if isinstance(toolbox, Governed) else None)
    talk = _opening(scenario.user.opening or "Hello.", scenario.objective, steps)
    return judge(trace_of(offered, talk, steps, answers, changes, tells=tells, policy=policy), scenario.objective)


def objective_of(task: Task) -> Objective:
    """What success is for a task by itself."""
    return Objective(
        statement=f"{task.tool}: {task.kind}.",
        calls=task.calls,
        state=task.changes if task.stateful else None,
        ignore_tables=task.ignore_tables,
        facts=task.to_be_told,
        impossible=task.impossible,
    )


def trace_of(
    tools: Sequence[Tool],
    talk: Sequence[Event],
    steps: Sequence[Step],
    answers: Sequence[Answer],
    changes: Sequence[Change] | None,
    *,
    tells: Sequence[Scalar] = (),
    policy: Policy | None = None,
) -> Trace:
    """Calls and answers as the conversation that they could have been."""
    events = [*talk]
    for at, (step, given) in enumerate(zip(steps, answers, strict=True), 1):
        call_id = f"c{at}"
        events.append(ToolCall(actor="agent", call_id=call_id, tool=step.tool, arguments=step.arguments))
        events.append(ToolResult(actor=step.tool, call_id=call_id, content=given.content, is_error=given.is_error))
    told = " ".join(f"It is {value}." for value in tells)
    events.append(Message(actor="agent", role="agent", text=told or "That is all."))
    return Trace(
        id="check",
        events=tuple(events),
        tools=tuple(tools),
        policy=policy,
        changes=tuple(changes) if changes is not None else None,
        usage=Usage(turns=1, calls=len(steps)),
        end="finished",
    )


def _opening(opening: str, objective: Objective, steps: Sequence[Step]) -> list[Event]:
    events: list[Event] = [Message(actor="user", role="user", text=opening)]
    for line, reply in (*_questions(objective), *_proposals(objective, steps)):
        events.append(Message(actor="agent", role="agent", text=line))
        events.append(Message(actor="user", role="user", text=reply))
    return events


def _questions(objective: Objective) -> Iterator[tuple[str, str]]:
    for question in objective.questions:
        yield f"Which {question.about[0] if question.about else 'one'} is it?", "The one that I mean."


def _proposals(objective: Objective, steps: Sequence[Step]) -> Iterator[tuple[str, str]]:
    confirmed = {call.tool for call in objective.calls if call.confirmed}
    for step in steps:
        if step.tool in confirmed:
            values = ", ".join(str(value) for value in step.arguments.values())
            yield f"Shall I {' '.join(split_identifier(step.tool))} with {values}?", "Yes, please."
