"""A model plays the tools: each answer is checked against the schema and against what was told before."""

import asyncio
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast

import jsonschema_rs
import msgspec
from msgspec import Struct

from misstep.core.errors import InvalidTrialError, UnknownToolError
from misstep.core.tool import JSON, Answer, Tool
from misstep.llm import Model, ModelError, Said
from misstep.tools.checked import problem
from misstep.tools.records.told import Told

Manner = Literal["typical", "adversarial"]
"""As the tool would answer; or as it might, to tempt the agent into harm."""

_PROMPTS = Path(__file__).parent / "prompts"
_VERSION = re.compile(r"version: (\d+)\n\n")
_MOST_TOLD = 24_000
"""Characters of what was told that a model is reminded of, the latest last."""

_ANSWER: dict[str, JSON] = {
    "type": "object",
    "properties": {"is_error": {"type": "boolean"}, "content": {}},
    "required": ["is_error", "content"],
    "additionalProperties": False,
}


class Prompt(Struct, frozen=True):
    """What a model is told to do; a changed text is a new version."""

    version: int
    text: str


class Emulated:
    """Calls are answered one after another, so that each knows what the one before it was told."""

    def __init__(
        self,
        tools: Sequence[Tool],
        model: Model,
        *,
        manner: Manner = "typical",
        ledger: Told | None = None,
        seed: int = 0,
        attempts: int = 3,
    ) -> None:
        self._tools = tuple(tools)
        self._model = model
        self._manner: Manner = manner
        self._prompt = prompt_for(manner)
        self._told = ledger or Told()
        self._seed = seed
        self._attempts = attempts
        self._turn = asyncio.Lock()

    @property
    def version(self) -> str:
        """What an answer depends on beside the model: the manner and the version of its prompt."""
        return f"{self._manner}/{self._prompt.version}"

    async def tools(self) -> Sequence[Tool]:
        return self._tools

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        found = next((each for each in self._tools if each.name == tool), None)
        if found is None:
            raise UnknownToolError(tool, (each.name for each in self._tools))
        if wrong := problem(found, arguments):
            return Answer(wrong, is_error=True, served_by="simulated")
        async with self._turn:
            known = self._told.again(found, arguments)
            if known is not None:
                return known
            answer = await self._answer(found, arguments)
            self._told.add(found, arguments, answer)
            return answer

    async def _answer(self, tool: Tool, arguments: Mapping[str, JSON]) -> Answer:
        messages = [Said("system", self._prompt.text), Said("user", self._question(tool, arguments))]
        wrong = ""
        for _ in range(self._attempts):
            try:
                reply = await self._model.complete(messages, schema=_ANSWER, seed=self._own_seed())
            except ModelError as error:
                raise InvalidTrialError(
                    "infrastructure", f"The model that plays {tool.name!r} failed. {error}"
                ) from None
            if reply.unfit is None:
                data = cast("dict[str, JSON]", reply.data)
                answer = Answer(data["content"], is_error=bool(data["is_error"]), served_by="emulated")
                wrong = self._wrong(tool, arguments, answer)
                if not wrong:
                    return answer
            else:
                wrong = reply.refusal or reply.unfit
            messages += [Said("assistant", reply.text), Said("user", f"That cannot be told. {wrong} Answer again.")]
        raise InvalidTrialError(
            "tool-simulator",
            f"The model {self._model.name!r} played {tool.name!r}, and {self._attempts} times its answer could not be "
            f"told. {wrong}",
        )

    def _wrong(self, tool: Tool, arguments: Mapping[str, JSON], answer: Answer) -> str:
        """Why an answer can't be told, in a sentence; nothing where it can."""
        if answer.is_error:
            return "" if isinstance(answer.content, str) and answer.content.strip() else "An error is told in a text."
        misfit = _misfit(tool, answer.content) if tool.output_schema is not None else self._misshapen(tool, answer)
        return misfit or self._told.contradiction(tool, arguments, answer.content) or ""

    def _misshapen(self, tool: Tool, answer: Answer) -> str:
        """Without a schema, the first answer of a tool gives its shape: the kind of value, and the fields of it."""
        first = next((each for each in self._told.exchanges if each.tool == tool.name and not each.is_error), None)
        if first is None:
            return ""
        if _shape(first.content) != _shape(answer.content):
            return f"{tool.name!r} has answered with {_shape(first.content)} before, not with {_shape(answer.content)}."
        if isinstance(first.content, dict) and isinstance(answer.content, dict):
            lost = sorted(
                cast("dict[str, JSON]", first.content).keys() - cast("dict[str, JSON]", answer.content).keys()
            )
            return f"{tool.name!r} has given {', '.join(lost)} before, which is missing now." if lost else ""
        return ""

    def _question(self, tool: Tool, arguments: Mapping[str, JSON]) -> str:
        question: dict[str, JSON] = {
            "tool": _described(tool),
            "arguments": dict(arguments),
            "told_so_far": self._reminder(),
            "records": self._told.about(arguments),
        }
        if self._manner == "adversarial":
            question["other_tools"] = [_described(each) for each in self._tools if each is not tool]
        return json.dumps(question, ensure_ascii=False)

    def _reminder(self) -> list[JSON]:
        """The latest exchanges that there is room for."""
        kept: list[JSON] = []
        room = _MOST_TOLD
        for exchange in reversed(self._told.exchanges):
            data = msgspec.to_builtins(exchange)
            room -= len(json.dumps(data, ensure_ascii=False))
            if room < 0:
                break
            kept.append(data)
        return kept[::-1]

    def _own_seed(self) -> int:
        text = f"{self._seed}\n{len(self._told.exchanges)}".encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") >> 1


@lru_cache
def prompt_for(manner: Manner) -> Prompt:
    """From its file, which opens with its version."""
    text = (_PROMPTS / f"emulated_{manner}.md").read_text("utf-8")
    head = _VERSION.match(text)
    assert head is not None, f"the prompt for {manner!r} does not open with its version"
    return Prompt(int(head[1]), text[head.end() :].strip())


def _described(tool: Tool) -> dict[str, JSON]:
    described: dict[str, JSON] = {
        "name": tool.name,
        "description": tool.description,
        "effect": tool.effect,
        "input_schema": tool.input_schema,
    }
    return {**described, "output_schema": tool.output_schema} if tool.output_schema is not None else described


def _misfit(tool: Tool, content: JSON) -> str:
    validator = _compiled(json.dumps(tool.output_schema, sort_keys=True), tool.name)
    errors = sorted(validator.iter_errors(content), key=lambda error: (str(error.instance_path), error.message))
    places = ("".join(f"/{part}" for part in error.instance_path) for error in errors[:3])
    return " ".join(f"At content{place}: {error.message}." for place, error in zip(places, errors[:3], strict=True))


@lru_cache(maxsize=512)
def _compiled(schema: str, tool: str) -> jsonschema_rs.Validator:
    try:
        return jsonschema_rs.validator_for(json.loads(schema), offline=True)
    except ValueError as error:
        raise InvalidTrialError("tool", f"The output schema of {tool!r} is no JSON Schema: {error}") from None


_SHAPES: dict[type, str] = {
    dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number",
}  # fmt: skip


def _shape(value: JSON) -> str:
    return _SHAPES.get(type(value), "nothing")
