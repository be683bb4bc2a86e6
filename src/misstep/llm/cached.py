"""A source → one that remembers on disk what it was asked; for judges and emulated tools, never for an agent."""

import hashlib
import os
from pathlib import Path

import msgspec
from msgspec import Struct

from misstep.core.errors import UsageError
from misstep.llm.exchange import Reply, Request, Source, canonical

_encoder = msgspec.json.Encoder(order="deterministic")


class _Entry(Struct, frozen=True):
    request: Request
    reply: Reply


_decoder = msgspec.json.Decoder(_Entry)


class Cached:
    """The same request costs one call. An entry that cannot be read is asked for anew and replaced."""

    def __init__(self, source: Source, folder: Path) -> None:
        self._source = source
        self._folder = folder

    async def reply(self, request: Request) -> Reply:
        digest = hashlib.blake2b(canonical(request), digest_size=20).hexdigest()
        file = self._folder / digest[:2] / f"{digest[2:]}.json"
        known = _entry_in(file)
        if known is not None and known.request == request:
            return known.reply
        reply = await self._source.reply(request)
        self._keep(file, _Entry(request, reply))
        return reply

    def _keep(self, file: Path, entry: _Entry) -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            # Under another name first: a reader sees a whole entry or none, also when several processes write.
            unfinished = file.with_suffix(f".{os.getpid()}")
            unfinished.write_bytes(_encoder.encode(entry))
            unfinished.replace(file)
        except OSError as error:
            raise UsageError(
                f"The cache of model answers at {self._folder} cannot be written: {error.strerror or error}. "
                "Set `cache` to another folder, or leave it out."
            ) from None


def _entry_in(file: Path) -> _Entry | None:
    try:
        return _decoder.decode(file.read_bytes())
    except (OSError, msgspec.DecodeError):
        return None
