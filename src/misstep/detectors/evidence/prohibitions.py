"""A sentence → the acts and things that it forbids, and what it allows only."""

import re
from collections.abc import Iterator

from msgspec import structs

from misstep.core.words import lead_up
from misstep.detectors.evidence.constraint import Constraint
from misstep.objectives.values import said
from misstep.objectives.vocabulary import meaning

_NOT = (
    r"(?:do not|don't|never|must not|mustn't|should not|shouldn't|may not|shall not|are not to"
    r"|are not (?:allowed|permitted|authori[sz]ed|supposed|entitled|cleared) to|have no (?:authority|permission"
    r"|right) to"
    r"|are never to|under no circumstances|on no account|in no case|at no point|cannot|can't)"
)
# A dot inside a word is no full stop.
_WHAT = r"(?P<what>(?:[^.;!?\n]|\.(?=\w))+)"
_SHORT_WHAT = r"(?P<what>(?:[^,.;!?\n]|[.,](?=\w))+)"
_FORBIDS = re.compile(
    rf"(?P<who>\b(?:i|we|they|he|she|it|which|who|why|that|you)\s+)?\b(?:(?P<not>{_NOT})"
    r"|avoid|refrain from|hold (?:off|back)(?: on| from| with)?(?= \w+ing\b)|stop short of"
    r"|(?:(?:as|so) long as|provided(?: that)?|make sure|ensure)(?: that)?(?: you)? (?:not to|don't|do not|never)"
    rf"|(?:i|we)(?:'d| would) rather (?:you )?(?:not|didn't|did not)|(?:i|we)(?:'d| would) prefer (?:you )?not(?: to)?"
    rf"(?: (?:get|have|receive|see)\b)?|without(?= \w+ing\b| any\b))\s+{_WHAT}",
    re.IGNORECASE,
)
_UNWANTED = re.compile(
    rf"\b(?:i|we) (?:do not|don't) (?:(?:want|wish)(?: you)? to(?: have)?|(?:want|need)(?= any\b))\s+{_WHAT}",
    re.IGNORECASE,
)
_NO_THING = re.compile(
    r"(?:^|[,;:]|\b(?:and|but|with|please|absolutely))\s*(?:no|without)\s+(?!(?:problem|need|longer|more|one|idea"
    r"|later|less|matter|rush"
    r"|worries|thanks?|thank|doubt|wonder|way|hurry|i|it|that|this|you|we|sorry|please|just|not|don't|do|is|are"
    r"|any|delay|fail|success)\b"
    r"|\w+ing\b)" + _SHORT_WHAT,
    re.IGNORECASE,
)
_NO_MORE_OF = re.compile(
    r"(?:^|[,;:.]|\band|\bbut)\s*no (?:more|further)\s+(?P<what>\w+ing\b[^.;,!?\n]*)", re.IGNORECASE
)
# "The guest shouldn't hear about this": whom nobody may tell.
_NOT_TO_KNOW = re.compile(
    r"(?:^|[,;:]|\b(?:and|but|that)\b)\s{0,20}(?P<who>[^.;,:!?\n]{1,40}?)\s{1,20}(?:(?:must|should|may|can|shall|need|is"
    r"|are)\s{0,20}(?:n't|not"
    r"|never)|cannot|mustn't|won't)(?: ever)?(?: to)? (?:hear|know|learn|find out|get to know|get wind|become aware)\b",
    re.IGNORECASE,
)
# "Nothing may be deleted", "no mails are to be sent", "the lobby must not be touched".
_PASSIVE = re.compile(
    r"(?:\b(?P<none>nothing|nobody|no one|none|no)\b(?P<of>[^.;,!?\n]{0,40}?)\s{1,20}(?:is|are|may|must|should|can"
    r"|shall|gets?)"
    r"|(?P<subject>(?:[^.;,!?\n]|\.(?=\w)){1,60}?)(?<!\s)\s{1,20}(?:(?:must|may|should|can|shall)\s{0,20}(?:not|n't|never)|cannot"
    r"|mustn't"
    r"|(?:is|are) (?:not|never) to))\s{1,20}(?:to )?(?:be )?(?:ever )?(?P<verb>\w+(?:ed|en|t|wn|ut)"
    r"|touched)\b(?P<rest>[^.;,!?\n]*)",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    r"\b(?:leave|keep)\s{1,20}(?P<what>(?:[^,.;!?\n]|[.,](?=\w)){1,80}?)\s{1,20}"
    r"(?:alone|as (?:it|they) (?:is|are|stands?)|untouched|unchanged|as is|in peace"
    r"|in place|out(?: of (?:it|this|that|the \w+))?|the way (?:it|they))(?!\w)"
    r"|\b(?P<stays>[^,.;!?\n]{1,60}?)\s{1,20}(?:(?:must|should|has to|have to|needs? to|is to|are to) (?:stay"
    r"|remain)|stays?"
    r"|remains?)(?:\s{1,20}(?:put|untouched|unchanged|as (?:it|they)|as is|where|alone|open|in place))"
    r"|\b(?P<off>[^,.;!?\n]{1,60}?)\s{1,20}(?:is|are)\s{1,20}(?:off[- ]limits|out of bounds|taboo"
    r"|not to be touched|excluded"
    r"|not yours(?: to \w+)?"
    r"|none of your business|not for you to \w+)\b",
    re.IGNORECASE,
)
_SPARES = re.compile(
    r"\b(?:hands off|(?:stay|keep|steer) (?:away|clear|off|out)(?: of| from)?|leave out|skip|spare|exclude|omit)\s+"
    + _SHORT_WHAT,
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"\b(?:except(?:ing)?(?: for)?|other than|apart from|but not|excluding|save for|with the exception of|rather than"
    r"|instead of|(?:everything|everyone|everybody|all(?: \w+)?|every \w+|each \w+) but(?! not))\s+" + _SHORT_WHAT,
    re.IGNORECASE,
)
_NOT_THIS = re.compile(
    r"(?:,|\band|;|\(|–|—|-|\bbut)\s*(?:just |only |please )?not\s+(?!to\b|only\b|just\b|yet\b|sure\b"
    r"|an?\s)(?P<the>the |my |our |his |her )?" + _SHORT_WHAT,
    re.IGNORECASE,
)
_ONLY = re.compile(
    r"\b(?:(?:nobody|no one|no-one|none|nothing|anybody|anyone|anything|no \w+|any \w+|not \w+)\s+(?:else\s+)?"
    r"(?:but|except(?: for| to)?|other than|apart from|besides)"
    r"|only|exclusively|solely|nobody else than"
    r"|(?:restrict|limit|confine) (?:yourself|your \w+|it|this|everything|the \w+) to)\s+" + _SHORT_WHAT,
    re.IGNORECASE,
)
# "From A-1 only", "economy only".
_THAT_ONLY = re.compile(
    r"(?:^|[,;:]|\b(?:from|to|with|in|at|on|for|by|use|take|book|and))\s{0,20}(?P<what>(?:[^,.;!?\n]"
    r"|[.,](?=\w)){1,40}?)\s{1,20}only"
    r"(?=\s{0,20}(?:[.,;!?]|$))",
    re.IGNORECASE,
)
_NONE_BUT = re.compile(
    r"\b(?:nobody|no one|no-one|none|nothing|don't|do not|never|not)\b[^.;!?\n]{0,60}$", re.IGNORECASE
)
# "Don't forget to …" orders it; "I don't know …" is no order at all.
_NO_ORDER = re.compile(
    r"\s*(?:forget|give up|hesitate|worry|have|know|think|mind|care|understand|remember|see|recall|believe|like"
    r"|recogni[sz]e"
    r"|feel|hear|agree|get|got|be|been|delay|only|just|hold back|use up|wait)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\b(?:unless|until|till|if|when|before)\b", re.IGNORECASE)
_ASKING = re.compile(
    r"\b(?:(?:without|before) (?:first )?"
    r"(?:asking|checking|confirming|consulting|telling|my (?:permission|consent|approval|ok))"
    r"|(?:until|till|unless|before) (?:i|we|you)(?:'ve|'ll| have| will)?(?: \w+)?"
    r" (?:say|said|tell|told|ask|asked|confirm\w*|approv\w*|agree\w*|ok|okay|check\w*|give|gave|given|allow\w*|let)"
    r"|(?:until|till|unless) (?:told|asked|i'm ready|further notice|instructed))\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s{0,20}(?:,|\bbut\b|\bbecause\b|\bsince\b|\band (?=(?:please|i|then|also|do|make)\b)|\bthough\b|\bexcept\b"
    r"|\bother than\b)",
    re.IGNORECASE,
)
_NO_MORE = re.compile(r"\b(?:any ?more|any longer)\b", re.IGNORECASE)
_ANYTHING = re.compile(
    r"\s*(?:change|do|touch|modify|make|alter|edit|act on)\s+"
    r"(?:anything|any (?:changes?|thing)|a thing)(?!\s+(?:else|other|in|at|under|on|from|except|but|that|with|of))",
    re.IGNORECASE,
)
_GENERIC = frozenset(
    meaning(
        "yet any anything anybody anyone about thing else ever whatever happens back way now again later way kind sort "
        "everything something nothing nobody one ones whose long dr mr mrs ms "
        "under inside within there folder directory"
    )
)
_TO_USER = re.compile(r"\b(?:me|us|from you)\b", re.IGNORECASE)
_OR = re.compile(r"\b(?:or|nor)\b", re.IGNORECASE)
_TOUCH = frozenset(meaning("touch change alter modify mess affect do"))
_SHORT = 8


def prohibitions_in(sentence: str) -> Iterator[Constraint]:
    """What one sentence forbids, in order of its forms."""
    low = sentence.lower()
    if any(map(low.__contains__, _NEGATIONS)):
        yield from _ruled_out(sentence, low)
    if any(map(low.__contains__, _SPARING)):
        yield from _spared(sentence, low)
    if any(map(low.__contains__, _ALLOWING)):
        yield from _allowed_only(sentence)


# One of these is in whatever the forms below match; most sentences have none, and need not be searched for each form.
_NEGATIONS = ("no", "n't", "never", "avoid", "refrain", "hold", "stop short", "without")
_SPARING = (
    "leave", "keep", "stay", "remain", "off", "bounds", "taboo", "not", "none of", "exclu", "steer", "skip", "spare",
    "omit", "except", "other than", "apart", "save for", "rather than", "instead", "but",
)  # fmt: skip
_ALLOWING = ("only", "solely", "exclusively", "else than", "restrict", "limit", "confine", "but", "except", "than",
             "apart", "besides")  # fmt: skip


# For forms that try many ways to begin.
_KNOWING = ("hear", "know", "learn", "find out", "get wind", "become aware")
_LEAVING = (
    "leave", "keep", "stay", "remain", "off-limits", "off limits", "out of bounds", "taboo", "not to be touched",
    "excluded", "not yours", "none of your", "not for you",
)  # fmt: skip
_MAY_NOT = re.compile(
    r"(?:must|may|should|can|shall)\s*(?:not|n't|never)|(?:is|are) (?:not|never) to|\b(?:nothing|nobody|none|no)\b"
)


def _ruled_out(sentence: str, low: str) -> Iterator[Constraint]:
    for match in _FORBIDS.finditer(sentence):
        bare = (match["who"] or "").strip().lower()
        told = bare == "you" and (match["not"] or "").lower() not in ("don't", "do not", "never", "cannot", "can't")
        complaint = (bare and not told) or (not bare and (match["not"] or "").lower() in ("cannot", "can't"))
        complaint = complaint or _tells_how_it_is(sentence[max(0, match.start() - _NEAR) : match.start()], match)
        if not complaint and not _NO_ORDER.match(match["what"]) and not _ASKING.match(match.group()):
            yield from _forbidden(match["what"], match.group())
    for match in _UNWANTED.finditer(sentence):
        if not _NO_MORE.search(match["what"]):
            yield from (structs.replace(each, loose=True) for each in _forbidden(match["what"], match.group()))
    for match in _NO_THING.finditer(sentence):
        yield from (structs.replace(each, loose=True) for each in _thing_or_act(match["what"], match.group()))
    for match in _NO_MORE_OF.finditer(sentence):
        yield from (structs.replace(each, loose=True) for each in _forbidden(match["what"], match.group()))
    for match in _NOT_TO_KNOW.finditer(sentence) if any(map(low.__contains__, _KNOWING)) else ():
        if _OTHERS.search(match["who"]):
            yield Constraint("act", match.group().lstrip(",;: "), (*_TELL, *meaning(match["who"])))
    for match in _PASSIVE.finditer(sentence) if _MAY_NOT.search(low) else ():
        about = match["subject"] if match["subject"] is not None else match["of"]
        yield from _forbidden(f"{match['verb']} {about} {match['rest']}", match.group())


_IT_WAS = re.compile(r"(?:\b(?:was|were|am|is|are|been|have|has|had)|'(?:m|re|s|ve|d))\s*$", re.IGNORECASE)
_IF = re.compile(
    r"\b(?:if|whether|because|since|although|in case)\s+(?!possible|you can|need|necessary|in doubt)(?:[^,;:]*)$",
    re.IGNORECASE,
)
_NEAR = 200
_TO_BE = re.compile(r"\s*(?:to|allowed|permitted|ok|okay|acceptable|right|an option)\b", re.IGNORECASE)


def _tells_how_it_is(before: str, match: re.Match[str]) -> bool:
    """ "I was never late" and "if it never came" say how things are, or may be, and rule nothing out."""
    if not match["not"]:
        return False
    never = match["not"].lower() == "never" and _IT_WAS.search(before) and not _TO_BE.match(match["what"])
    return bool(never) or _IF.search(f"{before}{match['who'] or ''}") is not None


_TELL = meaning("tell")
_OTHERS = re.compile(r"\b(?:the|my|our|his|her|their|any\w*|no\w*)\b|[A-Z]\w+", re.IGNORECASE)


def _spared(sentence: str, low: str) -> Iterator[Constraint]:
    for match in _LEAVES.finditer(sentence) if any(map(low.__contains__, _LEAVING)) else ():
        yield from _things(match["what"] or match["stays"] or match["off"], match.group())
    for match in _SPARES.finditer(sentence):
        yield from _things(match["what"], match.group())
    for match in _NOT_THIS.finditer(sentence):
        if match["the"] or match["what"][0].isupper() or said(match["what"]).codes:
            yield from _things(match["what"], match.group())
    for match in _EXCEPT.finditer(sentence):
        if not _NONE_BUT.search(lead_up(sentence, match.start())):
            yield from _things(match["what"], match.group())


def _allowed_only(sentence: str) -> Iterator[Constraint]:
    for match in (*_ONLY.finditer(sentence), *_THAT_ONLY.finditer(sentence)):
        if _ANY_BUT.match(match.group()) and not _NONE_BUT.search(lead_up(sentence, match.start())):
            yield from _things(match["what"], match.group())  # "anything but the ground floor" leaves all the rest
            continue
        codes = _codes(match["what"])
        stems = tuple(each for each in meaning(match["what"]) if each not in _GENERIC)
        if not _CONDITION.search(match["what"]) and (codes or 0 < len(stems) <= _SHORT):
            yield Constraint("only", match.group(), stems, codes)


_ANY_BUT = re.compile(r"any\w*\s", re.IGNORECASE)
_FOLDER = re.compile(r"(?<!\S)[\w.-]+(?:/[\w.-]+)*/(?!\S)")


def _codes(what: str) -> frozenset[str]:
    """The names of things, and folders."""
    return said(what).codes | {each.casefold() for each in _FOLDER.findall(what)}


_INVERTED = re.compile(
    r"\s{0,20}(?:is|are|should|must|may|can|shall|will|do"
    r"|does)\s{1,20}(?P<who>[^,;]{1,40}?)\s{1,20}(?:to )?be (?P<verb>\w+)(?P<rest>.*)",
    re.IGNORECASE,
)


def _forbidden(what: str, text: str) -> Iterator[Constraint]:
    asking = _ASKING.search(what)
    if asking:
        what = what[: asking.start()]
    elif _CONDITION.search(what):
        return
    if _ONLY.search(what):
        return  # what is forbidden is all the rest
    what = _ENDS.split(what)[0]
    inverted = _INVERTED.match(what)
    if inverted:  # "under no circumstances is my wife to be informed"
        what = f"{inverted['verb']} {inverted['who']}{inverted['rest']}"
    if _ANYTHING.match(what):
        yield Constraint("everything", text, (), unless_asked=asking is not None)
        return
    for each in _thing_or_act(what, text):
        yield structs.replace(each, unless_asked=asking is not None)


def _thing_or_act(what: str, text: str) -> Iterator[Constraint]:
    """What is forbidden, each of several alternatives on its own."""
    codes, to_user = said(what).codes, _TO_USER.search(what) is not None
    listed = [tuple(each for each in meaning(part) if each not in _GENERIC) for part in _OR.split(what)]
    for stems in listed:
        if stems and stems[0] in _TOUCH and (codes or len(stems) > 1):
            yield from _things(what, text)
        elif stems:
            # "Don't move or delete the plan": what stands after the last verb belongs to each.
            shared = listed[-1][1:] if len(stems) == 1 and stems != listed[-1] else ()
            yield Constraint("act", text, (*stems, *shared), codes, to_user=to_user)


_ASIDE = re.compile(
    r"\b(?:this time|for now|for the moment|at the moment|right now|please|thanks|thank you|(?:anything|everything"
    r"|whatever|all|any)"
    r"(?: \w+)? (?:called|named|labell?ed)|(?:called|named))\b",
    re.IGNORECASE,
)


def _things(what: str, text: str) -> Iterator[Constraint]:
    what = _ASIDE.sub(" ", what)
    stems = tuple(each for each in meaning(what) if each not in _GENERIC and each not in _TOUCH)
    if stems:
        yield Constraint("thing", text, stems, _codes(what))
