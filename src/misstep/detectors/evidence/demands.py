"""What a user or the system says → what it demands of answers that code can check: their form, length and language."""

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from misstep.core.once import once_per_text
from misstep.core.words import lead_up, sentences

Kind = Literal["json", "tag", "opening", "ending", "length", "language", "phrase", "no-phrase", "style"]


class Demand(Struct, frozen=True):
    """One demand on the form of an answer."""

    kind: Kind
    text: str
    """The sentence that makes it."""
    value: str = ""
    """The tag, the phrase, the language, the style or the unit of a length."""
    number: int = 0
    exactly: bool = False
    """Of a length: not only at most. Of JSON: nothing else beside it."""
    lasting: bool = False
    """For every answer, not only for the next."""
    standing: bool = False
    """So for every answer in so many words that it holds also where a user says it, until it is lifted."""
    keys: tuple[str, ...] = ()
    """Of JSON: the fields that it must have."""


_ANSWER = r"(?:answers?|repl(?:y|ies)|responses?|messages?|outputs?|summar(?:y|ies)|explanations?|plans?|reports?)"
_LASTING = re.compile(
    r"\b(?:always|every|each|all (?:of )?your|never|from now on|at all times|throughout|any|must|only)\b", re.IGNORECASE
)
_SAID = r"(?:answers?|repl(?:y|ies)|responses?|messages?)"
_EACH_ANSWER = re.compile(
    rf"\b(?:every|each|all(?: of)?|per|any)(?: (?:single|your|the|my|one))*(?: \w+)? {_SAID}\b"
    r"|\byour (?:\w+ )?(?:answers|replies|responses|messages)\b",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"\b(?:always|never|from (?:now|here|this point) on(?:wards?)?|going forward|at all times"
    r"|(?:every|each)(?: single)? time|whenever you (?:answer|reply|respond|write)|until (?:i|we) (?:say|tell)"
    r"|(?:for|in|during|throughout) (?:the )?(?:(?:rest|remainder|whole|duration) (?:of )?)?(?:this|the|our) "
    r"(?:whole |entire )?(?:chat|conversation|session|talk|thread))\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,;:()–—]| - |\b(?:because|since|so that|so (?=my|our|i|we|the|it)\b)")
# Who answers: told to do so, or spoken of what is to be the answer.
_ASKS_TO_ANSWER = re.compile(
    rf"(?:^|[,;:(]\s*|\b(?:please|and|then|but|should|must|to|you|always|never|not|only|just|can|could|would"
    rf"|now on|kindly)\s+)"
    rf"(?:answer|reply|respond|return|output|format|phrase|summari[sz]e|keep (?:it|your|the|this|that|them)"
    rf"|limit your(?:self)?|stay|remain|speak|explain|describe|end|finish|conclude|begin|start|write|wrap|enclose|put"
    rf"|use|include|say"
    rf"|give|provide|produce|state|list|tell)\b|\b(?:your|the|each|every|final|all|per) (?:\w+ ){{0,2}}{_ANSWER}\b",
    re.IGNORECASE,
)
# What is to be sent, filed or passed on is another text than the answer.
_FOR_OTHERS = re.compile(
    r"\b(?:e-?mails?|letters?|files?|notes?|comments?|post|tweet|documents?|tickets?|queries|query|functions?"
    r"|arguments?"
    r"|parameters?|tools?|calls?|api|endpoint|commits?|pull request|subject|when (?:calling|using|you call|you use)"
    r"|example|for instance|e\.g|if|unless|class|variables?|code|json file|script|program|database|table named)\b",
    re.IGNORECASE,
)
_NUMBERS = {
    word: number for number, word in enumerate("zero one two three four five six seven eight nine ten".split())
} | {"a single": 1, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100}
_COUNT = rf"(?P<number>\d{{1,5}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_UNIT = r"(?P<unit>words?|sentences?|characters?|letters?|lines?|paragraphs?|bullet points?|bullets)"
_LENGTH = re.compile(
    rf"\b(?P<how>in|at (?:the )?most|no more than|not more than|not exceed(?:ing)?|under|below|fewer than"
    rf"|less than|up to"
    rf"|max(?:imum)?(?: of)?|within|exactly|limit(?:ed)? to|to|using|with) (?:(?P<exactly>exactly|just|only) )?"
    rf"(?:at most |no more than |under |a maximum of )?{_COUNT}(?: (?:short|simple|plain"
    rf"|brief))? {_UNIT}\b(?! each| per (?!{_SAID}))",
    re.IGNORECASE,
)
# "15 words max", "two sentences or less", "20 words per answer".
_LENGTH_AFTER = re.compile(
    rf"\b{_COUNT}(?: (?:short|simple|plain|brief))?[ -]{_UNIT}(?: (?:max(?:imum)?|tops|at (?:the )?most"
    rf"|or (?:less|fewer)|limit)\b| per {_SAID}\b)",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(r"\b(?:at least|minimum|or more|more than)\b(?<!no more than)(?<!not more than)", re.IGNORECASE)
# "Never write more than two lines" is "at most two lines", whatever stands in between.
_NEVER_MORE = re.compile(
    r"\b(?:never|must not|mustn't|do not|don't|should not|shouldn't|may not)\b(?P<doing>[^.;!?]{0,40}?)"
    r"(?: in| with| for| be| exceed)?(?: more than| longer than| over|(?<=exceed))(?= )",
    re.IGNORECASE,
)
LANGUAGES = ("english", "german", "french", "spanish", "italian", "portuguese", "dutch")
_LANGUAGE = re.compile(
    rf"\b(?:answer|reply|respond|write|speak|talk|communicate"
    rf"|{_ANSWER})\b[^.;:!?\n]{{0,30}}?\bin (?:\w+ )?(?P<language>{'|'.join(LANGUAGES)})\b"
    rf"(?! (?:grammar|literature|history|class))",
    re.IGNORECASE,
)
_JSON = re.compile(
    r"\b(?P<verb>answer|reply|respond|return|output|give|provide|produce|format|write|be"
    r"|is)\b(?P<between>[^.;!?\n]{0,60}?)"
    r"\b(?:in|as|with|only|valid|an?|one|single|of|strict(?:ly)?)\s+(?:\w+\s+){0,2}?json\b",
    re.IGNORECASE,
)
_NOTHING_ELSE = re.compile(
    r"\b(?:only|nothing else|nothing but|no other text|without any (?:other|further|additional)|no (?:prose"
    r"|explanation|text)"
    r"|exclusively|solely|and that is all)\b",
    re.IGNORECASE,
)
_KEYS = re.compile(r"\b(?:keys?|fields?|propert(?:y|ies)|attributes?)\b(?P<listed>[^.!?\n]{0,160})", re.IGNORECASE)
_QUOTED = re.compile(r"[\"'`“‘]([A-Za-z_][\w-]{0,40})[\"'`”’]")
_TAG = re.compile(
    r"\b(?P<verb>write|add|put|include|append|end|finish|conclude|close|wrap|enclose|surround|begin|start|open|use)\b"
    r"(?P<between>[^.!?\n<]{0,80}?)(?:\\n)?(?P<tag><[A-Za-z][\w-]{1,40}>)(?P<rest>[^.!?\n]{0,60})",
    re.IGNORECASE,
)
_LITERAL = (
    r"(?:\"(?P<a>[^\"\n]{2,80})\"|“(?P<b>[^”\n]{2,80})”|'(?P<c>[^'\n]{2,80})'(?!\w)|`(?P<d>[^`\n]{2,80})`"
    r"|(?P<e>\[[^\]\n]{2,40}\]))"
)
_EDGE = re.compile(
    rf"\b(?P<verb>end|finish|conclude|close|begin|start"
    rf"|open)s?\b(?P<between>[^.!?\n\"“'`[]{{0,60}}?)\bwith\b[^.!?\n\"“'`[]{{0,30}}?{_LITERAL}",
    re.IGNORECASE,
)
_MENTION = r"(?: (?:the|this|these|any))?(?: (?:exact )?(?:words?|phrases?|sentences?|disclaimers?|term|line))?[:,]? "
_PHRASE = re.compile(
    rf"(?:^\W*|\b(?:must|always|please|should|and|to) )(?:include|contain|mention|say|add|write)\b{_MENTION}{_LITERAL}",
    re.IGNORECASE,
)
_NO_PHRASE = re.compile(
    rf"\b(?:never|do not|don't|must not|without|avoid)\b(?: ever)? (?:include|contain|mention|say|saying|use|using"
    rf"|write)\b"
    rf"{_MENTION}{_LITERAL}",
    re.IGNORECASE,
)
_MAY = re.compile(r"\b(?:can|could|may|might|attempt|tried|did not|didn't|e\.g|for example|such as)\b", re.IGNORECASE)
_OF_CODE = re.compile(r"\b(?:code|sequence|snippet|blob|block|function|script)\b", re.IGNORECASE)
_NOT_USING = r"\b(?:no|without|do not use|don't use|never use|avoid)(?: any)? "
_AS_A = r"\b(?:in|as|using|use|with) (?:a )?"
_ALL_IN = r"\b(?:in|all|only|use) (?:all |only )?"
_STYLES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (style, re.compile(form, re.IGNORECASE))
    for style, form in (
        ("bullets", rf"{_AS_A}bullet(?:ed)?[ -]?(?:points?|list)\b"),
        ("numbered", rf"{_AS_A}numbered list\b"),
        ("lowercase", rf"{_ALL_IN}lower ?-?case(?: letters)?\b"),
        ("uppercase", rf"{_ALL_IN}(?:upper ?-?case|capitals|capital letters)\b"),
        ("no-markdown", rf"{_NOT_USING}markdown\b|\bplain text only\b"),
        ("no-emoji", rf"{_NOT_USING}emojis?\b"),
        ("no-exclamation", rf"{_NOT_USING}exclamation (?:marks?|points?)\b"),
    )
)


@once_per_text
def demands(text: str) -> tuple[Demand, ...]:
    """What a message demands of the form of answers, in order."""
    return tuple(each for sentence in sentences(text.replace("’", "'")) for each in _in_sentence(sentence))


@once_per_text
def _in_sentence(sentence: str) -> tuple[Demand, ...]:
    """Prompts of one agent have most sentences in common."""
    found = tuple(_demands_in(sentence))
    return tuple(replace(each, standing=True) for each in found) if found and stands(sentence) else found


def _demands_in(sentence: str) -> Iterator[Demand]:
    if len(sentence) > 600 or not _ASKS_TO_ANSWER.search(sentence):
        return
    yield from _tags(sentence)
    if _is_for_others(sentence):
        return
    lasting = _LASTING.search(sentence) is not None
    yield from _lengths(sentence, lasting=lasting)
    yield from _edges_and_phrases(sentence, lasting=lasting)
    if (match := _LANGUAGE.search(sentence)) is not None and "not in" not in sentence.lower():
        yield Demand("language", sentence, match["language"].lower(), lasting=lasting)
    if (match := _JSON.search(sentence)) is not None and "not" not in match["between"].lower().split():
        keys = tuple(key for part in _KEYS.finditer(sentence) for key in _QUOTED.findall(part["listed"]))
        yield Demand("json", sentence, exactly=_NOTHING_ELSE.search(sentence) is not None, lasting=lasting, keys=keys)
    for style, form in _STYLES:
        if form.search(sentence):
            yield Demand("style", sentence, style, lasting=lasting)


def _is_for_others(sentence: str) -> bool:
    """What is said of every answer is for answers, whatever reason is given beside it."""
    each = next((part for part in _CLAUSES.split(sentence) if _EACH_ANSWER.search(part)), sentence)
    return _FOR_OTHERS.search(each) is not None


def stands(sentence: str) -> bool:
    return _EACH_ANSWER.search(sentence) is not None or _STANDING.search(sentence) is not None


def _tags(sentence: str) -> Iterator[Demand]:
    if _OF_CODE.search(sentence):
        return  # what stands around code is for whoever runs it
    for match in _TAG.finditer(sentence):
        negated = re.search(
            r"\b(?:not|never|without|instead of|don't)\b", lead_up(sentence, match.end("verb")), re.IGNORECASE
        )
        if not negated:
            ends = match["verb"].lower() in ("end", "finish", "conclude", "close") or "stop there" in match["rest"]
            yield Demand("tag", sentence, match["tag"], exactly=ends, lasting=_LASTING.search(sentence) is not None)
            return


def _lengths(sentence: str, *, lasting: bool) -> Iterator[Demand]:
    positive = _NEVER_MORE.sub(r"\g<doing> at most", sentence)
    if _AT_LEAST.search(positive):
        return
    found = list(_LENGTH.finditer(positive))
    for match in () if found else _LENGTH_AFTER.finditer(positive):
        yield Demand("length", sentence, _unit(match), _number(match), lasting=lasting)
    for match in found:
        number = _number(match)
        below = match["how"].lower() in ("under", "below", "fewer than", "less than")
        exactly = bool(match["exactly"]) or match["how"].lower() == "exactly"
        if number - below > 0:
            yield Demand("length", sentence, _unit(match), number - below, exactly=exactly, lasting=lasting)


def _number(match: re.Match[str]) -> int:
    said = match["number"].lower()
    return _NUMBERS[said] if said in _NUMBERS else int(said)


def _unit(match: re.Match[str]) -> str:
    return match["unit"].lower().removesuffix("s").replace("bullet point", "bullet").replace("letter", "character")


def _edges_and_phrases(sentence: str, *, lasting: bool) -> Iterator[Demand]:
    edges: set[str] = set()
    for match in _EDGE.finditer(sentence):
        kind: Kind = "ending" if match["verb"].lower() in ("end", "finish", "conclude", "close") else "opening"
        edges.add(_literal(match))
        yield Demand(kind, sentence, _literal(match), lasting=lasting)
    for match in _NO_PHRASE.finditer(sentence):
        edges.add(_literal(match))
        yield Demand("no-phrase", sentence, _literal(match), lasting=lasting)
    for match in _PHRASE.finditer(sentence):
        if _literal(match) not in edges and not _MAY.search(sentence):
            yield Demand("phrase", sentence, _literal(match), lasting=lasting)


def _literal(match: re.Match[str]) -> str:
    return next(filter(None, (match[name] for name in "abcde"))).strip()
