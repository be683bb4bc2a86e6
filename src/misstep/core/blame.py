"""Blame: whose error decided a trial."""

from typing import Literal

Blame = Literal["agent", "user-simulator", "tool-simulator", "tool", "scenario", "infrastructure"]
"""Only the agent's fails a build."""
