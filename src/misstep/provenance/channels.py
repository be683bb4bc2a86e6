"""Trace → the channel in which each value and passage stands, and what accounts for each call: one pass, as a fold.

From most to least trusted: the rules, the user, the tools' schemas, their results, memory, peers, the agent's own
words, nowhere. Two readers fold the same way: detectors over a finished trace, guards over what has happened so far.
"""

import ast
import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, cast

import msgspec
from msgspec import Struct

from misstep.core.event import Event, Handoff, Memory, Message, ToolCall, ToolResult
from misstep.core.tool import JSON
from misstep.core.words import STOPWORDS, split_identifier, stem, stems, words
from misstep.provenance.reading import canonical, has_digit, leaves, tokens

Channel = Literal["rules", "user", "schema", "tool", "memory", "peer", "agent", "nowhere"]

_PROSE = 60
"""From so many characters on a field is a text, whose author may have put anything into it."""
_SHORTEST = 3
_FEW = 4
_POSING = 64
_KEPT = 4000
"""So many passages are kept; of more, the oldest are forgotten, and what stood in them is nobody's order any more."""
_LONGEST = 4000
_LONGEST_TABLE = 40_000
_TAGGED = re.compile(r"(<(?P<tag>[A-Za-z_]{4,40})>.*?</(?P=tag)>)", re.DOTALL)
_PARAGRAPH = re.compile(r"\n\s*\n")


class Passage(Struct, frozen=True):
    """A text that stands in one place of one channel: a paragraph, a field, a record of a list."""

    at: int
    channel: Channel
    text: str
    path: str = ""
    keys: frozenset[str] = frozenset()
    """Its tokens, as they are compared."""
    record: int = 0
    """The record that it stands in, as a number of its own."""
    prose: bool = False


class Account(Struct, frozen=True):
    """A value of a call, and the most trusted channel that holds it."""

    path: str
    value: JSON
    channel: Channel
    passages: tuple[Passage, ...] = ()
    """Where it stands, where nothing above the tools' results holds it."""
    granted: bool = False
    """It stands in a record that the user's own request leads to."""


class Channels:
    """What has been said so far, by channel; grows event by event."""

    def __init__(self, rules: str = "") -> None:
        self.user: dict[str, int] = {}
        """Each token that the user said, with the place where first."""
        self.rules = frozenset(keys_of(rules))
        self.passages: list[Passage] = []
        self.posing: deque[Passage] = deque(maxlen=_POSING)
        """The latest texts in which somebody poses."""
        self._holding: dict[str, list[int]] = {}
        self._forgotten = 0
        self._granted: set[int] = set()
        """Records that what the user asked for leads to."""
        self._records: dict[int, frozenset[str]] = {}
        self._calls: dict[str, tuple[int, ToolCall]] = {}
        self._next = 0

    def see(self, at: int, event: Event) -> None:
        match event:
            case Message(role="user", text=text):
                for key in keys_of(text):
                    self.user.setdefault(key, at)
            case Message(role="system", text=text):
                self.rules |= keys_of(text)
            case Handoff(text=text):
                self._read(at, "peer", text)
            case Memory(action="read", content=content):
                self._read(at, "memory", content)
            case ToolCall():
                self._calls[event.call_id] = (at, event)
            case ToolResult(content=content):
                call = self._calls.get(event.call_id)
                self._read(at, "tool", content, led=call is not None and self._leads(call[1]))
            case _:
                pass

    def _leads(self, call: ToolCall) -> bool:
        """The look-up hangs on nothing but what the user, the rules or a granted record named."""
        found = [self.account(path, value) for path, value in leaves(call.arguments)]
        return all(each.channel in ("user", "rules", "schema") or each.granted for each in found)

    def _read(self, at: int, channel: Channel, content: JSON, *, led: bool = False) -> None:
        records: dict[str, int] = {}
        for path, record, text in _texts(content):
            for item, part in _items(text):
                number = records.setdefault(f"{record}/{item}", self._next + len(records))
                keys = keys_of(part)
                self._records[number] = self._records.get(number, frozenset()) | keys
                for block in _fields(part) or _blocks(part):
                    self._add(Passage(at, channel, block, path, keys_of(block), number, len(block) > _PROSE))
        for number in records.values():
            if led and self._is_linked(number, alone=len(records) == 1):
                self._granted.add(number)
        self._next += len(records)

    def _is_linked(self, number: int, *, alone: bool) -> bool:
        """A single answer to what was asked; of a list, the records that share telling words with the request."""
        return alone or any(key in self.user for key in self._records.get(number, ()) if _tells(key))

    def _add(self, passage: Passage) -> None:
        index = self._forgotten + len(self.passages)
        self.passages.append(passage)
        if passage.prose and _POSES.search(passage.text):
            self.posing.append(passage)
        for key in passage.keys:
            self._holding.setdefault(key, []).append(index)
        if len(self.passages) > 2 * _KEPT:
            self._forgotten += _KEPT
            del self.passages[:_KEPT]

    def account(self, path: str, value: JSON) -> Account:
        """What accounts for one value."""
        keys = frozenset(key for key in keys_of(str(value)) if key not in STOPWORDS)
        if value is None or isinstance(value, bool) or not keys or (isinstance(value, int) and abs(value) < 32):
            return Account(path, value, "schema")
        if all(key in self.user for key in keys):
            return Account(path, value, "user")
        if keys <= self.rules:
            return Account(path, value, "rules")
        found = self._holders(keys - self.user.keys() - self.rules)
        if isinstance(value, str) and " " in value:
            phrase = _flat(value)
            found = [each for each in found if phrase in _flat(each.text)]
        if not found:
            return Account(path, value, "nowhere")
        granted = any(each.record in self._granted and not each.prose for each in found)
        return Account(path, value, found[0].channel, tuple(found), granted)

    def _holders(self, keys: frozenset[str]) -> list[Passage]:
        """The passages that hold all of some tokens, or those that hold the rarest of them where none does."""
        if not keys:
            return []
        rarest = min(keys, key=lambda key: len(self._holding.get(key, ())))
        latest = self._holding.get(rarest, [])[-_POSING:]
        found = [self.passages[index - self._forgotten] for index in latest if index >= self._forgotten]
        whole = [each for each in found if keys <= each.keys]
        return whole or (found if len(keys) == 1 else [])

    def names_whole(self, text: str) -> bool:
        """A passage stands whole in a value: a thing is meant whose name was read, whatever that name says."""
        if len(text) <= _PROSE:
            return False
        own = keys_of(text)
        return any(len(each.keys) > _FEW and each.keys <= own for each in self.posing)

    def is_granted(self, passage: Passage) -> bool:
        return passage.record in self._granted


def _texts(content: JSON) -> Iterator[tuple[str, str, str]]:
    """Each text of a result with its path and its record: the innermost table or item that holds it. Names of fields
    that are values themselves are texts too."""
    for path, value in leaves(_parsed(content)):
        record = path if path.endswith("]") else path.rpartition(".")[0]
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            yield path, record, str(value)[:_LONGEST].replace("\\n", "\n")
        if not path.replace("_", "").replace(".", "").islower():
            yield path, record, path.rpartition(".")[2]


def _parsed(content: JSON) -> JSON:
    """A table that came as a text, as JSON or as Python writes it."""
    if not isinstance(content, str) or content[:1] not in ("{", "[") or len(content) > _LONGEST_TABLE:
        return content
    for read in (msgspec.json.decode, ast.literal_eval):
        try:
            return cast("JSON", read(content))
        except (ValueError, SyntaxError, RecursionError, MemoryError, msgspec.DecodeError):
            continue
    return content


_ITEM = re.compile(r"(?m)^(?=- )")


def _items(text: str) -> Iterator[tuple[int, str]]:
    """The items of a list that is written as a text, or the text."""
    parts = [part for part in _ITEM.split(text) if part.strip()] if text.lstrip().startswith("- ") else [text]
    yield from enumerate(parts)


_FIELD = re.compile(r"(?m)^(?:- |  )?(?=[A-Za-z_]\w{0,40}:(?:\s|$))")


def _fields(text: str) -> list[str]:
    """The fields of a record that is written as a text, a line each or more."""
    parts = [part.strip() for part in _FIELD.split(text) if part.strip()] if _FIELD.match(text) else []
    return parts if len(parts) > 2 or text.startswith("- ") else []


def _blocks(text: str) -> list[str]:
    """Tagged blocks as a whole, and paragraphs; one that ends on a colon goes with the next."""
    found: list[str] = []
    at = 0
    for tagged in _TAGGED.finditer(text):
        found.extend(_paragraphs(text[at : tagged.start()]))
        found.append(tagged[0])
        at = tagged.end()
    found.extend(_paragraphs(text[at:]))
    return found or [text]


def _paragraphs(text: str) -> list[str]:
    found: list[str] = []
    open_ = False
    for part in (each.strip() for each in _PARAGRAPH.split(text)):
        if part and open_:
            found[-1] = f"{found[-1]}\n{part}"
        elif part:
            found.append(part)
        open_ = (open_ and not part) or part.endswith(":")
    return found


@lru_cache(maxsize=8192)
def keys_of(text: str) -> frozenset[str]:
    """The tokens of a text in the form in which they are compared: without case, punctuation and a scheme."""
    found: set[str] = set()
    for token in tokens(text):
        low = re.sub(r"^(?:https?://)?(?:www\.)?", "", token.casefold())
        if key := canonical(low):
            found.add(key)
        found.update(part for part in re.split(r"[^\w.@-]+", low) if len(part) >= _SHORTEST)
    return frozenset(found)


@lru_cache(maxsize=8192)
def _flat(text: str) -> str:
    return f" {' '.join(words(text))} "


def _tells(key: str) -> bool:
    return has_digit(key) or (len(key) > _SHORTEST and key not in STOPWORDS)


# Marks of an order


_YOU = re.compile(
    r"\b(?:you|your|please|must|should|need to|have to|required to|kindly|make sure|ensure)\b", re.IGNORECASE
)
_POSES = re.compile(
    r"<[A-Za-z_ ]{4,}>|(?-i:TODO)|(?<![A-Za-z])(?:instructions?|important|ignore|disregard|system|override|urgent"
    r"|attention|assistant|agent|ai|previous|before (?:you|doing|solving)|administrator|developer|note to)(?![A-Za-z])",
    re.IGNORECASE,
)


def as_far_as(passage: Passage, value: str) -> str:
    """What speaks of a value: a tagged block as a whole; of a paragraph, all up to the end of the value's sentence."""
    at = -1 if passage.text.startswith("<") else passage.text.casefold().find(value.casefold())
    if at < 0:
        return passage.text
    end = _SENTENCE_END.search(passage.text, at + len(value))
    return passage.text[: end.end()] if end else passage.text


_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n\n")


def order_in(text: str) -> str:
    """What stands behind the first mark of somebody who poses."""
    posed = _POSES.search(text)
    return text[posed.start() :] if posed else ""


class Marks(Struct, frozen=True):
    """In how far a passage looks like an order to make a call."""

    names: bool
    """Its verb is the called tool's, or it gives the tool's name."""
    speaks_to_you: bool
    poses: bool
    """As somebody with a say, or as something that goes before all else."""

    @property
    def count(self) -> int:
        return self.names + self.speaks_to_you + self.poses


@lru_cache(maxsize=4096)
def marks(text: str, tool: str) -> Marks:
    name = [stem(word) for word in split_identifier(tool)]
    said = frozenset(stems(text))
    names = bool(name) and (
        name[0] in said or 2 * len(said & frozenset(name)) >= len(name) or canonical(tool) in keys_of(text)
    )
    return Marks(names, bool(_YOU.search(text)), bool(_POSES.search(text)))


def folded(events: Sequence[Event], rules: str) -> Iterator[tuple[int, ToolCall, Channels]]:
    """Each call of a trace, with the channels as they were when it was made."""
    channels = Channels(rules)
    for at, event in enumerate(events):
        if isinstance(event, ToolCall):
            yield at, event, channels
        channels.see(at, event)
