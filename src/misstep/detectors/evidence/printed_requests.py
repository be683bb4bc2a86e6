"""A trace → requests to a named helper that its agent only printed, so that the helper never got them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from misstep.core.event import Handoff, Message, ToolCall, ToolResult
from misstep.core.trace import Trace
from misstep.detectors.evidence.outcomes import told

_TURNS_TO = re.compile(
    r"\b(?:i|we|let me|let's)\b[^.\n]{0,60}\b(?:"
    r"(?:ask|query|request|task|delegat|instruct|contact|consult)(?:e|ing)?\b[^.\n]{0,60}?"
    r"\b(?P<whom>[a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b"
    r"|(?:call|us|hand)(?:e|ing)?\b[^.\n]{0,40}?\b(?P<helper>(?:[a-z0-9]+_)+(?:agent|assistant|expert|helper|worker)s?)\b)",
    re.IGNORECASE,
)
_LONGEST = 20_000
_LEAST = 30
"""Letters of a line that came back: fewer may stand in any text."""


class Printed(NamedTuple):
    """Where a request was written, for whom, and where it came back as it was."""

    at: int
    whom: str
    echoed_at: int


def printed_requests(trace: Trace) -> Iterator[Printed]:
    """What ran the code of a message gives back the request itself; nobody was called and nothing handed over."""
    answers = {exchange.result_at for exchange in trace.exchanges}
    asking: tuple[int, Message] | None = None
    for at, event in enumerate(trace.events):
        if isinstance(event, Message) and event.role == "agent":
            asking = (at, event) if "```" in event.text and len(event.text) <= _LONGEST else None
        elif isinstance(event, (ToolCall, Handoff)):
            asking = None
        elif isinstance(event, ToolResult) and asking is not None and at not in answers and not event.is_error:
            whom = _TURNS_TO.search(asking[1].text.partition("```")[0])
            if whom is not None and _is_echo(told(event, 1500), asking[1].text):
                yield Printed(asking[0], whom["whom"] or whom["helper"], at)
            asking = None


def _is_echo(result: str, written: str) -> bool:
    """A long line of the result stands in what was written, but for quotes and breaks between its pieces."""
    source = _letters(written)
    lines = (_letters(line) for line in result.splitlines())
    return any(len(line) >= _LEAST and line[: 2 * _LEAST] in source for line in lines)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
