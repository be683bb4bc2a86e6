"""What a tape already holds, so that the history which every prompt tells again is written once.

A prompt tells all that came before it, so the n-th time that something stands in a prompt is old if the tape has it n
times. That costs one look-up a message, and takes two equal answers of a user for what they are.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable
from itertools import chain

from misstep.core.tool import JSON
from misstep.ingestion.decoding import written
from misstep.ingestion.spans.said import Call, Result, Speaker
from misstep.ingestion.spans.values import text

_LONG = 40
"""From here on a text is the same whoever is said to have said it: frameworks tell it again under other roles."""
_RECENT = 12
_TELLING = 16


class Prompt:
    """Counts how often each thing has stood in one prompt so far."""

    def __init__(self) -> None:
        self.times: Counter[Hashable] = Counter()


class Heard:
    """What is on the tape."""

    def __init__(self) -> None:
        self._times: Counter[Hashable] = Counter()
        self._turn_of: dict[Hashable, str] = {}
        self._recent: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=_RECENT))
        self._latest: deque[str] = deque(maxlen=_RECENT)
        self._asked: deque[str] = deque(maxlen=_RECENT)

    def note_text(self, by: Speaker, said: str, actor: str, turn: str = "") -> None:
        told = said.strip()
        key = _text_key(by, told)
        self._times[key] += 1
        self._turn_of[key] = turn
        self._recall(told, actor)
        if by == "user" and len(told) >= _TELLING:
            self._asked.append(told)

    def note_call(self, call: Call, actor: str) -> None:
        if call.id:
            self._times["call", call.id] += 1
        self._times[_call_key(call)] += 1
        for value in call.arguments.values():
            if isinstance(value, str) and len(value) >= _LONG:
                self._recall(value.strip(), actor)

    def note_result(self, call_id: str, content: JSON, actor: str) -> None:
        if call_id:
            self._times["result", call_id] += 1
        told = text(content).strip()
        self._times[_text_key("tool", told)] += 1
        self._recall(told, actor)

    def is_old_text(self, prompt: Prompt, by: Speaker, said: str) -> bool:
        return self._is_old(prompt, _text_key(by, said.strip()))

    def is_old_call(self, prompt: Prompt, call: Call) -> bool:
        return self._is_old(prompt, ("call", call.id) if call.id else _call_key(call))

    def is_old_result(self, prompt: Prompt, result: Result) -> bool:
        told = text(result.content).strip()
        # Short answers are alike without being the same one.
        by_text = (len(told) >= _LONG or not result.id) and self._is_old(prompt, _text_key("tool", told))
        return (bool(result.id) and self._is_old(prompt, ("result", result.id))) or by_text

    def last_turn(self, by: Speaker, said: str) -> str:
        """The turn in which this was last said."""
        return self._turn_of.get(_text_key(by, said.strip()), "")

    def is_retold(self, said: str, actor: str, *, within: int = 0) -> bool:
        """Whether a text tells again, dressed up or cut short, what this actor or anyone has lately said or got.

        What is told again makes up a third of the text at least; or, if `within` is given, has so many characters.
        """
        told = _squeezed(said)
        cut = told.rstrip(".…")
        for earlier in chain(self._recent[actor], self._latest):
            large = len(earlier) * 3 >= len(told) or 0 < within <= len(earlier)
            if (large and earlier in told) or (len(cut) >= _LONG and cut in earlier):
                return True
        return False

    def request_within(self, said: str) -> str | None:
        """Something that the user has asked, where a text holds it."""
        return next((asked for asked in reversed(self._asked) if len(asked) >= _LONG and asked in said), None)

    def skip_text(self, prompt: Prompt, by: Speaker, said: str) -> None:
        """Take a text for old from now on, though it is not on the tape."""
        key = _text_key(by, said.strip())
        self._times[key] = max(self._times[key], prompt.times[key])

    def _recall(self, said: str, actor: str) -> None:
        if len(said) >= _TELLING:
            told = _squeezed(said)
            self._recent[actor].append(told)
            self._latest.append(told)

    def _is_old(self, prompt: Prompt, key: Hashable) -> bool:
        prompt.times[key] += 1
        return prompt.times[key] <= self._times[key]


def _squeezed(said: str) -> str:
    # Templates change spaces and line ends around what they hold.
    return " ".join(said.split())


def _text_key(by: Speaker, told: str) -> Hashable:
    return told if len(told) >= _LONG else (by, told)


def _call_key(call: Call) -> Hashable:
    return "call", call.name, call.malformed if call.malformed is not None else written(call.arguments)
