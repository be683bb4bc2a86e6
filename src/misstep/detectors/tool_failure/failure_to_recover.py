"""Trace → errors that could have been mended, after which the agent saw them and gave up."""

import re
from collections import Counter
from collections.abc import Iterator

from misstep.core.finding import Finding
from misstep.core.trace import Exchange, Trace
from misstep.core.words import split_identifier, words
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.aftermath import Aftermath, aftermath, tried_another_way
from misstep.detectors.evidence.heard import heard
from misstep.detectors.evidence.outcomes import effect_of, failed, outcome, told
from misstep.detectors.evidence.trouble import asks, tells_of_trouble
from misstep.objectives.once import once_per_trace

_READ = 600
_HINT = re.compile(
    r"\b(?:did|perhaps|maybe) you (?:mean|meant)\b|\byou may have meant\b|\b(?:most similar|closest match)\b"
    r"|\bmust be one of\b|\bshould be one of\b|\b(?:valid|allowed|accepted|available|possible) "
    r"(?:values|options|choices|formats?|names|arguments|tools|functions)\b|\binstead\b|\bexpected (?:format|one of)\b"
    r"|\bmust (?:be (?:a|an|in|of)|have|match|first)\b|\bplease (?:use|provide|specify|pass|supply)\b"
    r"|\b(?:is|are) (?:missing|required)\b|\btakes no argument\b|\bunexpected keyword\b"
    r"|\b(?:must|needs? to|please|call|you)\b[^.;\n]{0,60}\bfirst\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"(?:^|[.;:,]\s+|\bplease )(?:use|see|try|choose|pick|pass|set|specify|query|look up)\b"
    r"(?! again| later| the (?:web|app))"
    r"|\buse (?:the )?\w+(?: format| form)\b",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:must|should|has to|needs? to|expects?|expected|invalid|malformed|not (?:a )?(?:valid|number|recogni[sz]ed)"
    r"|unknown|unrecogni[sz]ed|unsupported|cannot be parsed|could not (?:parse|read)|bad|wrong|out of range"
    r"|at most|at least|maximum|minimum|no more than|exceeds?|too (?:long|large|many|short|high|low|big|small))\b",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"\bformat\w*|\bform\b|\bISO\b|\b[YMDH]{2,4}[-/.: ][MDYH]{2}|\bparse\w*|\binteger\b|\bdigits?\b|\bnumeric\b"
    r"|\bnumber\b|\bstring\b|\bupper ?case\b|\blower ?case\b|\bcode\b|\bprefix\b|\bpattern\b",
    re.IGNORECASE,
)
_PROMISES = re.compile(r"\b(?:i|we)(?:'ll| will| shall)\b[^.!?]{0,60}\b(?:again|later|soon|another)\b", re.IGNORECASE)
_DOWN = re.compile(
    r"\b(?:service|server|system|backend|database|api)\b.{0,30}\bnot (?:\w+ )?(?:available|reachable|responding)\b",
    re.I,
)


@detector("failure-to-recover", version=4)
def failure_to_recover(trace: Trace) -> Iterator[Finding]:
    """Points at where the agent gave up, then at the error."""
    for place, exchange in enumerate(trace.exchanges):
        if exchange.result is None or exchange.result_at is None or not _mendable(trace, exchange):
            continue
        if _tries(trace)[exchange.call.tool] > 1:
            continue  # it was tried again, or was the second try already; what came of that is judged by itself
        after = aftermath(trace, place)
        if any(each.succeeded for each in after.later) or tried_another_way(exchange, after.later):
            continue
        if (gave_up := _gave_up(trace, exchange, after)) is not None:
            yield Finding(
                mode="failure-to-recover",
                events=(gave_up, exchange.result_at) if gave_up != exchange.result_at else (exchange.result_at,),
                because=f"{exchange.call.tool} answered “{told(exchange.result, 100)}”, which could have been mended; "
                "the agent tried nothing else and asked for nothing.",
                confidence=0.75,
            )


def _mendable(trace: Trace, exchange: Exchange) -> bool:
    """Trying again would have been safe and might have helped, or the error says what is wanted."""
    effect, result = effect_of(trace, exchange.call), exchange.result
    if result is None or not failed(result, effect):
        return False
    came = outcome(exchange, effect)
    if came == "refused" and _DOWN.search(told(result, _READ)):
        came = "later"
    if came == "later" or (came == "unknown" and effect == "reads"):
        return True
    return came == "refused" and (_HINT.search(told(result, _READ)) is not None or _shows_the_way(trace, exchange))


def _shows_the_way(trace: Trace, exchange: Exchange) -> bool:
    """The error says which value is wrong, and it was the agent's own choice or form; or which tool would help."""
    if exchange.result is None:
        return False
    said = told(exchange.result, _READ)
    if _ADVICE.search(said) or any(name in said for name in _others_in(trace, exchange)):
        return True
    if not _WRONG.search(said):
        return False
    spoken = set(words(said))
    for name, value in exchange.call.arguments.items():
        blamed = spoken.issuperset(split_identifier(name)) or (isinstance(value, str) and value and value in said)
        if blamed and (_FORM.search(said) or not heard(trace).says(value, exchange.at)):
            return True
    return False


def _others_in(trace: Trace, exchange: Exchange) -> list[str]:
    """The names of the other tools, such as could be no ordinary word."""
    return [tool.name for tool in trace.tools if tool.name != exchange.call.tool and not tool.name.isalpha()]


@once_per_trace
def _tries(trace: Trace) -> Counter[str]:
    """How often each tool was called from its first failure on."""
    counted = Counter[str]()
    for exchange in trace.exchanges:
        tool = exchange.call.tool
        if tool in counted or (
            exchange.result is not None and failed(exchange.result, effect_of(trace, exchange.call))
        ):
            counted[tool] += 1
    return counted


def _gave_up_later(trace: Trace, exchange: Exchange) -> int | None:
    """It asked, was answered, and called nothing more: its last word says that it cannot be done."""
    if trace.exchanges[-1].at != exchange.at or not trace.messages:
        return None
    last, message = trace.messages[-1]
    if message.role != "agent" or asks(message.text) or _PROMISES.search(message.text):
        return None
    return last if tells_of_trouble(message.text) and heard(trace).spoke(last) else None


def _gave_up(trace: Trace, exchange: Exchange, after: Aftermath) -> int | None:
    if trace.end in ("agent-raised", "agent-hung") and not after.spoken and not after.later:
        return exchange.result_at
    if not after.spoken:
        return None
    if any(asks(text) for _, text in after.spoken):
        return _gave_up_later(trace, exchange)
    last, text = after.spoken[-1]
    return last if tells_of_trouble(text) and not _PROMISES.search(text) else None
