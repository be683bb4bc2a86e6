"""A message → what can be heard in it with few words: sentences by what they do, labelled pairs, choices.

A person need not understand a message to answer it rightly, so that this abstains: what fits nothing `says` something.
"""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from misstep.core.words import STOPWORDS, content_stems, sentences, stem, words
from misstep.users.layout import Pair, laid_out
from misstep.users.options import Option, options_in

Mood = Literal["asks", "proposes", "bids", "refuses", "closes", "promises", "reports", "says"]

LONGEST = 20_000
"""So much of a message is listened to; people stop there as well."""

_SHORT = 6
_SHORTEST = 3
_QUESTION_WORD = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b", re.IGNORECASE)
_FURTHER = re.compile(r"\b(?:else|other|another|next|further)\b", re.IGNORECASE)
_LITERAL = re.compile(r"\d|@|[\"“]")
_QUOTED = re.compile(r"[\"“](?:[^\"“”\s]{1,80}+\s{1,20}+){3}[^\"“”]{0,2000}[\"”]")
"""What somebody else said or wrote, passed on: it wants nothing of the person."""


class Sentence(Struct, frozen=True):
    """One sentence or line, and what it does."""

    text: str
    mood: Mood


class Heard(Struct, frozen=True):
    """A message, taken apart."""

    text: str
    sentences: tuple[Sentence, ...] = ()
    pairs: tuple[Pair, ...] = ()
    """`Order number: W-1`, as a line, an item or a row."""
    options: tuple[Option, ...] = ()
    """What there is to choose from, where a choice is asked for."""

    def has(self, *moods: Mood) -> bool:
        return any(each.mood in moods for each in self.sentences)

    def in_mood(self, *moods: Mood) -> str:
        return "\n".join(each.text for each in self.sentences if each.mood in moods)

    @property
    def but_reports(self) -> str:
        return "\n".join(each.text for each in self.sentences if each.mood != "reports")

    @property
    def wants(self) -> bool:
        """Something is asked of the person. What is bidden beside an answer is advice: `Please arrive early.`"""
        if self.has("bids") and not self.has("reports", "refuses", "closes"):
            return True
        return bool(self.options) or self.has("asks", "proposes")

    @property
    def questions(self) -> int:
        """How many things are asked for, at the least."""
        return len(_QUESTION_WORD.findall(self.in_mood("asks")))

    @property
    def empty(self) -> bool:
        """It says nothing of what is wanted: `OK?`, `Please go on.`, `How can I help?`"""
        return all(root in courtesy() or len(root) < _SHORTEST for root in content_stems(self.text))

    @property
    def looks_further(self) -> bool:
        """The last sentence speaks of something other than what went before."""
        return bool(_FURTHER.search(self.sentences[-1].text))

    @property
    def reads_out(self) -> bool:
        """A question stands between an answer's own sentences, with figures behind it: in what the agent reads out."""
        last = max((at for at, each in enumerate(self.sentences) if each.mood == "asks"), default=0)
        behind = "".join(each.text for each in self.sentences[last + 1 :] if each.mood in ("says", "reports"))
        return last > 0 and self.sentences[0].mood != "asks" and any(map(str.isdigit, behind))


class _Moods(Struct, frozen=True):
    turns: dict[str, tuple[str, ...]]
    courtesy: str
    business: str


@lru_cache(maxsize=1)
def _moods() -> _Moods:
    text = files("misstep.users").joinpath("moods.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _Moods)


@lru_cache(maxsize=1)
def _turns_of_phrase() -> dict[str, re.Pattern[str]]:
    """By what they do."""
    ways = _moods().turns.items()
    return {name: re.compile(rf"(?<!\w)(?:{'|'.join(each)})(?!\w)", re.IGNORECASE) for name, each in ways}


@lru_cache(maxsize=1)
def courtesy() -> frozenset[str]:
    """Stems of courtesy and of getting on with it: they say nothing of what is wanted."""
    return frozenset(map(stem, _moods().courtesy.split()))


@lru_cache(maxsize=1)
def service() -> frozenset[str]:
    """Those, and the ones in which any act at all is announced."""
    return courtesy().union(map(stem, _moods().business.split()))


@lru_cache(maxsize=512)
def hear(message: str, texts: tuple[str, ...] = ()) -> Heard:
    """Take a message apart; of the person's own `texts` in it only that they stand there counts."""
    page = laid_out(message[:LONGEST])
    whole = [text for line in page.lines for text in sentences(_QUOTED.sub(_in_one_piece, line))]
    told = tuple(Sentence(text, mood_of(_QUOTED.sub('"x"', _without(text, texts)))) for text in whole)
    plain = "\n".join(page.lines)
    asks = any(each.mood in ("asks", "proposes") for each in told)
    return Heard(plain, told, page.pairs, options_in(page.lines, plain) if asks else ())


def _without(text: str, own: tuple[str, ...]) -> str:
    for each in own:
        text = text.replace(each, '"x"')
    return text


def _in_one_piece(quoted: re.Match[str]) -> str:
    return re.sub(r"(?<![.?!])[.?!]++(?=[\s\"”])", ",", quoted[0])


@lru_cache(maxsize=4096)
def mood_of(sentence: str) -> Mood:
    """What a sentence does, the most demanding first: who asks wants an answer, whatever else is said."""
    question = sentence.rstrip(" )*_\"'").endswith("?")
    if _is(sentence, "more"):
        return "closes"
    if question and _is(sentence, "asks_which"):
        return "asks"
    if _is(sentence, "proposes") and (question or not _is(sentence, "farewell")):
        return "proposes"
    if question:
        # `Is it order W-17?` puts a value; `Is there a number on it?` asks for one.
        return "proposes" if _LITERAL.search(sentence) and not _is(sentence, "asks") else "asks"
    if _is(sentence, "farewell"):
        return "closes"
    if _is(sentence, "refuses"):
        return "refuses"
    if _is(sentence, "asks") or _is_a_field(sentence):
        return "asks"
    if _is(sentence, "bids"):
        return "bids"
    return "promises" if _is(sentence, "promises") else "reports" if _is(sentence, "reports") else "says"


def _is(sentence: str, what: str) -> bool:
    return bool(_turns_of_phrase()[what].search(sentence))


def _is_a_field(line: str) -> bool:
    """`Order number:`, `Your postcode, please.`"""
    bare = line.strip(" *-•–")
    said = words(bare)
    heading = STOPWORDS.isdisjoint(set(said) - {"your", "the", "of", "and"})
    return len(said) <= _SHORT and ((bare.endswith((":", "…", "_")) and heading) or "please" in said)
