"""Everyday verbs → others for the same act: what any tool could do, whatever it does it to."""

import re
from functools import cache

from misstep.core.words import stem

_ACTS = (
    "add create make insert enter register record|set up|put in|put down|write down",
    "write create save|put down",
    "change update amend edit modify alter correct adjust revise|bring up to date|put right",
    "replace overwrite rewrite redo",
    "delete remove erase drop scrap discard|get rid|do away|throw away|throw out|take off",
    "cancel stop abort scrap drop|call off",
    "close end terminate shut|shut down",
    "empty clear|clear out",
    "send dispatch|send out|send off|shoot over|fire off|get out|go out|get over",
    "post publish issue|put up|put out|pass round|pass around|send round",
    "schedule arrange plan book|set up|put down|put in",
    "reserve book secure|get me",
    "invite ask|ask along|bring in|bring along",
    "share|pass on|let see|give access",
    "forward|send on|pass on",
    "move shift transfer relocate reschedule|put off",
    "exchange swap switch trade replace",
    "complete finish|tick off|check off|cross off|mark done",
    "reply answer respond|write back|get back",
    "submit|hand in|send in",
    "append|add to|add at|tack on|put at the end",
    "archive|put away|tidy away|file away",
)


@cache
def _groups() -> tuple[tuple[frozenset[str], tuple[re.Pattern[str], ...]], ...]:
    found: list[tuple[frozenset[str], tuple[re.Pattern[str], ...]]] = []
    for line in _ACTS:
        single, *phrasal = line.split("|")
        spoken = tuple(
            re.compile(
                r"\b" + r"(?:\s{1,20}\S+){0,4}?\s{1,20}".join(_inflected(part) for part in each.split()) + r"\b", re.I
            )
            for each in phrasal
        )
        found.append((frozenset(stem(word) for word in single.split()), spoken))
    return tuple(found)


_IRREGULAR = {
    "get": "g[eo]t(?:ting|ten)?",
    "put": "put(?:ting)?",
    "send": "sen[dt](?:ing)?",
    "write": "writ(?:e|ing|ten)",
}


def _inflected(word: str) -> str:
    return _IRREGULAR.get(word, rf"{word}\w{{0,4}}" if len(word) > 3 else word)


def meant_by(text: str, said: frozenset[str]) -> frozenset[str]:
    """The stems of the verbs that mean one of the acts which a text speaks of."""
    found: set[str] = set()
    for verbs, phrasal in _groups():
        if verbs & said or any(each.search(text) for each in phrasal):
            found |= verbs
    return frozenset(found)
