"""run, from the command line to the files: the embedded agent on the embedded world."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

from misstep.core.trace import decode_trace

RUN = ["run", "--agent", "zoo:sound", "--tools", "world:shop"]


def misstep(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", "from misstep.cli import main; main()", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_the_shop_runs_from_the_command_line_and_one_trial_of_it_again(tmp_path: Path) -> None:
    whole = misstep(*RUN, "--only", "*ref*", "--trials", "2", "--out", "whole", cwd=tmp_path)
    assert whole.returncode in (0, 1), whole.stderr
    lines = (tmp_path / "whole/traces.jsonl").read_bytes().splitlines()
    trace = decode_trace(lines[-1])
    manifest = json.loads((tmp_path / "whole/run.json").read_text())
    assert len(lines) == 2 * len(manifest["scenarios"])
    again = shlex.split(f"--only {trace.origin.scenario} --trial {trace.origin.trial} --seed {trace.origin.seed}")
    misstep(*RUN, *again, "--out", "one", cwd=tmp_path)
    assert (tmp_path / "one/traces.jsonl").read_bytes().splitlines() == [lines[-1]]


def test_an_interrupted_run_says_how_to_go_on_and_does(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "from pathlib import Path\n"
        "def look() -> str:\n    'Look.'\n    return 'seen'\n"
        "tools = [look]\n"
        "async def agent(message, tools):\n"
        "    if not Path('quick').exists():\n        Path('begun').open('w').close()\n"
        "    await tools.call('look', {})\n    return 'Seen.'\n"
    )
    (tmp_path / "look.toml").write_text('user = { script = ["Look."] }\nobjective = { calls = [{ tool = "look" }] }\n')
    arguments = shlex.split(
        "run --agent slow:agent --tools slow:tools --scenarios look.toml --trials 40 --workers 1 --out a"
    )
    os.mkfifo(tmp_path / "begun")
    process = subprocess.Popen(
        [sys.executable, "-c", "from misstep.cli import main; main()", *arguments],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    # Comes back when the first trial is at work; the next one waits for a reader that never comes.
    (tmp_path / "begun").open().close()
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "misstep run --agent slow:agent" in told
    assert "Traceback" not in told
    # The agent's file stays as it is, or it would be another run.
    (tmp_path / "quick").touch()
    done = misstep(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a/traces.jsonl").read_bytes().count(b"\n") == 40
