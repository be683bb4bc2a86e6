"""How people sound: a voice's rules and habits, what they say besides, and the slips of their fingers."""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from random import Random

import msgspec

from misstep.core.errors import UsageError, suggestion
from misstep.wording.requests.grammar import Rules, expand

_SHARED = "any"


@lru_cache(maxsize=1)
def _voices() -> dict[str, dict[str, tuple[str, ...]]]:
    text = files("misstep.wording.requests").joinpath("voices.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, tuple[str, ...]]])


def voices() -> tuple[str, ...]:
    """Their names, plain first."""
    return tuple(name for name in _voices() if name != _SHARED)


@lru_cache(maxsize=64)
def rules_of(voice: str) -> Mapping[str, tuple[str, ...]]:
    """A voice's rules, with those that all voices share where it has none of its own."""
    if voice not in voices():
        raise UsageError(f"There is no voice {voice!r}.{suggestion(voice, voices())}")
    return {**_voices()[_SHARED], **_voices()[voice]}


_SPACES = re.compile(r"[ \t]{2,}")
_ENDED = re.compile(r"[.?!:,…\n][\"'”’»)]*$")
_DOUBLED = re.compile(r"([?!])[.,](?=\s|$)")
_BEFORE_STOP = re.compile(r"\s{1,20}([.,?!;:])(?=\s|$)")
_ARTICLE = re.compile(r"\b(?:the|an?) (?=[a-z])")
_FIRST = re.compile(r"(?:I\b|I')")
_FULL_STOP = re.compile(r"(?<=\w)\.(?=\s)")


def finished(parts: Sequence[str], *, habits: Sequence[str], random: Random, goes_on: bool = False) -> str:
    """The parts in a row; one that ends in a comma runs on into the next. `goes_on`: something follows it, so that it
    has to end like a sentence whatever the habits are.
    """
    said: list[str] = []
    for part in filter(None, (_SPACES.sub(" ", part.strip(" ")) for part in parts)):
        runs_on = bool(said) and said[-1].endswith(",")
        begun = _lowered(part) if runs_on else part[:1].upper() + part[1:]
        said.append(begun if _ENDED.search(begun) else f"{begun}.")
    text = "".join(f"{part}{'' if part.endswith(chr(10)) else ' '}" for part in said).strip(" ")
    text = _DOUBLED.sub(r"\1", _BEFORE_STOP.sub(r"\1", text))
    return _given(_capitals(text), habits, random, goes_on)


def _lowered(part: str) -> str:
    return part if _FIRST.match(part) else part[:1].lower() + part[1:]


def _capitals(text: str) -> str:
    return re.sub(r"(?<=[.?!] )[a-z](?!\.)", lambda match: match[0].upper(), text)


def _given(text: str, habits: Sequence[str], random: Random, goes_on: bool) -> str:
    if "drops articles" in habits:
        text = _ARTICLE.sub(lambda match: "" if random.random() < 0.35 else match[0], text)
        text = text[:1].upper() + text[1:]
    if "lower case" in habits:
        text = text.lower()
    if "no full stop" in habits:
        text = text.rstrip(".") if random.random() < 0.8 and not goes_on else text
        if random.random() < 0.4:
            text = _FULL_STOP.sub(lambda _: random.choice((",", "...", " -")), text)
    if "exclaims" in habits and random.random() < 0.25:
        text = re.sub(r"\.$", "!", text)
    return text


_TRIES = 12


@lru_cache(maxsize=1)
def _talk() -> dict[str, dict[str, tuple[str, ...]]]:
    text = files("misstep.wording.requests").joinpath("small_talk.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, dict[str, tuple[str, ...]]])


def filler(words: int, random: Random) -> str:
    """Background of about so many words, at most a sentence more; no sentence twice while there are others."""
    rules = _talk()["filler"]
    said: dict[str, None] = {}
    count = 0
    while count < words:
        sentence = _fresh(rules, said, random)
        said[sentence] = None
        count += len(sentence.split())
    joints: set[str] = set()
    return " ".join(f"{_joined(sentence, rules, random, joints)}." for sentence in said)


def aside(random: Random) -> str:
    """One remark off the topic."""
    rules = _talk()["aside"]
    said = expand(rules["start"], rules=rules, slots={}, random=random) or ""
    return said[:1].upper() + said[1:]


def _fresh(rules: Rules, said: dict[str, None], random: Random) -> str:
    sentence = ""
    for _ in range(_TRIES):
        sentence = expand(rules["start"], rules=rules, slots={}, random=random) or ""
        if sentence not in said:
            break
    else:
        sentence = f"{sentence}, as I said" + ", as I said" * sum(each.startswith(sentence) for each in said)
    return sentence


def _joined(sentence: str, rules: Rules, random: Random, used: set[str]) -> str:
    """With a word that leads over to it, where that has not been used yet: nobody says "Oh, and" ten times."""
    joint = random.choice(rules["joins"])
    if not joint or joint in used:
        return sentence[:1].upper() + sentence[1:]
    used.add(joint)
    return joint + (sentence if sentence.startswith(("I ", "I'")) else sentence[:1].lower() + sentence[1:])


_SLIPPERY = re.compile(r"(?<![\w@./#'’-])[A-Za-z]{4,}(?![\w@/#'’-]|\.\w)")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|'[^'\n]{0,200}'(?!\w)")
_KEPT = frozenset(
    """only except without before after first then never none nothing nobody more most less least under over until
    unless instead between both either neither each every cannot dont empty blank leave alone false true must
    mustn""".split()
)
_NEIGHBOURS = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk",
    "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o", "q": "w", "r": "et", "s": "ad", "t": "ry",
    "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x",
}  # fmt: skip


def typos(text: str, *, keep: Collection[str] = (), random: Random, rate: float = 0.05) -> str:
    """About `rate` of the words get a slip; the texts to `keep`, and all that is quoted, stay as they are."""
    kept = _kept_spans(text, keep)
    said: list[str] = []
    at = 0
    for match in _SLIPPERY.finditer(text):
        free = not any(match.start() < right and left < match.end() for left, right in kept)
        if free and match[0].lower() not in _KEPT and random.random() < rate:
            said += [text[at : match.start()], _slipped(match[0], random)]
            at = match.end()
    return "".join((*said, text[at:]))


def _kept_spans(text: str, keep: Collection[str]) -> list[tuple[int, int]]:
    spans = [match.span() for match in _QUOTED.finditer(text)]
    for value in keep:
        start = text.find(value) if value else -1
        while start >= 0:
            spans.append((start, start + len(value)))
            start = text.find(value, start + len(value))
    return spans


def _slipped(word: str, random: Random) -> str:
    """Two letters swapped, one left out, doubled or missed; never the first."""
    at = random.randrange(1, len(word) - 1)
    match random.randrange(4):
        case 0:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 1:
            return word[:at] + word[at + 1 :]
        case 2:
            return word[:at] + word[at] + word[at:]
        case _:
            near = random.choice(_NEIGHBOURS[word[at].lower()])
            return word[:at] + (near.upper() if word[at].isupper() else near) + word[at + 1 :]
