"""Calls with care: answers are read for trouble, retried where that is safe, look-ups remembered."""

import re
from collections.abc import Mapping
from typing import Literal, cast

import msgspec
from msgspec import Struct

from misstep.agents.zoo.offer import Capability, offer_of
from misstep.agents.zoo.records import Record, records
from misstep.core.roles import Toolbox
from misstep.core.tool import JSON, Answer, Tool
from misstep.core.words import stem

_TRANSIENT = re.compile(
    r"\b(?:time[ds]?[ -]?out|no answer|temporar\w*|unavailable|not available|down|try again|retry|too many"
    r"|rate.?limit\w*|429|5\d\d|busy|overload\w*|connection|network|internal (?:server )?error)\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(r"\b(?:rate.?limit\w*|too many|429|try again|retry after)\b", re.IGNORECASE)
_UNKNOWN = re.compile(r"\b(?:time[ds]?[ -]?out|no answer|connection|network)\b", re.IGNORECASE)
_MOST_TRIES = 3
_LEAST_FIT = 3.0


class Outcome(Struct, frozen=True):
    """What a call came to."""

    state: Literal["ok", "empty", "failed", "unknown"]
    content: JSON
    why: str = ""


class Caller:
    """Makes the calls of one conversation."""

    def __init__(self) -> None:
        self._box: Toolbox | None = None
        self._tools: tuple[Tool, ...] = ()
        self._looked_up: dict[tuple[str, bytes], Outcome] = {}
        self.offer = offer_of(())

    async def attend(self, box: Toolbox) -> None:
        """Take the tools as they are now."""
        self._box = box
        tools = tuple(await box.tools())
        if tools != self._tools:
            self._tools, self.offer = tools, offer_of(tools)

    async def look_up(self, capability: Capability, arguments: Mapping[str, JSON]) -> Outcome:
        """A call that only reads: what was answered once is remembered until something is changed."""
        key = (capability.name, msgspec.json.encode(arguments, order="deterministic"))
        if key not in self._looked_up:
            self._looked_up[key] = await self._tried(capability, arguments)
        return self._looked_up[key]

    async def act(self, capability: Capability, arguments: Mapping[str, JSON]) -> Outcome:
        """A call that changes something: never repeated unless it certainly did nothing."""
        outcome = await self._tried(capability, arguments)
        self._looked_up.clear()
        return outcome

    async def made_sure(
        self, capability: Capability, arguments: Mapping[str, JSON], known: Mapping[str, JSON], outcome: Outcome
    ) -> Outcome:
        """What became of an act without an answer: done if a look-up shows it, else done again if one was to be had."""
        for fit, reader in self.offer.ranked(capability.name_stems, reads=True):
            given = {each.name: known[each.name] for each in reader.required if each.name in known}
            if fit < _LEAST_FIT or not reader.required or len(given) < len(reader.required):
                continue
            seen = await self.look_up(reader, given)
            if seen.state in ("ok", "empty"):
                done = any(_shows(record, capability, arguments) for record in records(seen.content))
                return Outcome(state="ok", content={}) if done else await self.act(capability, arguments)
        return outcome

    async def _tried(self, capability: Capability, arguments: Mapping[str, JSON]) -> Outcome:
        outcome = Outcome(state="failed", content=None)
        assert self._box is not None
        for _ in range(_MOST_TRIES):
            outcome = _read(capability, await self._box.call(capability.name, dict(arguments)))
            again = outcome.state == "failed" and may_pass(capability, outcome.why)
            if not again and not (capability.reads and outcome.state == "unknown"):
                break
        return outcome


def may_pass(capability: Capability, why: str) -> bool:
    """Whether an error may be gone at the next try, and trying does no harm."""
    return (_TRANSIENT if capability.reads else _NOT_DONE).search(why) is not None


def leaves_open(why: str) -> bool:
    """Whether an error does not tell if the call took effect."""
    return _UNKNOWN.search(why) is not None and not _NOT_DONE.search(why)


def _read(capability: Capability, answer: Answer) -> Outcome:
    if answer.is_error:
        why = error_text(answer.content)
        state = "unknown" if leaves_open(why) else "failed"
        return Outcome(state=state, content=answer.content, why=why)
    content = answer.content
    expects_object = (capability.tool.output_schema or {}).get("type") == "object"
    if expects_object and not _is_object(content):
        return Outcome(state="unknown", content=None, why="The answer could not be read; please try again.")
    if not capability.reads and expects_object and not _holds_something(content):
        return Outcome(state="unknown", content=content, why="The answer was empty.")
    return Outcome(state="ok" if _holds_something(content) else "empty", content=content)


def _is_object(content: JSON) -> bool:
    return isinstance(content, dict)


def error_text(content: JSON) -> str:
    """What an error says."""
    if isinstance(content, dict):
        fields = cast("dict[str, JSON]", content)
        return (
            " ".join(str(value) for value in fields.values() if isinstance(value, str)) or "it failed without a reason"
        )
    return str(content) if content else "it failed without a reason"


def _holds_something(content: JSON) -> bool:
    if isinstance(content, dict):
        return any(_holds_something(value) for value in cast("dict[str, JSON]", content).values())
    if isinstance(content, list):
        return bool(cast("list[JSON]", content))
    return content is not None and content != ""


def _shows(record: Record, capability: Capability, arguments: Mapping[str, JSON]) -> bool:
    """Whether a record holds what was to be written, or says in a word that the act was done."""
    plain = [arguments[each.name] for each in capability.parameters if not each.identifies and each.name in arguments]
    if plain:
        return all(value in record.fields.values() for value in plain)
    acted = {stem(str(value)) for value in record.fields.values() if isinstance(value, str)} & capability.name_stems
    return bool(acted) and all(record.get(name) in (None, value) for name, value in arguments.items())
