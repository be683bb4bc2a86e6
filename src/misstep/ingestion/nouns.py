"""What reading a foreign file is about: a record, one that could not be read, and what an import lost."""

from pathlib import Path

from msgspec import Struct

from misstep.core.tool import JSON


class Record(Struct, frozen=True):
    """One JSON value of a file, and where in the file it is (`line 12`, `item 3`)."""

    place: str
    value: JSON


class BadRecord(Struct, frozen=True):
    """Something that could not be read: passed over, and reported with its place."""

    file: Path
    place: str
    because: str


class Loss(Struct, frozen=True):
    """Something that the traces lack: how often, out of how many, and what to switch on."""

    what: str
    """A clause with its subject, such as `tool spans carry no result`."""
    lost: int
    of: int
    advice: str = ""
