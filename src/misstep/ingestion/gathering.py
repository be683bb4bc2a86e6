"""Records that are one message each → the conversations that they are of."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from misstep.core.tool import JSON
from misstep.ingestion.drafting import Source
from misstep.ingestion.fields import table
from misstep.ingestion.losses import Losses
from misstep.ingestion.naming import conversation_of
from misstep.ingestion.nouns import Record

_MOST_MESSAGES = 1_000_000
"""So many messages are held at a time; past that, the conversation that was longest silent is taken to be over."""

_RESUMED = "conversations went on after a million messages of others"
_ENVELOPES = ("message", "payload")


class Gathered(Struct, frozen=True):
    """A conversation as a list of messages, and where in the file each of them stands."""

    record: Record
    sources: list[Source]


class Gathering:
    """Conversations that may go on."""

    def __init__(self, losses: Losses, *, most: int = _MOST_MESSAGES) -> None:
        self._losses = losses
        self._most = most
        self._held = 0
        self._open: dict[str, tuple[list[JSON], list[Source]]] = {}
        self._closed: set[str] = set()

    def add(self, message: Mapping[str, JSON], place: str) -> Iterator[Gathered]:
        """Put a message to those of its conversation; what comes back is over."""
        key = conversation_of(message) or ""
        messages, sources = self._open.pop(key, ([], []))
        self._open[key] = (messages, sources)  # at the end: it was the last to speak
        messages.append(message)
        sources.append(_source(place))
        self._held += 1
        if self._held > self._most:
            yield self._over(next(iter(self._open)))

    def rest(self) -> Iterator[Gathered]:
        """The file is at its end, and so are all conversations."""
        for key in list(self._open):
            yield self._over(key)

    def _over(self, key: str) -> Gathered:
        messages, sources = self._open.pop(key)
        self._held -= len(messages)
        self._losses.count(_RESUMED, 1, key in self._closed)
        self._closed.add(key)
        return Gathered(Record(key, messages), sources)


def _source(place: str) -> Source:
    """A line by its name, an item of a list by its index."""
    kind, _, number = place.rpartition(" ")
    return int(number) - 1 if kind.endswith("item") and number.isdecimal() else place


def unwrapped(value: JSON) -> Mapping[str, JSON]:
    """A message without the envelope that some logs put around each; what the envelope says of it is kept."""
    record = table(value)
    for key in _ENVELOPES:
        inner = table(record.get(key))
        if inner and ("role" in inner or "type" in inner):
            outer = {name: each for name, each in record.items() if name not in ("type", key) and name not in inner}
            return {**inner, **outer}
    return record
