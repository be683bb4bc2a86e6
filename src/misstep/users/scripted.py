"""A user who says the lines of a script, one a turn, whatever the agent does."""

from collections.abc import Sequence

from misstep.core.tape import View


class ScriptedUser:
    """Says nothing more when the lines run out."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = tuple(lines)
        self._next = 0
        self.gave_up = False

    async def say(self, tape: View) -> str | None:
        """The next line; the tape does not matter."""
        if self._next >= len(self._lines):
            return None
        self._next += 1
        return self._lines[self._next - 1]
