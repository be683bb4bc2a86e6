"""The commands: what they print where, and the exit codes that scripts rely on."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from misstep.cli.app import exit_code
from misstep.core.event import Message, ToolCall, ToolResult
from misstep.core.trace import Trace, encode_trace

CODE = '''
def look(order: str) -> str:
    """Look at an order."""
    return f"{order} was sent"

tools = [look]

async def good(message, tools):
    order = message.split(" is ")[-1].rstrip(".")
    answer = await tools.call("look", {"order": order})
    return f"It says: {answer.content}. Anything else?"

async def idle(message, tools):
    return "I cannot do that."

def broken():
    raise RuntimeError("no key")
'''

RECORDS = '''
ORDERS = {f"W-{at}": {"order_id": f"W-{at}", "city": city} for at, city in enumerate(("Bern", "Rome", "Lyon"), 101)}

def list_orders() -> list:
    """List all orders."""
    return list(ORDERS.values())

def show_order(order_id: str) -> dict:
    """Show an order: the city that it goes to."""
    return ORDERS[order_id]

tools = [list_orders, show_order]
'''

SCENARIO = """
name = "look"
user = { opening = "Please look at an order. The order is W-1.", goals = [{ ask = "look at an order" }] }
objective = { calls = [{ tool = "look", arguments = { order = "W-1" } }] }
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name = f"cli_{tmp_path.name}".replace("-", "_").replace(".", "_")
    (tmp_path / f"{name}.py").write_text(CODE)
    (tmp_path / "look.toml").write_text(SCENARIO)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


def run(own: str, agent: str, *more: str) -> int:
    given = () if "--scenarios" in more else ("--scenarios", "look.toml")
    named = ("--agent", f"{own}:{agent}", "--tools", f"{own}:tools")
    return exit_code(["run", *named, "--workers", "1", *given, *more])


def test_ten_lines_of_ones_own_run_at_once(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(own, "good", "--out", "a") == 0
    told = capsys.readouterr()
    assert "1 passed" in told.out
    assert {each.name for each in Path("a").iterdir()} >= {
        "report.html", "summary.json", "traces.jsonl", "findings.jsonl"
    }  # fmt: skip


def test_without_scenarios_some_are_made_from_the_tools(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert exit_code(["run", "--agent", "zoo:does-nothing", "--tools", "world:desk", "--out", str(tmp_path / "a")]) == 1
    assert "synthesized" not in capsys.readouterr().err
    code = [sys.executable, "-c", "from misstep.cli import main; main()"]
    (tmp_path / "mine.py").write_text(RECORDS)
    words = ["run", "--agent", "zoo:sound", "--tools", "mine:tools", "--out", "b"]
    done = subprocess.run([*code, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert "40 were synthesized" in done.stderr


@pytest.mark.parametrize(
    ("code", "told"), [("while True: pass", "took more than 2.2 seconds"), ("import os; os._exit(3)", "exit code 3")]
)
def test_a_module_that_hangs_or_dies_when_imported_is_named(
    own: str, code: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("stuck.py").write_text(code)
    named = ("--agent", "stuck:make", "--tools", f"{own}:tools", "--timeout", "0.2")
    assert exit_code(["run", *named, "--scenarios", "look.toml"]) == 2
    said = capsys.readouterr().err
    assert "Importing stuck:make" in said
    assert told in said


def test_a_failed_trial_fails_the_command(own: str) -> None:
    assert run(own, "idle", "--out", "a") == 1
    assert json.loads(Path("a/summary.json").read_text())["failed"] == 1


def test_a_scenario_without_objective_is_undecided(own: str) -> None:
    Path("free.toml").write_text('user = { script = ["Hello."] }\n')
    assert run(own, "good", "--out", "a", "--scenarios", "free.toml") == 2


def test_the_same_command_again_shows_the_run_again(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(own, "good") == 0
    first = capsys.readouterr()
    assert run(own, "good") == 0
    again = capsys.readouterr()
    assert again.out == first.out
    assert "complete already" in again.err
    assert run(own, "good", "--fresh") == 0
    assert "complete already" not in capsys.readouterr().err


def test_settings_stand_in_for_options_and_options_win(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("misstep.toml").write_text(
        f'agent = "{own}:idle"\ntools = "{own}:tools"\nworkers = 1\nout = "set"\nscenarios = "look.toml"\n'
    )
    assert exit_code(["run"]) == 1
    assert exit_code(["run", "--agent", f"{own}:good", "--out", "given"]) == 0
    assert Path("set/report.html").exists()
    assert Path("given/report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run"], "misstep demo"),
        (["run", "--agent", "zoo:sound"], "--tools"),
        (["run", "--agent", "zoo:sond", "--tools", "world:shop"], "Did you mean 'sound'?"),
        (["run", "--agent", "zoo:sound", "--tools", "world:shop", "--only", "nothing-like-it"], "nothing-like-it"),
        (["run", "--agnet", "x"], "--agent"),
        (["run", "--trials", "0"], "--trials"),
        (["runn"], "run"),
        (["detect", "nowhere.jsonl"], "nowhere.jsonl"),
        (["detect", ".", "--fail-on", "repeated-cal"], "Did you mean 'repeated-call'?"),
        (["report", "nowhere"], "holds no run"),
    ],
)
def test_wrong_usage_exits_with_64_and_says_what_to_do(
    own: str, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert exit_code(arguments) == 64
    shown = capsys.readouterr()
    assert told in shown.err
    assert shown.out == ""


def test_a_factory_that_raises_starts_no_run_and_decides_nothing(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(own, "broken", "--out", "a") == 2
    assert "RuntimeError: no key" in capsys.readouterr().err
    assert not Path("a").exists()


def test_nothing_at_all_shows_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code([]) == 64
    assert "demo" in capsys.readouterr().out


@pytest.mark.parametrize("command", [[], ["run"], ["detect"], ["report"], ["demo"]])
def test_every_help_has_an_example(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code([*command, "--help"]) == 0
    assert "For example:\n    misstep " in capsys.readouterr().out


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["--version"]) == 0
    assert capsys.readouterr().out.startswith("misstep 0.")


def test_the_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from misstep.cli.app import exit_code; exit_code(['--help']); "
        "print([each for each in ('asyncio', 'jinja2', 'multiprocessing', 'rich.table', 'jsonschema_rs', "
        "'misstep.detectors', 'misstep.simulation') if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


LOOP = Trace(
    id="loop",
    events=(
        Message(actor="user", role="user", text="How far is A1?"),
        *(
            event
            for at in range(6)
            for event in (
                ToolCall(actor="agent", call_id=f"c{at}", tool="look", arguments={"order": "A1"}, source=f"span-{at}"),
                ToolResult(actor="look", call_id=f"c{at}", content=[]),
            )
        ),
        Message(actor="agent", role="agent", text="I don't know."),
    ),
)


def test_detect_names_what_it_finds_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "traces.jsonl").write_bytes(encode_trace(LOOP) + b"\n" + encode_trace(Trace(id="empty")) + b"\n")
    output = tmp_path / "found.json"
    assert exit_code(["detect", str(tmp_path), "--json", str(output)]) == 0
    assert "repeated-call" in capsys.readouterr().out
    first, second = json.loads(output.read_text())
    assert (first["trace"], second["trace"], second["findings"]) == ("loop", "empty", [])
    finding = next(each for each in first["findings"] if each["mode"] == "repeated-call")
    assert finding["actor"] == "agent"
    assert str(finding["sources"][0]).startswith("span-")
    assert LOOP.events[finding["at"][0]].source == finding["sources"][0]


def test_detect_fails_on_the_modes_that_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "traces.jsonl").write_bytes(encode_trace(LOOP))
    assert exit_code(["detect", str(tmp_path), "--fail-on", "false-success, repeated-call"]) == 1
    assert exit_code(["detect", str(tmp_path), "--fail-on", "false-success"]) == 0


def test_detect_passes_over_a_line_that_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "traces.jsonl").write_bytes(b"{}\n" + encode_trace(LOOP))
    assert exit_code(["detect", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert "traces.jsonl, line 1" in told.err
    assert "repeated-call" in told.out


def test_report_shows_a_run_again(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(own, "good", "--out", "a")
    first = capsys.readouterr().out
    Path("a/report.html").unlink()
    assert exit_code(["report", "a"]) == 0
    assert capsys.readouterr().out == first
    assert Path("a/report.html").exists()
