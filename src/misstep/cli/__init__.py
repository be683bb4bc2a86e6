"""The command line: one file a command; each parses, calls, renders and exits."""

from misstep.cli.app import main

__all__ = ["main"]
