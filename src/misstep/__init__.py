"""The front door: the words of Misstep, each imported when it is first asked for."""

from importlib import import_module

_WHERE = {
    # nouns
    "Tool": "core.tool",
    "Objective": "core.objective",
    "Scenario": "core.scenario",
    "Fault": "core.scenario",
    "Event": "core.event",
    "Trace": "core.trace",
    "FailureMode": "core.finding",
    "Finding": "core.finding",
    "Verdict": "core.finding",
    # roles
    "Agent": "core.roles",
    "User": "core.roles",
    "Toolbox": "core.roles",
    "Detector": "core.roles",
    "Guardrail": "core.roles",
    "Tape": "core.tape",
    # verbs, and what they are given
    "run": "simulation.running",
    "Job": "simulation.running",
    "detect": "detectors",
    "tool": "tools.functions",
}

__all__ = list(_WHERE)  # pyright: ignore[reportUnsupportedDunderAll] - the stub beside this file spells them out


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'misstep' has no attribute {name!r}")
    return getattr(import_module(f"misstep.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_WHERE)
