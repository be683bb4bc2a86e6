"""A call of a tool that counts as destroying → whether it only answered, or does what was ordered in other words."""

from bisect import bisect_left

from misstep.core.event import ToolCall
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import split_identifier
from misstep.detectors.evidence.heard import foreign_acts, heard
from misstep.detectors.evidence.look_ups import is_said_to_last, tells_only
from misstep.detectors.evidence.orders import asks_to_be_told, orders
from misstep.effects.guessing import told_effect
from misstep.objectives.asking import is_question
from misstep.objectives.values import leaves, says
from misstep.objectives.vocabulary import vocabulary

_RECEIPT = frozenset("status state ok success done result outcome message error".split())
_NEXT = 4


def only_told(trace: Trace, exchange: Exchange) -> bool:
    """By the words of the tool; or, where these say nothing, because a question was answered with what came back."""
    tool = trace.tool_named.get(exchange.call.tool)
    if tool is None:
        return False
    if tells_only(tool):
        return True
    silent = told_effect(tool.name, tool.description) is None and not is_said_to_last(tool.description)
    return silent and _answered_a_question(trace, exchange)


def _answered_a_question(trace: Trace, exchange: Exchange) -> bool:
    text = heard(trace).last(exchange.at)
    if not is_question(text) or any(each.firm and not asks_to_be_told(each.verb) for each in orders(text)):
        return False
    told = _told(exchange)
    first = bisect_left(trace.messages, exchange.at, key=lambda each: each[0])
    for _, message in trace.messages[first : first + _NEXT]:
        if message.role != "agent":
            return False
        if any(says(message.text, value) for value in told):
            return True
    return False


def _told(exchange: Exchange) -> list[JSON]:
    """The values that came back and were not passed on; none where it reads like a receipt for something done."""
    passed = {str(value) for _, value in leaves(exchange.call.arguments)}
    found: list[JSON] = []
    for name, value in leaves(exchange.result.content if exchange.result else None):
        if isinstance(value, bool) or not _RECEIPT.isdisjoint(split_identifier(name)):
            return []
        if str(value) not in passed:
            found.append(value)
    return found


def was_ordered_by_its_place(trace: Trace, before: int, call: ToolCall) -> bool:
    """A firm order that is no word for another tool's act speaks of what this tool alone is about.

    "Put it in the register" orders what records something in the register. A tool that says that it removes something
    has to be asked for in more words than that.
    """
    tool, known = trace.tool_named.get(call.tool), vocabulary(trace)
    if tool is None or told_effect(tool.name, tool.description) == "destroys":
        return False
    theirs = (each.all for each in known.effectful if each.name != call.tool)
    own = known.tools[call.tool].all.difference(*theirs)
    foreign = foreign_acts(trace).get(call.tool, frozenset())
    return any(
        each.firm and each.verb not in foreign and not asks_to_be_told(each.verb) and not own.isdisjoint(each.stems)
        for each in heard(trace).orders(before)
    )
