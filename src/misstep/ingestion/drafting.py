"""What a transcript says, in order → the events of a Trace, with calls and results paired and times put straight."""

from collections import defaultdict, deque
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
_NO_CALL = "tool results match no call"
_NO_NAME = "calls do not name their tool"
_ADVICE = {
    _NO_TEXT: "switch on the recording of content where the transcript is written, if these were not images or empty",
    _NO_CALL: "write the calls into the transcript too, each with the id that its result refers to",
    _NO_NAME: "write the name of the tool with each call",
}


class Draft:
    """A Trace being read from a transcript."""

    def __init__(self, losses: Losses) -> None:
        self._losses = losses
        self._events: list[Event] = []
        self._calls = _Calls()
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
        self._count(_NO_TEXT, lost=not text.strip())
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
        self._count(_NO_NAME, lost=not tool)
        own = self._calls.opened(call_id, tool, source)
        if call_id and own != call_id:
            raw = {**raw, "call_id": call_id}
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
        own = self._calls.claimed(call_id, tool)
        self._count(_NO_CALL, lost=own is None)
        own = own if own is not None else call_id or f"result {len(self._events)}"
        self._add(
            ToolResult(
                call_id=own,
                content=parsed(content) if isinstance(content, str) else kept(content),
                is_error=is_error,
                actor=tool or self._calls.tool_of.get(own) or "tool",
                source=source,
                at_s=self._at_s,
                raw=bounded(raw),
            )
        )

    def _add(self, event: Event) -> None:
        self._events.append(event)

    def _count(self, what: str, *, lost: bool) -> None:
        self._losses.count(what, 1, lost, _ADVICE[what])

    def __len__(self) -> int:
        return len(self._events)

    @property
    def awaits(self) -> bool:
        """Whether some call has no result yet."""
        return self._calls.awaits

    def trace(
        self, name: str, *, origin: Origin | None = None, tools: tuple[Tool, ...] = (), usage: Usage | None = None
    ) -> Trace:
        """All of it. Usage that the file does not tell of is counted."""
        origin, usage = origin or Origin(), usage or Usage()
        trace = Trace(
            id=name,
            events=tuple(self._events),
            tools=tools,
            usage=structs.replace(
                usage,
                turns=usage.turns or self._turns,
                calls=usage.calls or len(self._calls.tool_of),
                seconds=usage.seconds or self._at_s,
            ),
            origin=structs.replace(origin, began=origin.began or self._clock.began),
        )
        results = (pair.result for pair in trace.exchanges)
        unanswered = sum(not result or (result.content is None and not result.is_error) for result in results)
        self._losses.lacking(trace, unanswered=unanswered, listed=bool(tools))
        return trace


class _Calls:
    """The calls of a transcript that wait for their results, by all that a result may say of its call."""

    def __init__(self) -> None:
        self.tool_of: dict[str, str] = {}
        self._open: set[str] = set()
        self._by_id: defaultdict[str, deque[tuple[str, Source]]] = defaultdict(deque)
        self._by_tool: defaultdict[str, deque[str]] = defaultdict(deque)
        self._in_order: deque[str] = deque()

    @property
    def awaits(self) -> bool:
        return bool(self._open)

    def opened(self, call_id: str, tool: str, source: Source) -> str:
        """A call is made: its own id, which no other call of the transcript has."""
        own = call_id or f"call {len(self.tool_of) + 1}"
        while own in self.tool_of:
            own = f"{own}#{len(self.tool_of) + 1}"
        self.tool_of[own] = tool
        self._open.add(own)
        namesakes = self._by_id[call_id]
        while call_id and namesakes and namesakes[0][1] != source:  # an earlier message's: it never got its answer
            self._open.discard(namesakes.popleft()[0])
        namesakes.append((own, source))
        self._by_tool[tool].append(own)
        self._in_order.append(own)
        return own

    def claimed(self, call_id: str, tool: str) -> str | None:
        """The call that a result answers: the first that waits under its id; without an id, of its tool, or any."""
        found = None
        if call_id:
            namesakes = self._by_id.get(call_id)
            found = namesakes.popleft()[0] if namesakes else None
        else:
            for queue in (self._by_tool[tool], self._by_tool[""]) if tool else (self._in_order,):
                while queue and queue[0] not in self._open:
                    queue.popleft()
                if queue:
                    found = queue.popleft()
                    break
        if found is not None and found in self._open:
            self._open.discard(found)
            return found
        return None
