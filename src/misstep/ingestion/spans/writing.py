"""Events onto a tape, each noted as heard, so that no prompt repeats it."""

from collections import Counter

from msgspec import Struct, structs

from misstep.core.event import Event, Message, Role, Thought, ToolCall, ToolResult
from misstep.core.tool import JSON
from misstep.ingestion.spans.hearing import Heard
from misstep.ingestion.spans.said import Call, Speaker
from misstep.ingestion.spans.tree import Node
from misstep.ingestion.spans.values import structure

ENVIRONMENT = "environment"
"""Who answers where no tool was called: what running a model's code gave, or an error of the framework."""


_EMPTY: tuple[JSON, ...] = (None, "", [], {})


class Moment(Struct, frozen=True):
    """Where and when an event is: the span that shows it, and a time."""

    node: Node
    at_ns: int
    raw: dict[str, JSON] | None = None


class Writing:
    """Events so far, and what they hold."""

    def __init__(self, began_ns: int) -> None:
        self.events: list[Event] = []
        self.heard = Heard()
        self.answered: dict[str, int] = {}
        """Where the results of calls are: of those that share an id, that of the last."""
        self.untold: set[str] = set()
        """Calls that have a result of which nobody has told the content."""
        self._waiting: Counter[str] = Counter()
        self.last_said: Message | None = None
        self._began_ns = began_ns
        self._tools: dict[str, str] = {}

    def at_s(self, at_ns: int) -> float:
        return max(0, at_ns - self._began_ns) / 1e9 if at_ns else 0.0

    def is_call(self, call_id: str) -> bool:
        return call_id in self._tools

    def message(self, at: Moment, role: Role, actor: str, words: str, *, to: str | None = None, by: str = "") -> None:
        """`by` is whose memory it goes into, where that is not the one who speaks."""
        speaker: Speaker = role
        self.heard.note_text(speaker, words, by or actor, at.node.span.trace_id)
        message = Message(
            actor=actor,
            at_s=self.at_s(at.at_ns),
            source=at.node.span.span_id,
            raw=at.raw,
            role=role,
            text=words,
            to=to,
        )
        self.last_said = message
        self.events.append(message)

    def thought(self, at: Moment, actor: str, words: str) -> None:
        self.heard.note_text("agent", words, actor)
        source = at.node.span.span_id
        self.events.append(Thought(actor=actor, at_s=self.at_s(at.at_ns), source=source, raw=at.raw, text=words))

    def call(self, at: Moment, actor: str, call: Call, call_id: str) -> None:
        self._tools[call_id] = call.name
        self._waiting[call_id] += 1
        self.events.append(
            ToolCall(
                actor=actor,
                at_s=self.at_s(at.at_ns),
                source=at.node.span.span_id,
                raw=at.raw,
                call_id=call_id,
                tool=call.name,
                arguments=call.arguments,
                malformed=call.malformed,
            )
        )

    def result(self, at: Moment, call_id: str, content: JSON, *, failed: bool, to: str, tool: str = "") -> None:
        """`to` is the agent that gets it."""
        self.heard.note_result(call_id, content, to)
        if self._waiting[call_id] <= 0 and self.complete(call_id, content, failed=failed):
            return
        self._waiting[call_id] = max(0, self._waiting[call_id] - 1)
        if call_id:
            self.answered[call_id] = len(self.events)
        if call_id and content is None:
            self.untold.add(call_id)
        self.events.append(
            ToolResult(
                actor=self._tools.get(call_id) or tool or "tool",
                at_s=self.at_s(at.at_ns),
                source=at.node.span.span_id,
                raw=at.raw,
                call_id=call_id,
                content=structure(content),
                is_error=failed,
            )
        )

    def complete(self, call_id: str, content: JSON, *, failed: bool) -> bool:
        """Give a result its content, where it was told without; whether there is such a result at all.

        A tool's own span and the prompt after it both tell of it, in either order, and either may leave it empty.
        """
        known = self.events[self.answered[call_id]] if call_id in self.answered else None
        if not isinstance(known, ToolResult):
            return False
        if known.content in _EMPTY and content not in _EMPTY:
            self.untold.discard(call_id)
            told = structs.replace(known, content=structure(content), is_error=known.is_error or failed)
            self.events[self.answered[call_id]] = told
        return True
