"""A scenario and the tools → an error for everything in it that can be known to be wrong before the first trial."""

import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from misstep.core.errors import UsageError, suggestion
from misstep.core.objective import Objective
from misstep.core.roles import Stateful, Toolbox
from misstep.core.scenario import Scenario
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Tool
from misstep.objectives.matching import OPERATORS
from misstep.simulation.plausibility import check_plausible
from misstep.taxonomy import modes
from misstep.tools.assembly import assemble


def check_scenario(scenario: Scenario, toolbox: Toolbox, tools: Sequence[Tool], spec: str) -> None:
    """What we got wrong must not be held against the agent: names of tools, arguments, modes and faults."""
    check_plausible(scenario)
    known = [tool.name for tool in tools]
    offered = scenario.tools or known
    for name in scenario.tools:
        if name not in known:
            raise UsageError(
                f"Scenario {scenario.name!r} offers a tool {name!r} that {spec} does not have.{suggestion(name, known)}"
            )
    for name in _judged_tools(scenario):
        if name not in offered:
            why = f"{spec} has it, but `tools` leaves it out." if name in known else suggestion(name, offered).strip()
            raise UsageError(
                f"The objective of scenario {scenario.name!r} names a tool {name!r} that is not on offer. {why}".strip()
            )
    _check_arguments(scenario, {tool.name: tool for tool in tools})
    for mode in scenario.aims:
        if mode not in modes():
            raise UsageError(
                f"Scenario {scenario.name!r} aims at {mode!r}, which is no failure mode.{suggestion(mode, modes())}"
            )
    for fault in scenario.faults:
        if fault.target == "tool" and not fnmatch.filter(known, fault.tool):
            raise UsageError(
                f"A fault of scenario {scenario.name!r} strikes the tool {fault.tool!r}, which {spec} does not have."
                f"{suggestion(fault.tool, known)}"
            )
    if scenario.objective and scenario.objective.state is not None and not isinstance(toolbox, Stateful):
        raise UsageError(
            f"The objective of scenario {scenario.name!r} says what must have changed, but the tools of {spec} have no "
            "state that can be seen. Drop `state` from it, or give the toolbox `snapshot` and `restore`."
        )
    try:
        assemble(toolbox, tape=Tape(), faults=scenario.faults)
    except UsageError as error:
        raise UsageError(f"Scenario {scenario.name!r}: {error}") from None
    user = scenario.user
    if scenario.objective is not None and not (user.goals or user.opening or user.script):
        raise UsageError(
            f"The user of scenario {scenario.name!r} says nothing: there are no `goals`, no `opening` and no `script`. "
            "No agent could know what is wanted: say it in one of these."
        )


def _judged_tools(scenario: Scenario) -> Iterator[str]:
    objective = scenario.objective or Objective()
    yield from (call.tool for call in objective.calls)
    yield from (tool for question in objective.questions for tool in question.before)
    yield from (each.tool for each in objective.impossible if each.tool)
    yield from (each.tool for each in objective.forbidden if each.tool is not None)


def _check_arguments(scenario: Scenario, tools: Mapping[str, Tool]) -> None:
    objective = scenario.objective or Objective()
    drifting = {fault.tool for fault in scenario.faults if fault.kind == "schema-drift"}
    named = [(call.tool, call.arguments) for call in objective.calls]
    named += [(each.tool, each.arguments) for each in objective.forbidden if each.tool is not None]
    for name, arguments in named:
        properties = tools[name].input_schema.get("properties")
        taken = list(cast("Mapping[str, JSON]", properties)) if isinstance(properties, Mapping) else []
        for argument, pattern in arguments.items():
            kind = _kind_of(tools[name], argument)
            if isinstance(pattern, Mapping) and not pattern.keys() & OPERATORS and kind in _SCALARS:
                key = next(iter(cast("Mapping[str, JSON]", pattern)), "")
                raise UsageError(
                    f"The objective of scenario {scenario.name!r} asks for a table in the argument {argument!r} of "
                    f"{name!r}, which takes a {kind}; {key!r} is no key of a pattern.{suggestion(key, OPERATORS)}"
                )
            if taken and argument not in taken and name not in drifting:
                raise UsageError(
                    f"The objective of scenario {scenario.name!r} names an argument {argument!r}, which the tool "
                    f"{name!r} does not take.{suggestion(argument, taken)}"
                )


_SCALARS = ("string", "integer", "number", "boolean")


def _kind_of(tool: Tool, argument: str) -> JSON:
    properties = tool.input_schema.get("properties")
    schema = cast("Mapping[str, JSON]", properties).get(argument) if isinstance(properties, Mapping) else None
    return cast("Mapping[str, JSON]", schema).get("type") if isinstance(schema, Mapping) else None
