"""handoff-not-made: an agent says that it hands the matter over to somebody, and nobody gets it."""

import re
from collections.abc import Iterator

from misstep.core.event import Event, Handoff, Message, ToolCall
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.core.words import sentences
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.crew import crew
from misstep.detectors.evidence.orders import orders
from misstep.objectives.asking import is_question
from misstep.objectives.proposals import agrees, declines, holds_back, proposes
from misstep.objectives.vocabulary import effect_of
from misstep.provenance.reading import canonical

_SOMEBODY = (
    r"agents?|humans?|persons?|people|representatives?|specialists?|teams?|departments?|colleagues?|supervisors?|managers?"
    r"|experts?|operators?|staff|assistants?|advis[oe]rs?|technicians?|consultants?|officers?|coordinators?|somebody"
    r"|someone|engineers?"
)
_PASSES = (
    r"transfer(?:ring)?|hand(?:ing)?|pass(?:ing)?|escalat(?:e|ing)|rout(?:e|ing)|redirect(?:ing)?|forward(?:ing)?"
    r"|refer(?:ring)?|delegat(?:e|ing)|connect(?:ing)?|turn(?:ing)?|assign(?:ing)?|put(?:ting)?"
)
_MAY_PASS = re.compile(rf"\b(?:{_PASSES})\b[^.!?\n]{{1,80}}\b(?:to|with)\b", re.IGNORECASE)
_WHAT = (
    r"(?:you|this|it|that|these|them|(?:your|the|this|my) (?:[\w'-]+ ){0,2}?(?:request|case|issue|matter|question|call"
    r"|chat|conversation|inquiry|enquiry|problem|task|work|ticket|concern|claim|job|rest|query))"
)
_ANNOUNCES = re.compile(
    r"(?:\b(?:i|we)(?:'ll| will| shall|'m| am|'re| are| must| need to| have to)(?: going to| about to| required to)?"
    r"|\blet me|\b(?:while|as) (?:i|we)|^\W*(?:ok(?:ay)?|sure|alright|please hold(?: on)?|one moment(?: please)?)?\W*)"
    r"\s*(?:(?:now|just|also|therefore|then|immediately|directly|go ahead and|first|gladly|please)\s+)*"
    rf"(?:{_PASSES})\s+(?:{_WHAT}\s+)?(?:up |over |off |on |along |back |through )?(?:to|with)\s+"
    r"(?P<whom>(?:[\w'’-]+\s*){1,6})",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\b(?:if|once|unless|after|when|whenever|until|before|in case|should you|would|could|might|otherwise|can't|cannot"
    r"|not|n't)\b",
    re.IGNORECASE,
)
_RECIPIENT = re.compile(rf"\b(?:{_SOMEBODY})\b", re.IGNORECASE)


@detector("handoff-not-made", version=1)
def handoff_not_made(trace: Trace) -> Iterator[Finding]:
    """One finding at most for each agent: at the last of its announcements that came to nothing."""
    left_open: dict[str, tuple[int, str]] = {}
    members = frozenset(canonical(name) for name in crew(trace).agents)
    for at, message in trace.messages:
        if message.role == "agent":
            said = _announced(message.text, members - {canonical(message.actor)})
            if said and _nobody_got_it(trace, at, message):
                left_open[message.actor] = (at, said)
    for at, said in left_open.values():
        yield Finding(
            mode="handoff-not-made",
            events=(at,),
            because=f"The agent says “{said}”, and no handoff, no call and no other agent follows.",
            confidence=0.8,
        )


def _announced(text: str, members: frozenset[str]) -> str:
    """The sentence that announces a handoff; empty where there is none, or where leave is asked for it first."""
    if len(text) > _LONGEST or not _MAY_PASS.search(text) or proposes(text):
        return ""
    for sentence in sentences(text.replace("’", "'")):
        if is_question(sentence):
            continue
        match = _ANNOUNCES.search(sentence)
        if match is None or _DEPENDS.search(sentence[: match.start("whom")]):
            continue
        whom = match["whom"]
        if _RECIPIENT.search(whom) or any(canonical(whom).startswith(name) for name in members if name):
            return " ".join(sentence.split())[:160]
    return ""


_LONGEST = 6000
_LOOKED_BACK = 200


def _nobody_got_it(trace: Trace, at: int, message: Message) -> bool:
    """From the user's last message on, until the user has spoken twice more, nothing passes the matter on."""
    before, _ = crew(trace).turn(at)
    if any(_passes_on(trace, trace.events[place], message) for place in range(max(before, at - _LOOKED_BACK, 0), at)):
        return False
    spoken = 0
    for place in range(at + 1, len(trace.events)):
        event = trace.events[place]
        if isinstance(event, Message) and event.role == "user":
            spoken += 1
            if spoken > 1:
                break
            if declines(event.text) or holds_back(event.text) or (orders(event.text) and not agrees(event.text)):
                return False
        elif _passes_on(trace, event, message):
            return False
    return True


def _passes_on(trace: Trace, event: Event, message: Message) -> bool:
    """A handoff, another agent at work, or an act: what a tool is called says nothing of whom it reaches."""
    if isinstance(event, Handoff):
        return True
    if isinstance(event, ToolCall):
        return effect_of(trace, event.tool) != "reads" or event.actor != message.actor
    return isinstance(event, Message) and event.role == "agent" and event.actor != message.actor
