"""A text → whether it says, in any words, that there is nothing of the kind, that it cannot be, or was already."""

import re
from functools import lru_cache

from misstep.core.words import sentences, stems
from misstep.objectives.asking import is_question
from misstep.objectives.values import said
from misstep.objectives.vocabulary import lemma

_BREAK = re.compile(r"[,;:()–—]| - |\b(?:but|and|so|because|since|though|although|yet|while)\b")
_SHORTENED = ((re.compile(r"\b(?:can't|cannot)\b"), "can not"), (re.compile(r"\bwon't\b"), "will not"))

# What is only supposed, asked or promised is not said to be so.
_SUPPOSES = re.compile(
    r"\b(?:if|whether|unless|until|once (?:i|you|we|it|they|that|the)|in case|(?<!not )let me|shall i|should i)\b"
    r"|\bwithout (?:it|that|this|one|your|the)\b|\b(?:i|we)(?:'ll| will)\b(?! not)"
)
# A negation that denies something else than that there is anything.
_BESIDE = re.compile(
    r"\bno(?:thing)? (?:else|more|other|further|longer|later|fewer|less|sooner|doubts?|problems?|worr\w+|trouble|need"
    r"|reasons? (?:why|to|for)|matter|wonder|rush|hurry|charge|fees?|cost|issues?|harm|question|difference)\b"
    r"|\bnothing (?:to|but|wrong|needs?|has to|will)\b|\bnone of (?:them|these|those|the|this|that)\b"
    r"|\bnothing (?:has|have|was|were|is) (?:been )?"
    r"(?!found|record|list|there|here|known|on|stor|sav|not|regist|enter)\w+"
    r"|\bnot (?:only|just|merely|even|least|to mention|until|a (?:problem|minute|moment|second))\b"
    r"|\bwithout (?:\w+ )?(?:trouble|problems?|delay|further|fail|ado|difficulty|charge)\b"
    r"|\bnot have (?:to|the (?:right|power|means)|permission|access|authority)\b|\bno(?= (?:one )?way\b)"
)
_NOT = r"(?:no|not|never|neither|nor|unable|fail(?:ed|s)?|zero|0|without|hardly)"
_FINDS = (
    r"(?:match(?:es|ing)?|results?|records?|hits?|entr(?:y|ies)|traces?|such|luck|joy|success|listings?|signs?|sight"
    r"|finds?|evidence|mention|data|items?|information)"
)
_SHELF = r"(?:system|books?|records?|lists?|files?|database|catalogue|range|contacts)"
_IS_FOUND = (
    r"(?:find\w*|found|locat\w+|discover\w*|identif\w+|see|seeing|seen|show\w* up|appear\w*|exist\w*|match\w*"
    r"|trac(?:e|ing)|track\w* (?:\w+ ){0,3}down|recogni[sz]\w*|contain\w*|(?:return|yield|produc)\w* an?y?\w*|dig\w*"
    r"|(?:turn|com|pull|bring)\w* up|came up|there|here|known?|knows|aware|ours?|registered|listed|any bells?"
    rf"|on (?:file|record|the list)|in (?:the|our|my|your) (?:\w+ )?{_SHELF})"
)
_HAS = (
    r"(?:ha(?:ve|s|d)|hold\w*|keep\w*|carr(?:y|ies)|sell\w*|stock\w*|offer\w*|know\w*|gets?|got|find\w*|found|see\w*)"
)
_NOTHING = re.compile(
    r"^(?:(?:\w+ )?(?:none|nobody|empty)|unknown(?: \w+){0,2})$"
    r"|\b(?:nothing|zilch|nada|nowhere)\b"
    r"|\b(?:nobody|no one|no-one)\b.{0,20}\b(?:name|here|there|called|by that|like that)"
    rf"|\b{_NOT} (?:\w+ ){{0,2}}?{_FINDS}\b"
    rf"|\b{_NOT}\b(?: \w+){{0,5}}? {_IS_FOUND}\b"
    r"|\bthere (?:\w+ ){0,4}(?:no|not|zero|nothing|none|neither)\b(?! (?:much|many|long|far))"
    rf"|\b(?:i|we|you|they|our \w+|the {_SHELF})(?: \w+){{0,2}}? {_HAS} (?:no|zero|none|neither|nobody)\b"
    r"|\b(?:do|does|did) not (?:\w+ to )?(?:have|hold|keep|carry|sell|stock)\b(?! (?:the|your|it)\b)"
    r"|\bha(?:ve|s) not got (?:a|any)\b|\bnot (?:\w+ ){1,3}we (?:have|sell|stock|carry)\b"
    r"|\b(?:not (?:a )?valid|invalid)\b"
    r"|\b(?:belong|come|go)s? (?:to|from) no\b"
    r"|\bempty(?:[- ]handed)?\b(?=$| (?:list|results?|response|answer|set|page|so far|for now|right now|at the moment))"
    r"|\bdr[ae]w(?:ing|n)? (?:a |another )?blank\b|\b(?:devoid|non-?existent|missing from|clean slate|is bare)\b"
    r"|\b(?:absence|lack) of (?:any|such|a)\b|\b(?:big|fat|absolute) zero\b"
)

_ABLE = (
    r"(?:can|could|able|possible|permitted|allow(?:ed)?|eligible|entitled|authori[sz]ed|an option|in a position|let)"
)
_IMPOSSIBLE = re.compile(
    rf"\b(?:not|no longer) (?:\w+ ){{0,3}}?{_ABLE}\b|\b(?:can|could|may|must|will|would|does) not\b"
    r"|\b(?:impossible|unable|prohibit\w*|preclud\w+|forbid\w*|declin\w+|refus\w+|den(?:y|ied)|ruled out)\b"
    r"|\b(?:too late|expired|ineligible|against (?:the|our) (?:rules|policy)|hands are tied)\b"
    r"|\b(?:beyond|outside|out of) (?:what|my|our)\b|\bno-go\b"
    r"|\bno (?:\w+ )?(?:way|can do|go|dice|chance|room|provision|option)\b"
    r"|\bha(?:s|d|ve) sailed\b|\bdoor is (?:closed|shut)\b|\bhave to leave\b.{0,40}\bas\b|\bonly \w+ \w+ c(?:an|ould)\b"
)
_POSSIBLE = re.compile(
    r"\b(?:can|could|will) not (?:wait|be (?:long|\w+er|more)|agree more|(?:\w+ ){1,4}enough|find|locate|see)\b"
    r"|\bnot (?:\w+ )?(?:a problem|too late|refused|denied|forbidden|prohibited|impossible|declined|expired)\b"
)
_CANNOT = re.compile(
    r"\b(?:can|could|may|must|will|would) not\b|\bunable\b|\bnot (?:able|allowed|possible|permitted)\b"
)
_BEFORE = re.compile(r"\b(?:already|before|once|previously|earlier|prior|second|twice|again|one time|in the past)\b")
_NEEDLESS = re.compile(
    r"(?<!not )(?<!never )(?<!not been )\balready\b|\b(?:previously|beforehand)\b"
    r"|\b(?:was|were|been) \w+ (?:\w+ ){0,2}?(?:earlier|before)\b"
    r"|\bno (?:\w+ ){0,2}?(?:need|necessity)\b(?! to (?:worry|thank|apologi|hurry|ask|reply))"
    r"|\bnothing (?:\w+ )?to (?!worry|add|report|fear|tell|show|go on|confirm|me\b|you\b)\w+"
    r"|\bno (?:\w+ ){1,3}?(?:is |are |was |were )?(?:needed|necessary|required)\b"
    r"|\b(?:nothing|not) (?:\w+ ){0,2}?(?:needed|necessary|required|needs? to be|has to be)\b"
)
_UNDONE = re.compile(
    r"\b(?:did|was|were|has|have|had|is|are) not (?:been |be |yet |yet been )?"
    r"(?!find|found|see|seen|clear|sure|know|only)"
    r"(?:\w+ed|\w+en|done|put|set|made|sent|paid|gone|taken|go|do|[a-z]{3,})\b|\bnothing (?:was|has been|is) \w+ed\b"
)
_EMPTY = re.compile(rf"\b(?:empty|blank|nothing|none|any|{_FINDS})\b")
_DENIED = re.compile(rf"\b(?:{_NOT}|none|nothing|nobody)\b")


@lru_cache(maxsize=2048)
def clauses(text: str) -> tuple[str, ...]:
    """What is said to be so, clause by clause, in lower case and with negations written out."""
    found: list[str] = []
    for sentence in sentences(text):
        if is_question(sentence):
            continue
        plain = sentence.lower().replace("’", "'")
        for short, full in _SHORTENED:
            plain = short.sub(full, plain)
        plain = plain.replace("n't", " not")
        found += [each.strip(" .!…*\"'") for each in _BREAK.split(plain) if not _SUPPOSES.search(each)]
    return tuple(each for each in found if each)


@lru_cache(maxsize=2048)
def says_none(text: str) -> bool:
    """The text says that nothing was found, or that nothing of the kind exists."""
    return any(_NOTHING.search(_BESIDE.sub(" ", clause)) for clause in clauses(text))


@lru_cache(maxsize=2048)
def says_impossible(text: str) -> bool:
    """The text says that something is not possible, not allowed, or will not be done."""
    return any(_IMPOSSIBLE.search(_POSSIBLE.sub(" ", clause)) for clause in clauses(text))


@lru_cache(maxsize=2048)
def denies(text: str, thing: str) -> bool:
    """The text says that there is none of a thing, or that it has not come about; not that it cannot be had.

    "Nothing was found" will do; that something else does not exist, which is called by its id, will not.
    """
    plain = [_BESIDE.sub(" ", clause) for clause in clauses(text)]
    if any(_DENIED.search(each) and not _CANNOT.search(each) and _speaks_of(each, thing) for each in plain):
        return True
    return any(_NOTHING.search(each) and (_EMPTY.search(each) or not said(each).codes) for each in plain)


@lru_cache(maxsize=2048)
def says_already(text: str, act: str) -> bool:
    """The text says that something was done before."""
    return any(_BEFORE.search(each) and not _DENIED.search(each) and _speaks_of(each, act) for each in clauses(text))


@lru_cache(maxsize=2048)
def says_needless(text: str) -> bool:
    """The text says that what is asked for is so already, or that nothing needs to be done for it."""
    return any(_NEEDLESS.search(each) for each in clauses(text))


@lru_cache(maxsize=2048)
def says_undone(text: str) -> bool:
    """The text says that something was not done, or that it cannot be."""
    return says_impossible(text) or any(_UNDONE.search(_BESIDE.sub(" ", each)) for each in clauses(text))


def speaks_of_something_else(clause: str) -> bool:
    """It has a no that denies something else than that there is anything."""
    return _BESIDE.search(clause) is not None


def _speaks_of(clause: str, thing: str) -> bool:
    needed = {lemma(each) for each in stems(thing)}
    return bool(needed) and needed <= {lemma(each) for each in stems(clause)}
