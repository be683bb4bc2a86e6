"""An Event: one thing that happened in a conversation, as a tagged union."""

from typing import Literal

from msgspec import Struct

from misstep.core.tool import JSON, Server

Role = Literal["user", "agent", "system"]

USER = "user"
"""The actor of what the user says, and of calls that the user makes with tools of their own."""


class _Event(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    actor: str
    at_s: float = 0.0
    """Seconds since the conversation began; simulated ones in a simulation."""
    source: str | int | None = None
    """Its place in the file that it came from: a span id, a message index."""
    raw: dict[str, JSON] | None = None
    """What a foreign file said about it beyond what the fields can hold."""


class Message(_Event, frozen=True, kw_only=True, tag="message"):
    """Something said, by a user, an agent or the system."""

    role: Role
    text: str
    to: str | None = None


class ToolCall(_Event, frozen=True, kw_only=True, tag="tool_call"):
    """A call that was made. Call ids may repeat in foreign traces: `Trace.exchanges` pairs by position too."""

    call_id: str
    tool: str
    arguments: dict[str, JSON] = {}
    malformed: str | None = None
    """The arguments as text, where they were not a JSON object."""


class ToolResult(_Event, frozen=True, kw_only=True, tag="tool_result"):
    """What came back from a call."""

    call_id: str
    content: JSON = None
    is_error: bool = False
    served_by: Server | None = None
    fault: str | None = None


class Thought(_Event, frozen=True, kw_only=True, tag="thought"):
    """Reasoning that nobody else heard."""

    text: str


class Handoff(_Event, frozen=True, kw_only=True, tag="handoff"):
    """Work passed from one agent to another, with what was said of it."""

    to: str
    text: str = ""


class Memory(_Event, frozen=True, kw_only=True, tag="memory"):
    """A note read from, written to or deleted from what an agent keeps between turns or sessions."""

    action: Literal["read", "write", "delete"]
    key: str
    content: JSON = None


class Blocked(_Event, frozen=True, kw_only=True, tag="blocked"):
    """A call that a guardrail stopped: it did not happen."""

    tool: str
    arguments: dict[str, JSON] = {}
    guardrail: str
    reason: str


Event = Message | ToolCall | ToolResult | Thought | Handoff | Memory | Blocked
