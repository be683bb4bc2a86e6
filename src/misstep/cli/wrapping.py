"""A command line and the servers it would use → a process on the gateway, its configuration replaced."""

import asyncio
import difflib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from misstep.cli.gateway import tools_or_settings
from misstep.cli.notes import note
from misstep.cli.sessions import Plan, session_of, toolbox_of
from misstep.core.errors import UsageError
from misstep.core.roles import Toolbox
from misstep.tools.fronting import materials_of
from misstep.tools.mcp.ending import ended
from misstep.tools.mcp_server import serving_http

_PLACEHOLDER = "{mcp}"
_FLAG = "--mcp-config"
_BRACED = re.compile(r"\{\w+\}")


def wrapped(command: Sequence[str], config: Path | None, plan_for: Callable[[str], Plan]) -> int:
    """Run the command to its end, and give its exit code."""
    original = tools_or_settings(str(config) if config else _named_in(command))
    if original is None:
        raise UsageError(
            f"Nothing says which MCP servers {command[0]!r} would use: give --mcp-config FILE before the --, or tools "
            f"in misstep.toml, and write {_PLACEHOLDER} where the command takes its own such file."
        )
    _demand_known_placeholders(command)
    if shutil.which(command[0]) is None:
        raise UsageError(f"There is no command {command[0]!r}. Is it installed, on the PATH and executable?")
    plan = plan_for(original)
    return asyncio.run(_run(command, plan, toolbox_of(plan)))


async def _run(command: Sequence[str], plan: Plan, toolbox: Toolbox) -> int:
    async with session_of(plan, toolbox) as session:
        materials = await materials_of(toolbox)
        async with serving_http(session.toolbox, materials=materials) as url:
            with tempfile.TemporaryDirectory(prefix="misstep-") as folder:
                file = Path(folder) / "mcp.json"
                file.write_text(json.dumps({"mcpServers": {"misstep": {"type": "http", "url": url}}}, indent=2))
                words = _replaced(command, plan.tools, str(file))
                if str(file) not in " ".join(words):
                    note(f"The command does not name its servers; the gateway is at {url} (MISSTEP_MCP_URL).")
                return await _waited_for(words, {"MISSTEP_MCP_URL": url, "MISSTEP_MCP_CONFIG": str(file)})


async def _waited_for(words: Sequence[str], variables: Mapping[str, str]) -> int:
    """The exit code of a process, which is ended with whoever waits for it."""
    # At a terminal it stays where it is, or it could not be talked to; what it started then gets the terminal's Ctrl-C.
    apart = not sys.stdin.isatty()
    process = await asyncio.create_subprocess_exec(*words, env={**os.environ, **variables}, start_new_session=apart)
    try:
        return await process.wait()
    except asyncio.CancelledError:
        await ended(process, whole_group=apart)
        raise


def _demand_known_placeholders(command: Sequence[str]) -> None:
    """Something nearly like the placeholder is a slip: the command would be started without its servers."""
    for found in _BRACED.findall(" ".join(command)):
        if found != _PLACEHOLDER and difflib.get_close_matches(found, [_PLACEHOLDER]):
            raise UsageError(
                f"The command has {found}, which stands for nothing. Write {_PLACEHOLDER} for the file of servers; the "
                "gateway's address is in MISSTEP_MCP_URL."
            )


def _named_in(command: Sequence[str]) -> str | None:
    named = [word for before, word in zip(("", *command), command, strict=False) if before == _FLAG]
    named += [word.removeprefix(f"{_FLAG}=") for word in command if word.startswith(f"{_FLAG}=")]
    return next((word for word in named if _PLACEHOLDER not in word), None)


def _replaced(command: Sequence[str], theirs: str, ours: str) -> list[str]:
    """The same words with our file wherever theirs, or the placeholder, stood, and after the flag whatever stood there.

    However a file is spelt: a command that kept it would reach the servers themselves.
    """
    words: list[str] = []
    for before, word in zip(("", *command), command, strict=False):
        name, equals, value = word.partition("=")
        if before == _FLAG or _is_same_file(word, theirs):
            words.append(ours)
        elif equals and (name == _FLAG or _is_same_file(value, theirs)):
            words.append(f"{name}={ours}")
        else:
            words.append(word.replace(_PLACEHOLDER, ours))
    return words


def _is_same_file(word: str, theirs: str) -> bool:
    return word == theirs or (word.endswith(".json") and Path(word).resolve() == Path(theirs).resolve())
