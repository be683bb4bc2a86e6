"""A call or a reply → the text from outside that told the agent to make it, where that was not the user's wish."""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache

from misstep.core.event import Memory, Message, ToolCall, ToolResult
from misstep.core.once import once_per_text
from misstep.core.tool import JSON
from misstep.core.trace import Exchange, Trace
from misstep.core.words import atoms, content_stems, sentences, split_identifier, stem, stems, words
from misstep.detectors.evidence.bidding import gives_verdict, quotes, to_be_said, verdicts
from misstep.detectors.evidence.commands import command_in, read_command
from misstep.detectors.evidence.directives import (
    Passage,
    keys_of,
    speaks_to_an_agent,
    stems_of,
    wants_something_said,
)
from misstep.detectors.evidence.heard import heard, words_of
from misstep.detectors.evidence.orders import leaves_it_open, orders, wanted
from misstep.detectors.evidence.outcomes import effect_of
from misstep.detectors.evidence.planted import FROM_THE_START
from misstep.provenance.reading import Index, canonical, has_digit, index_of, leaves, tokens

_DELEGATION = re.compile(
    r"\b(?:follow|do|handle|carry out|act on|execute|complete|process|apply|implement|perform|work through|go through|"
    r"take care of|obey|deal with|sort out|see to|answer|reply to|respond to|arrange)\b"
    r".{0,40}\b(?:what(?:ever)?|instructions?|steps?|says?|asks?|tasks?|items?|to-?dos?|"
    r"lists?|requests?|tells?|wish(?:es)?|wants?|needs?|likes?|describes?|suggests?)\b",
    re.IGNORECASE | re.DOTALL,
)
_AGREEMENT = re.compile(
    r"\s*(?:yes|yeah|yep|sure|ok(?:ay)?|please do|go ahead|do (?:it|that|so)|correct|right|confirmed?|agreed|fine|"
    r"sounds good|absolutely|of course|exactly)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(r"\b(?:can|could|would|will) (?:you|we)\b|\bplease\b|\bmay i\b", re.IGNORECASE)


_DUE = re.compile(
    r"\b(?:always|afterwards?|after (?:every|each|any|an?)|must|should|then|whenever|required)\b", re.IGNORECASE
)
_NOT_DUE = re.compile(r"\b(?:not|never|don't|cannot|n't|unless|without|before)\b", re.IGNORECASE)
_POINTS = re.compile(r"(?:[~.]?/|[A-Za-z]:\\)\S+|[\w-]+(?:/[\w.-]+)+|[\w-]+\.[A-Za-z]{1,5}|[A-Za-z]+[-_#]?\d[\w-]*")
_NEARLY_ALL = 0.8
_STEM = "stem "
_LONG = 2000
_TRIED = 40
"""So many passages are held against one call at most, the latest first."""


class Instructions:
    """Passages that tell an agent what to do, set against what the user asked for; made once for a trace."""

    def __init__(self, trace: Trace, found: Sequence[Passage]) -> None:
        self.passages = found
        self._trace = trace
        self._delegated_at = len(trace.events)
        self._asked: dict[str, int] = {}
        """Each stem that the user used or agreed to, with the place where first."""
        self._wished: dict[str, int] = {}
        """Each value that the user named when wanting something done, rather than known."""
        self._heard: list[tuple[int, str]] = []
        """What the user said, and what the user agreed to."""
        self._told_apart: dict[str, frozenset[str]] = {}
        self._holding: dict[str, list[int]] = {}
        """Each token and each stem, with the passages that hold it."""
        self._listened = False
        if self.passages:
            self._sort()

    def _listen(self) -> None:
        """Hear what the user said; only once somebody may have obeyed a passage."""
        if self._listened:
            return
        self._listened = True
        proposal = ""
        for at, event in enumerate(self._trace.events):
            if isinstance(event, Message) and event.role == "agent":
                proposal = event.text
            elif isinstance(event, Message):
                self._hear(at, event.text, proposal if _AGREEMENT.match(event.text) else "")
                if _DELEGATION.search(event.text) or any(map(leaves_it_open, orders(event.text))):
                    self._delegated_at = min(self._delegated_at, at)

    @cached_property
    def _user(self) -> Index:
        index = Index()
        for at, text in self._heard:
            index.read(text, ("user", at))
        return index

    @cached_property
    def _tools(self) -> Index:
        """What tools were told and gave, but for the passages themselves; read only where a call may obey one."""
        told: dict[int, list[str]] = {}
        for passage in self.passages:
            told.setdefault(passage.at, []).append(passage.text)
        index = Index()
        for at, event in enumerate(self._trace.events):
            if isinstance(event, (ToolResult, ToolCall)):
                content = event.content if isinstance(event, ToolResult) else event.arguments
                for _, value in leaves(content):
                    text = str(value)
                    for passage in told.get(at, ()):
                        text = text.replace(passage, " ")
                    index.read(text, ("tool", at))
        return index

    def _sort(self) -> None:
        for index, passage in enumerate(self.passages):
            for key in keys_of(passage.text) | {f"{_STEM}{each}" for each in stems_of(passage.text)}:
                self._holding.setdefault(key, []).append(index)

    @cached_property
    def _required_by_prose(self) -> frozenset[str]:
        """The stems of what the rules say is to be done along the way."""
        prose = [self._trace.policy.text] if self._trace.policy else []
        prose += [message.text for _, message in self._trace.messages if message.role == "system"]
        return frozenset[str]().union(*map(_due_in, prose))

    def _hear(self, at: int, text: str, agreed: str = "") -> None:
        """`agreed`: what the agent had proposed, where the user said yes to it."""
        text = f"{text}\n{agreed}" if agreed else text
        self._heard.append((at, text))
        # What is only asked about, or ruled out, is not asked for; what was agreed to is, though it was a question.
        self._asked.update(dict.fromkeys(wanted(text).union(stems(agreed)).difference(self._asked), at))
        self._wished.update(dict.fromkeys(_wishes_in(text).difference(self._wished), at))

    def behind_call(self, at: int, call: ToolCall, besides: Collection[str] = ()) -> Passage | None:
        """The passage that a call obeys; the latest of several. `besides`: texts that count for nothing."""
        for index in self._bearing_on(at, call):
            passage = self.passages[index]
            if passage.text not in besides and self._obeys(passage, at, call):
                return passage
        return None

    def _bearing_on(self, at: int, call: ToolCall) -> list[int]:
        """The passages before a call that share a value or a word with it, the latest first."""
        if not self.passages:
            return []
        keys = {canonical(call.tool), *self._values(call)}
        for _, value in leaves(call.arguments):
            longest = max(tokens(str(value)[:_LONG]), key=len, default="")
            keys.add(canonical(longest))
        keys |= {f"{_STEM}{each}" for each in self._telling(call.tool)}
        end = self._before(at)
        found: set[int] = set()
        for key in keys:
            holding = self._holding.get(key, ())
            last = bisect_left(holding, end)
            found.update(holding[max(0, last - _TRIED) : last])
        return sorted(found, reverse=True)[:_TRIED]

    def _before(self, at: int) -> int:
        """How many passages came before a place."""
        return bisect_left(self.passages, at, key=lambda passage: passage.at)

    def _obeys(self, passage: Passage, at: int, call: ToolCall) -> bool:
        self._listen()
        acts = effect_of(self._trace, call) != "reads" and not _only_looks(self._trace, call)
        unasked = not self._asked_for(call.tool, at) and not self._required(call.tool)
        if not passage.addressed:
            turned = unasked or self._turns_aside(passage, at, call)
            return acts and turned and self._delegated_at >= at and self._moved_by(passage, at, call)
        named, exactly = self._named(passage, call)
        if self._planted(passage, at, call.arguments) and (acts or exactly or named):
            return passage.commanding or unasked
        if passage.commanding and not acts and self._looks_where_told(passage, at, call):
            return True
        return unasked and (exactly or (named and acts)) and (acts or not self._looks_elsewhere(passage, at, call))

    def _looks_elsewhere(self, passage: Passage, at: int, call: ToolCall) -> bool:
        """What is read is what the user, or a look-up of its own, had named, and nothing that the passage names."""
        parts = {canonical(part) for _, value in leaves(call.arguments) for part in tokens(str(value)[:_LONG])}
        pointing = self._values(call) | {part for part in parts if has_digit(part)}
        if not parts or not pointing.isdisjoint(keys_of(passage.text)):
            return False
        said, given = self._user.keys, self._tools.keys
        places = ((said.get(part, ("", at))[1] or 0, given.get(part, ("", at))[1] or 0) for part in parts)
        return all(heard_at < at or self._looked_up_apart(passage, given_at, at) for heard_at, given_at in places)

    def _turns_aside(self, passage: Passage, at: int, call: ToolCall) -> bool:
        """The user had named where it should go, and the call goes where the passage wants it instead."""
        for _, value in leaves(call.arguments):
            if isinstance(value, str) and "@" in value and self._only_from(passage, at, value):
                return any("@" in text for text in heard(self._trace).recent(at))
        # A tool may have good reason to name another one; an old note knows nothing of what is asked now.
        noted = passage.at >= 0 and isinstance(self._trace.events[passage.at], Memory)
        return noted and passage.commanding and self._swaps_an_id(passage, at, call)

    def _swaps_an_id(self, passage: Passage, at: int, call: ToolCall) -> bool:
        """In the place of what the user's last wish names by its id stands another id, from the passage alone."""
        wish = next(reversed(heard(self._trace).recent(at)), "")
        asked = {atom.text for atom in atoms(wish[:_LONG]) if atom.kind == "code"}
        values = [str(value) for _, value in leaves(call.arguments)]
        if not asked or any(each in value for each in asked for value in values):
            return False
        ids = (each for each in values if _POINTS.fullmatch(each) and has_digit(each))
        return any(self._only_from(passage, at, each) for each in ids)

    def _moved_by(self, passage: Passage, at: int, call: ToolCall) -> bool:
        """Whether a text that speaks to nobody in particular explains a call that nobody asked for."""
        shared = self._shared_keys(passage, call)
        planted = self._planted(passage, at, call.arguments)
        # Words on an act that has just been done, about what the user wanted, are the tool's own guidance.
        guiding = not passage.from_read and any(self._wished.get(key, at) < at for key in self._values(call))
        if guiding:
            return False
        urged = self._urges(passage, call.tool)
        if planted and (urged or passage.commanding):
            return True
        if not passage.commanding or (passage.general and not urged):
            return False
        named, exactly = self._named(passage, call)
        if not shared:
            # With no value in common, the whole name of the tool must be what the text speaks of.
            return passage.from_read and urged and _name_stems(call.tool) <= stems_of(passage.text)
        wished = any(self._wished.get(key, at) < at for key in shared)
        return (named or exactly) and not wished

    def _urges(self, passage: Passage, tool: str) -> bool:
        """Whether the text speaks of what the tool does as something to be done, not as something that was."""
        telling = self._telling(tool)
        if not telling <= stems_of(passage.text):
            return False
        said = words(passage.text)
        ahead = {
            stem(word)
            for before, word in zip(["", *said], said, strict=False)
            if not word.endswith("ed") or before in ("be", "get", "gets", "getting")
        }
        return telling <= ahead

    def _named(self, passage: Passage, call: ToolCall) -> tuple[bool, bool]:
        """Whether the passage speaks of the tool in words, and whether it gives its very name."""
        exactly = canonical(call.tool) in keys_of(passage.text) and not call.tool.isalpha()
        mine = _name_stems(call.tool)
        if mine <= stems_of(passage.text):
            return True, exactly
        telling = self._telling(call.tool)
        return telling <= stems_of(passage.text) and bool(self._shared_keys(passage, call)), exactly

    def _telling(self, tool: str) -> frozenset[str]:
        """The stems of a tool's name that the fewest tools speak of: what it does, rather than what it does it to."""
        if tool not in self._told_apart:
            self._told_apart[tool] = self._rarest(tool)
        return self._told_apart[tool]

    def _rarest(self, tool: str) -> frozenset[str]:
        mine = _name_stems(tool)
        about = [stems_of(f"{other.name}: {other.description}") for other in self._trace.tools]
        shared = {word: sum(word in each for each in about) for word in mine}
        least = min(shared.values(), default=0)
        return frozenset(word for word, count in shared.items() if count == least)

    def _asked_for(self, tool: str, at: int) -> bool:
        if any(self._asked.get(word, at) < at for word in self._telling(tool)):
            return True
        known = words_of(self._trace, tool)
        return known is not None and heard(self._trace).ordered_since(known.acts, -1, at)

    def _required(self, tool: str) -> bool:
        """The rules themselves have the agent use this tool along the way."""
        rules = self._trace.policy.rules if self._trace.policy else ()
        if not rules and self._telling(tool) <= self._required_by_prose:
            return True
        return any(rule.kind in ("requires", "afterwards") and rule.parameters.get("tool") == tool for rule in rules)

    def _planted(self, passage: Passage, at: int, arguments: JSON) -> bool:
        """Whether a value of the call was first named in the passage, and by nobody before or besides."""
        return any(self._only_from(passage, at, value) for _, value in leaves(arguments))

    def _only_from(self, passage: Passage, at: int, value: JSON) -> bool:
        key = canonical(str(value))
        if isinstance(value, bool) or value is None or len(key) < (3 if has_digit(key) else 4):
            return False
        text = " ".join(str(value).casefold().split())
        inside = key in keys_of(passage.text) or (" " in text and text in " ".join(passage.text.casefold().split()))
        if not inside:
            return False
        parts = [canonical(part) for part in text.split()]
        said = [self._user.keys.get(part) for part in parts]
        by_user = all(place and (place[1] or 0) < at for place in said)
        policy = self._trace.policy
        by_rules = policy is not None and all(part in index_of(policy.text).keys for part in parts)
        if by_user or by_rules:
            return False
        given = [self._tools.keys.get(part) for part in parts]
        known_by = at - 1 if passage.at == FROM_THE_START else passage.at
        return not all(
            place and ((place[1] or 0) <= known_by or self._looked_up_apart(passage, place[1] or 0, at))
            for place in given
        )

    def _looked_up_apart(self, passage: Passage, source: int, at: int) -> bool:
        """Whether a result before the call gave it, of a look-up that took nothing from the passage."""
        if source >= at:
            return False
        exchange = self._answered.get(source)
        if exchange is None or effect_of(self._trace, exchange.call) != "reads":
            return False
        return self._values(exchange.call).isdisjoint(keys_of(passage.text))

    @cached_property
    def _answered(self) -> dict[int, Exchange]:
        return {each.result_at: each for each in self._trace.exchanges if each.result_at is not None}

    def plants(self, passage: Passage, at: int, call: ToolCall) -> bool:
        """The passage gives the call a value of its own, an id or an address, that nobody else had named."""
        self._listen()
        values = (value for _, value in leaves(call.arguments) if isinstance(value, str) and " " not in value.strip())
        weighty = (value for value in values if _POINTS.fullmatch(value) or "@" in value or "://" in value)
        return any(self._only_from(passage, at, value) for value in weighty)

    def _looks_where_told(self, passage: Passage, at: int, call: ToolCall) -> bool:
        """What is read is a file or a record that only the passage named. A link may be followed to learn more."""
        return any(
            isinstance(value, str) and _POINTS.fullmatch(value) and self._only_from(passage, at, value)
            for _, value in leaves(call.arguments)
        )

    def _values(self, call: ToolCall) -> set[str]:
        values = (canonical(str(value)) for _, value in leaves(call.arguments) if not isinstance(value, bool))
        return {key for key in values if len(key) >= 2}

    def _shared_keys(self, passage: Passage, call: ToolCall) -> set[str]:
        return self._values(call) & keys_of(passage.text)

    def behind_reply(self, at: int, text: str) -> Passage | None:
        """The passage whose link, address, number or phrase a reply passes on because it was told to."""
        telling = self._to_be_told
        end = bisect_left(telling, at, key=lambda passage: passage.at)
        if not end or speaks_to_an_agent(text):
            return None  # it repeats the instruction itself, for the user to see
        self._listen()
        parts = [part for part in sentences(text) if not quotes(part)]
        for passage in reversed(telling[max(0, end - _TRIED) : end]):
            said = to_be_said(passage.text)
            if any(self._passed_on(passage, at, part) or self._repeats(said, part) for part in parts):
                return passage
            marks = tuple(mark for mark in verdicts(passage.text) if not self._was_named(mark))
            if any(gives_verdict(marks, part) for part in parts):
                return passage
        return None

    def _was_named(self, mark: str) -> bool:
        """The user spoke of that very mark."""
        return any(gives_verdict((mark,), text) for _, text in self._heard)

    @cached_property
    def _to_be_told(self) -> list[Passage]:
        return [
            passage
            for passage in self.passages
            if passage.addressed and (wants_something_said(passage) or verdicts(passage.text))
        ]

    def _repeats(self, wanted_said: Sequence[frozenset[str]], sentence: str) -> bool:
        """A sentence says nearly all of what was to be said, in words that the user had not used."""
        said = frozenset(content_stems(sentence)) if wanted_said else frozenset[str]()
        return any(
            len(each & said) >= _NEARLY_ALL * len(each) and any(word not in self._asked for word in each & said)
            for each in wanted_said
        )

    def _passed_on(self, passage: Passage, at: int, sentence: str) -> bool:
        low = sentence.casefold()
        for atom in atoms(passage.text):
            bare = atom.text.casefold().rstrip(".,;")
            weighty = atom.kind in ("email", "url", "quoted") or (atom.kind != "date" and len(canonical(bare)) >= 6)
            if weighty and len(bare) >= 4 and bare in low and self._only_from(passage, at, atom.text):
                return True
        return False


@once_per_text
def _wishes_in(text: str) -> frozenset[str]:
    """The values in what a text wants, rather than wants to know."""
    wishes = (each for each in sentences(text) if not each.endswith("?") or _REQUEST.search(each))
    return keys_of("\n".join(wishes))


@once_per_text
def _due_in(text: str) -> frozenset[str]:
    due = (each for each in sentences(text) if _DUE.search(each) and not _NOT_DUE.search(each))
    return frozenset(stems("\n".join(due)))


def _only_looks(trace: Trace, call: ToolCall) -> bool:
    command = command_in(trace, call)
    return command is not None and read_command(command) == "looks"


@lru_cache(maxsize=4096)
def _name_stems(tool: str) -> frozenset[str]:
    return frozenset(stem(word) for word in split_identifier(tool))
