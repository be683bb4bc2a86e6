"""`misstep synthesize` on tools that hang, stopped by Ctrl-C."""

import os
import signal
import subprocess
import sys
from pathlib import Path

HANGING = '''
import time

from misstep import tool

@tool(effect="reads")
def show_order(order_id: str) -> dict:
    """Show an order."""
    with open("called", "w") as pipe:
        pipe.write("!")
    while True:
        time.sleep(0.01)

tools = [show_order]
'''
MAIN = "from misstep.cli.app import main; main()"


def test_ctrl_c_in_a_tool_that_hangs_ends_cleanly_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "hanging_tools.py").write_text(HANGING)
    os.mkfifo(tmp_path / "called")
    command = [sys.executable, "-c", MAIN, "synthesize", "--tools", "hanging_tools:tools", "--out", "made"]
    process = subprocess.Popen(command, cwd=tmp_path, text=True, stderr=subprocess.PIPE)
    with (tmp_path / "called").open() as pipe:
        assert pipe.read(1) == "!"  # waits until the tool is called
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130, told
    assert "Traceback" not in told
    assert not (tmp_path / "made").exists()
