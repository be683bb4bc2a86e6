"""Tools that users hold → which values of tasks a person could look up there, and with which call."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from misstep.core.roles import Equipped, Stateful, Toolbox
from misstep.core.scenario import Given, Scalar
from misstep.core.tool import JSON, Tool
from misstep.synthesis.tasks.looks import is_code
from misstep.wording.showing import shown_of

_MOST_CALLS = 600
_LEAST = 4
"""Shorter values stand in many a text by accident."""


async def looked_up_in(toolbox: Toolbox, values: Iterable[Scalar]) -> dict[Scalar, Given]:
    """Only values that one call shows and no other, and only what calls show that change nothing."""
    if not isinstance(toolbox, Equipped):
        return {}
    wanted = [each for each in dict.fromkeys(values) if isinstance(each, str) and _is_telling(each)]
    tools = toolbox.user_tools()
    found: defaultdict[str, list[Given]] = defaultdict(list)
    for tool in await tools.tools():
        for arguments in _ways(tool, toolbox) if tool.effect == "reads" else ():
            answer = await tools.call(tool.name, arguments)
            if not answer.is_error:
                for value in shown_of(answer.content, wanted):
                    found[value].append(Given(tool.name, {**arguments}))
    return {value: calls[0] for value, calls in found.items() if len(calls) == 1}


def _is_telling(value: str) -> bool:
    """The number of something: a day or a name may stand there for another reason."""
    return len(value) >= _LEAST and is_code(value)


def _ways(tool: Tool, toolbox: Toolbox) -> Sequence[dict[str, JSON]]:
    """No arguments where none are needed; for one, every value that the records have under its name."""
    needed = cast("list[str]", tool.input_schema.get("required", []))
    if not needed:
        return ({},)
    if len(needed) > 1 or not isinstance(toolbox, Stateful):
        return ()
    tables: Iterable[Mapping[str, Mapping[str, JSON]]] = toolbox.snapshot().values()
    values = (record.get(needed[0]) for table in tables for record in table.values())
    known = dict.fromkeys(value for value in values if isinstance(value, str))
    ways: list[dict[str, JSON]] = [{needed[0]: value} for value in known]
    return ways[:_MOST_CALLS]
