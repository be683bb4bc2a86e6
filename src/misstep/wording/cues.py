"""Turns of phrase that show what a sentence does, read once from `cues.toml`."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct

from misstep.core.once import once_per_text

_SUBORDINATE = re.compile(
    r"\b(?:which|who|whom|whose|when|where|what|how|if|once|until|unless|before|since|in case)\b", re.I
)
_CLAUSE_END = re.compile(r"[,;:–—]")


class Cues(Struct, frozen=True):
    """One pattern for each thing that a sentence, or a piece of one, can be seen to do; the file says which."""

    more: re.Pattern[str]
    need: re.Pattern[str]
    unavailable: re.Pattern[str]
    greeting: re.Pattern[str]
    wait: re.Pattern[str]
    hold: re.Pattern[str]
    promise: re.Pattern[str]
    requesting: re.Pattern[str]
    confirm: re.Pattern[str]
    offer: re.Pattern[str]
    offers_to: re.Pattern[str]
    instead: re.Pattern[str]
    ask: re.Pattern[str]
    confirm_what: re.Pattern[str]
    report: re.Pattern[str]
    spoken: re.Pattern[str]
    refusal: re.Pattern[str]
    refuses: re.Pattern[str]
    done: re.Pattern[str]
    wh: re.Pattern[str]
    wh_later: re.Pattern[str]
    polar: re.Pattern[str]
    which: re.Pattern[str]
    one_of: re.Pattern[str]
    chosen: re.Pattern[str]
    asks_which: re.Pattern[str]
    is_there: re.Pattern[str]
    purpose: re.Pattern[str]
    trailing: re.Pattern[str]
    joint: re.Pattern[str]
    clause: re.Pattern[str]
    either: re.Pattern[str]
    proposal: re.Pattern[str]
    besides: re.Pattern[str]
    pronoun: re.Pattern[str]
    record: re.Pattern[str]
    addressed: re.Pattern[str]
    only_one: re.Pattern[str]
    head: re.Pattern[str]
    lists: re.Pattern[str]
    direct: re.Pattern[str]
    wh_noun: re.Pattern[str]
    arrived: re.Pattern[str]
    finished: re.Pattern[str]
    conditional: re.Pattern[str]
    to_know: re.Pattern[str]
    requests_act: re.Pattern[str]
    field: re.Pattern[str]
    tentative: re.Pattern[str]
    on_offer: re.Pattern[str]
    held_up: re.Pattern[str]
    wanting: re.Pattern[str]
    imperative: re.Pattern[str]
    idiom: re.Pattern[str]


@lru_cache(maxsize=1)
def cues() -> Cues:
    """The patterns, compiled at the first use."""
    text = files("misstep.wording").joinpath("cues.toml").read_text(encoding="utf-8")
    return Cues(**{name: re.compile("|".join(lines), re.IGNORECASE) for name, lines in tomllib.loads(text).items()})


@once_per_text
def reports(sentence: str) -> bool:
    """Says that something was done; `the year in which it was issued` only says which one is meant."""
    return any(
        not _SUBORDINATE.search(_CLAUSE_END.split(sentence[: found.start()])[-1])
        for found in cues().done.finditer(sentence)
    )
