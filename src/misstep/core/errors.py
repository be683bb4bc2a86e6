"""What our own code raises: an error says what it got, why that is wrong and what to do."""

import difflib
from collections.abc import Iterable

from misstep.core.blame import Blame


class MisstepError(Exception):
    """Anything that Misstep raises on purpose."""


class UsageError(MisstepError):
    """Something that a person asked for cannot be done as asked; the command line exits with 64."""


class StartError(UsageError):
    """What was asked for cannot be started here: no verdict on anything, so that the command line exits with 2."""


class FormatError(MisstepError):
    """A file or a line that cannot be read as what it should be."""


class StoppedError(MisstepError):
    """A run that was stopped early: its first trials all came to nothing, and for one reason."""

    def __init__(self, blame: Blame, reason: str) -> None:
        super().__init__(reason)
        self.blame: Blame = blame


class UnknownToolError(MisstepError):
    """A call of a tool that is not on offer."""

    def __init__(self, name: str, offered: Iterable[str]) -> None:
        offered = sorted(offered)
        super().__init__(f"There is no tool {name!r}.{suggestion(name, offered)}")


class InvalidTrialError(MisstepError):
    """Our side of a trial broke: the trial says nothing about the agent."""

    def __init__(self, blame: Blame, reason: str) -> None:
        super().__init__(reason)
        self.blame: Blame = blame
        self.reason = reason


class BudgetSpentError(MisstepError):
    """A trial has used up its turns, calls or simulated seconds."""

    def __init__(self, what: str, limit: float) -> None:
        super().__init__(f"The trial's budget of {limit:g} {what} is spent.")
        self.what = what


def suggestion(name: str, known: Iterable[str]) -> str:
    """A sentence that offers the nearest known name, or lists the known ones."""
    known = sorted(known)
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f" Did you mean {near[0]!r}?"
    if not known:
        return ""
    listed = ", ".join(repr(each) for each in known[:12])
    more = f" and {len(known) - 12} more" if len(known) > 12 else ""
    return f" There are {listed}{more}."
