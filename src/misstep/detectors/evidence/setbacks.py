"""What one agent tells another → what speaks against going on: a thing that is out, a plain no, an act that failed."""

import re
from collections.abc import Iterator

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.words import content_stems, split_identifier, stem
from misstep.detectors.evidence.claims import Claim, claims
from misstep.detectors.evidence.constraints import constraints
from misstep.provenance.reading import canonical

_OUT = re.compile(
    r"\b(?:the\s+)?(?P<kind>[A-Za-z]{2,40})?[\s#]{0,20}(?P<value>\b[\w-]{0,40}?\d[\w-]{0,40}+)\s{1,20}(?:is|are"
    r"|was|has been)\s{1,20}"
    r"(?:(?:currently|now|still|already|also|both)\s{1,20}){0,3}"
    r"(?:closed|broken|blocked|unavailable|full|sold out|taken|occupied|unsafe|recalled|off[- ]limits|reserved"
    r"|defective|down|faulty|damaged|contaminated|overbooked|out of (?:order|service|use|stock|action|bounds)"
    r"|not (?:available|usable|free|open|safe|allowed|suitable|working|fit))\b",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\b[\w-]{0,40}\d[\w-]*\b")
# Whoever has not got it done says so in one of these ways.
_NOT_DONE = re.compile(
    r"\bnot (?:yet |been |yet been )?(?:[a-z]+ed|made|sent|paid|done|through)\b|n't (?:go|went|work|been|\w+ed)\b"
    r"|\b(?:failed|declined|rejected|refused|bounced|denied|timed out|could not|couldn't|cannot|can't|unable"
    r"|wait(?:ing)? ?list\w*|on hold)\b",
    re.IGNORECASE,
)
# What may be done once something is so is no plain no, and whether it is so is not seen from here.
_ON_CONDITION = re.compile(
    r"\b(?:until|till|unless|before|without|if|except|only|once|after|when|first|more than|again)\b", re.IGNORECASE
)
_LONG = 1500


class Out(Struct, frozen=True):
    """A thing that is said to be of no use, by its kind and its number."""

    kind: str
    value: str
    others: bool
    """Others were named along with it."""


@once_per_text
def out_of_use(text: str) -> tuple[Out, ...]:
    """The things that a text says cannot be had or used."""
    if len(text) > _LONG:
        return ()
    named = {canonical(match.group()) for match in _VALUE.finditer(text)}
    found = [(stem((match["kind"] or "").lower()), canonical(match["value"])) for match in _OUT.finditer(text)]
    others = len(named) > len({value for _, value in found})
    return tuple(Out(kind, value, others) for kind, value in found)


@once_per_text
def forbidden_acts(text: str) -> frozenset[str]:
    """The stems of acts that a text tells its hearer not to do, with no thing named: the one at hand is meant."""
    if len(text) > _LONG or _ON_CONDITION.search(text):
        return frozenset()
    return frozenset(
        each.stems[0]
        for each in constraints(text)
        if each.kind == "act" and each.stems and not each.codes and not each.unless_asked
    )


def names_act(tool: str, acts: frozenset[str]) -> bool:
    """A tool is called by the very word for what was not to be done."""
    return any(stem(part) in acts for part in split_identifier(tool))


def glossed_over(told: str, reply: str) -> Claim | None:
    """What a reply says was done, where a colleague had said of the same that it was not."""
    if len(told) > _LONG or not _NOT_DONE.search(told) or _NOT_DONE.search(reply):
        return None
    done = {claim.verb for claim in claims(told)}
    about = frozenset(content_stems(told))
    return next((claim for claim in _done(reply) if claim.verb not in done and len(claim.stems & about) >= _FEW), None)


_FEW = 2


def _done(reply: str) -> Iterator[Claim]:
    return (claim for claim in claims(reply) if claim.kind in ("act", "state"))
