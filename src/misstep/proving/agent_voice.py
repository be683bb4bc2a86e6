"""How an agent talks, out of `voices/NAME.toml`: phrasings for each thing to say, and how pairs and lists look."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from random import Random
from typing import Literal

import msgspec
from msgspec import Struct, structs

from misstep.core.errors import UsageError, suggestion
from misstep.core.words import joined, split_identifier

Pair = tuple[str, object]
"""A label and its value."""
Lines = tuple[str, ...]


class Voice(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Phrasings, one of which is drawn each time; the words in braces are filled in."""

    name: str = ""
    about: str
    """Who talks so, in a sentence."""

    layout: Literal["inline", "list", "table"] = "inline"
    """How pairs and choices stand in a message."""
    pair: str = "{label}: {value}"
    row: str = "**{label}**: {value}"
    """A pair in a list."""
    mark: str = "- "
    """Before each row of a list; {at} counts them."""
    columns: Lines = ("Field | Value",)
    """One stands over each table of pairs."""
    articles: Lines = ("the",)
    """One stands before each thing that is asked for."""
    confirms: bool = False
    """Asks for leave before every act, where the person is not in a hurry; else only where it is demanded."""
    offers: bool = False
    """Shows what there is to choose from, where something shows it."""
    asks_again: bool = False
    """Asks once more for what it has been told."""

    start: Lines = ("",)
    """Before the first thing that is asked or proposed."""
    ask: Lines
    """{things}"""
    ask_listed: Lines = ()
    """{things}, two or more, a line each; without any of these `ask` is said."""
    ask_apart: Lines = ()
    """{thing}, and {rest}: two questions; without any of these `ask` is said."""
    ask_ahead: Lines = ()
    """{things}, and whether to {act} then; without any of these `ask` is said."""
    still: Lines
    """{things} were asked for, and did not come."""
    again: Lines = ()
    """{things} were told already; for a voice that asks again."""
    recheck: Lines
    """{thing} was told as {value}, which leads nowhere."""
    which: Lines
    """{thing} tells which of several is meant."""
    offer: Lines = ()
    """{thing} and {choices}; for a voice that offers some."""
    propose: Lines
    """{act} and {pairs}"""
    done: Lines
    """{act}"""
    tell: Lines
    """{pairs}"""
    none: Lines
    """Nothing was found."""
    refuse: Lines
    """{act}"""
    already: Lines
    """It is so already."""
    close: Lines
    listen: Lines
    """Nothing was asked for."""
    chat: Lines
    """The person only chats."""
    bye: Lines
    stop: Lines
    """{things} did not come."""


_FOLDER = files("misstep.proving").joinpath("voices")


@lru_cache(maxsize=1)
def voice_names() -> tuple[str, ...]:
    return tuple(sorted(each.name.removesuffix(".toml") for each in _FOLDER.iterdir() if each.name.endswith(".toml")))


@lru_cache(maxsize=64)
def voice_named(name: str) -> Voice:
    if name not in voice_names():
        raise UsageError(f"No agent talks in the voice {name!r}.{suggestion(name, voice_names())}")
    read = tomllib.loads(_FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    return structs.replace(msgspec.convert(read, Voice), name=name)


class Speaker:
    """Says things in a voice, and nothing twice in the same words before all others were used."""

    def __init__(self, voice: Voice, seed: int) -> None:
        self.voice = voice
        self.random = Random(f"speaker/{voice.name}/{seed}")
        self._left: dict[str, list[str]] = {}

    def say(self, kind: str, **slots: str) -> str:
        left = self._left.get(kind)
        if not left:
            lines: Lines = getattr(self.voice, kind)
            left = self._left[kind] = self.random.sample(lines, len(lines))
        return left.pop().format_map(slots)

    def ask(self, kind: str, names: Sequence[str], *, act: str = "") -> str:
        """Ask for things by their names, and for leave for the act that they are for."""
        several = kind == "ask" and len(names) > 1
        if several and self.voice.ask_listed:
            return self.say("ask_listed", things=self._listed([(_headed(name), "") for name in names]))
        if several and self.voice.ask_apart:
            return self.say("ask_apart", thing=self.things(names[:1]), rest=self.things(names[1:]))
        if kind == "ask" and act and self.voice.ask_ahead:
            return self.say("ask_ahead", things=self.things(names), act=act)
        return self.say(kind, things=self.things(names))

    def things(self, names: Sequence[str]) -> str:
        article = self.random.choice(self.voice.articles)
        return joined(f"{article} {name}".strip() for name in names)

    def pairs(self, pairs: Sequence[Pair]) -> str:
        if self.voice.layout == "inline":
            return joined(self.voice.pair.format(label=label, value=shown(value)) for label, value in pairs)
        rows = [(_headed(label), shown(value)) for label, value in pairs]
        if self.voice.layout == "table":
            return _table(self.random.choice(self.voice.columns).split(" | "), rows)
        return self._listed(rows)

    def choices(self, choices: Mapping[str, Sequence[Pair]]) -> str:
        """What there is to choose from, each with what is known of it."""
        if self.voice.layout == "table":
            labels = list(dict.fromkeys(label for more in choices.values() for label, _ in more))
            cells = [[name, *(shown(dict(more).get(each, "")) for each in labels)] for name, more in choices.items()]
            return _table(["Option", *(_headed(" ".join(split_identifier(each))) for each in labels)], cells)
        rows = [(name, joined(shown(value) for _, value in more)) for name, more in choices.items()]
        if self.voice.layout == "inline":
            return joined((f"{name} ({more})" if more else name for name, more in rows), "or")
        return self._listed(rows)

    def _listed(self, rows: Sequence[tuple[str, str]]) -> str:
        lines = [self.voice.row.format(label=label, value=value) if value else label for label, value in rows]
        return _block(f"{self.voice.mark.format(at=at)}{line}" for at, line in enumerate(lines, 1))


def tidy(parts: Iterable[str]) -> str:
    """One message: what stands in blocks keeps a line between."""
    text = " ".join(part for part in parts if part)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r" {0,20}\n {0,20}", "\n", text)).strip()


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return _block(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))


def _block(lines: Iterable[str]) -> str:
    body = "\n".join(lines)
    return f"\n\n{body}\n\n"


def _headed(label: str) -> str:
    return f"{label[:1].upper()}{label[1:]}"


def shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
