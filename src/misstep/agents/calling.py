"""A user's own factory, class or plain function → a maker of Agents, called with the arguments that it asks for."""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import cache
from typing import Protocol, TypeVar, cast

from misstep.core.errors import UsageError
from misstep.core.policy import Policy
from misstep.core.roles import Agent, Toolbox
from misstep.core.tape import Recorder
from misstep.core.tool import JSON, Answer, Tool

GIVEN = ("policy", "tape", "seed")
"""What a factory may ask for, by name."""

T = TypeVar("T")


class MakeAgent(Protocol):
    """Makes a fresh agent for one trial."""

    def __call__(self, *, policy: Policy | None, tape: Recorder, seed: int) -> Agent: ...


class Calling:
    """A function `(message, tools) -> str` as an Agent. One that is not async is given tools that need no await."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._function = function
        self._is_async = inspect.iscoroutinefunction(inspect.unwrap(function))

    async def respond(self, message: str, tools: Toolbox) -> str:
        answer = self._function(message, tools if self._is_async else Unawaited(tools))
        # What it answers is checked where the answer is used: it may be no text at all.
        return cast("str", await cast("Awaitable[object]", answer) if inspect.isawaitable(answer) else answer)


class Unawaited:
    """A Toolbox for code that cannot await."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox

    def tools(self) -> Sequence[Tool]:
        return _at_once(self._toolbox.tools())

    def call(self, tool: str, arguments: Mapping[str, JSON] | None = None) -> Answer:
        return _at_once(self._toolbox.call(tool, arguments or {}))


def _at_once(work: Coroutine[object, object, T]) -> T:
    try:
        work.send(None)
    except StopIteration as done:
        return cast("T", done.value)
    work.close()
    raise TypeError("a tool waits for something, so that only async code can call it: make the agent an `async def`")


def as_agent(made: object) -> Agent:
    """What a factory gave, as an Agent."""
    if _responds(type(made)):
        return cast("Agent", made)
    if isinstance(made, Agent):
        return Calling(made.respond)
    if callable(made):
        return Calling(made)
    if inspect.iscoroutine(made):
        made.close()
        raise UsageError("it is async: make the factory a plain `def`; the agent that it returns may be async")
    if made is None:
        raise UsageError("it returned None: is the `return` missing")
    raise UsageError(
        f"it returned {_kind(made)}, which is no agent: an agent has `async def respond(self, message, tools) -> str`, "
        "or is a function `(message, tools) -> str`"
    )


@cache
def _responds(kind: type) -> bool:
    """Asked of every trial's agent, so not by the slow check against the role."""
    respond: object = getattr(kind, "respond", None)
    return callable(respond) and inspect.iscoroutinefunction(inspect.unwrap(respond))


def maker_of(thing: object) -> MakeAgent:
    """A factory, a class, or a function that is the agent itself. Raises UsageError for anything else."""
    if isinstance(thing, Agent) and not inspect.isclass(thing):
        raise UsageError(
            f"it is an agent already, {_kind(thing)}; every trial needs a fresh one. "
            "Name the class, or a function that returns a new agent"
        )
    if not callable(thing):
        raise UsageError(f"it is {_kind(thing)}; name a function or a class that makes an agent")
    if not inspect.isclass(thing) and _answers(thing):
        return _always(thing)
    wanted = _wanted(thing)

    def make(*, policy: Policy | None, tape: Recorder, seed: int) -> Agent:
        given: dict[str, object] = {"policy": policy, "tape": tape, "seed": seed}
        return as_agent(thing(**{name: given[name] for name in wanted}))

    return make


def _always(function: Callable[..., object]) -> MakeAgent:
    def make(*, policy: Policy | None, tape: Recorder, seed: int) -> Agent:
        return Calling(function)

    return make


def _answers(function: Callable[..., object]) -> bool:
    """Is it `(message, tools) -> str`: does it need two arguments that a factory is not given?"""
    if inspect.iscoroutinefunction(inspect.unwrap(function)):
        return True
    required = [name for name, each in _parameters(function).items() if each.default is each.empty]
    return len(required) == 2 and not set(required) & set(GIVEN)


def _wanted(factory: Callable[..., object]) -> tuple[str, ...]:
    parameters = _parameters(factory)
    unknown = [name for name, each in parameters.items() if name not in GIVEN and each.default is each.empty]
    if unknown:
        raise UsageError(
            f"it needs {', '.join(repr(name) for name in unknown)}, which nobody gives; a factory may ask for "
            f"{', '.join(repr(name) for name in GIVEN)} by name, or for nothing, and an agent that is a function takes "
            "`(message, tools)`"
        )
    return tuple(name for name in GIVEN if name in parameters)


def _parameters(function: Callable[..., object]) -> dict[str, inspect.Parameter]:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return {}
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {name: each for name, each in signature.parameters.items() if each.kind not in several}


def _kind(thing: object) -> str:
    name = type(thing).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
