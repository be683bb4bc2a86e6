"""Trace → calls of tools that were not on offer."""

import re
from collections.abc import Iterator

from misstep.core.finding import Finding
from misstep.core.trace import Exchange, Trace
from misstep.detectors.declaring import detector
from misstep.detectors.evidence.outcomes import effect_of, failed, told

_READ = 400
_NO_SUCH_TOOL = re.compile(
    r"\b(?:unknown|undefined|unrecogni[sz]ed|invalid|unsupported|non-?existent) (?:tool|function)\b"
    r"|\b(?:no|not an?) (?:such |available |valid |known )?(?:tool|function)\b(?! (?:call|result|output|error))"
    r"|\b(?:tool|function)\b.{0,60}?\b(?:not found|does(?:n't| not) exist|(?:is|was) not (?:available|on offer|defined"
    r"|registered|recogni[sz]ed|known|a valid))\b"
    r"|\bnot (?:among|one of|in) the (?:[\w-]+ ){0,3}(?:tools|functions)\b",
    re.IGNORECASE,
)


@detector("unknown-tool", version=1)
def unknown_tool(trace: Trace) -> Iterator[Finding]:
    """Each tool that does not exist once, with every call of it."""
    called: dict[str, list[int]] = {}
    told_of: dict[str, bool] = {}
    answered: set[str] = set()
    for exchange in trace.exchanges:
        name = exchange.call.tool
        if exchange.succeeded and not _went_wrong(trace, exchange):
            answered.add(name)  # what answers exists, whatever a list of tools says
            continue
        said = _says_so(trace, exchange)
        listed = name in trace.tool_named
        # A tool that vanished after it was offered can be called once in good faith.
        if (said and (not listed or told_of.get(name))) or (trace.tools and not listed):
            called.setdefault(name, []).append(exchange.at)
        told_of[name] = told_of.get(name, False) or said
    for name, places in called.items():
        if name not in answered:
            why = "its answer says that there is no such tool" if told_of[name] else "no such tool was on offer"
            yield Finding(
                mode="unknown-tool",
                events=tuple(places),
                because=f"The agent called {name[:80]!r}, but {why}.",
                confidence=0.95 if told_of[name] else 0.85,
            )


def _went_wrong(trace: Trace, exchange: Exchange) -> bool:
    return exchange.result is not None and failed(exchange.result, effect_of(trace, exchange.call))


def _says_so(trace: Trace, exchange: Exchange) -> bool:
    if exchange.result is None or not _went_wrong(trace, exchange):
        return False
    return _NO_SUCH_TOOL.search(told(exchange.result, _READ)) is not None
