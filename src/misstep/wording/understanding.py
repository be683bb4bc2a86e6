"""An agent's message → what it does: the questions, confirmations, options, reports and promises in it."""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct, structs

from misstep.core.words import STOPWORDS, atoms, sentences, stem, words
from misstep.wording.cues import cues, reports
from misstep.wording.layout import plain
from misstep.wording.lexicon import lexicon
from misstep.wording.options import Listing, Option, inline, is_two_questions, listed
from misstep.wording.topics import actions_in, assent_only, topic_of
from misstep.wording.values import proper_names

Signal = Literal["done", "refusal", "passed_on", "wait", "more", "greeting", "statement"]

_LABELLED = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])?\s*[^:?.!]{1,40}: +\S")
_LABELLED_QUESTION = re.compile(r"^[^:?.!,]{1,30}: +(?!what|which|who|when|where|how|why)[^?]{1,40}\?$", re.IGNORECASE)
"""`Light: red?`: is that so."""
_REPORTED = re.compile(r"(?<!\w)[\"“](?!(?:yes|ok|okay|confirm|no)\b)[^\"”\n]{1,300}[\"”]", re.IGNORECASE)
_IMPERATIVE = re.compile(r"(?:please|kindly) (?!accept|find|note|see|be|excuse|forgive|bear|rest)\w+", re.IGNORECASE)
_TELL = re.compile(
    r"\b(?:please|kindly) "
    r"(?:(?:let (?:me|us) know|tell (?:me|us)) (?!if\b|whether\b|should\b)|(?:state|indicate|specify)\b)",
    re.I,
)
_SUMMARY = re.compile(
    r"(?:that |if )?(?:the |these |this |those |your |all )*(?:following |above |below )?"
    r"(?:details|information|data|particulars|summary|entries|everything)\b(?! (?:you|of your (?:card|account|bank)))",
    re.I,
)
"""What was, or will be, laid out: to be looked at, not to be told."""
_ENDS = tuple(".!?:;,…")
"""A line of a list ends without one of these, and must not run into the next."""
_DENIES = re.compile(r"(?:no|not|none|nothing|(?:many )?thanks?)\b", re.IGNORECASE)
_FEW = 6
_FRAGMENT = 8
_LONG_QUOTE = 4
"""Words; a shorter quote is a name or an answer to give."""
_LITERALS = frozenset(("identifier", "phone", "email", "postcode", "birthdate"))
_NOUN_OF = re.compile(
    r"[a-z]+ of (?:the |your |that )?[a-z]+|(?:[a-z]+ ){1,3}(?:to|for|from|with|at|by|under)", re.IGNORECASE
)
_PREDICATES = re.compile(
    r"(?<!\bit )(?<!\bthat )(?<!\bwhich )\b(?:is|are|was|were|has been|have been) "
    r"(?!your\b|(?:still |also |now )?(?:needed|wanted|awaited|outstanding|blank|empty|unclear)\b)\w",
    re.IGNORECASE,
)
"""`The status is shipped.` says something of what it names; `Next is your address.` only names it."""
_OF_YOU = re.compile(r"\b(?:would|could|might) you (?:be|kindly|please)\b", re.IGNORECASE)
"""What the person is to do is not agreed to with a yes."""
_LEAD = re.compile(
    r"^(?!what|which|who|when|where|how)[^:?]{3,80}: (?=(?:which|what|who|whose|when|where|how|could|can|may|do)\b)",
    re.I,
)
"""`So that I can book it: which flat are you in?`"""
_MARK = "\ue000"
_WHICH_BEHIND = re.compile(r",? (?:so |and )?which (?:one|of|would|works|suits|do|is|will)\b[^?]*\?$", re.IGNORECASE)
_MARKED = re.compile(f"{_MARK}(\\d+){_MARK}")
_BRACKETED = re.compile(r"\?\s*[\[(][^\])]{1,20}[\])]\s*$")
_ALTERNATIVES = re.compile(
    r"\s/\s|\bor\b(?! (?:not|so|no|more|less|two|later|earlier|anything|something)\b)", re.IGNORECASE
)
_ASIDE = re.compile(r"\([^()\n]{0,200}\)")
_MISSING = re.compile(r"\b(?:is |are |was )?(?:missing|required|empty|blank)\b\s*[.!]?$", re.IGNORECASE)
"""An error that names what there is to fill in is a request for it."""
_BOTH = re.compile(r"\band\b|\bas well as\b", re.IGNORECASE)
_ONE_WORD = re.compile(r"\b(?:he or she|him or her|his or hers?|she or he|or not|or so|or no)\b", re.I)
_OTHERWISE = re.compile(r",? or (?:is|was|if) there(?: is|'s)? (?:any|some)thing else\b.*", re.IGNORECASE)
_OWNER = re.compile(r"\bof (?:your|his|her|their|any) [\w' -]+$", re.IGNORECASE)
"""`the name and number of your landlord`: both are the landlord's."""
_OWNED = re.compile(r"\b(?:of|your|my|whose|where|when|how|why)\b|'s\b", re.IGNORECASE)
_GENITIVE = re.compile(r"\b(?!it|that|what|who|where|there|here|let|today)[\w-]+'s(?= \w)", re.IGNORECASE)
_BARE = frozenset(("number", "address", "name", "date", "code", "id"))
"""`your contact's name and number`: the number is theirs too."""


class Ask(Struct, frozen=True):
    """A question, in the clauses that may each ask for something."""

    text: str
    parts: tuple[str, ...]
    either: bool = False
    """One answer will do: `your email or your phone number`."""
    polar: bool = False
    """To be answered with yes or no."""
    before: str = ""
    """The sentence before, which says what `it` is."""


class Confirm(Struct, frozen=True):
    """Something to agree to, with the sentences before it that say what."""

    sentence: str
    text: str
    offer: bool = False
    instead: bool = False


class Reading(Struct, frozen=True):
    """What one message does."""

    text: str
    asks: tuple[Ask, ...] = ()
    confirm: Confirm | None = None
    """The last thing to agree to; what went before it is part of it."""
    options: tuple[Option, ...] = ()
    question: str = ""
    """What is asked about the options."""
    signals: frozenset[Signal] = frozenset()
    stated: tuple[str, ...] = ()
    """The sentences that neither ask nor propose, as they stand."""


@lru_cache(maxsize=2048)
def understand(message: str) -> Reading:
    """Read a message; nothing about the person is known here."""
    text = cues().idiom.sub("", plain(message))
    listing = listed(text)
    asks: list[Ask] = []
    if listing is not None:
        if (question := _choice(listing)) is not None:
            rest = _read(listing.around, [], skip=question)
            return Reading(text, rest.asks, None, listing.options, question)
        if _requests(listing.around) and not any(atoms(option.text) for option in listing.options):
            asks = [ask_of(option.text) for option in listing.options]
            text = listing.around
    return _read(text, asks)


def _read(text: str, asks: list[Ask], skip: str = "") -> Reading:
    confirm: int | None = None
    signals: set[Signal] = set()
    options: tuple[Option, ...] = ()
    question = ""
    stated: list[str] = []
    masked, quotes = _masked(text)
    parts = sentences(masked)
    whole = [_unmasked(part, quotes) for part in parts]
    reported = False
    for at, sentence in enumerate(parts):
        if sentence == skip:
            continue
        reported = _is_reported(sentence, follows=reported)
        what = "refusal" if reported else _kind(sentence)
        before = whole[at - 1] if at else ""
        if not options and what in ("ask", "polar", "confirm") and (found := _inline(before, whole[at], what)):
            options, question = found, whole[at]
        elif what == "confirm":
            confirm = at
        elif what == "ask":
            asks.append(structs.replace(ask_of(sentence), before=before))
        elif what == "polar":
            asks.append(Ask(whole[at], (whole[at],), polar=True, before=before))
        elif not options and (found := _left_open(before, whole[at])):
            options, question = found, whole[at]
            asks = [ask for ask in asks if ask.text != before]  # `How would you like it? We have A, B or C.`
        else:
            if what == "wait" and cues().hold.search(sentence):
                signals -= {"done", "refusal"}  # what went before was a step on the way
            signals.add(what)
            if reported:
                signals.add("passed_on")
            else:
                stated.append(whole[at])
    agreed = None if options or confirm is None else _confirm(whole, confirm)
    return Reading(text, tuple(asks), agreed, options, question, frozenset(signals), tuple(stated))


def _is_reported(sentence: str, *, follows: bool) -> bool:
    """`The search failed: Find the customer by name.`: an error passed on, with all that it says to the agent."""
    start = cues().report.search(sentence)
    told = sentence[start.end() :] if start else sentence if follows else ""
    return bool(told) and not cues().spoken.search(told) and not _MISSING.search(told)


def _masked(text: str) -> tuple[str, list[str]]:
    """Long quotes give way to marks: what a tool or a page said is no question of the agent's."""
    quotes: list[str] = []

    def mark(found: re.Match[str]) -> str:
        if len(found[0].split()) < _LONG_QUOTE:
            return found[0]
        quotes.append(found[0])
        return f"{_MARK}{len(quotes) - 1}{_MARK}"

    return _REPORTED.sub(mark, text.replace(_MARK, "")), quotes


def _unmasked(text: str, quotes: list[str]) -> str:
    return _MARKED.sub(lambda mark: quotes[int(mark[1])], text) if quotes else text


Sentence = Literal["ask", "polar", "confirm"] | Signal


def _kind(sentence: str) -> Sentence:
    if (bare := _OTHERWISE.sub("?", sentence)) != sentence:
        what = _kind(bare)
        return "more" if what == "polar" else what  # `does that help, or is there something else?`
    questioning = sentence.rstrip(" )\"'”").endswith("?") or bool(_BRACKETED.search(sentence))
    if not questioning and (cues().record.search(sentence) or _is_data(sentence) or _only_states(sentence)):
        return "statement"
    if cues().more.search(sentence):
        return "more"
    if cues().greeting.search(sentence):
        return "greeting"
    if (found := _asking(sentence, questioning)) is not None:
        return found
    if not questioning and _only_names(sentence):
        return "ask"
    if cues().wait.search(sentence):
        return "wait"
    if cues().refusal.search(sentence):
        return "refusal"
    return "done" if reports(sentence) else "statement"


def _is_data(sentence: str) -> bool:
    """`Seat: 14C`, `- Total: 12 EUR`: a line of a record or a summary, unless it asks outright."""
    return bool(_LABELLED.match(sentence)) and not cues().requesting.search(sentence)


def _only_names(sentence: str) -> bool:
    """`Account number and postcode.`: kinds of fact and nothing else."""
    topic = topic_of(sentence)
    named = bool(topic.kinds) and not topic.hinted and not topic.loose and not topic.generic
    return (
        named
        and not sentence.endswith("!")
        and not _DENIES.match(sentence)
        and len(sentence.split()) <= _FRAGMENT
        and not _names_value(sentence)
        and not _PREDICATES.search(sentence)
    )


def _only_states(sentence: str) -> bool:
    """Values, and nobody addressed: `name Ann Lee, joined on 2021-01-15` asks for nothing."""
    return bool(atoms(sentence)) and not cues().addressed.search(sentence)


def _asking(sentence: str, questioning: bool) -> Literal["ask", "polar", "confirm"] | None:
    sentence = cues().promise.sub("", sentence) or sentence
    if questioning and cues().requests_act.search(sentence):
        return "ask"
    if questioning and cues().wh.search(sentence):
        return (
            "confirm"
            if cues().offer.search(sentence) and sentence.lower().startswith(("how about", "what about"))
            else "ask"
        )
    if questioning and (cues().asks_which.search(sentence) or cues().wh_later.search(sentence)):
        return "ask"
    if questioning and cues().is_there.search(sentence):
        return "ask"
    if (named := _asks_to_confirm(sentence)) is not None:
        return named
    if cues().confirm.search(sentence):
        return "confirm"
    if questioning and cues().offer.search(sentence) and not cues().ask.search(sentence):
        return "confirm"
    waits = cues().wait.search(sentence) and not questioning and not _TELL.search(sentence)
    if cues().ask.search(sentence) and not waits:
        return "ask" if questioning or not _only_reports(sentence) else None
    if not questioning:
        return None
    if _OF_YOU.search(sentence) or _asks_by_noun(sentence):
        return "ask"
    if is_two_questions(sentence) and not _OTHERWISE.search(sentence):
        return "ask"  # a yes would answer neither
    if _LABELLED_QUESTION.match(sentence) or assent_only(sentence):
        return "confirm"
    if cues().polar.search(sentence):
        return "polar"
    return "confirm" if _names_value(sentence) or _opens_with_an_act(sentence) else "ask"


def _opens_with_an_act(sentence: str) -> bool:
    """`Cancel it?`, `So refund the lot?`; an act that is named later belongs to a noun: `Cost centre to charge?`."""
    listed = [word for word in words(sentence) if word not in STOPWORDS]
    return bool(listed) and bool(actions_in(listed[0]))


def _asks_by_noun(sentence: str) -> bool:
    """`Make of lock?`, `Delivered 8 October, driver's mobile?`: the last piece is a noun, to be told."""
    piece = sentence.strip(" ?").split(", ")[-1]
    if len(piece.split()) > _FRAGMENT // 2:
        return False
    last = stem(words(piece)[-1]) if words(piece) else ""
    return bool(_NOUN_OF.fullmatch(piece)) or not _LITERALS.isdisjoint(lexicon().kinds.get(last, ()))


def _asks_to_confirm(sentence: str) -> Literal["ask", "confirm"] | None:
    """`confirm your email` asks for it; `confirm the cancellation` and `confirm that it is W-1` ask for a yes."""
    match = cues().confirm_what.search(sentence)
    if match is None:
        return None
    what = match["what"]
    if _SUMMARY.match(what):
        return "confirm"
    if match[0].lower().startswith("confirm") and (_names_value(what) or what.lower().startswith(("that", "if"))):
        return "confirm"
    topic = topic_of(what)
    named = (topic.kinds and not topic.hinted) or what.lower().startswith("your")
    if named and not actions_in(what):
        return "ask"
    return "confirm" if actions_in(what) and match[0].lower().startswith("confirm") else None


def _names_value(text: str) -> bool:
    return bool(atoms(text)) or bool(proper_names(text))


def _only_reports(sentence: str) -> bool:
    """Only looks like a request: says what was or cannot be, and names no fact that is wanted."""
    if not (cues().refusal.search(sentence) or reports(sentence)) or _IMPERATIVE.match(sentence):
        return False
    if _TELL.search(sentence):
        return False
    topic = topic_of(sentence)
    return bool(atoms(sentence)) or not (topic.kinds or topic.generic) or topic.hinted


def ask_of(sentence: str) -> Ask:
    """A sentence as a question, in its clauses."""
    whole = _LEAD.sub("", sentence.strip(" .?!:"))
    pieces = [piece.strip() for piece in cues().joint.split(whole) if piece.strip()]
    if len(pieces) > 1 and (owner := _OWNER.search(pieces[-1])):
        pieces = [piece if _OWNED.search(piece) else f"{piece} {owner[0]}" for piece in pieces]
    elif len(pieces) > 1 and (owner := _GENITIVE.search(pieces[0])):
        pieces[1:] = [f"{owner[0]} {piece}" if piece.lower() in _BARE else piece for piece in pieces[1:]]
    either = bool(cues().either.search(_ONE_WORD.sub("", whole))) and not _BOTH.search(whole)
    return Ask(sentence, tuple(pieces) or (whole,), either=either)


def _confirm(parts: list[str], at: int) -> Confirm:
    """What is to be agreed to stands before the question, or in a list behind it."""
    sentence = parts[at]
    behind = [part for part in parts[at + 1 :] if _LABELLED.match(part)]
    return Confirm(
        sentence,
        " ".join(part if part[-1:] in _ENDS else f"{part}." for part in (*parts[: at + 1], *behind)),
        offer=bool(cues().offer.search(sentence)),
        instead=bool(cues().instead.search(sentence)),
    )


def _inline(before: str, sentence: str, what: str) -> tuple[Option, ...]:
    wants_one = bool(cues().which.search(sentence))
    if what == "ask" and not wants_one and not _is_bare_choice(sentence):
        return ()
    told = _ONE_WORD.sub("", _OTHERWISE.sub("?", _ASIDE.sub("", sentence)))
    if (which := _WHICH_BEHIND.search(told)) and _ALTERNATIVES.search(told[: which.start()]):
        told = told[: which.start()]
    if not wants_one and not _ALTERNATIVES.search(told):
        return ()
    return inline(before, told)


def _left_open(before: str, sentence: str) -> tuple[Option, ...]:
    """`One can renew for six months or for twelve, and one of the two has to be picked.`"""
    if cues().on_offer.search(sentence) and not sentence.endswith("?"):
        return inline(sentence, "which?")
    if before.endswith("?") and cues().lists.search(sentence) and _ALTERNATIVES.search(sentence):
        return inline(sentence, "which?")
    if not cues().chosen.search(sentence):
        return ()
    clauses = [clause for text in (sentence, before) for clause in cues().clause.split(text) if clause]
    alternatives = next((clause for clause in clauses if _ALTERNATIVES.search(clause)), "")
    return inline("", alternatives) if alternatives else ()


def _is_bare_choice(sentence: str) -> bool:
    """`Cash or card?`: nothing but the alternatives."""
    return len(sentence.split()) <= _FEW and not cues().ask.search(sentence) and not cues().wh.search(sentence)


def _choice(listing: Listing) -> str | None:
    """The sentence around a list that wants one of its items, if there is one."""
    records = sum(bool(_LABELLED.match(f"- {option.text}")) for option in listing.options) * 2 > len(listing.options)
    confirming = False
    for sentence in reversed(sentences(listing.around)):
        what = _kind(sentence)
        if cues().one_of.search(sentence):
            return sentence
        confirming = confirming or what == "confirm"
        asks = not records and "?" in sentence and cues().wh.search(sentence)
        if what in ("ask", "polar") and not confirming and (asks or cues().which.search(sentence)):
            return sentence
    return None


def _requests(around: str) -> bool:
    return bool(cues().ask.search(around)) and not cues().confirm.search(around)
