"""What a tool answers → whether its words say that what it was called for did not happen, and nothing else did."""

import re
from collections.abc import Mapping
from typing import cast

from misstep.core.once import once_per_text
from misstep.core.tool import JSON
from misstep.core.words import split_identifier
from misstep.detectors.evidence.claims import Claim, claims
from misstep.objectives.vocabulary import lemma

_LONG = 400
"""A longer answer is a report, and not the tool's word on what it did."""
_NOT = r"(?:not|never)(?: yet)?(?: been)?(?: be)?(?: \w+ly)?"
_DENIES = re.compile(
    r"\b(?:was|were|is|are|has|have|had|could|can|did|does|do|will|would|be|been)(?: \w+ly)?"
    rf"(?:n't|\s{{1,20}}{_NOT})(?: been| be)? (?:\w+ed|sent|made|done|set|put|written|found|paid|taken|given"
    rf"|built|go through"
    r"|gone through|complete|succeed|take effect|work|happen|exist|authori[sz]ed|possible|available)\b"
    r"|\bnot (?:\w+ly )?(?!needed|required|included|limited|only)(?:\w+ed|sent|made|done|set|written|paid|taken"
    r"|given)\b"
    r"|(?<!\d )\b(?!(?:not|never|what|that|which|who)\b)\w+ failed\b"
    r"|\byou (?:do not|don't) have (?:the )?(?:permissions?|access|rights?)\b"
    r"|\binsufficient \w+|\b(?:undeliverable|unsuccessful|unauthori[sz]ed)\b"
    r"|\b(?:cannot|can't|could not|couldn't|unable to|failed to|not able to|not allowed to|not permitted to"
    r"|refus(?:es|ed) to|did not|didn't) \w+"
    r"|\b(?:nothing|no \w+(?: \w+)?) (?:was|were|has been|have been|could be|got|is|are)(?: \w+ly)? (?:\w+ed|sent|made"
    r"|done|set|put|written|paid|taken|given)\b"
    r"|\b(?:0|no|zero) (?:rows?|records?|documents?|items?|entries|files?|objects?|lines?|changes?)(?: \w+)?"
    r" (?:affected|updated|changed|modified|deleted|inserted|matched|written|made|applied)\b"
    r"|\b(?:permission|access|authori[sz]ation|request|relay access|operation) (?:is |was )?(?:denied|refused|forbidden"
    r"|rejected)\b"
    r"|\b(?:was|were|is|been|got) (?:\w+ly )?(?:rejected|refused|declined|denied|aborted|blocked|bounced|discarded)\b"
    r"|\b(?:rejected|refused|declined|denied|bounced|aborted)(?: by\b|[:.,;]|\s{0,20}$)"
    r"|\b(?:exit(?:ed)?|returned|terminated)(?: with)?(?: (?:an? )?(?:code|status|exit code|error code))?\W{0,3}"
    r"(?:[1-9]\d{0,2}\b|non-?zero\b)",
    re.IGNORECASE,
)
# Whatever denies has one of these; most answers have none.
_MAY_DENY = re.compile(
    r"n't|\b(?:not|never|cannot|unable|failed|nothing|no|zero|0|insufficient"
    r"|undeliverable|unsuccessful|unauthori[sz]ed|denied|refused|forbidden|rejected|declined|aborted"
    r"|blocked|bounced|discarded|exit\w*|returned|terminated|refuses)\b",
    re.IGNORECASE,
)
_AFFIRMS = re.compile(r"\b(?:ok|okay|success\w*|succeeded|done|completed?|confirmed|all set)\b|✓|✔|✅", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']*'(?!\w)")
_BARE_DONE = re.compile(
    r"(?:^|[.;]\s)\W{0,20}(?:[\w#/.@-]+\s){0,4}?(?P<verb>[a-z]+ed|sent|made|done|set|paid|put|written)\b(?! by)",
    re.IGNORECASE,
)
_REFUSING = frozenset(
    lemma(word)
    for word in """rejected refused declined denied failed aborted blocked bounced discarded forbidden needed required
    unauthorized exceeded exited returned terminated""".split()
)
# "It is closed" says why not, "it has been closed" what was done.
_STANDS_IN_THE_WAY = frozenset(lemma(word) for word in "locked expired closed disabled suspended reserved used".split())
_SAYS = frozenset({"message", "detail", "details", "result", "output", "info", "response", "status"})
_HOLDS = frozenset({"text", "content"})
"""Beside other fields, what was written down in a record rather than the tool's own word."""
_COUNTS = re.compile(r"(?:rows?|records?)_?affected|affected_?(?:rows?|records?|count)?|rowcount", re.IGNORECASE)
_RECEIPT_SIZE = 4
_BARE = 2
_ENDS_WITH_ERROR = re.compile(r"(?:^|\n)(?:fatal|error): [^\n]+\s*\Z")
_RUNS = frozenset(
    """bash shell sh zsh python exec execute executor run runner command commands cmd terminal console code interpreter
    notebook repl script powershell eval evaluate ipython node""".split()
)


def denies(content: JSON, tool: str) -> bool:
    """The tool's own word that it did not do it. What a program prints is the program's word on whatever it likes."""
    if isinstance(content, str):
        if _runs_programs(tool):
            return _ENDS_WITH_ERROR.search(content, max(0, len(content) - _LONG)) is not None
        return len(content) <= _LONG and _text_denies(content)
    if isinstance(content, Mapping):
        return _receipt_denies(cast("Mapping[str, JSON]", content), tool)
    return False


def _receipt_denies(content: Mapping[str, JSON], tool: str) -> bool:
    if len(content) > _RECEIPT_SIZE or True in content.values():
        return False
    for key, value in content.items():
        if type(value) is int and value == 0 and _COUNTS.fullmatch(key):
            return True
        speaks = key.lower() in _SAYS or (key.lower() in _HOLDS and len(content) <= _BARE)
        if isinstance(value, str) and speaks and denies(value, tool):
            return not any(
                isinstance(other, str) and other is not value and _AFFIRMS.search(other) for other in content.values()
            )
    return False


def _runs_programs(tool: str) -> bool:
    return not _RUNS.isdisjoint(part.lower() for part in split_identifier(tool))


@once_per_text
def _text_denies(text: str) -> bool:
    text = _QUOTED.sub(" ", text)
    if not _MAY_DENY.search(text) or not _DENIES.search(text) or _AFFIRMS.search(text):
        return False
    if any(map(_tells_of_something_done, claims(text))):
        return False
    bare = _BARE_DONE.search(text)
    return bare is None or lemma(bare["verb"].lower()) in _REFUSING or _DENIES.search(text[: bare.end()]) is not None


def _tells_of_something_done(claim: Claim) -> bool:
    if claim.kind == "look-up" or claim.verb in _REFUSING:
        return False
    return claim.kind != "state" or claim.verb not in _STANDS_IN_THE_WAY
