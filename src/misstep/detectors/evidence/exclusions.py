"""What a user says → the days of the week and the properties that nothing which is picked may have."""

import re
from collections.abc import Iterator

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.words import sentences
from misstep.detectors.evidence.orders import plainly
from misstep.detectors.evidence.weekdays import weekday_of
from misstep.objectives.vocabulary import meaning


class Exclusion(Struct, frozen=True):
    """One thing that must not be so of what is picked."""

    text: str
    days: frozenset[int] = frozenset()
    """Days of the week, 0 for Monday."""
    stems: frozenset[str] = frozenset()
    """What none of its values may say."""
    once: bool = False
    """One such day is meant, and not each of them."""


_DAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?-i:Mon|Tues?|Weds?|Thurs?|Thu|Fri|Sat|Sun)s?|week-?ends?"
    r"|week-?days?)"
)
_BEFORE = r"(?:(?:on|at|over|during|for|the|a|any|all|this|next|coming|that)\s+){0,6}+"
# "Tuesday, Wednesday" may be a correction, "Tuesday, Wednesday or Friday" is a list; a part of a day is no day.
_DAYS = (
    rf"{_BEFORE}(?P<days>{_DAY}\b(?:(?:\s*,\s*{_BEFORE}{_DAY}\b){{0,7}}+,?\s+(?:or|and|nor|&)\s+(?:no "
    rf"|not )?{_BEFORE}{_DAY}\b"
    rf"|\s*/\s*{_DAY}\b){{0,7}}+)(?!\s+(?:mornings?|afternoons?|evenings?|nights?|at|before|after|until|between|from|\d))"
)
_NOT_SO_BAD = r"(?!\s+(?:is|are|works?|would|suits?|sounds?|will|then)\b(?! (?:not|out|bad|no)\b))"
# Where somebody says how it is to be, and not how it is.
_OPENS = (
    r"(?:^\W*|[,;:–—(-]\s*|\b(?:please|but|and|or|so|really|absolutely|definitely|just|only|certainly|strictly|book"
    r"|want|like|need|with|maybe|also|again|then|(?:should|must|shall) be)\s+)"
)
_BANS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_OPENS}(?:nothing|none|not|never|no)(?: ever)?\s{{1,20}}{_DAYS}{_NOT_SO_BAD}",
        rf"{_OPENS}no (?!later|earlier|sooner|less|more|news|reply|answer|one)(?:\w+\s){{1,3}}?on\s+{_DAYS}",
        rf"\b(?:avoid(?:ing)?|skip|exclud(?:e|ing)|except(?: for)?|other than|apart from|rul(?:e|ing) out"
        rf"|leav(?:e|ing) out"
        rf"|(?:stay|keep|steer) (?:away|clear|off)(?: of| from)?|(?:any|every|all"
        rf"|each)\w*(?: \w+)? but)\s{{1,20}}{_DAYS}",
        rf"\b{_DAYS}\s{{1,20}}(?:(?:are|is)\s{{1,20}}(?:definitely |really |always |completely "
        rf"|simply )?(?:out\b(?! of)"
        rf"|no good|no-go"
        r"|a no-go|impossible|off[- ]limits|not (?:good|possible|an option|ok|okay|on|great)|bad|taboo"
        r"|ruled out|no use)"
        r"|(?:are|is)n't (?:good|possible|an option|ok|okay|any good|great)"
        r"|(?:do|does|will|would)(?:n't| not)(?: really)? (?:work|do|suit|fit)\b|won't (?:really )?(?:work|do"
        r"|suit|fit)\b)",
        r"\b(?:can't|cannot|can not|(?:un|not )able to|won't be able to)\s{1,20}(?:ever\s+)?(?:do|make|manage"
        r"|come|attend"
        r"|have|take|receive|accept|meet|be (?:there|here))"
        rf"(?:\s{{1,20}}(?:it|in|here|there|any)|(?:\s{{1,20}}\w+){{1,3}}?(?=\s{{1,20}}(?:on|at)\s))?\s{{1,20}}{_DAYS}",
        r"\b(?:i|we|he|she|they|who)(?:'m|'re|'s| am| are| is)? (?:(?:not|never)(?: \w+)? (?:available|free"
        r"|around|here|in)"
        rf"|unavailable|busy|tied up)(?: \w+)? (?=on\b|at\b|any\b|all\b){_DAYS}",
        rf"\b(?:do not|don't) want(?: anything)?\s{{1,20}}{_DAYS}",
        rf"\b(?:keep|leave)\s{{1,20}}{_DAYS}\s{{1,20}}(?:free|clear|alone|out|empty|open)\b",
        r"\b(?:don't|do not|never|must not|mustn't|shouldn't|should not|may not)\s{1,20}(?:\w+\s{1,20}){1,6}?"
        rf"(?=(?:on|at) (?:a |any |the )?(?:{_DAY})){_DAYS}",
    )
)
_ALLOWS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?:^\W*|[,;:–—(-]\s*|\b(?:and|but|please)\s+){_DAYS}\s+only\b",
        r"(?:^\W*|[,;:–—(-]\s*|\b(?:i|we|she|he|they) (?:can|could)\s+|\b(?:please|but|and|book)\s+)only\s+"
        rf"(?:(?:do|make|manage|come|take|have|be there)\s+)?(?:it\s+)?{_DAYS}(?!\s+(?:is|are|was|were|left))",
        rf"\b(?:it|they|this|that) (?:must|has to|have to|needs? to|can only) be {_DAYS}",
    )
)
_SOFT = re.compile(
    r"\b(?:unless|if|ideally|preferably|prefer\w*|rather|better|would be (?:nice|good|great)|until|till)\b",
    re.IGNORECASE,
)
_ASKS_HOW_IT_IS = re.compile(
    r"^\W*(?:(?:so|and|but|ok|okay|hi|hello|also)\W+)*(?:why|is|are|isn't|aren't|was|were|do|does|don't|did"
    r"|have|has|what"
    r"|when|which|how|who|they|you|it)\b",
    re.IGNORECASE,
)
_WORD = r"[\w'’&-]++"
_WHAT = (
    rf"(?P<what>{_WORD}(?:\s+{_WORD}){{0,5}}?)(?=\s*(?:[.,;:!?)–—]|$)|\s+(?:please|thanks|though|because|since|as|for"
    r"|this time|anywhere|at all|ever|whatsoever|in (?:it|them|the|our|my|any)|of any)\b)"
)
_NOTHING = re.compile(
    rf"{_OPENS}(?:nothing|none)(?P<how>\s+(?:with|on|in|at|from|by|near|facing|containing|involving|made (?:of"
    rf"|from|with)))?"
    rf"\s+{_WHAT}",
    re.IGNORECASE,
)
_NO_PROPERTY = re.compile(
    r"\b(?:particular|general|it|that|this|these|those|mind|return|common|else|more|less|yet|but|new|special|wrong|much"
    r"|is|are|was|has|have|will|can|may|must|should|to|of|happen\w*|chang\w*|came|come|comes|work\w*|i|we|you|they|my"
    r"|way|top$|list|file|screen|account|than|over|under|before|after|short|like|left|so|found|stock|hand"
    r"|serious|urgent"
    r"|fancy|big|personal|does|do|did|seems?|helps?|matters?|today|yesterday|now|here|there|out|for)\b|\d|\b\w+ed\b",
    re.IGNORECASE,
)
_READ = 400
"""Of a sentence so many characters are read: nobody who rules out a day takes longer."""
_OR = re.compile(r"\b(?:or|and|nor)\b|[/&]", re.IGNORECASE)


@once_per_text
def exclusions(text: str) -> tuple[Exclusion, ...]:
    """What a message rules out for whatever is picked from then on, in order; wishes and conditions do not."""
    said = [sentence[:_READ] for sentence in sentences(plainly(text))]
    return tuple(
        each
        for before, sentence in zip(("", *said), said, strict=False)
        for each in (*_in_sentence(sentence), *_then(before, sentence))
    )


_NOT_THEN = re.compile(
    rf"{_OPENS}(?:nothing|not|never|no \w+)\s+(?:then|on (?:those|these|that|such a|such) days?|those days|that day)\b",
    re.IGNORECASE,
)
_SPOKEN_OF = re.compile(rf"\b{_DAYS}", re.IGNORECASE)


def _then(before: str, sentence: str) -> Iterator[Exclusion]:
    """ "She has dialysis on Mondays, so nothing on those days." """
    match = _NOT_THEN.search(sentence)
    if match is None or _SOFT.search(sentence) or _asks_how_it_is(sentence):
        return
    named = list(_SPOKEN_OF.finditer(sentence[: match.start() + 1])) or list(_SPOKEN_OF.finditer(before))
    days = [each["days"] for each in named if _is_general(each.group())]
    if days:
        yield Exclusion(match.group().strip(" ,;:"), frozenset[int]().union(*map(_days, days)))


_MAY_EXCLUDE = re.compile(r"day|week|\b(?:nothing|none)\b|\b(?-i:Mon|Tue|Wed|Thu|Fri|Sat|Sun)", re.IGNORECASE)


def _in_sentence(sentence: str) -> Iterator[Exclusion]:
    if not _MAY_EXCLUDE.search(sentence):
        return
    if _SOFT.search(sentence) or _asks_how_it_is(sentence):
        return
    found = {match["days"]: match.group() for form in _BANS for match in form.finditer(sentence)}
    allowed = {match["days"]: match.group() for form in _ALLOWS for match in form.finditer(sentence)}
    for days, text in found.items():
        if days not in allowed:
            yield Exclusion(text.strip(" ,;:"), _days(days), once=not _is_general(text))
    for days, text in allowed.items():
        yield Exclusion(text.strip(" ,;:"), frozenset(range(7)) - _days(days), once=not _is_general(text))
    if not found and not allowed:
        yield from _properties(sentence)


def _asks_how_it_is(sentence: str) -> bool:
    return sentence.rstrip(" !.\"')").endswith("?") and _ASKS_HOW_IT_IS.match(sentence) is not None


def _days(text: str) -> frozenset[int]:
    found: set[int] = set()
    for match in re.finditer(_DAY, text, re.IGNORECASE):
        name = match.group().lower().replace("-", "")
        if name.startswith("week"):
            found.update(range(5, 7) if name.startswith("weekend") else range(5))
        else:
            found.add(weekday_of(name))
    return frozenset(found)


def _is_general(text: str) -> bool:
    """ "Mondays", "a Monday" and "weekends" are all of them, "this Monday" is one."""
    days = re.findall(_DAY, text, re.IGNORECASE)
    return any(day.lower().endswith("s") or day.lower().startswith("week") for day in days) or (
        re.search(rf"\b(?:a|any|every|each)\s+{_DAY}\b", text, re.IGNORECASE) is not None
    )


def _properties(sentence: str) -> Iterator[Exclusion]:
    """ "Nothing with nuts or milk", "nothing spicy"."""
    for match in _NOTHING.finditer(sentence):
        for what in _OR.split(match["what"]):
            words = what.split()
            if not words or _NO_PROPERTY.search(what) or (match["how"] is None and len(words) > 1):
                continue
            stems = frozenset(meaning(what))
            if stems:
                yield Exclusion(match.group().strip(" ,;:"), stems=stems)
