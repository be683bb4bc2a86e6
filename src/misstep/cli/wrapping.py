"""A command line and the servers it would use → a process on the gateway, its configuration replaced."""

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from misstep.cli.gateway import Plan, session_of
from misstep.cli.showing import note
from misstep.core.errors import UsageError
from misstep.tools.fronting import materials_of
from misstep.tools.mcp_server import serving_http

_PLACEHOLDER = "{mcp}"
_FLAG = "--mcp-config"


async def wrapped(command: Sequence[str], config: Path | None, plan_for: Callable[[str], Plan]) -> int:
    """Run the command to its end, and give its exit code."""
    original = config or _named_in(command)
    if original is None:
        raise UsageError(
            f"Nothing says which MCP servers {command[0]!r} would use: give --mcp-config FILE before the --, and write "
            f"{_PLACEHOLDER} where the command takes its own such file."
        )
    if shutil.which(command[0]) is None:
        raise UsageError(f"There is no command {command[0]!r}. Is it installed, on the PATH and executable?")
    plan = plan_for(str(original))
    async with session_of(plan) as session:
        materials = await materials_of(session.inner)
        async with serving_http(session.toolbox, materials=materials) as url:
            with tempfile.TemporaryDirectory(prefix="misstep-") as folder:
                file = Path(folder) / "mcp.json"
                file.write_text(json.dumps({"mcpServers": {"misstep": {"type": "http", "url": url}}}, indent=2))
                words = _replaced(command, original, str(file))
                if str(file) not in " ".join(words):
                    note(f"The command does not name its servers; the gateway is at {url} (MISSTEP_MCP_URL).")
                process = await asyncio.create_subprocess_exec(
                    *words, env={**os.environ, "MISSTEP_MCP_URL": url, "MISSTEP_MCP_CONFIG": str(file)}
                )
                return await process.wait()


def _named_in(command: Sequence[str]) -> Path | None:
    for place, word in enumerate(command):
        if word == _FLAG and place + 1 < len(command):
            return Path(command[place + 1])
        if word.startswith(f"{_FLAG}="):
            return Path(word.removeprefix(f"{_FLAG}="))
    return None


def _replaced(command: Sequence[str], original: Path, ours: str) -> list[str]:
    """The same words with our file wherever theirs, or the placeholder, stood."""
    theirs = str(original)
    swapped = {theirs: ours, f"{_FLAG}={theirs}": f"{_FLAG}={ours}"}
    return [swapped.get(word, word.replace(_PLACEHOLDER, ours)) for word in command]
