"""A Trace: everything that happened in one conversation; and the versioned file format that holds one."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal

import msgspec
from msgspec import Struct, structs

from misstep.core.errors import FormatError
from misstep.core.event import USER, Event, Message, Thought, ToolCall, ToolResult
from misstep.core.policy import Policy
from misstep.core.state import Change
from misstep.core.tool import JSON, Tool

FORMAT = "misstep.trace/1"

End = Literal[
    "finished",  # the user was content, or had nothing more to say
    "gave-up",  # the user's patience was spent
    "turns",
    "calls",
    "seconds",
    "agent-raised",
    "agent-hung",
    "agent-nonsense",  # the agent answered with something that is no text
    "simulator",  # what we broke ourselves
    "unknown",
]


class Usage(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a conversation cost."""

    turns: int = 0
    calls: int = 0
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0


class Origin(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a trace comes from: a simulated trial, or a file or service."""

    scenario: str | None = None
    seed: int | None = None
    trial: int | None = None
    agent: str | None = None
    tools: str | None = None
    file: str | None = None
    service: str | None = None
    conversation: str | None = None
    dialect: str | None = None
    user: str | None = None
    """Which of the simulated users it was, where there was one."""
    began: str | None = None
    """When it was, as an ISO date and time, where a foreign file says so."""
    failed: bool | None = None
    """What a foreign file says of how it went; no detector gets to see it."""


class Exchange(Struct, frozen=True):
    """A call with the result that answered it, and the places of both in the trace."""

    at: int
    call: ToolCall
    result_at: int | None
    result: ToolResult | None

    @property
    def succeeded(self) -> bool:
        return self.result is not None and not self.result.is_error


class Trace(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    dict=True,
    tag_field="format",
    tag=FORMAT,
):
    """Everything that happened in one conversation, in order, with what was on offer."""

    id: str
    events: tuple[Event, ...] = ()
    tools: tuple[Tool, ...] = ()
    policy: Policy | None = None
    changes: tuple[Change, ...] | None = None
    """The state before and after, where they differ; none where there is no state to be seen."""
    usage: Usage = Usage()
    origin: Origin = Origin()
    end: End = "unknown"
    error: str | None = None
    """What was raised, where the end was not a regular one."""

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Each call with its result: the next unclaimed one with the same id."""
        waiting: defaultdict[str, deque[tuple[int, ToolResult]]] = defaultdict(deque)
        for at, event in enumerate(self.events):
            if isinstance(event, ToolResult):
                waiting[event.call_id].append((at, event))
        return tuple(self._pairs(waiting))

    def _pairs(self, waiting: Mapping[str, deque[tuple[int, ToolResult]]]) -> Iterator[Exchange]:
        for at, event in enumerate(self.events):
            if isinstance(event, ToolCall):
                results = waiting.get(event.call_id)
                while results and results[0][0] < at:
                    results.popleft()
                result_at, result = results.popleft() if results else (None, None)
                yield Exchange(at, event, result_at, result)

    @cached_property
    def messages(self) -> tuple[tuple[int, Message], ...]:
        """What was said, each with its place."""
        return tuple((at, event) for at, event in enumerate(self.events) if isinstance(event, Message))

    @cached_property
    def tool_named(self) -> Mapping[str, Tool]:
        return {tool.name: tool for tool in self.tools}

    def as_heard(self) -> "Trace":
        """The same conversation without what a user did with tools of their own: an agent only hears of that.

        A thought of the user's without words stands in each place, so that no other event moves.
        """
        unheard: set[int] = set()
        if any(isinstance(event, ToolCall) and event.actor == USER for event in self.events):
            pairs = [(each.at, each.result_at) for each in self.exchanges if each.call.actor == USER]
            unheard = {at for pair in pairs for at in pair if at is not None}
        if not unheard:
            return self
        events = tuple(
            Thought(actor=USER, at_s=event.at_s, text="") if at in unheard else event
            for at, event in enumerate(self.events)
        )
        return structs.replace(self, events=events)

    def blinded(self) -> "Trace":
        """Without what a detector may not know: its origin, which answers were faulted, and what only the user saw."""
        events = tuple(
            structs.replace(event, served_by=None, fault=None) if isinstance(event, ToolResult) else event
            for event in self.as_heard().events
        )
        return structs.replace(self, id="", events=events, origin=Origin())


class _Header(Struct):
    format: JSON = None


class _Other(Struct, tag_field="format", tag=""):
    """Never read: msgspec demands the tag only where there is a choice."""


_encoder = msgspec.json.Encoder(order="deterministic")
_decoder = msgspec.json.Decoder(Trace | _Other)
_header = msgspec.json.Decoder(_Header)


def encode_trace(trace: Trace) -> bytes:
    """One line of JSON, without the line end; the same trace gives the same bytes.

    What JSON cannot hold (foreign objects, broken Unicode, endless nesting) raises FormatError.
    """
    try:
        return _encoder.encode(trace)
    except (TypeError, ValueError, RecursionError) as error:
        raise FormatError(f"The trace {trace.id!r} cannot be written as JSON: {error}.") from None


def decode_trace(line: bytes | str) -> Trace:
    """Read one trace; what cannot be read raises FormatError that says why and what to do."""
    try:
        decoded = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise FormatError(_explanation(line, error)) from None
    if isinstance(decoded, Trace):
        return decoded
    raise FormatError(_explanation(line, None))


def _explanation(line: bytes | str, error: Exception | None) -> str:
    try:
        form = _header.decode(line).format
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return f"This is not a trace: {error}."
    if form is None:
        return f"This is JSON, but no Misstep trace: it has no 'format' field that says {FORMAT!r}."
    if form == FORMAT:
        return f"This says that it is {FORMAT!r}, but {error}."
    if isinstance(form, str) and form.startswith("misstep.trace/"):
        return (
            f"This trace has the format {form!r}; this version of Misstep reads {FORMAT!r}. Update Misstep to read it."
        )
    return f"The format {form!r} is not one that Misstep reads here; it reads {FORMAT!r}."
