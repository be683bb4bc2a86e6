"""Parts of a message → one text: capitals, full stops and spaces put right, and a voice's habits given to it."""

import re
from collections.abc import Sequence
from random import Random

_SPACES = re.compile(r"[ \t]{2,}")
_ENDED = re.compile(r"[.?!:,…\n][\"'”’»)]*$")
_DOUBLED = re.compile(r"([?!])[.,](?=\s|$)")
_BEFORE_STOP = re.compile(r"\s+([.,?!;:])(?=\s|$)")
_ARTICLE = re.compile(r"\b(?:the|an?) (?=[a-z])")
_FIRST = re.compile(r"(?:I\b|I')")
_STOP = re.compile(r"(?<=\w)\.(?=\s)")


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
            text = _STOP.sub(lambda _: random.choice((",", "...", " -")), text)
    if "exclaims" in habits and random.random() < 0.25:
        text = re.sub(r"\.$", "!", text)
    return text
