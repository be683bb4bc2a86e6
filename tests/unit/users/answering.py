"""Score users on TOML files of labelled exchanges: what an agent said, and whether the reply brings what was wanted.

`python tests/unit/users/answering.py FILE…`. A question is answered at once, or when it is put a second time in the
same words; a right proposal is agreed to; a wrong value is put right; what only reports leads to no refusal.
"""

import asyncio
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from misstep.core.errors import InvalidTrialError
from misstep.core.event import Message
from misstep.core.scenario import Person
from misstep.core.tape import Tape
from misstep.users import MANNERS, user_for

SEED = 1
_YES = re.compile(r"(?:yes|yeah|sure|correct|exactly|absolutely)\b")
_NO = re.compile(r"(?:no|nope|not so|not quite|not that)\b")


class Right(Struct, frozen=True):
    """What a right reply has."""

    has: tuple[str | tuple[str, ...], ...] = ()
    answer: Literal["", "yes", "no", "lacks", "settled", "resigned", "stays"] = ""


class Exchange(Struct, frozen=True):
    """One thing that an agent says to a person."""

    person: str
    agent: str
    right: Right
    before: tuple[str, ...] = ()


class Exchanges(Struct, frozen=True):
    """A file of them, with the people by name."""

    people: dict[str, Person]
    exchanges: tuple[Exchange, ...]


def read(path: Path) -> Exchanges:
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Exchanges)


def outcome(exchange: Exchange, person: Person, manner: str) -> str:
    """`kind: how it went` of one exchange."""
    user, tape = user_for(person, seed=SEED, manner=manner), Tape()

    def hears(text: str) -> str:
        if text:
            tape.append(Message(actor="agent", role="agent", text=text))
        said = asyncio.run(user.say(tape.view)) or ""
        tape.append(Message(actor="user", role="user", text=said))
        return said

    try:
        for text in ("", *exchange.before):
            hears(text)
        first = hears(exchange.agent)
        if first and _brings(first, exchange):
            return _kind(exchange) + ": at once"
        if _kind(exchange) == "settled" and not _NO.match(first.casefold()):
            return "settled: at once"
        if (_NO if exchange.right.answer == "yes" else _YES).match(first.casefold()) and exchange.right.answer in (
            "yes",
            "no",
        ):
            return _kind(exchange) + ": wrong"
        return _kind(exchange) + (": second time" if first and _brings(hears(exchange.agent), exchange) else ": wrong")
    except InvalidTrialError:
        return _kind(exchange) + ": invalid"


def _kind(exchange: Exchange) -> str:
    right = exchange.right
    if right.answer in ("yes", "no"):
        return "agrees" if right.answer == "yes" else "puts right" if right.has else "objects"
    if right.has:
        return "tells"
    return "settled" if right.answer in ("settled", "resigned") else "lacks"


def _brings(reply: str, exchange: Exchange) -> bool:
    said = _plain(reply)
    has = all(
        any(_plain(each) in said for each in ((way,) if isinstance(way, str) else way)) for way in exchange.right.has
    )
    match _kind(exchange):
        case "agrees":
            return bool(_YES.match(said.strip()))
        case "objects":
            return not _YES.match(said.strip()) or " if " in said or " provided " in said
        case "lacks":
            return True
        case "settled":
            return not _NO.match(said.strip())
        case _:
            return has


def _plain(text: str) -> str:
    bare = re.sub(r"[^\w@.-]+", " ", text.casefold())
    return " " + " ".join(word.rstrip(".") for word in bare.split()) + " "


def counts(paths: Sequence[Path], manner: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in paths:
        exchanges = read(path)
        found.update(outcome(each, exchanges.people[each.person], manner) for each in exchanges.exchanges)
    return found


def main(arguments: Sequence[str]) -> None:
    for manner in MANNERS:
        found = counts([Path(each) for each in arguments], manner)
        sys.stdout.write(f"{manner}\n" + "".join(f"  {name:24} {found[name]}\n" for name in sorted(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
