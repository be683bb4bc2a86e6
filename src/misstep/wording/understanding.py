"""An agent's message → what it does: the questions, confirmations, options, reports and promises in it."""

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct, structs

from misstep.core.words import atoms, sentences
from misstep.wording.cues import cues
from misstep.wording.options import Option, inline, listed
from misstep.wording.topics import actions_in, topic_of
from misstep.wording.values import proper_names

Signal = Literal["done", "refusal", "wait", "more", "greeting", "statement"]

_REWRITES = tuple(
    (re.compile(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (r"[’‘]", "'"),
        (r"\be-mail", "email"),
        (r"(?<=\w )(?<!or )(?<!and )no(?:\.(?=\s|[?:,]|$)|(?=\?))", "number"),
        (r"(?<=\w )#(?=\W|$)", "number"),
        (r"\b(?:pls|plz)\b", "please"),
        (r"\bur\b", "your"),
        (r"\bu\b", "you"),
        (r"\b(what|who|where|when|how|that|it|here|there)'?s\b(?<!its)", r"\1 is"),
        (r"[ \t]+", " "),
        (r"\*\*|__|`", ""),
    )
)


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
    confirms: tuple[Confirm, ...] = ()
    options: tuple[Option, ...] = ()
    question: str = ""
    """What is asked about the options."""
    signals: frozenset[Signal] = frozenset()


@lru_cache(maxsize=2048)
def understand(message: str) -> Reading:
    """Read a message; nothing about the person is known here."""
    text = normalised(message)
    listing = listed(text)
    asks: list[Ask] = []
    if listing is not None:
        if _chooses(listing.around):
            return Reading(text, options=listing.options, question=_which(listing.around))
        if _requests(listing.around) and not any(atoms(option.text) for option in listing.options):
            asks = [_ask(option.text) for option in listing.options]
            text = listing.around
    return _read(text, asks)


def normalised(message: str) -> str:
    """Contractions, abbreviations and mark-up in one form."""
    text = message.replace("\r", "")
    for pattern, instead in _REWRITES:
        text = pattern.sub(instead, text)
    return text.strip()


def _read(text: str, asks: list[Ask]) -> Reading:
    confirms: list[Confirm] = []
    signals: set[Signal] = set()
    parts = sentences(text)
    for at, sentence in enumerate(parts):
        what = _kind(sentence)
        before = parts[at - 1] if at else ""
        if what in ("ask", "polar", "confirm") and (options := _inline(before, sentence, what)):
            return Reading(text, tuple(asks), (), options, sentence, frozenset(signals))
        if what == "confirm":
            confirms.append(_confirm(sentence, parts[: at + 1]))
        elif what == "ask":
            asks.append(structs.replace(_ask(sentence), before=before))
        elif what == "polar":
            asks.append(Ask(sentence, (sentence,), polar=True, before=before))
        else:
            signals.add(what)
    return Reading(text, tuple(asks), tuple(confirms), (), "", frozenset(signals))


Sentence = Literal["ask", "polar", "confirm"] | Signal


def _kind(sentence: str) -> Sentence:
    questioning = sentence.rstrip(" )\"'”").endswith("?")
    if not questioning and (cues().record.search(sentence) or _only_states(sentence)):
        return "statement"
    if cues().more.search(sentence):
        return "more"
    if cues().greeting.search(sentence):
        return "greeting"
    if (found := _asking(sentence, questioning)) is not None:
        return found
    if cues().wait.search(sentence):
        return "wait"
    if cues().refusal.search(sentence):
        return "refusal"
    return "done" if cues().done.search(sentence) else "statement"


def _only_states(sentence: str) -> bool:
    """Values, and nobody addressed: `name Ann Lee, joined on 2021-01-15` asks for nothing."""
    return bool(atoms(sentence)) and not cues().addressed.search(sentence)


def _asking(sentence: str, questioning: bool) -> Literal["ask", "polar", "confirm"] | None:
    if questioning and cues().wh.search(sentence):
        return (
            "confirm"
            if cues().offer.search(sentence) and sentence.lower().startswith(("how about", "what about"))
            else "ask"
        )
    if (named := _asks_to_confirm(sentence)) is not None:
        return named
    if cues().confirm.search(sentence):
        return "confirm"
    if questioning and cues().offer.search(sentence) and not cues().ask.search(sentence):
        return "confirm"
    if cues().ask.search(sentence) and not (cues().wait.search(sentence) and not questioning):
        return "ask" if questioning or not _reports(sentence) else None
    if not questioning:
        return None
    if cues().polar.search(sentence):
        return "polar"
    return "confirm" if _names_value(sentence) or actions_in(sentence) else "ask"


def _asks_to_confirm(sentence: str) -> Literal["ask", "confirm"] | None:
    """`confirm your email` asks for it; `confirm the cancellation` and `confirm that it is W-1` ask for a yes."""
    match = cues().confirm_what.search(sentence)
    if match is None:
        return None
    what = match["what"]
    if match[0].lower().startswith("confirm") and (_names_value(what) or what.lower().startswith(("that", "if"))):
        return "confirm"
    topic = topic_of(what)
    named = (topic.kinds and not topic.hinted) or what.lower().startswith("your")
    if named and not actions_in(what):
        return "ask"
    return "confirm" if actions_in(what) and match[0].lower().startswith("confirm") else None


def _names_value(text: str) -> bool:
    return bool(atoms(text)) or bool(proper_names(text))


def _reports(sentence: str) -> bool:
    """Only looks like a request: says what was or cannot be, and names no fact that is wanted."""
    if not (cues().refusal.search(sentence) or cues().done.search(sentence)):
        return False
    topic = topic_of(sentence)
    return bool(atoms(sentence)) or not (topic.kinds or topic.generic) or topic.hinted


def _ask(sentence: str) -> Ask:
    whole = sentence.strip(" .?!:")
    pieces = [piece.strip() for piece in cues().joint.split(whole) if piece.strip()]
    return Ask(sentence, tuple(pieces) or (whole,), either=bool(cues().either.search(whole)))


def _confirm(sentence: str, upto: list[str]) -> Confirm:
    return Confirm(
        sentence,
        " ".join(upto),
        offer=bool(cues().offer.search(sentence)),
        instead=bool(cues().instead.search(sentence)),
    )


def _inline(before: str, sentence: str, what: str) -> tuple[Option, ...]:
    if what == "ask" and not cues().which.search(sentence):
        return ()
    options = inline(before, sentence)
    if cues().which.search(sentence) or what == "polar" or cues().offer.search(sentence):
        return options
    return ()


def _chooses(around: str) -> bool:
    return bool(cues().which.search(around)) and not cues().confirm.search(around)


def _requests(around: str) -> bool:
    return bool(cues().ask.search(around)) and not cues().confirm.search(around)


def _which(around: str) -> str:
    return next((each for each in sentences(around) if cues().which.search(each)), around)
