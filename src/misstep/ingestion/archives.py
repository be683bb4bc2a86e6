"""An archive of an Inspect log → its samples, one at a time."""

import zipfile
import zlib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from struct import Struct
from typing import Any, cast

from misstep.core.errors import FormatError
from misstep.core.tool import JSON
from misstep.ingestion.decoding import decoded
from misstep.ingestion.fields import table
from misstep.ingestion.nouns import BadRecord, Record
from misstep.ingestion.splitting import LARGEST, too_large

_SAMPLES = "samples/"
_ZSTANDARD = 93
_HEAD = Struct("<26xHH")
"""Before the bytes of a member: at its end, how long the name and the notes are that follow."""


def is_archive(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def samples(path: Path) -> Iterator[Record | BadRecord]:
    """Each sample as a log of its own, with the header that all share; sorted by name."""
    try:
        with zipfile.ZipFile(path) as archive:
            header = _header(archive)
            names = sorted(each for each in archive.namelist() if each.startswith(_SAMPLES) and each.endswith(".json"))
            if not names:
                yield BadRecord(path, "the archive", "There are no samples in it, so that it is no log of Inspect.")
            for each in names:
                yield _sample(path, archive, each, header)
    except (OSError, zipfile.BadZipFile) as error:
        yield BadRecord(path, "the archive", f"It cannot be unpacked: {error}.")


def _header(archive: zipfile.ZipFile) -> JSON:
    for each in ("header.json", "_journal/start.json"):
        try:
            return table(decoded(_unpacked(archive, each))).get("eval")
        except (KeyError, FormatError):
            continue
    return None


def _sample(path: Path, archive: zipfile.ZipFile, each: str, header: JSON) -> Record | BadRecord:
    try:
        return Record(each, {"eval": header, "samples": [decoded(_unpacked(archive, each))]})
    except (KeyError, FormatError) as error:
        return BadRecord(path, each, str(error))


def _unpacked(archive: zipfile.ZipFile, each: str) -> bytes:
    """The bytes of a member, and no more than are held of any record, whatever the archive says of its size."""
    try:
        data = _read(archive, each)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        raise FormatError(f"It cannot be unpacked: {error}.") from None
    if len(data) > LARGEST:
        raise FormatError(too_large(LARGEST))
    return data


def _read(archive: zipfile.ZipFile, each: str) -> bytes:
    try:
        with archive.open(each) as file:
            return file.read(LARGEST + 1)
    except NotImplementedError:
        info = archive.getinfo(each)
        if info.compress_type != _ZSTANDARD:
            raise FormatError(f"It is packed by a method that is not known here: {info.compress_type}.") from None
        return _by_zstandard(archive, info)


def _by_zstandard(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """As Inspect packs its logs today; Python knows how to unpack that from 3.14 on."""
    try:
        zstandard = cast(Any, import_module("zstandard"))
    except ImportError:
        other = "or run `inspect log convert --to json` on the log"
        raise FormatError(f"It is packed by Zstandard. Run `pip install zstandard`, {other}.") from None
    with Path(archive.filename or "").open("rb") as file:
        file.seek(info.header_offset)
        head = file.read(_HEAD.size)
        if len(head) < _HEAD.size:
            raise FormatError("It cannot be unpacked: the archive breaks off.")
        file.seek(sum(_HEAD.unpack(head)), 1)
        packed = file.read(min(info.compress_size, LARGEST))
    try:
        return bytes(zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True).read(LARGEST + 1))
    except zstandard.ZstdError as error:
        raise FormatError(f"It cannot be unpacked: {error}.") from None
