"""A trace → the ranges that were named in it, as from one id to another: what lies between was named too."""

import re
from collections.abc import Iterator

from misstep.core.event import Handoff, Message, ToolResult
from misstep.core.trace import Trace
from misstep.objectives.once import once_per_trace
from misstep.provenance.reading import leaves

_RANGE = re.compile(
    r"(?<![\w.-])(?P<name>[A-Za-z][A-Za-z_/#-]{0,40}|#)?(?P<first>\d{1,9})\s{0,20}"
    r"(?:\bto\b|\bthrough\b|\bthru\b|\buntil\b|\bup to\b|\.\.\.?|…|–|—|(?:\s-\s)|-(?=[A-Za-z#]))\s{0,20}"
    r"(?P<again>[A-Za-z][A-Za-z_/#-]{0,40}|#)?(?P<last>\d{1,9})(?![\w])"
)
_ONE = re.compile(r"(?P<name>\D*?)(?P<number>\d{1,9})")
_READ = 20_000
_MOST = 50


def lies_in_a_named_range(trace: Trace, value: str) -> bool:
    """Whether somebody named a range of such ids that holds this one: `A-3` lies between `A-1` and `A-7`."""
    one = _ONE.fullmatch(value.strip())
    if one is None:
        return False
    name, number = one["name"].casefold(), int(one["number"])
    return any(name == of and first <= number <= last for of, first, last in _ranges(trace))


@once_per_trace
def _ranges(trace: Trace) -> tuple[tuple[str, int, int], ...]:
    found: dict[tuple[str, int, int], None] = {}
    for text in _texts(trace):
        for match in _RANGE.finditer(text[:_READ]):
            name = (match["name"] or "").casefold()
            if (match["again"] or name).casefold() == name and int(match["first"]) < int(match["last"]):
                found[name, int(match["first"]), int(match["last"])] = None
                if len(found) >= _MOST:
                    return tuple(found)
    return tuple(found)


def _texts(trace: Trace) -> Iterator[str]:
    if trace.policy is not None:
        yield trace.policy.text
    for event in trace.events:
        match event:
            case Message(role="user" | "system", text=text) | Handoff(text=text):
                yield text
            case ToolResult(content=content):
                yield from (value for _, value in leaves(content) if isinstance(value, str))
            case _:
                pass
