"""How well a detector does its job on a corpus of small conversations that people wrote and labelled."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from misstep.core.policy import Policy, Rule
from misstep.core.roles import Detector
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
    """One conversation and whether it shows the mode."""

    name: str
    present: bool
    trace: Trace


@pytest.fixture(scope="session")
def cases(read: Callable[..., Trace]) -> Callable[[str], list[Case]]:
    """The labelled conversations of one mode."""
    return lambda mode: _cases(CASES / f"{mode.replace('-', '_')}.txt", read)


@pytest.fixture(scope="session")
def score(cases: Callable[[str], list[Case]]) -> Callable[[Detector], Score]:
    """Run one detector alone over the corpus of its mode."""
    return lambda detector: _score(detector, cases(detector.mode))


def _score(detector: Detector, listed: list[Case]) -> Score:
    right, alarms, missed = 0, list[str](), list[str]()
    for case in listed:
        found, errors = detect_with_errors(case.trace, detectors=(detector,))
        assert not errors, f"{case.name}: {errors}"
        if found and case.present:
            right += 1
        elif found:
            alarms.append(f"{case.name}: {found[0].because}")
        elif case.present:
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
            found.append(Case(name, label == "present", _read(worlds[world], body, read)))
    return found


def _read(tools: str, body: str, read: Callable[..., Trace]) -> Trace:
    """A line that begins with a bar sets up the rest: `| changes none`, `| confirm TOOL`, `| policy TEXT`."""
    fields: dict[str, object] = {}
    lines = body.splitlines()
    for line in (line[2:] for line in lines if line.startswith("| ")):
        what, _, value = line.partition(" ")
        if what == "changes":
            fields["changes"] = ()
        elif what == "confirm":
            fields["policy"] = Policy(rules=(Rule("ask", "confirm", "Ask before you do this.", tools=(value,)),))
        elif what == "policy":
            fields["policy"] = Policy(value)
    return read("\n".join([tools, *(line for line in lines if not line.startswith("| "))]), **fields)
