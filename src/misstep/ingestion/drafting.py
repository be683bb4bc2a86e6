"""What a transcript says, in order → the events of a Trace, with calls and results paired and times put straight."""

from collections import deque
from collections.abc import Mapping

from msgspec import structs

from misstep.core.event import Event, Handoff, Message, Role, Thought, ToolCall, ToolResult
from misstep.core.tool import JSON, Tool
from misstep.core.trace import Origin, Trace, Usage
from misstep.ingestion.decoding import arguments_of, bounded, kept, parsed
from misstep.ingestion.losses import Losses
from misstep.ingestion.times import Clock

Source = str | int
NOTHING: Mapping[str, JSON] = {}

_NO_TEXT = "messages carry no text"
_NO_RESULT = "calls have no result"
_NO_CALL = "tool results match no call"
_NO_NAME = "calls do not name their tool"
_ADVICE = {
    _NO_TEXT: "switch on the recording of content where the transcript is written, if these were not images or empty",
    _NO_RESULT: "write the tools' answers into the transcript too, each with the id of its call",
    _NO_CALL: "write the calls into the transcript too, each with the id that its result refers to",
    _NO_NAME: "write the name of the tool with each call",
}


class Draft:
    """A Trace being read from a transcript."""

    def __init__(self, losses: Losses) -> None:
        self._losses = losses
        self._events: list[Event] = []
        self._open: dict[str, deque[tuple[str, Source]]] = {}
        """By the id in the file: the calls that wait for a result, each by its own id and its place."""
        self._tool_of: dict[str, str] = {}
        self._clock = Clock()
        self._at_s = 0.0
        self._turns = 0

    def now(self, moment: JSON) -> None:
        """From here on, events happened at this time: seconds since 1970, or ISO; anything else changes nothing."""
        self._at_s = self._clock.at_s(moment)

    def said(
        self,
        role: Role,
        text: str,
        *,
        actor: str,
        source: Source,
        to: str | None = None,
        raw: Mapping[str, JSON] = NOTHING,
    ) -> None:
        """Something said. An agent's empty message is nothing where it only made calls: do not tell of it then."""
        self._losses.seen(_NO_TEXT, _ADVICE[_NO_TEXT])
        if not text.strip():
            self._losses.lost(_NO_TEXT)
        self._turns += role == "agent"
        self._add(Message(role=role, text=text, to=to, actor=actor, source=source, at_s=self._at_s, raw=bounded(raw)))

    def thought(self, text: str, *, actor: str, source: Source, raw: Mapping[str, JSON] = NOTHING) -> None:
        if text.strip() or raw:
            self._add(Thought(text=text, actor=actor, source=source, at_s=self._at_s, raw=bounded(raw)))

    def handed(self, to: str, text: str, *, actor: str, source: Source, raw: Mapping[str, JSON] = NOTHING) -> None:
        self._add(Handoff(to=to, text=text, actor=actor, source=source, at_s=self._at_s, raw=bounded(raw)))

    def called(
        self, tool: str, arguments: JSON, *, call_id: str, actor: str, source: Source, raw: Mapping[str, JSON] = NOTHING
    ) -> None:
        """A call, whose arguments may be an object or the text of one.

        An id that was used before gets a number: call ids repeat in transcripts, and each call has its own result.
        """
        own = call_id or f"call {len(self._tool_of) + 1}"
        if own in self._tool_of:
            raw = {**raw, "call_id": call_id}
            own = f"{own}#{len(self._tool_of) + 1}"
        self._losses.seen(_NO_NAME, _ADVICE[_NO_NAME])
        if not tool:
            self._losses.lost(_NO_NAME)
        self._tool_of[own] = tool
        waiting = self._open.setdefault(call_id, deque())
        while waiting and waiting[0][1] != source:  # an earlier message's: it never got its answer
            waiting.popleft()
        waiting.append((own, source))
        held, malformed = arguments_of(arguments)
        self._add(
            ToolCall(
                call_id=own,
                tool=tool,
                arguments=held,
                malformed=malformed,
                actor=actor,
                source=source,
                at_s=self._at_s,
                raw=bounded(raw),
            )
        )

    def answered(
        self,
        content: JSON,
        *,
        call_id: str,
        source: Source,
        tool: str = "",
        is_error: bool = False,
        raw: Mapping[str, JSON] = NOTHING,
    ) -> None:
        """What came back; text that is a JSON object or array is read as one."""
        own = self._claimed(call_id, tool)
        self._losses.seen(_NO_CALL, _ADVICE[_NO_CALL])
        if own is None:
            self._losses.lost(_NO_CALL)
        own = own if own is not None else call_id or f"result {len(self._events)}"
        self._add(
            ToolResult(
                call_id=own,
                content=parsed(content) if isinstance(content, str) else kept(content),
                is_error=is_error,
                actor=tool or self._tool_of.get(own) or "tool",
                source=source,
                at_s=self._at_s,
                raw=bounded(raw),
            )
        )

    def _claimed(self, call_id: str, tool: str) -> str | None:
        """The call that a result answers: the first that waits under its id; without an id, of its tool, or any."""
        if call_id:
            waiting = self._open.get(call_id)
            return waiting.popleft()[0] if waiting else None
        queues = [queue for queue in self._open.values() if queue]
        named = [queue for queue in queues if tool and self._tool_of[queue[0][0]] == tool]
        unnamed = [queue for queue in queues if not tool or not self._tool_of[queue[0][0]]]
        for queue in (*named, *unnamed):
            return queue.popleft()[0]
        return None

    def _add(self, event: Event) -> None:
        self._events.append(event)

    def __len__(self) -> int:
        return len(self._events)

    def trace(
        self, name: str, *, origin: Origin | None = None, tools: tuple[Tool, ...] = (), usage: Usage | None = None
    ) -> Trace:
        """All of it. Usage that the file does not tell of is counted."""
        calls = len(self._tool_of)
        waiting = sum(len(queue) for queue in self._open.values())
        self._losses.seen(_NO_RESULT, _ADVICE[_NO_RESULT], times=calls)
        self._losses.lost(_NO_RESULT, times=waiting)
        origin, usage = origin or Origin(), usage or Usage()
        return Trace(
            id=name,
            events=tuple(self._events),
            tools=tools,
            usage=structs.replace(
                usage,
                turns=usage.turns or self._turns,
                calls=usage.calls or calls,
                seconds=usage.seconds or self._at_s,
            ),
            origin=structs.replace(origin, began=origin.began or self._clock.began),
        )
