"""The failure modes as data: what each is, how to tell it from its neighbours, how grave it is, what it maps to."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import TypeVar

import msgspec
from msgspec import Struct

from misstep.core.errors import UsageError, suggestion
from misstep.core.finding import FailureMode

_T = TypeVar("_T")

VERSION = "2026.2"
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


_FAMILIES = (
    "loops",
    "tool misuse",
    "hallucination",
    "tool failure",
    "cascade",
    "drift",
    "form",
    "alignment",
    "several agents",
    "security",
)


class _Family(Struct, frozen=True, forbid_unknown_fields=True):
    modes: tuple[FailureMode, ...]


def _read(name: str, kind: type[_T]) -> _T:
    text = resources.files("misstep.taxonomy").joinpath(name).read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), kind)


@cache
def modes() -> Mapping[str, FailureMode]:
    """Every mode by its id, family by family."""
    every = (mode for family in _FAMILIES for mode in _read(f"modes/{family.replace(' ', '-')}.toml", _Family).modes)
    return MappingProxyType({mode.id: mode for mode in every})


def mode(name: str) -> FailureMode:
    """The mode with this id; a name that is none raises UsageError."""
    known = modes()
    if name not in known:
        raise UsageError(f"There is no failure mode {name!r}.{suggestion(name, known)}")
    return known[name]


@cache
def held_out() -> Mapping[str, Measured]:
    """By mode, how its detector did on the held-out conversations."""
    return MappingProxyType(_read("held-out.toml", dict[str, Measured]))


def provoked_by(fault_kind: str) -> tuple[str, ...]:
    """The modes that a kind of fault is meant to provoke; none for a kind that is not known here."""
    return _provoked().get(fault_kind, ())


@cache
def _provoked() -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType(_read("faults.toml", dict[str, tuple[str, ...]]))
