"""The failure modes as data: what each is, how to tell it from its neighbours, how grave it is, what it maps to."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

import msgspec
from msgspec import Struct

from misstep.core.errors import UsageError, suggestion
from misstep.core.finding import FailureMode

VERSION = "2026.1"
"""Findings carry it: a mode's definition may change from one version to the next."""

OWASP: Mapping[str, str] = MappingProxyType(
    {
        "ASI01": "Agent Goal Hijack",
        "ASI02": "Tool Misuse and Exploitation",
        "ASI03": "Identity and Privilege Abuse",
        "ASI04": "Agentic Supply Chain Vulnerabilities",
        "ASI05": "Unexpected Code Execution (RCE)",
        "ASI06": "Memory & Context Poisoning",
        "ASI07": "Insecure Inter-Agent Communication",
        "ASI08": "Cascading Failures",
        "ASI09": "Human-Agent Trust Exploitation",
        "ASI10": "Rogue Agents",
    }
)
"""The titles of OWASP's top ten for agentic applications (2026)."""


class Measured(Struct, frozen=True, forbid_unknown_fields=True):
    """How a detector did on conversations that its authors had not seen."""

    shown: int
    """How many conversations show the mode."""
    found: int
    """In how many of them it was found."""
    claimed: int
    """In how many conversations it was claimed at all."""

    @property
    def trust(self) -> float:
        """How far a claim can be trusted: the share of right ones, drawn towards a half where there are few."""
        return round((self.found + 1) / (self.claimed + 2), 2)


class _Taxonomy(Struct, frozen=True, forbid_unknown_fields=True):
    version: str
    provoked_by: dict[str, tuple[str, ...]]
    held_out: dict[str, Measured]
    modes: tuple[FailureMode, ...]


@cache
def _taxonomy() -> _Taxonomy:
    text = resources.files("misstep.taxonomy").joinpath("modes.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), _Taxonomy)


@cache
def modes() -> Mapping[str, FailureMode]:
    """Every mode by its id, family by family."""
    return MappingProxyType({mode.id: mode for mode in _taxonomy().modes})


def mode(name: str) -> FailureMode:
    """The mode with this id; a name that is none raises UsageError."""
    known = modes()
    if name not in known:
        raise UsageError(f"There is no failure mode {name!r}.{suggestion(name, known)}")
    return known[name]


def held_out() -> Mapping[str, Measured]:
    """By mode, how its detector did on the held-out conversations."""
    return MappingProxyType(_taxonomy().held_out)


def provoked_by(fault_kind: str) -> tuple[str, ...]:
    """The modes that a kind of fault is meant to provoke; none for a kind that is not known here."""
    return _taxonomy().provoked_by.get(fault_kind, ())
