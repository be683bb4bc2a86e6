"""What an agent says → the acts that it claims to have done."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.words import STOPWORDS, lead_up, sentences, words
from misstep.objectives.values import said
from misstep.objectives.vocabulary import lemma, meaning

Kind = Literal["act", "state", "whole", "look-up"]
"""`act`: it was done ("I have cancelled it"); `state`: it is so ("it is cancelled", which may be old news); `whole`:
all is done, whatever it was ("Done!"); `look-up`: something was read ("I have checked it")."""


class Claim(Struct, frozen=True):
    """Something that an agent says was done."""

    kind: Kind
    verb: str
    """The stem of the verb; empty where there is none of its own."""
    stems: frozenset[str]
    """The stems of the clause."""
    text: str
    codes: frozenset[str] = frozenset()
    """Ids and addresses in the clause."""
    many: bool = False
    """Said of all of several: "both", "all three"."""
    focus: frozenset[str] = frozenset()
    """The stems of what it was done to, or, with a verb that says little, of the act itself."""


_IRREGULAR = (
    "sent made put set done taken given written paid bought sold held kept built chosen brought drawn withdrawn frozen "
    "unfrozen hidden undone redone overwritten begun spent cut split reset run shut let left resent rewritten repaid "
    "swept thrown lent wrote took gave froze withdrew hid found seen read gone got told"
)
_PARTICIPLES = frozenset(_IRREGULAR.split())
_VERB = rf"(?P<verb>[a-z]+ed|{'|'.join(_IRREGULAR.split())})\b"
_ADVERB = (
    r"(?:\s+(?:now|just|already|also|all|both|gone ahead and|went ahead and|gone and|then|therefore|since|hereby|today"
    r"|again|finally|as requested|[a-z]+ly)){0,3}"
)
_BARE = re.compile(rf"^\W{{0,20}}(?:successfully\s+)?{_VERB}", re.IGNORECASE)
_FORMS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (
        re.compile(rf"\b(?:i|we)(?:'ve|'d|\s{{1,20}}have|\s{{1,20}}had)?{_ADVERB}\s{{1,20}}{_VERB}", re.IGNORECASE),
        "act",
    ),
    (re.compile(rf"\b(?:has|have|had)\b{_ADVERB}\s{{1,20}}been{_ADVERB}\s{{1,20}}{_VERB}", re.IGNORECASE), "act"),
    (re.compile(rf"(?:\b(?:is|are|was|were|got)\b|'s\b|'re\b){_ADVERB}\s{{1,20}}{_VERB}", re.IGNORECASE), "state"),
    (_BARE, "state"),
)
# "Refunds are processed within a day" speaks of refunds, not of one.
_DEFINITE = re.compile(
    r"\b(?:your|the|this|that|it|its|they|both|these|those|my|our|he|she|you|everything"
    r"|all (?:of|two|three|four|five|six|seven|eight|nine|ten|other))\b|\d",
    re.IGNORECASE,
)
_SURELY = re.compile(r"\b(?:now|successfully|hereby|just)\b", re.IGNORECASE)
_CAME_THROUGH = re.compile(
    r"\b(?:(?:is|was|are|were|has been|have been)(?:\s+now)?"
    r"\s+(?:complete|completed|done|successful|finished|final|through)"
    r"|went through|(?:has|have) gone through|(?:is|are) on (?:its|their) way|succeeded)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"^\W*(?:(?:ok|okay|great|perfect|good news|sure|alright|certainly|of course|yes)\W+)*"
    r"(?:that's |it's |it is |that is )?"
    r"(?:all |now |already )*(?:done|set|sorted|finished|completed|settled|good to go)(?=\W*$|\s*[!.,:;–—-])"
    r"|\b(?:you're|you are|we're|we are|everything is|everything's) (?:now )?(?:all |good )(?:set|done|sorted|to go)\b"
    r"|\b(?:it|that|this|everything|all)(?:'s| is| has been|'s been| was)? (?:all |now |already )*"
    r"(?:done|sorted|taken care of|dealt with|handled|settled|arranged)\b"
    r"|\b(?:consider it done|mission accomplished)\b|\b(?:i've|i have|we've|we have) "
    r"(?:done (?:that|it|this|so|what you asked)|taken care of (?:it|that|this|everything))\b",
    re.IGNORECASE,
)

# Before the verb, in its clause: not said to be so, not said to be so yet, or said to be what somebody else says.
_NOT_SO = re.compile(
    r"n't\b|\b(?:"
    + "|".join(
        """not never no nothing none nobody neither nor cannot unable without hardly if whether once when whenever after
        until unless before while provided should would could can may might must will shall to which who whose any every
        seems? appears? shows? says indicates? states suggests? sorry usually normally typically generally automatically
        always often ensur\\w+ policy previously earlier tried attempt\\w* ago originally""".split()
    )
    + r"|rather than|instead of|as soon as|as long as|in case|you (?:said|mentioned|told|say|asked)"
    r"|i (?:see|understand)|looks? like|according to)\b",
    re.IGNORECASE,
)
_IN_GENERAL = re.compile(r"\W*(?:when|whenever|if|unless|in case|once)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\bthat\b[^,]*$", re.IGNORECASE)
_TELLS = re.compile(
    r"\b(?:confirm|inform|tell|say|know|note|announce|report|assure|sure|pleased|happy|glad|delighted)\b[^,]*\bthat\b",
    re.IGNORECASE,
)
_TELLS_POLITELY = re.compile(
    r"^\W*(?:i|we)(?:'m| am| are|'re)?(?: can| could| would like to| want to| just wanted to)?"
    r"(?: now)?(?: pleased| happy| glad| delighted)?(?: to)?"
    r" (?:confirm|inform you|tell you|let you know|say|report|assure you)(?: that)?\b"
    r"|^\W*(?:please )?(?:note|be assured|rest assured) that\b",
    re.IGNORECASE,
)

_SEEING = frozenset(
    lemma(word)
    for word in """found checked looked searched reviewed retrieved located pulled verified seen read examined listed
    fetched compared calculated identified inspected""".split()
)
# What people say they did when they did nothing to the world: thinking, talking, being.
_TALKING = frozenset(
    lemma(word)
    for word in """noted noticed understood received tried attempted reached gathered included explained mentioned asked
    offered provided shown learned thought considered gone been had got determined realised realized matched told said
    needed wanted hoped wished agreed decided promised apologised apologized appreciated heard felt assumed believed
    expected required allowed supposed based concerned pleased interested related limited indeed need proceed exceed
    succeed feed speed used called named located situated entitled attached followed listed detailed described shared
    confirmed ensured assisted helped answered discussed advised suggested recommended requested stated specified
    prepared experienced encountered faced failed missed lost happened occurred meant let run started stopped
    excited thrilled worried sorry tired located eligible estimated advised informed stored found linked associated
    connected assigned supported permitted restricted""".split()
) - frozenset(
    {lemma("shared"), lemma("stopped"), lemma("called"), lemma("assigned"), lemma("linked"), lemma("connected")}
)


_E_MAIL = re.compile(r"\be-mail(?=ed\b)", re.IGNORECASE)


@once_per_text
def claims(text: str) -> tuple[Claim, ...]:
    """The claims in an agent's message, in order. Questions, offers, conditions, plans and denials are none."""
    return tuple(
        claim
        for sentence in sentences(_E_MAIL.sub("email", text.replace("’", "'")))
        for claim in _in_sentence(sentence)
    )


@once_per_text
def _in_sentence(sentence: str) -> tuple[Claim, ...]:
    return tuple(_claims_in(sentence)) if _MAY_CLAIM.search(sentence.lower()) else ()


# One of these is in whatever the forms below match; most sentences have none.
_MAY_CLAIM = re.compile(
    rf"ed\b|\b(?:{'|'.join(_IRREGULAR.split())}|complete|successful|final|through|way|dealt|to go)\b"
)


def _claims_in(sentence: str) -> Iterator[Claim]:
    if sentence.rstrip("\"')* ").endswith("?") or _IN_GENERAL.match(sentence):
        return
    after_act = may = False
    listed = _LISTED.match(sentence) is not None
    for clause in _clauses(sentence):
        goes_on = _STARTS_WITH_VERB.match(clause) is not None
        if goes_on and may:
            continue  # "I can send it, set it up …": the first verb's "can" holds for all
        may = _MAY.search(clause) is not None
        claim = _in_clause(clause, after_act=after_act)
        if claim is None and listed and not may:
            claim = _in_item(clause)
        if claim is not None:
            yield claim
        after_act = claim is not None and claim.kind == "act"


_LISTED = re.compile(r"\s*(?:[-*•–—+✓✔✅☑]|\d+[.)])\s*(?=\S)")
_MAY = re.compile(
    r"\b(?:can|could|will|would|may|might|shall|should|able to|ready to|happy to|want(?:s|ed)? to|going to"
    r"|need(?:s|ed)? to"
    r"|like to|i'll|we'll|i'd|let me)\b",
    re.IGNORECASE,
)
_ITEM = re.compile(
    rf"^\W{{0,10}}(?P<subject>[^,;.!?]{{1,80}}?)\W{{1,8}}{_VERB}(?=\W{{0,20}}$|\s{{0,20}}[,;:(→–—-]|\s{{1,20}}(?:for|to|at|from|on|with|by|in|into|as|until)\b)",
    re.IGNORECASE,
)


def _in_item(clause: str) -> Claim | None:
    """An item of a list, in which the verb stands alone: "Newsletter: sent"."""
    match = _ITEM.match(clause)
    if match is None or _FINITE.search(match["subject"]) or not _is_told(match["subject"]):
        return None
    return _claim("state", match, clause)


# As a verb on its own these may as well be what is to be done.
_EITHER = frozenset("set put cut let read run reset split shut given".split())
_MANY = re.compile(r"\b(?:all|both|every|each|everything|everyone)\b", re.IGNORECASE)


_JOINT = re.compile(r"\s{0,20}(?:[;:–—]|,\s{0,20}(?:and|but|so|then|which)?|\b(?:and|but|so)\b)\s{1,20}", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|should|may|might|did|do|does|i|we|you|it|there|went|let)\b"
    r"|'(?:s|ve|ll|re|m|d)\b",
    re.IGNORECASE,
)
_STARTS_WITH_VERB = re.compile(rf"^(?:(?:also|then|successfully)\s+)?{_VERB}", re.IGNORECASE)


def _clauses(sentence: str) -> list[str]:
    """A sentence cut where a clause with a verb of its own begins."""
    clauses: list[str] = []
    start = 0
    joints = list(_JOINT.finditer(sentence))
    for index, joint in enumerate(joints):
        end = joints[index + 1].start() if index + 1 < len(joints) else len(sentence)
        fragment = sentence[joint.end() : end]
        if _FINITE.search(fragment) or _STARTS_WITH_VERB.match(fragment):
            clauses.append(sentence[start : joint.start()])
            start = joint.end()
    clauses.append(sentence[start:])
    return clauses


_AFTER = 300
"""So many characters after a verb are read for what it is about: a clause may be of any length."""


def _in_clause(clause: str, *, after_act: bool) -> Claim | None:
    whole = _WHOLE.search(clause)
    if whole and not _NOT_SO.search(clause[: whole.start()]):
        return Claim("whole", "", frozenset(meaning(clause)), clause, said(clause).codes)
    clause = _TELLS_POLITELY.sub("", clause)
    through = _CAME_THROUGH.search(clause)
    if through and _is_told(clause[: through.start()]):
        focus = frozenset(meaning(clause[: through.start()]))
        return Claim("act", "", frozenset(meaning(clause)), clause, said(clause).codes, focus=focus)
    if after_act and (match := _STARTS_WITH_VERB.match(clause)):
        return _claim("act", match, clause)
    for form, kind in _FORMS:
        for match in form.finditer(clause):
            subject = lead_up(clause, match.start())
            if form is _BARE and match["verb"].lower() in _EITHER:
                continue
            definite = _DEFINITE.search(subject) or (
                match["verb"][-2:] == "ed" and said(clause[match.end() : match.end() + _AFTER]).codes
            )
            if kind == "state" and subject.strip() and not definite:
                continue
            if _is_told(subject):
                surely = kind == "state" and _SURELY.search(match.group()) is not None
                claim = _claim("act" if surely else kind, match, clause)
                if claim is not None:
                    return claim
    return None


def _is_told(before: str) -> bool:
    """What stands before the verb leaves it a plain statement of the agent's own."""
    if _NOT_SO.search(before):
        return False
    return not _RELATIVE.search(before) or _TELLS.search(before) is not None


def _claim(kind: Kind, match: re.Match[str], clause: str) -> Claim | None:
    verb = lemma(match["verb"].lower())
    if _DENIED.match(clause, match.end()):
        return None  # "I sent no mail"
    active = _ACTIVE.match(match.group()) is not None or match.group().lower().startswith(match["verb"].lower())
    if verb in _SEEING:
        if not active:
            return None  # "the file is located in …" tells where, not that anybody looked
        kind = "look-up"
    elif verb in _TALKING or match["verb"].lower() in STOPWORDS:
        return None
    focus = " ".join(clause[match.end() :].split()[:_OBJECT_WORDS]) if active else clause[: match.start()]
    stems = frozenset(meaning(clause)) | {verb}
    many = _MANY.search(clause) is not None
    return Claim(kind, verb, stems, clause.strip(), said(clause).codes, many, frozenset(meaning(focus)))


_ACTIVE = re.compile(r"\s*(?:i|we)\b", re.IGNORECASE)
_DENIED = re.compile(r"\s+(?:no|nothing|none|nobody|neither)\b", re.IGNORECASE)
_OBJECT_WORDS = 6
_LIGHT = frozenset(
    lemma(word)
    for word in """completed processed made performed initiated issued submitted finished handled placed put given filed
    arranged recorded entered applied executed run carried done taken begun left""".split()
)
# Of these a receipt is enough: what was asked for is only asked for.
_HANDING_IN = frozenset(
    lemma(word)
    for word in """submitted requested filed applied lodged placed initiated started queued scheduled registered entered
    ordered raised logged sent asked begun opened""".split()
)


def says_little(verb: str) -> bool:
    """A verb that leaves it to its object to say what was done: "made the change", "processed the refund"."""
    return not verb or verb in _LIGHT


def hands_in(verb: str) -> bool:
    """A verb that is true as soon as the thing is under way: "submitted", "queued"."""
    return verb in _HANDING_IN


def needs_an_object(verb: str) -> bool:
    """A verb that claims an act only together with the word for it: "left a comment", not "left it as it is"."""
    return verb == lemma("left")


@lru_cache(maxsize=4096)
def told_as_past(text: str) -> frozenset[str]:
    """The stems of the participles in a text: what it says has happened, rather than what it asks for."""
    past = (word for word in words(text) if word.endswith("ed") or (word in _PARTICIPLES and word not in _EITHER))
    return frozenset(map(lemma, past))


@lru_cache(maxsize=1024)
def spoken(text: str) -> frozenset[str]:
    """The stems of every word of a text, small words too."""
    return frozenset(lemma(word) for word in words(text))
