"""A command line → an Agent: a process for each trial, spoken to in lines, with its tools served to it over MCP."""

import asyncio
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import Literal, cast

import msgspec
from msgspec import Struct

from misstep.agents.process import Process, started
from misstep.core.errors import InvalidTrialError, MisstepError, StartError, UsageError
from misstep.core.event import Thought
from misstep.core.policy import Policy
from misstep.core.roles import Toolbox
from misstep.core.tape import Recorder
from misstep.core.tool import JSON
from misstep.tools.plain import clean, described

Serve = Callable[[Toolbox], AbstractAsyncContextManager[str]]
"""Serves a toolbox over MCP as long as it is entered, and gives the address."""

Form = Literal["json", "text", "once"]
"""JSON lines; plain lines; or a process for each message, which is then an argument."""

SERVER = "misstep"
"""The name of the one server in the configuration that a command is given."""

_PLACEHOLDER = re.compile(r"\{(mcp|mcp_url|message|policy)\}")
_GRACE_S = 2.0

_ATTENDANTS: set[asyncio.Task[None]] = set()
"""An event loop holds its tasks but loosely: that of an agent which nobody closed would vanish and end nothing."""


class CommandEndedError(MisstepError):
    """The command ended, or printed something else, where it should have answered."""


class Command(Struct, frozen=True):
    """What to start, and how to speak to it."""

    words: tuple[str, ...]
    form: Form = "json"


class _Line(Struct, frozen=True):
    """What a command answers in the JSON form; other fields are its own affair."""

    reply: str
    thoughts: tuple[str, ...] = ()


class _Gateway(Struct, frozen=True):
    url: str = ""
    config: str = ""


_decoder = msgspec.json.Decoder(_Line)


class CommandAgent:
    """Starts nothing before the first message. `close` ends the process; so does the end of the event loop."""

    def __init__(
        self,
        command: Command,
        *,
        serve: Serve | None = None,
        policy: Policy | None = None,
        tape: Recorder | None = None,
        seed: int = 0,
        grace_s: float = _GRACE_S,
    ) -> None:
        self._command = command
        self._serve = serve
        self._policy = policy.text if policy else ""
        self._tape = tape
        self._seed = seed
        self._grace_s = grace_s
        self._gateway = _Gateway()
        self._process: Process | None = None
        self._attendant: asyncio.Task[None] | None = None
        self._over = asyncio.Event()

    async def respond(self, message: str, tools: Toolbox) -> str:
        try:
            if self._attendant is None:
                await self._open(tools)
            return await (self._once(message) if self._command.form == "once" else self._line(message))
        except BaseException:
            # Too late, cancelled or broken: nobody will hear from it again.
            if self._process is not None:
                self._process.kill()
            self._over.set()
            raise

    async def close(self) -> None:
        """End the process, whatever it started, and the gateway."""
        self._over.set()
        if self._attendant is not None:
            await asyncio.wait([self._attendant])
            if not self._attendant.cancelled():
                self._attendant.result()

    async def _open(self, tools: Toolbox) -> None:
        ready: asyncio.Future[_Gateway] = asyncio.get_running_loop().create_future()
        # A task of its own enters and leaves the gateway: a cancelled reply must not tear it.
        self._attendant = asyncio.create_task(self._attend(tools, ready))
        _ATTENDANTS.add(self._attendant)
        self._attendant.add_done_callback(_ATTENDANTS.discard)
        self._gateway = await ready

    async def _attend(self, tools: Toolbox, ready: "asyncio.Future[_Gateway]") -> None:
        try:
            async with AsyncExitStack() as stack:
                gateway = _Gateway()
                if self._serve is not None:
                    url = await stack.enter_async_context(self._serve(tools))
                    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="misstep-"))
                    gateway = _Gateway(url, _configuration(Path(folder), url))
                if not ready.done():
                    ready.set_result(gateway)
                try:
                    await self._over.wait()
                    await self._end(self._grace_s)
                finally:
                    await self._end(0.0)
        except Exception as error:
            if ready.done():
                raise
            reason = f"The tools could not be served to the command: {type(error).__name__}: {error}"
            ready.set_exception(InvalidTrialError("infrastructure", clean(reason)))

    async def _end(self, grace_s: float) -> None:
        if self._process is not None:
            await self._process.end(grace_s)
            self._process = None

    async def _line(self, message: str) -> str:
        first = self._process is None
        process = self._process = self._process or await self._start("")
        if process.printed and not first:
            raise self._unasked(process)
        process.write(self._put(message, first) + b"\n")
        line = await process.line()
        if line is None:
            raise self._ended(process)
        if process.overflowed or self._command.form == "text":
            return line.decode("utf-8", "backslashreplace")
        return self._read(line)

    async def _once(self, message: str) -> str:
        process = self._process = await self._start(message)
        process.close_stdin()
        printed = await process.all()
        if process.status != 0 and not process.overflowed:
            raise self._ended(process)
        await self._end(0.0)
        return printed.decode("utf-8", "backslashreplace").strip()

    def _put(self, message: str, first: bool) -> bytes:
        if self._command.form == "text":
            return clean(" ".join(message.splitlines())).encode()
        line: dict[str, JSON] = {"message": message, "seed": self._seed}
        if first and self._policy:
            line["policy"] = self._policy
        return json.dumps(line).encode()

    def _read(self, line: bytes) -> str:
        try:
            answer = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            shown = described(line[:500].decode("utf-8", "replace"))
            self._note(f"Printed a line that is no reply ({error}): {shown}")
            # The role says text; a trial calls anything else nonsense, which this is.
            return cast("str", line)
        for thought in answer.thoughts:
            self._note(thought)
        return answer.reply

    def _note(self, text: str) -> None:
        if self._tape is not None:
            self._tape.append(Thought(actor="agent", text=clean(text)))

    async def _start(self, message: str) -> Process:
        values = {
            "mcp": self._gateway.config,
            "mcp_url": self._gateway.url,
            "message": message,
            "policy": self._policy,
        }
        words = [_PLACEHOLDER.sub(lambda match: values[match[1]], word) for word in self._command.words]
        environment = {
            **os.environ,
            "MISSTEP_MCP_CONFIG": self._gateway.config,
            "MISSTEP_MCP_URL": self._gateway.url,
            "MISSTEP_POLICY": self._policy,
            "MISSTEP_SEED": str(self._seed),
        }
        try:
            return await started(words, environment)
        except (OSError, ValueError) as error:
            raise InvalidTrialError("infrastructure", f"{self._name} could not be started: {error}.") from None

    @property
    def _name(self) -> str:
        return f"The command {self._command.words[0]!r}"

    def _ended(self, process: Process) -> CommandEndedError | InvalidTrialError:
        status = process.status
        how = "closed its output" if status is None else f"exited with {status}"
        if status is not None and status < 0:
            how = f"was ended by signal {-status}"
        complaint = clean(process.complained.decode("utf-8", "replace").strip())
        last = complaint.rpartition("\n")[2]
        if last.startswith(("ModuleNotFoundError", "ImportError")):
            return InvalidTrialError("infrastructure", f"{self._name} could not start: {last}")
        before = f"\n{complaint}" if last != complaint else ""
        said = f" Its last words on stderr: {last}{before}" if complaint else ""
        return CommandEndedError(f"{self._name} {how} before it answered.{said}")

    def _unasked(self, process: Process) -> CommandEndedError:
        shown = described(process.printed[:200].decode("utf-8", "replace"))
        return CommandEndedError(
            f"{self._name} printed more than its reply: {shown} One line for each message goes to stdout, all else to "
            "stderr."
        )


class MakeCommandAgent:
    """A factory of agents, as `run` calls one."""

    def __init__(self, command: Command, serve: Serve | None) -> None:
        self._command = command
        self._serve = serve

    def __call__(self, *, policy: Policy | None, tape: Recorder, seed: int) -> CommandAgent:
        return CommandAgent(self._command, serve=self._serve, policy=policy, tape=tape, seed=seed)


def command_agents(line: str, *, text: bool = False, serve: Serve | None = None) -> MakeCommandAgent:
    """A maker of agents from a command line; raises UsageError where it can't be started."""
    return MakeCommandAgent(command_in(line, text=text, served=serve is not None), serve)


def command_in(line: str, *, text: bool = False, served: bool = True) -> Command:
    """The words of a command line, split as a shell would, but run without one."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"The command {line!r} cannot be read: {error}.") from None
    if not words:
        raise UsageError("There is no command after `cmd:`. Write one, such as 'cmd:python my_agent.py'.")
    if shutil.which(words[0]) is None:
        raise StartError(
            f"There is no command {words[0]!r} to run as an agent. Is it installed, on the PATH and executable?"
        )
    used = {name for word in words for name in _PLACEHOLDER.findall(word)}
    if not served and used & {"mcp", "mcp_url"}:
        raise UsageError("The command wants its tools over MCP, and nobody serves them here. Leave `{mcp}` out.")
    return Command(tuple(words), "once" if "message" in used else "text" if text else "json")


def _configuration(folder: Path, url: str) -> str:
    """A file in the form that MCP clients read, with one server in it."""
    file = folder / "mcp.json"
    servers: Mapping[str, JSON] = {SERVER: {"type": "http", "url": url}}
    file.write_text(json.dumps({"mcpServers": servers}, indent=2) + "\n", "utf-8")
    return str(file)
