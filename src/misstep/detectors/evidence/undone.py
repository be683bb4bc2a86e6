"""A trace → the part of a request that was neither tried nor spoken of again, while another part was done."""

from misstep.core.trace import Trace
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.orders import Order, asks_to_be_told, orders
from misstep.detectors.evidence.standing import standing
from misstep.detectors.evidence.support import acts_done
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.detectors.evidence.turns import said_by_agents
from misstep.objectives.once import once_per_trace
from misstep.objectives.proposals import declines
from misstep.objectives.vocabulary import ToolWords, kin, meaning, vocabulary, widened

_LATEST = 20
"""Requests of so many of the latest messages are looked at."""


@once_per_trace
def undone(trace: Trace) -> Order | None:
    """The first such part; silent where anything was asked back, went wrong or was called off."""
    done = acts_done(trace)
    spoken = said_by_agents(trace)
    if not done or not spoken or asks(spoken[-1][1].text):
        return None
    if any(tells_of_trouble(message.text) for _, message in spoken[-_LATEST:]):
        return None
    listening = heard(trace)
    if any(declines(text) for text in listening.texts[-_LATEST:]):
        return None
    called = {exchange.call.tool for exchange in trace.exchanges}
    for at, text in list(zip(listening.places, listening.texts, strict=True))[-_LATEST:]:
        said = orders(text)
        for order in said if len(said) > 1 else ():
            tool = _meant(trace, order)
            if tool is None or tool.name in called or standing_against(trace, tool):
                continue
            others = [each for each in said if each is not order and _meant(trace, each) is not None]
            if others and not _spoken_of(trace, tool, order, [message.text for place, message in spoken if place > at]):
                return order
    return None


def standing_against(trace: Trace, tool: ToolWords) -> bool:
    """Somebody set a bound to what the tool does, so that leaving it may be right."""
    return next(standing(trace, tool.name, len(trace.events)), None) is not None


def _meant(trace: Trace, order: Order) -> ToolWords | None:
    """The one tool that does what an order is headed by, in its own words."""
    if not order.firm or asks_to_be_told(order.verb):
        return None
    known = vocabulary(trace)
    named = [tool for tool in known.effectful if order.verb in tool.acts]
    if len(named) > 1:
        own = order.stems - {order.verb}
        named = [tool for tool in named if not own.isdisjoint(tool.named - tool.acts)]
    return named[0] if len(named) == 1 else None


def _spoken_of(trace: Trace, tool: ToolWords, order: Order, texts: list[str]) -> bool:
    """By a word for the act, or by one that no other tool has in its name."""
    others = frozenset[str]().union(*(each.named for each in vocabulary(trace).effectful if each.name != tool.name))
    about = kin(order.verb) | widened(tool.acts) | (order.stems & tool.named - others)
    return any(not about.isdisjoint(meaning(text)) for text in texts)
