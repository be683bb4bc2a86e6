"""A person's own tools: what is not known by heart is read there, and favours are done with them."""

import re
from collections.abc import Sequence

from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.roles import Toolbox
from misstep.core.scenario import Fact, Favour, Given
from misstep.core.tool import Answer
from misstep.core.words import content_stems, stem, words
from misstep.users.hearing import Heard
from misstep.wording.showing import as_shown, shows

_TO_THE_PERSON = re.compile(r"\b(?:please|you|your|try|kindly)\b", re.IGNORECASE)
_OWN = re.compile(r"^\W*(?:i|i've|i'll|i'm|i'd|we|we've|we'll|let me|shall i|shall we)\b", re.IGNORECASE)


class OwnTools:
    """Looks again for what was not there; what was seen once is known."""

    def __init__(self, tools: Toolbox | None) -> None:
        self._tools = tools
        self._seen: set[str] = set()

    async def knows(self, fact: Fact) -> bool:
        """By heart, or because a tool shows it now."""
        if fact.from_tool is None or fact.name in self._seen:
            return True
        answer = await self._called(fact.from_tool)
        if not answer.is_error and shows(answer.content, fact.value):
            self._seen.add(fact.name)
        return fact.name in self._seen

    async def done(self, favour: Favour) -> tuple[str, str]:
        """How it went, as a frame, and what was shown."""
        answer = await self._called(favour.call)
        shown = as_shown(answer.content)
        return "did_not" if answer.is_error else "did" if shown else "did_it", shown

    async def _called(self, call: Given) -> Answer:
        if self._tools is None:
            raise InvalidTrialError("scenario", "The person is to use tools of their own, and there are none.")
        try:
            return await self._tools.call(call.tool, call.arguments)
        except UnknownToolError as error:
            raise InvalidTrialError("scenario", f"The user has no such tool of their own: {error}") from None


def asked_favours(heard: Heard, favours: Sequence[Favour]) -> tuple[list[Favour], str]:
    """The favours that a message asks for, and the message without the sentences that do."""
    asked: dict[str, Favour] = {}
    rest: list[str] = []
    for sentence in heard.sentences:
        found = [each for each in favours if sentence.mood not in ("reports", "refuses") and _asks(sentence.text, each)]
        asked.update((favour.name, favour) for favour in found)
        if not found:
            rest.append(sentence.text)
    return list(asked.values()), "\n".join(rest)


def _asks(sentence: str, favour: Favour) -> bool:
    """A sentence that wants it of the person, and nothing that the agent is going to do itself."""
    if _OWN.search(sentence):
        return False
    held = set(content_stems(sentence))
    ways = [way for way in (favour.name, *favour.words) if set(content_stems(way)) <= held]
    first = {stem(word) for word in words(sentence)[:1]}
    return bool(ways) and (bool(_TO_THE_PERSON.search(sentence)) or any(stem(words(way)[0]) in first for way in ways))
