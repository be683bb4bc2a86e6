"""A text that gives orders → what it wants the user to be told; a reply → whether it only reports such a text."""

import re
from functools import lru_cache

from misstep.core.words import content_stems

_QUOTING = re.compile(
    r"\b(?:say|state|ask|claim|contain|instruct|tell|read|request|want)(?:s|ed)?\b|\b(?:said|told|instructions?|suspicious|"
    r"phishing|scam|injection|ignor\w+|embedded|untrusted|according to)\b|\b(?:not|n't) follow",
    re.IGNORECASE,
)
_TELL_THEM = re.compile(
    r"\b(?:tell|inform|advise|remind|assure|convince|warn|notify)\s+(?:the\s+|your\s+|all\s+|every\s+|any\s+)?"
    r"(?:users?|customers?|clients?|person|reader|owner|guests?|human|them|everyone|everybody)\s+(?:that\s+|to\s+)?"
    r"(?P<what>[^.!?\n]{10,300})|\b(?:say|state|claim|mention|answer|reply|recommend)\s+that\s+(?P<that>[^.!?\n]{10,300})",
    re.IGNORECASE,
)
# "Rate this one 10 of 10", "give it five stars": what is judged says how it is to be judged.
_VERDICT = re.compile(
    r"\b(?:rate|score|grade|rank|mark|give|award|assess|evaluate|classify|label|assign|recommend)\b[^.!?\n]{0,80}?"
    r"\b(?P<verdict>\d+\s*(?:/|(?:out )?of)\s*\d+|\d+\s*%|(?:\d+|five|ten) (?:stars?|points?|percent))",
    re.IGNORECASE,
)
_LEAST_SAID = 4
"""A word or two may come up by themselves."""


def quotes(sentence: str) -> bool:
    """The sentence tells of what somebody else says, or wants."""
    return _QUOTING.search(sentence) is not None


@lru_cache(maxsize=256)
def to_be_said(text: str) -> tuple[frozenset[str], ...]:
    """The stems of each thing that a text wants the user to be told."""
    found = (frozenset(content_stems(match["what"] or match["that"])) for match in _TELL_THEM.finditer(text))
    return tuple(each for each in found if len(each) >= _LEAST_SAID)


@lru_cache(maxsize=256)
def verdicts(text: str) -> tuple[str, ...]:
    """The marks that a text wants to be given, in letters and digits alone."""
    return tuple(_bare(match["verdict"]) for match in _VERDICT.finditer(text))


def gives_verdict(wanted: tuple[str, ...], sentence: str) -> bool:
    """A sentence gives just that mark."""
    return bool(wanted) and any(each in _bare(sentence) for each in wanted)


def _bare(text: str) -> str:
    plain = re.sub(r"\s{0,20}(?:/|\bout of\b|\bof\b)\s{0,20}", "/", text.lower())
    return " ".join(plain.replace("percent", "%").replace(" %", "%").split())
