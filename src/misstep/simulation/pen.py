"""The writing end of the tape for an agent that records its thoughts, handoffs and memory: it can forge nothing."""

import msgspec

from misstep.core.event import Event, Handoff, Memory, Message, Thought
from misstep.core.tape import Tape

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Message | Thought | Handoff | Memory)


class Pen:
    """A Recorder that takes what an agent may say of itself, as a copy that no later change reaches."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape

    def append(self, event: Event) -> int:
        try:
            copy = _decoder.decode(_encoder.encode(event))
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise TypeError(f"an agent may record thoughts, handoffs, memory and its own messages: {error}") from None
        if isinstance(copy, Message) and copy.role == "user":
            raise TypeError("an agent may not speak for the user")
        return self._tape.append(copy)
