"""A recording and the tools as they are now → how they differ: lists, schemas, and the shapes of answers."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import cast

import msgspec
from msgspec import Struct

from misstep.core.errors import MisstepError
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Tool
from misstep.tools.recorded import RecordedCall, Tapes, canonical
from misstep.tools.redacting import REDACTED
from misstep.tools.routing import Route
from misstep.tools.shapes import differences


class Changed(Struct, frozen=True):
    """One way in which a tool is no longer as it was recorded."""

    tool: str
    place: str
    before: str
    now: str
    call: str = ""
    """The arguments that showed it, where it took a call."""


class Comparison(Struct, frozen=True):
    """What has changed in the answers; how many calls were made again, and why others were not."""

    changed: tuple[Changed, ...]
    made: int
    left_out: Mapping[str, int]


def tools_compared(tapes: Tapes, now: Sequence[Tool]) -> tuple[Changed, ...]:
    recorded, live = {tool.name: tool for tool in tapes.tools}, {tool.name: tool for tool in now}
    told = [Changed(name, "tool", "there", "gone") for name in sorted(recorded.keys() - live.keys())]
    told += [Changed(name, "tool", "not there", "new") for name in sorted(live.keys() - recorded.keys())]
    for name in sorted(recorded.keys() & live.keys()):
        told += _tool_compared(recorded[name], live[name])
    return tuple(told)


def _tool_compared(before: Tool, now: Tool) -> list[Changed]:
    told: list[Changed] = []
    if before.description != now.description:
        told.append(Changed(now.name, "description", before.description, now.description))
    for place, then, there in (
        ("arguments", before.input_schema, now.input_schema),
        ("results", before.output_schema, now.output_schema),
    ):
        if canonical(then) != canonical(there):
            old, new = _fields(then), _fields(there)
            told.append(Changed(now.name, place, old, new if old != new else "the same names, another schema"))
    if before.effect != now.effect:
        told.append(Changed(now.name, "effect", before.effect, now.effect))
    return told


def _fields(schema: Mapping[str, JSON] | None) -> str:
    if schema is None:
        return "no schema"
    return ", ".join(cast("Mapping[str, JSON]", schema.get("properties") or {})) or "none named"


async def answers_compared(
    tapes: Tapes, now: Sequence[Tool], live: Toolbox, route_of: Callable[[Tool], Route]
) -> Comparison:
    """Make again those recorded calls that reach the real tool and only read, and no others."""
    tools = {tool.name: tool for tool in now}
    changed: list[Changed] = []
    left_out: Counter[str] = Counter()
    made = 0
    for call in tapes.calls:
        if why := _not_to_be_made(call, tools.get(call.tool), route_of):
            left_out[why] += 1
            continue
        made += 1
        changed += await _call_compared(call, live)
    return Comparison(tuple(changed), made, dict(left_out))


def _not_to_be_made(call: RecordedCall, tool: Tool | None, route_of: Callable[[Tool], Route]) -> str | None:
    if tool is None:
        return "the tool is gone"
    if route_of(tool) not in ("real", "overlay"):
        return "the tool is not routed to the real one"
    if tool.effect != "reads":
        return "the tool does more than read"
    if call.answer.served_by != "real":
        return "the real tool never answered it"
    if call.after:
        return "it was recorded after changes that are not there now"
    if REDACTED in msgspec.json.encode(call.arguments).decode():
        return "its arguments held a secret"
    return None


async def _call_compared(call: RecordedCall, live: Toolbox) -> list[Changed]:
    shown = msgspec.json.encode(call.arguments, order="sorted").decode()
    try:
        answer = await live.call(call.tool, call.arguments)
    except MisstepError as error:
        return [Changed(call.tool, "answer", "an answer", str(error), shown)]
    return [Changed(call.tool, each.place, each.before, each.now, shown) for each in differences(call.answer, answer)]
