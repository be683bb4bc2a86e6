"""The main job with the network closed."""

import subprocess
import sys
from pathlib import Path

NO_NETWORK = """
import socket

def refused(*_):
    raise AssertionError("somebody reached for the network")

class Local(socket.socket):
    def connect(self, address):
        if self.family != socket.AF_UNIX:
            refused()
        return super().connect(address)
    connect_ex = connect

socket.socket = Local
socket.getaddrinfo = socket.gethostbyname = socket.create_connection = refused
from misstep.cli import main
main()
"""


def test_the_demo_runs_and_reports_with_the_network_closed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_NETWORK, "demo", "--out", "demo"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in ("report.html", "summary.json", "findings.jsonl", "traces.jsonl"):
        assert (tmp_path / "demo" / name).stat().st_size > 0
