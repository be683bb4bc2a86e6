"""A saying → the kind of thing that it tells, and the frames in which people tell such things, out of `slots.toml`."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from misstep.wording.requests.act import Saying
from misstep.wording.requests.forms import CLOCK, ISO, ISO_TIME, spoken_name

_IDENTIFYING = frozenset("id ids number no nr code reference ref identifier key uuid guid locator".split())
_SELF = frozenset(
    """customer client user member patient passenger guest subscriber traveller employee student tenant account
    policyholder cardholder""".split()
)


_ADJECTIVE = re.compile(r"[a-z]{2,}ed|wrong|broken|faulty|late|missing|defective|torn|lost")
_CODE = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])[\w#-]{1,24}")


class Kind(Struct, frozen=True, forbid_unknown_fields=True):
    """How values of one kind are told."""

    names: tuple[str, ...] = ()
    shape: str = ""
    role: str = ""
    state: tuple[str, ...] = ()
    list: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    adjective: bool = False


@lru_cache(maxsize=1)
def _kinds() -> dict[str, Kind]:
    text = files("misstep.wording.requests").joinpath("slots.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Kind])


def kind_of(saying: Saying) -> str:
    """The name of the kind; `other` where nothing else fits."""
    return _kind(spoken_name(saying.name).lower(), _shape(saying), saying.role)


@lru_cache(maxsize=4096)
def _kind(spoken: str, shape: str, role: str) -> str:
    listed = spoken.split()
    for name, kind in _kinds().items():
        if kind.role not in ("", role) or kind.shape not in ("", shape):
            continue
        if any(_ends_with(listed, each.split()) for each in kind.names) or (kind.shape and not kind.names):
            return name
    return "other_content" if role == "content" else "other"


def kind_named(name: str) -> Kind:
    """The frames of a kind."""
    return _kinds()[name]


def _ends_with(listed: list[str], ending: list[str]) -> bool:
    last = listed[-len(ending) :]
    return len(last) == len(ending) and all(
        word == wanted or (wanted[0] == "*" and word.endswith(wanted[1:]) and len(word) > len(wanted))
        for word, wanted in zip(last, ending, strict=True)
    )


def _shape(saying: Saying) -> str:
    value = saying.value
    if not isinstance(value, str):
        return ""
    if ISO.fullmatch(value) or ISO_TIME.fullmatch(value):
        return "date"
    if CLOCK.fullmatch(value):
        return "time"
    return "adjective" if _ADJECTIVE.fullmatch(value) else ""


def noun_of(saying: Saying) -> str:
    """What a saying identifies: `order` for `order number`; empty for `number` and for what identifies nothing.

    By the value too: whatever its last word is, a name of several words for something like `KY-51` names a thing.
    """
    listed = spoken_name(saying.name).lower().split()
    identifies = bool(listed) and (listed[-1] in _IDENTIFYING or (len(listed) > 1 and _is_code(saying)))
    return " ".join(listed[:-1]) if identifies else ""


def _is_code(saying: Saying) -> bool:
    return isinstance(saying.value, str) and _shape(saying) == "" and _CODE.fullmatch(saying.value) is not None


def is_of_speaker(noun: str) -> bool:
    """Whether the noun is a word for whoever talks to a service: its `customer`, its `patient`."""
    return noun.rpartition(" ")[2] in _SELF
