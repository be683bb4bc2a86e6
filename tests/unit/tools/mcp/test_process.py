"""What is cancelled while a server starts comes to an end, and leaves nothing running."""

import asyncio
import sys
from pathlib import Path

import pytest

from misstep.tools.mcp_client import McpServers, ServerSpec

STEPS = range(14)
"""So many rounds of the loop lie between the first wish for a server and its first message."""


def _waits_for_ever(pids: Path) -> ServerSpec:
    code = f"import os, sys; open({str(pids)!r}, 'a').write(f'{{os.getpid()}} '); sys.stdin.read()"
    return ServerSpec(name="s", transport="stdio", command=sys.executable, args=("-S", "-c", code))


async def _cancelled_after(steps: int, spec: ServerSpec) -> None:
    task = asyncio.ensure_future(McpServers([spec]).__aenter__())
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    await task


@pytest.mark.parametrize("steps", STEPS)
def test_whoever_is_cancelled_while_a_server_starts_is_not_kept_waiting(steps: int, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    pids.touch()
    with pytest.raises(asyncio.CancelledError):
        # A run that ends cancels all that is left, which must not be a process in the making.
        asyncio.run(_cancelled_after(steps, _waits_for_ever(pids)))
    assert [pid for pid in pids.read_text().split() if Path("/proc", pid).exists()] == []
