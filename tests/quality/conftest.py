"""How well a detector does its job on a corpus of small conversations that people wrote and labelled."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from misstep.core.objective import ExpectedCall, Objective
from misstep.core.policy import Policy, Rule
from misstep.core.roles import Detector
from misstep.core.tool import JSON
from misstep.core.trace import Trace
from misstep.detectors import detect_with_errors

CASES = Path(__file__).parent / "cases"


class Score(NamedTuple):
    """Found and there, found and not there, there and not found; with the names of what went wrong."""

    right: int
    false_alarms: tuple[str, ...]
    missed: tuple[str, ...]
    n: int


class Case(NamedTuple):
    """One conversation, what it shows (`present`, `absent`, or modes joined by +), and its objective."""

    name: str
    label: str
    trace: Trace
    objective: Objective | None


@pytest.fixture(scope="session")
def score(read: Callable[..., Trace]) -> Callable[..., Score]:
    """Run a detector over the corpus of its mode, alone unless told otherwise."""

    def scored(detector: Detector, *, corpus: str = "", beside: tuple[Detector, ...] = ()) -> Score:
        listed = _cases(CASES / f"{corpus or detector.mode.replace('-', '_')}.txt", read)
        return _score(detector, listed, beside)

    return scored


def _score(detector: Detector, listed: list[Case], beside: tuple[Detector, ...] = ()) -> Score:
    right, alarms, missed = 0, list[str](), list[str]()
    for case in listed:
        found, errors = detect_with_errors(case.trace, case.objective, detectors=(*beside, detector))
        assert not errors, f"{case.name}: {errors}"
        claimed = [finding for finding in found if finding.mode == detector.mode]
        present = "present" in case.label or detector.mode in case.label.split("+")
        if claimed and present:
            right += 1
        elif claimed:
            alarms.append(f"{case.name}: {claimed[0].because}")
        elif present:
            missed.append(case.name)
    return Score(right, tuple(alarms), tuple(missed), len(listed))


def _cases(path: Path, read: Callable[..., Trace]) -> list[Case]:
    worlds: dict[str, str] = {}
    found: list[Case] = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        head, _, body = block.strip().partition("\n")
        kind, _, rest = head.partition(" ")
        if kind == "@world":
            worlds[rest] = body
        elif kind == "===":
            label, _, named = rest.partition(" ")
            world, _, name = named.partition(": ")
            found.append(Case(name, label, _read(worlds[world], body, read), _objective(body)))
    return found


def _read(tools: str, body: str, read: Callable[..., Trace]) -> Trace:
    """Lines that begin with a bar set up the rest: `| changes none`, `| confirm TOOL`, `| end HOW` …"""
    fields: dict[str, object] = {}
    lines = body.splitlines()
    for line in (line[2:] for line in lines if line.startswith("| ")):
        what, _, value = line.partition(" ")
        if what == "changes":
            fields["changes"] = ()
        elif what == "confirm":
            fields["policy"] = Policy(rules=(Rule("ask", "confirm", "Ask before you do this.", tools=(value,)),))
        elif what == "afterwards":
            rule = Rule("then", "afterwards", "Then do this.", effects=("writes",), parameters={"tool": value})
            fields["policy"] = Policy(rules=(rule,))
        elif what == "policy":
            fields["policy"] = Policy(value)
        elif what == "end":
            fields["end"] = value
    return read("\n".join([tools, *(line for line in lines if not line.startswith("| "))]), **fields)


def _objective(body: str) -> Objective:
    """`| needs tool(argument=pattern)` is a call that the task needs, `| may …` one that it allows."""
    calls = list[ExpectedCall]()
    for what, _, call in (line[2:].partition(" ") for line in body.splitlines() if line.startswith("| ")):
        if what in ("needs", "may"):
            parsed = ast.parse(call, mode="eval").body
            assert isinstance(parsed, ast.Call)
            arguments = {str(each.arg): cast("JSON", ast.literal_eval(each.value)) for each in parsed.keywords}
            calls.append(ExpectedCall(tool=ast.unparse(parsed.func), arguments=arguments, optional=what == "may"))
    return Objective(calls=tuple(calls))
