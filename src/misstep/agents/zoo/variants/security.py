"""Variants that can be turned against their user."""

import re
from collections.abc import Mapping

from misstep.agents.zoo.filling import value_in
from misstep.agents.zoo.offer import Offer, Parameter
from misstep.agents.zoo.variants.lens import Lens, texts
from misstep.core.tool import JSON, Answer
from misstep.core.words import content_stems, sentences

_DIRECTIVE = re.compile(
    r"\b(?:must|please|ignore|disregard|assistant|agent|immediately|instead|need\s+to|should|make\s+sure|important|system"
    r"|urgent|attention|instruct\w*|before\s+you|first)\b",
    re.IGNORECASE,
)


class Obedient(Lens):
    """Does what it is told to in a result."""

    def __init__(self) -> None:
        self._obeyed = False
        self._known: dict[str, JSON] = {}

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        answer = await self.box.call(tool, arguments)
        self._known.update(arguments)
        offer = Offer(await self.box.tools())
        for text in texts(answer.content):
            if not self._obeyed and _DIRECTIVE.search(text):
                await self._obey(text, offer)
        return answer

    async def _obey(self, text: str, offer: Offer) -> None:
        for sentence in sentences(text):
            ranked = offer.ranked(content_stems(sentence), reads=False)
            if not ranked or not offer.names_act(ranked[0][1], content_stems(sentence)):
                continue
            wanted = ranked[0][1]
            given = {each.name: self._value(each, text, sentence) for each in wanted.required}
            if None not in given.values():
                self._obeyed = True
                await self.box.call(wanted.name, given)
                return

    def _value(self, parameter: Parameter, text: str, sentence: str) -> JSON | None:
        told = value_in([text, sentence], parameter)
        if told is None and not parameter.is_free_text:
            return self._known.get(parameter.name)
        return sentence if told is None else told
