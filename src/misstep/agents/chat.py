"""A language model at an address or of a provider → an Agent: our loop around it, the toolbox as its functions."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from misstep.core.errors import InvalidTrialError, MisstepError, UnknownToolError, UsageError
from misstep.core.event import Thought
from misstep.core.policy import Policy
from misstep.core.roles import Toolbox
from misstep.core.tape import Recorder
from misstep.core.tool import JSON, Answer, Tool
from misstep.llm import (
    Function,
    Model,
    ModelError,
    ModelSettings,
    Reply,
    Said,
    Tokens,
    ToolRequest,
    budget_of,
    model_named,
)
from misstep.tools.plain import clean

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_UNFIT = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_THOUGHT = 100_000


class RoundsSpentError(MisstepError):
    """An agent that goes on asking for tools and never comes to an answer."""


class ChatSettings(ModelSettings, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """What the table `[chat]` of `misstep.toml` may say of an agent that is a model."""

    prompt: str = ""
    """Said by the system before the policy."""
    rounds: int = 30
    """The most requests for one reply."""
    parallel: bool = False
    """Are several calls of one reply made side by side? In order, otherwise."""


class ChatAgent:
    """Made for one trial; keeps its history. `usage` says what it cost so far."""

    def __init__(
        self,
        model: Model,
        settings: ChatSettings | None = None,
        *,
        policy: Policy | None = None,
        tape: Recorder | None = None,
        seed: int = 0,
    ) -> None:
        settings = settings or ChatSettings()
        self._model = model
        self._rounds = settings.rounds
        self._parallel = settings.parallel
        self._tape = tape
        self._seed = seed
        rules = (policy.text or "\n\n".join(rule.text for rule in policy.rules)) if policy else ""
        system = "\n\n".join(part for part in (settings.prompt, rules) if part)
        self._history = [Said("system", system)] if system else []
        self.usage = Tokens()
        self.unheard = False
        """Has its model not answered at all since the last message?"""

    async def respond(self, message: str, tools: Toolbox) -> str:
        self.unheard = True
        self._history.append(Said("user", message))
        for _ in range(self._rounds):
            # Anew each time: what is on offer may change in the middle of a conversation.
            offer = _offer(await tools.tools())
            reply = await self._reply([function for function, _ in offer])
            self._note(reply)
            self._history.append(Said("assistant", reply.text, reply.tool_calls))
            if not reply.tool_calls:
                return reply.text
            names = {function.name: tool for function, tool in offer}
            self._history += await self._answers(reply.tool_calls, names, tools)
        raise RoundsSpentError(f"The agent still asked for tools after {self._rounds} requests for one reply.")

    async def _reply(self, functions: Sequence[Function]) -> Reply:
        try:
            reply = await self._model.complete(self._history, tools=functions, seed=self._seed)
        except ModelError as error:
            raise InvalidTrialError("infrastructure", f"The agent's model gave no answer. {error}") from None
        self.unheard = False
        self.usage += reply.usage
        return reply

    def _note(self, reply: Reply) -> None:
        """What nobody hears: reasoning, what is said beside a call, and a refusal in place of an answer."""
        beside = reply.text if reply.tool_calls else ""
        refused = f"Refused: {reply.refusal}" if reply.refusal else ""
        for text in (reply.thought, beside, refused):
            if text.strip() and self._tape is not None:
                self._tape.append(Thought(actor="agent", text=clean(text[:_LONGEST_THOUGHT])))

    async def _answers(self, calls: Sequence[ToolRequest], names: Mapping[str, str], tools: Toolbox) -> list[Said]:
        work = (_called(call, names.get(call.name, call.name), tools) for call in calls)
        return list(await asyncio.gather(*work)) if self._parallel else [await each for each in work]


def chat_agents(settings: ChatSettings, *, folder: Path | None = None) -> "MakeChatAgent":
    """A maker of agents that are all the same model, within one budget; raises UsageError for what can't be used."""
    if settings.cache is not None:
        raise UsageError(
            "`cache` cannot be set for an agent: the same answer again would hide how much it varies. "
            "To run without the model, use `record` once, and then `replay`."
        )
    return MakeChatAgent(model_named(settings, budget=budget_of(settings), folder=folder), settings)


class MakeChatAgent:
    """A factory of agents, as `run` calls one."""

    def __init__(self, model: Model, settings: ChatSettings) -> None:
        self._model = model
        self._settings = settings

    def __call__(self, *, policy: Policy | None, tape: Recorder, seed: int) -> ChatAgent:
        return ChatAgent(self._model, self._settings, policy=policy, tape=tape, seed=seed)


def _offer(tools: Sequence[Tool]) -> list[tuple[Function, str]]:
    """Functions with names that every server takes, each with the tool that it stands for."""
    taken = {tool.name for tool in tools if _NAME.fullmatch(tool.name)}
    offer: list[tuple[Function, str]] = []
    for tool in tools:
        name = tool.name
        if name not in taken:
            name = _free(_UNFIT.sub("_", name)[:60] or "tool", taken)
            taken.add(name)
        offer.append((Function(name, tool.description, tool.input_schema), tool.name))
    return offer


def _free(name: str, taken: set[str]) -> str:
    return next(
        each for number in range(len(taken) + 1) if (each := f"{name}_{number}" if number else name) not in taken
    )


async def _called(call: ToolRequest, tool: str, tools: Toolbox) -> Said:
    try:
        # Arguments that are no object are passed on as they are: the toolbox records them as malformed.
        answer = await tools.call(tool, cast("Mapping[str, JSON]", _arguments(call.arguments)))
    except UnknownToolError as error:
        answer = Answer(str(error), is_error=True)
    return Said("tool", _told(answer), call_id=call.id)


def _arguments(text: str) -> JSON:
    try:
        return json.loads(text.strip() or "{}")
    except (ValueError, RecursionError):
        return text


def _told(answer: Answer) -> str:
    content = answer.content
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return f"Error: {text}" if answer.is_error else text
