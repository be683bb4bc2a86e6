"""A command as the agent under test: what it is told, what it may answer, and what is left of it."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from misstep.agents.command import CommandAgent, CommandEndedError, Serve, command_agents, command_in
from misstep.core.errors import InvalidTrialError, UsageError
from misstep.core.event import Thought
from misstep.core.policy import Policy
from misstep.core.roles import Toolbox
from misstep.core.scenario import Person, Scenario
from misstep.core.tape import Tape
from misstep.core.tool import JSON, Answer, Tool
from misstep.simulation.trial import run_trial
from misstep.simulation.watch import Watch
from misstep.tools.functions import Functions
from misstep.tools.mcp_server import serving_http

ECHO = """
import json, sys
for line in sys.stdin:
    got = json.loads(line)
    print(json.dumps({"reply": json.dumps(got), "thoughts": ["I only echo."]}), flush=True)
"""
UPPER = """
import sys
for line in sys.stdin:
    print(line.strip().upper(), flush=True)
"""


class Nothing:
    async def tools(self) -> Sequence[Tool]:
        return ()

    async def call(self, tool: str, arguments: Mapping[str, JSON]) -> Answer:
        return Answer(None)


class Gateway:
    """Serves nothing, at an address; knows whether it is open."""

    def __init__(self) -> None:
        self.opened = 0
        self.open = 0

    def __call__(self, toolbox: Toolbox) -> AbstractAsyncContextManager[str]:
        return self._serve()

    @asynccontextmanager
    async def _serve(self) -> AsyncIterator[str]:
        self.opened += 1
        self.open += 1
        try:
            yield "http://127.0.0.1:9/mcp"
        finally:
            self.open -= 1


Line = Callable[..., str]


@pytest.fixture
def line(tmp_path: Path) -> Line:
    """A command line that runs a piece of Python."""

    def written(code: str, *arguments: str) -> str:
        file = tmp_path / "agent.py"
        file.write_text(code)
        return " ".join([sys.executable, str(file), *arguments])

    return written


def made(line: str, *, serve: Serve | None = None, policy: Policy | None = None, **more: Any) -> CommandAgent:
    return command_agents(line, serve=serve, **more)(policy=policy, tape=Tape(), seed=5)


def talk(agent: CommandAgent, *messages: str) -> list[str]:
    async def all_of_them() -> list[str]:
        try:
            return [await agent.respond(each, Nothing()) for each in messages]
        finally:
            await agent.close()

    return asyncio.run(all_of_them())


def ended(pid: int) -> bool:
    """Gone, or dead and waiting for its parent to look."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def soon(true: Callable[[], bool]) -> bool:
    for _ in range(500):
        if true():
            return True
        await asyncio.sleep(0.01)
    return False


def test_a_message_is_a_json_line_and_so_is_the_reply(line: Line) -> None:
    tape = Tape()
    agent = command_agents(line(ECHO))(policy=Policy("Be kind."), tape=tape, seed=5)
    first, second = talk(agent, "Hi\nthere", "Ünd?")
    assert json.loads(first) == {"message": "Hi\nthere", "seed": 5, "policy": "Be kind."}
    assert json.loads(second) == {"message": "Ünd?", "seed": 5}, "the policy is told once"
    assert [each.text for each in tape.view if isinstance(each, Thought)] == ["I only echo."] * 2


def test_plain_lines_will_do_where_they_are_asked_for(line: Line) -> None:
    assert talk(made(line(UPPER), text=True), "hi\nthere", "you") == ["HI THERE", "YOU"]


def test_one_process_serves_a_trial_and_another_the_next(line: Line) -> None:
    count = "import sys\nfor number, line in enumerate(sys.stdin): print(number, flush=True)"
    make = command_agents(line(count), text=True)
    for _ in range(2):
        assert talk(make(policy=None, tape=Tape(), seed=1), "a", "b") == ["0", "1"]


def test_with_the_message_as_an_argument_there_is_a_process_for_each(line: Line) -> None:
    code = "import sys\nprint('first line of', sys.argv[1:])\nprint('second')"
    got = talk(made(line(code, "--ask", "{message}")), "it's {mcp} $HOME", "-x")
    assert got == ["first line of ['--ask', \"it's {mcp} $HOME\"]\nsecond", "first line of ['--ask', '-x']\nsecond"]


def test_the_gateway_is_told_by_placeholder_and_variable(line: Line) -> None:
    code = """
import json, os, sys
sys.stdin.readline()
config = json.load(open(sys.argv[1]))
same = os.environ["MISSTEP_MCP_CONFIG"] == sys.argv[1] and os.environ["MISSTEP_MCP_URL"] == sys.argv[2]
print(json.dumps({"reply": json.dumps([config, sys.argv[2], same, sys.argv[1], os.environ["MISSTEP_POLICY"]])}))
"""
    gateway = Gateway()
    [told] = talk(made(line(code, "{mcp}", "{mcp_url}"), serve=gateway, policy=Policy("Kind.")), "Hi")
    config, url, same, file, policy = json.loads(told)
    assert config == {"mcpServers": {"misstep": {"type": "http", "url": "http://127.0.0.1:9/mcp"}}}
    assert (url, same, policy) == ("http://127.0.0.1:9/mcp", True, "Kind.")
    assert not Path(file).exists(), "nothing is left in the temporary folder"
    assert (gateway.opened, gateway.open) == (1, 0)


THROUGH_MCP = """
import asyncio, json, sys
from mcp import Client

async def main():
    url = next(iter(json.load(open(sys.argv[1]))["mcpServers"].values()))["url"]
    async with Client(url) as client:
        for line in sys.stdin:
            [tool] = (await client.list_tools()).tools
            result = await client.call_tool(tool.name, {"word": json.loads(line)["message"]})
            print(json.dumps({"reply": result.content[0].text}), flush=True)

asyncio.run(main())
"""


def test_a_command_reaches_its_tools_through_the_gateway_and_the_tape_has_it_all(line: Line) -> None:
    def backwards(word: str) -> str:
        return word[::-1]

    made: list[CommandAgent] = []

    def make(**given: Any) -> CommandAgent:
        made.append(command_agents(line(THROUGH_MCP, "{mcp}"), serve=serving_http)(**given))
        return made[0]

    async def one_trial() -> Any:
        scenario = Scenario(name="s", user=Person(script=("abc", "def")))
        toolbox = Functions([backwards])
        done = await run_trial(scenario, 1, seed=0, make_agent=make, make_toolbox=lambda seed: toolbox)
        await made[0].close()
        return done

    done = asyncio.run(one_trial())
    assert done.trace.error is None
    assert [each.text for _, each in done.trace.messages] == ["abc", "cba", "def", "fed"]
    assert [each.call.arguments for each in done.trace.exchanges] == [{"word": "abc"}, {"word": "def"}]


def test_a_gateway_that_does_not_open_makes_the_trial_invalid(line: Line) -> None:
    @asynccontextmanager
    async def broken(toolbox: Toolbox) -> AsyncIterator[str]:
        raise OSError("no port is free")
        yield ""

    with pytest.raises(InvalidTrialError, match="no port is free") as caught:
        talk(made(line(ECHO), serve=broken), "Hi")
    assert caught.value.blame == "infrastructure"


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("import sys\nsys.stdin.readline()\nsys.exit('I am out')", "exited with 1 .* I am out"),
        ("raise ZeroDivisionError", "exited with 1 .*ZeroDivisionError"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "was ended by signal 9"),
        ("import os, sys\nos.close(1)\nsys.stdin.read()", "closed its output"),
        ("", "exited with 0"),
    ],
)
def test_a_command_that_ends_before_it_answers_says_how(line: Line, code: str, how: str) -> None:
    with pytest.raises(CommandEndedError, match=f"(?s){how}"):
        talk(made(line(code)), "Hi")


def test_a_command_that_ends_between_two_messages_has_not_answered_the_second(line: Line) -> None:
    with pytest.raises(CommandEndedError, match="exited with 3"):
        talk(made(line("print(input())\nraise SystemExit(3)"), text=True), "Hi", "Still there?")


def test_a_last_line_without_an_end_is_a_line(line: Line) -> None:
    assert talk(made(line("print(input(), end='')"), text=True), "Hi") == ["Hi"]


def test_a_failed_command_has_no_answer_whatever_it_printed(line: Line) -> None:
    with pytest.raises(CommandEndedError, match="exited with 4"):
        talk(made(line("print('half')\nraise SystemExit(4)", "{message}")), "Hi")


def test_more_than_one_line_is_not_taken_for_the_next_reply(line: Line) -> None:
    code = "import sys\nfor line in sys.stdin:\n sys.stdout.write('one\\ntwo\\n')\n sys.stdout.flush()"
    with pytest.raises(CommandEndedError, match="printed more than its reply: two"):
        talk(made(line(code), text=True), "Hi", "Again")


def trial(line: str, *, timeout_s: float = 30.0, serve: Serve | None = None, **more: Any) -> Any:
    return asyncio.run(
        run_trial(
            Scenario(name="s", user=Person(script=("Hi", "Go on"))),
            1,
            seed=0,
            make_agent=command_agents(line, serve=serve, **more),
            make_toolbox=lambda seed: Nothing(),
            watch=Watch(timeout_s),
        )
    )


@pytest.mark.parametrize("printed", ["hello", "{}", '{"reply": 5}', "[" * 50_000, '{"reply": "x"', "\\xff\\xfe"])
def test_a_line_that_is_no_reply_is_nonsense(line: Line, printed: str) -> None:
    code = f"import sys\nsys.stdin.readline()\nsys.stdout.buffer.write(b'{printed}\\n')\nsys.stdout.flush()"
    done = trial(line(code))
    assert (done.trace.end, done.verdict.blame) == ("agent-nonsense", "agent")
    assert any(isinstance(each, Thought) and "no reply" in each.text for each in done.trace.events)


def test_an_empty_reply_is_nonsense(line: Line) -> None:
    assert trial(line('print(\'{"reply": " "}\')\ninput()')).trace.end == "agent-nonsense"


@pytest.mark.parametrize("arguments", [(), ("{message}",)])
def test_output_without_end_is_cut_and_called_nonsense(line: Line, arguments: tuple[str, ...]) -> None:
    done = trial(line("import sys\nwhile True: sys.stdout.write('x' * 100000)", *arguments))
    assert (done.trace.end, done.verdict.blame) == ("agent-nonsense", "agent")


def test_noise_on_stderr_neither_blocks_nor_fills_anything(line: Line) -> None:
    code = "import sys\nfor line in sys.stdin:\n sys.stderr.write('x' * 3000000)\n print(line.strip(), flush=True)"
    assert talk(made(line(code), text=True), "Hi") == ["Hi"]


def test_a_crash_is_the_agents(line: Line) -> None:
    done = trial(line("raise SystemExit('out of order')"))
    assert (done.trace.end, done.verdict.blame) == ("agent-raised", "agent")
    assert "out of order" in done.trace.error


@pytest.mark.parametrize("arguments", [(), ("{message}",)])
def test_a_command_that_never_answers_is_hung_and_ended(line: Line, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    gateway = Gateway()
    note = tmp_path / "pid"
    code = f"import os, time\nopen({str(note)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)"
    done = trial(line(code, *arguments), timeout_s=2.0, serve=gateway)
    assert (done.trace.end, done.verdict.blame) == ("agent-hung", "agent")
    assert asyncio.run(soon(lambda: not note.exists() or ended(int(note.read_text()))))
    assert gateway.open == 0


CHILD = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
for line in sys.stdin if len(sys.argv) < 2 else ["x"]:
    print(child.pid, flush=True)
"""


@pytest.mark.parametrize("arguments", [(), ("{message}",)])
def test_what_a_command_leaves_running_is_ended_with_it(line: Line, arguments: tuple[str, ...]) -> None:
    [pid] = talk(made(line(CHILD, *arguments), text=True), "Hi")
    assert asyncio.run(soon(lambda: ended(int(pid))))


def test_a_command_that_ignores_the_wish_to_end_is_ended_all_the_same(line: Line) -> None:
    code = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
time.sleep(600)
"""
    agent = CommandAgent(command_in(line(code), text=True), grace_s=0.05)
    [pid] = talk(agent, "Hi")
    assert ended(int(pid))


def test_the_end_of_the_event_loop_ends_a_command_that_nobody_closed(line: Line) -> None:
    code = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)"
    agent = made(line(code), text=True)
    pid = asyncio.run(agent.respond("Hi", Nothing()))
    assert ended(int(pid))


def test_closing_an_agent_that_was_never_spoken_to_starts_nothing(line: Line) -> None:
    gateway = Gateway()
    asyncio.run(made(line(ECHO), serve=gateway).close())
    assert gateway.opened == 0


def test_trials_side_by_side_have_processes_of_their_own(line: Line) -> None:
    make = command_agents(line(UPPER), text=True)

    async def one(word: str) -> str:
        agent = make(policy=None, tape=Tape(), seed=0)
        try:
            return await agent.respond(word, Nothing())
        finally:
            await agent.close()

    async def all_of_them() -> list[str]:
        work: list[Awaitable[str]] = [one(f"w{number}") for number in range(4)]
        return list(await asyncio.gather(*work))

    assert asyncio.run(all_of_them()) == ["W0", "W1", "W2", "W3"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "no command after"),
        ("no-such-command-here --x", "There is no command 'no-such-command-here'"),
        ("python 'unfinished", "cannot be read"),
        (f"{sys.executable} {{mcp}}", "nobody serves them"),
    ],
)
def test_what_cannot_be_started_is_told_before_any_trial(line: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        command_agents(line)


def test_a_command_that_vanished_is_no_failure_of_the_agent(tmp_path: Path) -> None:
    script = tmp_path / "gone"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    agent = made(str(script))
    script.unlink()
    with pytest.raises(InvalidTrialError) as caught:
        talk(agent, "Hi")
    assert caught.value.blame == "infrastructure"
