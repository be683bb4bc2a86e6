"""handoff-not-made: an agent says that it hands the matter over to somebody, and nobody gets it."""

import re
from collections.abc import Iterator

from misstep.core.event import Handoff, Message, ToolCall
from misstep.core.finding import Finding
from misstep.core.trace import Trace
from misstep.core.words import sentences
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.crew import crew
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.orders import orders
from misstep.detectors.evidence.printed_requests import printed_requests
from misstep.objectives.asking import is_question
from misstep.objectives.proposals import agrees, declines, holds_back, proposes
from misstep.objectives.values import leaves
from misstep.objectives.vocabulary import effect_of, meaning, vocabulary
from misstep.provenance.reading import canonical

_SOMEBODY = (
    r"agents?|humans?|persons?|people|representatives?|specialists?|teams?|departments?|colleagues?|supervisors?|managers?"
    r"|experts?|operators?|staff|assistants?|advis[oe]rs?|technicians?|consultants?|officers?|coordinators?|somebody"
    r"|someone|engineers?|employees?|nurses?|doctors?|physicians?|clerks?|desks?|offices?|lawyers?|members?"
)
_PASSES = (
    r"transfer(?:ring)?|hand(?:ing)?|pass(?:ing)?|escalat(?:e|ing)|rout(?:e|ing)|redirect(?:ing)?|forward(?:ing)?"
    r"|refer(?:ring)?|delegat(?:e|ing)|connect(?:ing)?|turn(?:ing)?|assign(?:ing)?|put(?:ting)?|send(?:ing)?|rais(?:e|ing)"
    r"|flag(?:ging)?|bring(?:ing)?|tak(?:e|ing)|leav(?:e|ing)|giv(?:e|ing)"
)
_MAY_PASS = re.compile(rf"\b(?:{_PASSES})\b[^.!?\n]{{1,80}}\b(?:to|with)\b", re.IGNORECASE)
_WHAT = (
    r"(?:you|this|it|that|these|them|(?:your|the|this|my) (?:[\w'-]+ ){0,2}?(?:request|case|issue|matter|question|call"
    r"|chat|conversation|file|papers|details|account|application|booking|order|inquiry|enquiry|problem|task|work|ticket|concern|claim|job|rest|query))"
)
# Whatever it is, but not what one passes on out of courtesy.
_ANYTHING = (
    r"(?:(?:your|the|this|these|those|that|both|all)(?: (?!(?:feedback|suggestions?|thanks|regards|comments?"
    r"|compliments?"
    r"|praise|ideas?|wishes|thoughts)\b)[\w'-]+){1,4}?)"
)
_ANNOUNCES = re.compile(
    r"(?:\b(?:i|we)(?:'ll| will| shall|'m| am|'re| are| must| need to| have to)(?: going to| about to| required to)?"
    r"|\blet me|\b(?:while|as) (?:i|we)|^\W{0,20}(?:ok(?:ay)?|sure|alright|please hold(?: on)?"
    r"|one moment(?: please)?)?\W{0,20})"
    r"\s{0,20}(?:(?:now|just|also|therefore|then|immediately|directly|go ahead and|first|gladly|please)\s{1,20})*"
    rf"(?:{_PASSES})\s{{1,20}}(?:(?:{_WHAT}|(?P<other>{_ANYTHING}))\s{{1,20}})?(?:up |over |off |on |along |back "
    rf"|through )?(?:to|with)\s{{1,20}}"
    r"(?P<whom>(?:[\w'’-]+\s{0,20}){1,6})",
    re.IGNORECASE,
)
# "I'm bringing in our repair team", "I'm getting the claims desk on to this", "the claims desk will take it from here".
_BRINGS_IN = re.compile(
    r"\b(?:i|we)(?:'ll| will|'m| am|'re| are)(?: now| just| going to)* (?:loop|bring|call|pull)(?:ing)? in "
    r"(?P<in>(?:[\w'-]+ ?){1,5})"
    r"|\b(?:i|we)(?:'ll| will|'m| am|'re| are)(?: now| just| going to)* (?:get(?:ting)?|hav(?:e|ing)) "
    r"(?P<get>(?:our|the|a) (?:[\w'-]+ ){1,4}?)(?:involved|on (?:to )?(?:it|this)|to (?:take|look|deal|handle|review)"
    r"|(?:look|take|handle|review)\b)"
    r"|\b(?P<take>(?:our|the) (?:[\w'-]+ ){1,4}?)(?:will|is going to|are going to)(?: now)? take"
    r" (?:it|this|that|things|over|your \w+|the \w+)(?: over)? from here\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"(?:[,;]\s*(?:so|and so|therefore|which is why|that(?:'s| is) why|but|instead)\b|;|\s[–—]\s)", re.IGNORECASE
)
_DEPENDS = re.compile(
    r"\b(?:if|once|unless|after|when|whenever|until|before|in case|should you|would|could|might|otherwise|can't|cannot"
    r"|not|n't)\b",
    re.IGNORECASE,
)
_RECIPIENT = re.compile(rf"\b(?:{_SOMEBODY})\b", re.IGNORECASE)
# "Our nurse has to look at it; I'll pass you on to her": who it is was said before.
# "to Ifeoma Okafor", "to Dr. Mbeki": two names in a row, or a title, are a person's.
_BY_NAME = re.compile(
    r"(?:our |my )?(?:colleague |supervisor )?"
    r"(?:(?:Dr|Mr|Ms|Mrs|Prof)\.? [A-Z][\w'’-]+|[A-Z][a-z'’-]+ [A-Z][a-z'’-]+)"
)
_SPOKEN_OF = re.compile(r"(?:them|her|him)\b", re.IGNORECASE)
# In a crew, and of a person who is passed on, whoever comes after "to the" gets it; a page or a form does not.
_ANYBODY = re.compile(
    r"(?:(?:the|our|an?|my)\s+)?(?!\b(?:the|our|an?|my|this|that|next|end|top)\b)[\w'-]+", re.IGNORECASE
)
_PLACE = re.compile(
    r"\b(?:pages?|sites?|websites?|links?|portals?|forms?|account|urls?|address(?:es)?|steps?|lists?|queues?|menus?"
    r"|apps?|files?|folders?|tables?|functions?|tools?|api|servers?|networks?|internet|wi-?fi|calls?|users?"
    r"|customers?|you|it|me|us|this|that|use|test|rest|work|standby|hold)\b|\w\.\w|://|\d",
    re.IGNORECASE,
)
_MOVES_A_PERSON = re.compile(r"\b(?:transfer|hand|pass|connect|put)(?:ring|ting|ing)?\s+you\b", re.IGNORECASE)


@detector("handoff-not-made", version=4)
def handoff_not_made(trace: Trace) -> Iterator[Finding]:
    """One for each agent, at the last of its announcements that came to nothing; one for each request only printed."""
    for printed in printed_requests(trace):
        yield Finding(
            mode="handoff-not-made",
            events=(printed.at, printed.echoed_at),
            because=f"The agent says that it turns to {printed.whom}, and only prints what it would ask: "
            "nobody was called, and its own words came back.",
            confidence=0.8,
        )
    left_open: dict[str, tuple[int, str]] = {}
    members = frozenset(canonical(name) for name in crew(trace).agents)
    for at, message in trace.messages:
        if message.role == "agent":
            said, whom = _announced(message.text, members - {canonical(message.actor)}, crowd=len(members) > 1)
            if said and _nobody_got_it(trace, at, message, whom):
                left_open[message.actor] = (at, said)
    for at, said in left_open.values():
        yield Finding(
            mode="handoff-not-made",
            events=(at,),
            because=f"The agent says “{said}”, and no handoff, no call and no other agent follows.",
            confidence=0.8,
        )


def _announced(text: str, members: frozenset[str], *, crowd: bool) -> tuple[str, str]:
    """The sentence that announces a handoff, and to whom; empty where there is none, or where leave is asked first."""
    if len(text) > _LONGEST or proposes(text):
        return "", ""
    for sentence in sentences(text.replace("’", "'")):
        if is_question(sentence):
            continue
        whom = _brought_in(sentence)
        match = _ANNOUNCES.search(sentence) if _MAY_PASS.search(sentence) else None
        if match is not None and not _depends(sentence, match.start(), match.start("whom")):
            whom = match["whom"] if _is_somebody(match, members, crowd=crowd) else whom
        if whom:
            return " ".join(sentence.split())[:160], whom
    return "", ""


def _depends(sentence: str, start: int, end: int) -> bool:
    """Something has to come first; what the clause before says is only why."""
    clauses = [clause.end() for clause in _CLAUSE.finditer(sentence, 0, start + 1)]
    return _DEPENDS.search(sentence[clauses[-1] if clauses else 0 : end]) is not None


def _brought_in(sentence: str) -> str:
    match = _BRINGS_IN.search(sentence)
    if match is None or _depends(sentence, match.start(), match.start()):
        return ""
    whom = match["in"] or match["get"] or match["take"]
    return whom if _RECIPIENT.search(whom) else ""


def _is_somebody(match: re.Match[str], members: frozenset[str], *, crowd: bool) -> bool:
    whom = match["whom"]
    if match["other"] is not None or not _USUAL.search(match.group()):
        # Almost anything is sent to somebody; only those whom the user has not got are a handoff.
        return _RECIPIENT.search(whom) is not None and not whom.lower().startswith(("your ", "you "))
    if _RECIPIENT.search(whom) or any(canonical(whom).startswith(name) for name in members if name):
        return True
    if _SPOKEN_OF.match(whom) or _BY_NAME.match(whom):
        return True
    meant = _ANYBODY.match(whom)
    return (
        meant is not None
        and not _PLACE.search(whom)
        and (_MOVES_A_PERSON.search(match.group()) is not None or (crowd and whom.lower().startswith("the ")))
    )


_USUAL = re.compile(
    r"\b(?:transfer|hand|pass|escalat|rout|redirect|forward|refer|delegat|connect|turn|assign|put)[a-z]*\b",
    re.IGNORECASE,
)
_LONGEST = 6000
_LOOKED_BACK = 200


def _nobody_got_it(trace: Trace, at: int, message: Message, whom: str) -> bool:
    """From the user's last message on, until the user has spoken twice more, nothing passes the matter on.

    Where the user takes it as settled and turns to something else as well, until the end.
    """
    before, _ = crew(trace).turn(at)
    passes = _hands_over if _is_a_peer(whom) else _passes_on
    if any(passes(trace, place, message, whom) for place in range(max(before, at - _LOOKED_BACK, 0), at)):
        return False
    spoken, settled = 0, False
    for place in range(at + 1, len(trace.events)):
        event = trace.events[place]
        if isinstance(event, Message) and event.role == "user":
            spoken += 1
            if _TURNS_AWAY.search(event.text):
                return False
            settled = settled or (spoken == 1 and _GOES_WITH_IT.search(event.text.replace("’", "'")) is not None)
            if spoken > 1 and not settled:
                break
            if not settled and not _WAITS.search(event.text) and _wants_something_else(event.text):
                return False
        elif _passes_on(trace, place, message, whom) and not _only_reports(trace, place, before, whom):
            return False
    return True


_GOES_WITH_IT = re.compile(
    r"^\W*(?:ok(?:ay)?|al(?:l ?)?right|fine|good|great|thanks?|thank you|sure|perfect|yes|right|cheers|got it"
    r"|understood"
    r"|please do|lovely|brilliant|excellent)\b(?!\W+(?:but|wait|no)\b)"
    r"|\b(?:also|too|as well|meanwhile|in the meantime|while (?:you're at it|i wait|i'm here|we wait)|one more thing"
    r"|another thing|on top of that)\b",
    re.IGNORECASE,
)
_TURNS_AWAY = re.compile(
    r"\b(?:instead|never ?mind|forget (?:it|that|about)|leave it|no need|don't bother|hold off|rather not"
    r"|not necessary)\b",
    re.IGNORECASE,
)
# "Still there?", "nobody answers": whoever says so has not been put through.
_WAITS = re.compile(
    r"^\W*(?:still|hello|anyone|anybody|is anyone|are you)\b[^.!?]{0,40}\?|\b(?:nothing happen\w*|nobody|no one"
    r"|still waiting|been waiting|keep waiting)\b",
    re.IGNORECASE,
)


def _wants_something_else(text: str) -> bool:
    return (
        declines(text) or holds_back(text) or (not agrees(text) and any(len(order.stems) > 1 for order in orders(text)))
    )


def _only_reports(trace: Trace, place: int, before: int, whom: str) -> bool:
    """Another agent, who was there before and is not the one that was meant, has the last word: it got nothing."""
    event = trace.events[place]
    if not isinstance(event, Message) or place != len(trace.events) - 1 or event.to not in (None, "user"):
        return False
    if canonical(event.actor) in canonical(whom) or not _is_a_peer(whom):
        return False
    return any(
        isinstance(each, (Handoff, Message)) and each.actor == event.actor
        for each in trace.events[max(before, place - _LOOKED_BACK, 0) : place]
    )


def _is_a_peer(whom: str) -> bool:
    """Another agent by its part in the work; what reaches a person may be any act, and an agent does more than one."""
    return not _RECIPIENT.search(whom) and not _SPOKEN_OF.match(whom)


def _hands_over(trace: Trace, at: int, message: Message, _: str) -> bool:
    """The agent itself turned to another one."""
    event = trace.events[at]
    if isinstance(event, Message):
        return event.actor == message.actor and event.to not in (None, "user")
    return isinstance(event, Handoff) and event.actor == message.actor


def _passes_on(trace: Trace, at: int, message: Message, whom: str) -> bool:
    """A handoff, another agent at work, or an act: what a tool is called says nothing of whom it reaches."""
    event = trace.events[at]
    if isinstance(event, Handoff):
        return True
    if isinstance(event, ToolCall):
        if event.actor != message.actor:
            return True
        return effect_of(trace, event.tool) != "reads" and not _is_another_matter(trace, at, event, whom)
    return isinstance(event, Message) and event.role == "agent" and event.actor != message.actor


def _is_another_matter(trace: Trace, at: int, call: ToolCall, whom: str) -> bool:
    """The user had asked for this very act, and it neither tells anybody anything nor speaks of passing on."""
    tool = vocabulary(trace).tools.get(call.tool)
    if tool is None or tool.effect == "reaches-outside" or not heard(trace).asks_for(tool.acts, at):
        return False
    if not tool.all.isdisjoint(_CARRIES) or not tool.all.isdisjoint(meaning(whom)):
        return False
    texts = [value for _, value in leaves(call.arguments) if isinstance(value, str)]
    return not any(len(text.split()) > _A_FEW or _RECIPIENT.search(text) for text in texts)


_A_FEW = 4
_CARRIES = frozenset(
    meaning(
        "transfer hand escalate escalation route redirect forward refer referral delegate connect assign queue ticket "
        "incident dispute complaint claim report notify notification alert inform message email contact note flag "
        "team human person staff specialist supervisor manager department review submit callback handover handoff"
    )
)
