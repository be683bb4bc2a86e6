"""premature-stop: the agent ends with what it was asked for undone, though nothing stood in the way."""

from collections.abc import Iterator

from misstep.core.event import Handoff, Message, ToolCall
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.items import untouched
from misstep.detectors.evidence.left_over import left_over
from misstep.detectors.evidence.offer import as_offered
from misstep.detectors.evidence.promises import ends_on_a_plan, ends_on_a_promise, is_courtesy
from misstep.detectors.evidence.put_off import put_off
from misstep.detectors.evidence.turns import Turn, turns
from misstep.detectors.evidence.undone import undone


@detector("premature-stop", version=4, needs="conversation")
def premature_stop(trace: Trace) -> Iterator[Finding]:
    """At most one finding: where the agent's work ends."""
    last = turns(trace)[-1] if turns(trace) else None
    if last is None or trace.end not in ("finished", "unknown", "gave-up", "turns"):
        return
    stop = _promise(trace) or _plan(trace, last) or _put_off(trace) or _part(trace)
    if stop is not None:
        at, because, sure = stop
        yield Finding(mode="premature-stop", events=(at,), because=because, confidence=sure)


Stop = tuple[int, str, float]


def _promise(trace: Trace) -> Stop | None:
    """The last thing of substance that the agent says is that it will act, and it never does."""
    for at in range(len(trace.events) - 1, -1, -1):
        event = trace.events[at]
        if isinstance(event, (ToolCall, Handoff)):
            return None
        if isinstance(event, Message) and event.role == "agent" and not is_courtesy(event.text):
            promised = ends_on_a_promise(event.text)
            if promised is None:
                return None
            return at, f"The agent's last word is “{_shortened(promised)}”, and nothing follows.", 0.8
    return None


def _put_off(trace: Trace) -> Stop | None:
    """Having done part of a request, the agent says that the rest comes next, and never comes back to it."""
    left = put_off(as_offered(trace))
    if left is None:
        return None
    return left.at, f"“{_shortened(left.text)}” was promised, and it was neither tried nor spoken of again.", 0.75


def _plan(trace: Trace, last: Turn) -> Stop | None:
    """Asked to do something with tools at hand, the agent only says how it would go about it."""
    if not trace.tools or trace.exchanges or last.answer_at is None or last.asked_at < 0:
        return None
    if not ends_on_a_plan(last.answer, last.request):
        return None
    return last.answer_at, "The agent ends on a plan, and none of its tools was ever called.", 0.7


def _part(trace: Trace) -> Stop | None:
    """One of several things that the user had asked for was neither tried nor spoken of again."""
    trace = as_offered(trace)
    left = undone(trace) or untouched(trace)
    text = left.text if left is not None else left_over(trace)
    at, _ = _last_word(trace)
    if not text or at < 0:
        return None
    return at, f"“{_shortened(text)}” was asked for, and it was neither tried nor spoken of again.", 0.7


def _last_word(trace: Trace) -> tuple[int, str]:
    for at in range(len(trace.events) - 1, -1, -1):
        event = trace.events[at]
        if isinstance(event, Message) and event.role == "agent":
            return at, event.text
    return -1, ""


def _shortened(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 140 else f"{flat[:137]}…"
