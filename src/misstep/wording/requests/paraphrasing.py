"""A model puts a request in other words; it counts only if, read back, every fact is there and none is new."""

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import cast

from msgspec import structs

from misstep.core.errors import InvalidTrialError
from misstep.core.tool import JSON
from misstep.core.words import words
from misstep.llm import Model, ModelError, Said
from misstep.wording.requests.act import Act, Saying, Worded
from misstep.wording.requests.reading_back import facts_in
from misstep.wording.values import proper_names

_ATTEMPTS = 2
_ANSWER: dict[str, JSON] = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1}},
    "required": ["text"],
    "additionalProperties": False,
}
_COUNTS = frozenset(
    """two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty
    sixty seventy eighty ninety hundred thousand dozen monday tuesday wednesday thursday friday saturday sunday tomorrow
    yesterday""".split()
)
"""Words that tell a fact though they look like none."""


@lru_cache(maxsize=1)
def prompt() -> tuple[str, str]:
    """The version of the prompt, and the prompt."""
    text = files("misstep.wording.requests").joinpath("prompts", "paraphrase.md").read_text(encoding="utf-8")
    head, _, rest = text.partition("\n\n")
    return head.removeprefix("version: ").strip(), rest.strip()


async def paraphrased(worded: Worded, act: Act, model: Model, *, voice: str = "plain", seed: int = 0) -> Worded:
    """The same request in a model's words. Asked once more where a fact was lost, changed or made up; then the
    trial is invalid, and the blame is the user simulator's.
    """
    told = [saying for saying in act.sayings if saying.name in worded.told]
    messages = [Said("system", prompt()[1]), Said("user", _question(worded, act, told, voice))]
    wrong = ""
    for _ in range(_ATTEMPTS):
        try:
            reply = await model.complete(messages, schema=_ANSWER, seed=seed)
        except ModelError as error:
            raise InvalidTrialError("infrastructure", f"The model that rewords requests failed. {error}") from None
        if reply.unfit is None:
            text = str(cast("dict[str, JSON]", reply.data)["text"])
            wrong = _wrong(text, worded, act, told)
            if not wrong:
                return structs.replace(worded, text=text, skeleton=_masked(text, worded.written))
        else:
            wrong = reply.refusal or reply.unfit
        messages += [Said("assistant", reply.text), Said("user", f"That cannot be used. {wrong} Write it again.")]
    raise InvalidTrialError(
        "user-simulator",
        f"The model {model.name!r} reworded a request for {act.tool!r}, and {_ATTEMPTS} times it could not be used. "
        f"{wrong}",
    )


def _question(worded: Worded, act: Act, told: Sequence[Saying], voice: str) -> str:
    facts = [{"name": saying.name, "value": saying.value} for saying in told]
    asked = {"message": worded.text, "manner": voice, "is_for": act.description or act.tool, "facts": facts}
    return json.dumps(asked, ensure_ascii=False)


def _wrong(text: str, worded: Worded, act: Act, told: Sequence[Saying]) -> str:
    """What is wrong with a rewording, in a sentence for the model; nothing where all is well."""
    known = (worded.text, act.tool, act.description, act.wants)
    found = facts_in(text, told, also=known)
    if found.lost or found.changed:
        return f"It must have these facts as they are written: {', '.join((*found.lost, *found.changed))}."
    if found.invented:
        return f"It has values that the message has not: {', '.join(found.invented)}."
    untold = [saying for saying in act.sayings if saying.name not in worded.told]
    if leaked := [each for each in facts_in(text, untold).kept if each not in facts_in(worded.text, untold).kept]:
        return f"It tells what the person has not told yet: {', '.join(leaked)}."
    before = {word.lower() for each in (*known, *(str(saying.value) for saying in told)) for word in words(each)}
    names = [name for name in proper_names(text) if not set(words(name)) <= before]
    counts = [word for word in words(text) if word in _COUNTS and word not in before]
    if names or counts:
        return f"It has something that the message has not: {', '.join((*names, *counts))}."
    return ""


def _masked(text: str, written: Sequence[str]) -> str:
    for value in sorted(written, key=len, reverse=True):
        text = text.replace(value, "___") if value else text
    return text
