"""What a user says → what it orders to be done: the verbs at the head of requests, and how firmly they are meant."""

import re
from collections.abc import Iterator

from msgspec import Struct

from misstep.core.once import once_per_text
from misstep.core.words import STOPWORDS, sentences, words
from misstep.objectives.vocabulary import lemma, meaning


class Order(Struct, frozen=True):
    """One thing that a user wants done."""

    verb: str
    """The stem of the word that heads the request."""
    stems: frozenset[str]
    text: str
    firm: bool
    """Not merely thought aloud: "maybe I should …"."""


_ASKS_TO_KNOW = re.compile(
    r"^\W*(?:(?:hi|hello|hey|ok|okay|and|but|so|also|please|thanks|well|no|yes)\b\W*)*(?:"
    r"what|when|where|whose|who|which|how|why|is|are|was|were|does|did|has|have|am|will|check|look up|find out"
    r"|do(?! (?:\w+ )?(?:it|that|this|so|them)\b)(?= (?:you|i|we|they|the|my|our|your|any|all|these|those|he|she"
    r"|people)\b)"
    r"|(?:can|could|may|should) i|(?:tell|show) me|let me know|i wonder|(?:i was|i'm) wondering"
    r"|i(?:'d like| want| would like| need) to know"
    r"|(?:can|could|would|will) you (?:please )?(?:tell|show|check|look|explain|find|see|let me know|give me))\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:don't|do not|never|not|no|without|avoid|didn't|haven't|won't)\b", re.IGNORECASE)


@once_per_text
def wanted(text: str) -> frozenset[str]:
    """The stems of what a user's message asks to have done, leaving out what it only asks about or forbids."""
    return frozenset[str]().union(*map(_wanted_in, sentences(text.replace("’", "'"))))


@once_per_text
def _wanted_in(sentence: str) -> frozenset[str]:
    kept = (clause for clause in _CLAUSES.split(sentence) if not _ASKS_TO_KNOW.match(clause))
    return frozenset(meaning("\n".join(clause for clause in kept if not _NEGATED.search(clause))))


_CLAUSES = re.compile(r"[,;]|\b(?:and|but|then)\b")


_OPENING = re.compile(
    r"^\W*(?:(?:hi|hello|hey|ok|okay|well|actually|also|now|then|first|next|so|thanks|thank you|yes|sure|great"
    r"|please|pls|plz|kindly"
    r"|just|and|finally|afterwards|after that|go ahead and|can you|could you|would you|will you|can we|i want you to"
    r"|i(?:'d| would) like (?:you )?to|i (?:want|need|wish) (?:you )?to|we (?:want|need) (?:you )?to|let's|let us"
    r"|you (?:may|can|should|must|need to|have to)|(?:i|we) (?:may|might|could|will) (?:have|need|want) to"
    r"|help me (?:to )?|make sure (?:to|you|that you)|be sure to"
    r"|i(?:'d| would) like|i (?:want|need)|be so kind (?:as )?to|would you mind|feel free to|try to|go and)\b"
    r"[\s,:!.]*)*",
    re.IGNORECASE,
)
# "The account should be closed", "I want it cancelled", "my card needs blocking".
_TO_BE_DONE = re.compile(
    r"\b(?:should|must|shall|needs? to|ha(?:s|ve) to|ought to|to|can|could|may) be (?P<verb>\w+)"
    r"|\b(?:want|need|like|get|have|see) (?:it|them|this|that|(?:my|the|our|all|his|her|their) (?:[\w'-]+ ){1,4}?)\s*"
    r"(?:to be )?(?P<done>\w+ed|sent|made|put|set|taken|paid|gone|frozen|shut|cut|undone|written|thrown)\b"
    r"|\bneeds? (?P<gerund>\w+ing)\b",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"^\W*(?:i|we|it|he|she|they|my|our|the|this|that|there|his|her|their|your|these|those|some|a|an|you)\b",
    re.IGNORECASE,
)
_IS = re.compile(
    r"\b(?:is|are|was|were|am|has|have|had|isn't|aren't|wasn't|seems?|looks?)\b|\b(?:it|that|there|he|she|what)'s\b"
    r"|'(?:m|re|ve)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|where|when|if|what|as|whether|how|why)\b", re.IGNORECASE)
_TENTATIVE = re.compile(
    r"\b(?:maybe|perhaps|might|may (?:have|need|want) to|thinking (?:of|about)|think(?: that)? (?:i|we) (?:should"
    r"|might|will|may|want)"
    r"|considering|not sure|unsure|wonder\w*|what if|should (?:i|we)|would it|could it|possibly|tempted"
    r"|undecided|someday|one day"
    r"|eventually|at some point)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;:–—]|\.\s|\b(?:and|but|then|or|so|because)\b", re.IGNORECASE)
_HYPHENED_MAIL = re.compile(r"\be-(?=mail)", re.IGNORECASE)
_TITLE = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof|St)\.\s+(?=[A-Z])")
_SOFT = frozenset("please kindly just also now then first next".split())


@once_per_text
def orders(text: str) -> tuple[Order, ...]:
    """What a user's message orders, in order; questions, statements and what it forbids are none."""
    return tuple(each for sentence in sentences(plainly(text)) for each in _in_sentence(sentence))


def plainly(text: str) -> str:
    """With straight apostrophes, with e-mail as one word, and with no dot after a title, which ends no sentence."""
    return _TITLE.sub(r"\1 ", _HYPHENED_MAIL.sub("e", text.replace("’", "'")))


@once_per_text
def _in_sentence(sentence: str) -> tuple[Order, ...]:
    return tuple(_orders_in(sentence))


def _orders_in(sentence: str) -> Iterator[Order]:
    firm = _TENTATIVE.search(sentence) is None
    for part in _PARTS.split(sentence):
        if part is None or _ASKS_TO_KNOW.match(part) or _NEGATED.search(part):
            continue
        verb = _head(part)
        if verb:
            yield Order(verb, frozenset(meaning(part)), part.strip(), firm)


def _head(part: str) -> str:
    passive = _TO_BE_DONE.search(part)
    if passive:
        return lemma(next(filter(None, passive.groups())).lower())
    bare = part[_OPENING.match(part).end() :]  # pyright: ignore[reportOptionalMemberAccess]
    opened = len(bare) < len(part.lstrip())
    main = _RELATIVE.split(bare)[0]
    if not opened and (_STATES.match(bare) or _IS.search(main)):
        return ""
    said = [word for word in words(bare) if word not in _SOFT]
    if said[:1] == ["do"] and len(said) > 1 and said[1] not in STOPWORDS:
        said = said[1:]  # "do order breakfast"
    return lemma(said[0]) if said else ""


# Everyday words for bringing something to an end.
_ENDING = frozenset(
    lemma(word)
    for word in """clean clear tidy drop ditch kill end stop undo revert reset scrap bin dump strip prune cut toss
    dispose eliminate quit purge remove delete erase wipe destroy cancel close terminate void annul discard retire
    decommission uninstall nuke axe sweep scrub empty shred""".split()
)
_ENDING_PHRASE = re.compile(
    r"\b(?:get rid|throw|do away|give (?:it |this |that )?up|call (?:it |this |that |them )?off|free up|make room"
    r"|(?:take|pull|shut|tear|wind)\b.{0,30}\b(?:down|off|out|away))\b",
    re.IGNORECASE,
)
# For leaving it to the agent how something is to be dealt with.
_DEALING = frozenset(lemma(word) for word in "sort handle fix settle resolve manage deal".split())
_DEALING_PHRASE = re.compile(r"\b(?:take care|see to|do what\w*)\b", re.IGNORECASE)
_ASKING = frozenset(
    lemma(word)
    for word in """see show tell check look find know list count read say explain describe summarise summarize review
    give what which who when where why how is are does report compare search get fetch inspect examine verify watch
    monitor identify analyse analyze investigate""".split()
)


def means_an_end(order: Order) -> bool:
    """In some everyday word, it orders that something be removed or ended."""
    return order.verb in _ENDING or _ENDING_PHRASE.search(order.text) is not None


def leaves_it_open(order: Order) -> bool:
    """It leaves it to the agent what is to be done."""
    return order.verb in _DEALING or _DEALING_PHRASE.search(order.text) is not None


def asks_to_be_told(verb: str) -> bool:
    return verb in _ASKING
