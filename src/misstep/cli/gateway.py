"""What the options of `serve` and `wrap` come to: tools, faults and the command to start again; recordings compared."""

import shlex
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from rich.console import Console

from misstep.catalog import routing_in, scenarios_at, settings_in, toolbox_named
from misstep.cli.notes import note
from misstep.core.errors import UsageError, suggestion
from misstep.core.scenario import Fault
from misstep.core.tool import Tool
from misstep.core.waiting import awaited
from misstep.reporting.recordings import drift_summary, drift_table
from misstep.tools.comparison import Comparison, answers_compared, tools_compared
from misstep.tools.fronting import Front
from misstep.tools.listing import listed
from misstep.tools.mcp.file import servers_in
from misstep.tools.recorded import Tapes, read_recording
from misstep.tools.redacting import names_secret, redacted


def tools_or_settings(tools: str | None) -> str | None:
    """What was asked for, or else what the settings say."""
    return tools or settings_in(Path.cwd()).tools


def again(command: str, options: Mapping[str, object], *rest: str) -> str:
    """A command line for a person to copy, without secrets. Options that were not given are left out."""
    words = ["misstep", command]
    for name, value in options.items():
        words += [f"--{name}", str(value)] if value is not None else []
    return shlex.join([*words, *_without_secrets(rest)])


def _without_secrets(words: Sequence[str]) -> list[str]:
    shown: list[str] = []
    for before, word in zip(("", *words), words, strict=False):
        name, equals, value = word.partition("=")
        if equals and names_secret(name.lstrip("-")):
            shown.append(f"{name}={redacted(value, name.lstrip('-'))}")
        else:
            shown.append(str(redacted(word, before.lstrip("-") if before.startswith("-") else "")))
    return shown


def faults_of(scenario: Path | None) -> tuple[Fault, ...]:
    """Those that strike tools. Raises UsageError where somebody named a scenario, and it has none."""
    if scenario is None:
        return ()
    faults = [fault for each in scenarios_at(scenario) for fault in each.faults if fault.target == "tool"]
    if not faults:
        raise UsageError(
            f"{scenario} has no faults that strike tools, so that it would change nothing; see docs/faults.md."
        )
    return tuple(faults)


def demand_struck(faults: Sequence[Fault], tools: Sequence[Tool]) -> None:
    """Raises UsageError where a fault is for a tool that is not there: it would never happen."""
    names = [tool.name for tool in tools]
    for fault in faults:
        if not any(fnmatchcase(name, fault.tool) for name in names):
            raise UsageError(
                f"The fault {fault.kind!r} is to strike {fault.tool!r}, and there is no such tool."
                f"{suggestion(fault.tool, names)}"
            )


def show_drift(spec: str, file: Path) -> bool:
    """A table of how a recording differs from the tools that are there now, and from what the real ones answer."""
    tapes = read_recording(file)
    tools = awaited(_listed(spec))
    compared = awaited(_answers_compared(spec, tapes, tools)) if spec.endswith(".json") else None
    found = [*tools_compared(tapes, tools), *(compared.changed if compared else ())]
    if found:
        Console().print(drift_table(found))
    note(drift_summary(compared, differs=bool(found), place=str(file)))
    return bool(found)


async def _answers_compared(spec: str, tapes: Tapes, tools: Sequence[Tool]) -> Comparison:
    live = toolbox_named(spec).make(0)
    try:
        return await answers_compared(tapes, tools, live, routing_in(Path.cwd()).of)
    finally:
        if isinstance(live, Front) and live.real is not None:
            await live.real.close()


async def _listed(spec: str) -> tuple[Tool, ...]:
    if spec.endswith(".json"):
        return (await listed(servers_in(spec), routing_in(Path.cwd()))).tools
    return tuple(await toolbox_named(spec).make(0).tools())
