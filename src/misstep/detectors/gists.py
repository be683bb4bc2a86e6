"""A trace and what was found in it → its gist: little enough to keep thousands, enough to compare others with."""

import hashlib
from collections.abc import Iterable

import msgspec

from misstep.core.event import ToolCall
from misstep.core.finding import Finding
from misstep.core.gist import Gist, GistCall
from misstep.core.trace import Exchange, Trace
from misstep.detectors.evidence.outcomes import effect_of, failed

MOST_CALLS = 500
LONGEST_ARGUMENTS = 400
LONGEST_WORDS = 300

_encoder = msgspec.json.Encoder(order="sorted")


def gist_of(trace: Trace, findings: Iterable[Finding] = ()) -> Gist:
    """At most so many calls, the last ones; long arguments are cut, with a digest that keeps them apart."""
    words = next((message.text for _, message in reversed(trace.messages) if message.role == "agent"), "")
    return Gist(
        trace=trace.id,
        calls=tuple(_call(trace, exchange) for exchange in trace.exchanges[-MOST_CALLS:]),
        end=trace.end,
        usage=trace.usage,
        modes=tuple(sorted({finding.mode for finding in findings if finding.present})),
        last_words=words[:LONGEST_WORDS],
    )


def _call(trace: Trace, exchange: Exchange) -> GistCall:
    effect, result = effect_of(trace, exchange.call), exchange.result
    return GistCall(
        at=exchange.at,
        tool=exchange.call.tool,
        arguments=_arguments(exchange.call),
        effect=effect,
        succeeded=result is not None and not failed(result, effect),
    )


def _arguments(call: ToolCall) -> str:
    text = call.malformed if call.malformed is not None else _encoder.encode(call.arguments).decode()
    if len(text) <= LONGEST_ARGUMENTS:
        return text
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{text[:LONGEST_ARGUMENTS]}…{digest}"
