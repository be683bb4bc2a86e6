"""What a fault does to the bytes of an answer, carried by the Answer to whoever writes them.

In process there are no bytes: there an agent gets what a client library would make of them, an error. Whoever serves
the answer over a wire finds here what to put on it instead.
"""

from typing import Literal

import msgspec
from msgspec import Struct, structs

from misstep.core.tool import JSON, Answer

_CARRIED = "misstep/wire"

Form = Literal["noise", "cut", "encoding"]
"""A line that is no JSON at all, JSON that breaks off, or bytes that are no UTF-8."""


class Garbled(Struct, frozen=True, tag="garbled"):
    """Bytes that nobody can read stand where the answer should."""

    form: Form
    answer: Answer
    """What would have been read."""


class Unending(Struct, frozen=True, tag="unending"):
    """For so many seconds something comes again and again, and the answer does not."""

    seconds: float


OnWire = Garbled | Unending


def carrying(answer: Answer, on_wire: OnWire) -> Answer:
    """The answer as it is in process, with what is to happen on a wire."""
    block: dict[str, JSON] = {"type": _CARRIED, "what": msgspec.json.decode(msgspec.json.encode(on_wire))}
    return structs.replace(answer, parts=(block,))


def carried_by(answer: Answer) -> OnWire | None:
    """What a fault wants done on the wire. A server's own blocks are never taken for that: a seal comes last there."""
    if not answer.parts or answer.parts[-1].get("type") != _CARRIED or answer.served_by != "faulted":
        return None
    return msgspec.convert(answer.parts[-1]["what"], OnWire)


def without_wire(answer: Answer) -> Answer:
    """The answer as it is in process."""
    return structs.replace(answer, parts=None) if carried_by(answer) else answer
